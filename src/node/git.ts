import { spawn } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { FILTERS, safeGitArguments, safeGitEnvironment, withoutFilters } from '../policy/git.ts';
import type { GitResult, RunGit } from '../session/git/git-command.ts';

/** The time limit of a command that has none of its own, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** The maximum length of an output, in bytes. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Creates the runner of git on this machine. It starts in `home`, which contains no program of a project, and in a session
 * of its own, so that nothing can ask at the terminal. Right before each command, git itself lists the filters that it
 * would run, whichever file names them, and they are turned off. It uses the processes of Node.js itself, because every
 * start in a repository runs git, and `execa` takes longer to load than git runs.
 */
export function createRunGit(machine: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: 'posix' | 'windows';
  readonly home: string;
  /** The time limit of a command, in milliseconds. */
  readonly timeoutMs?: number;
  /** True for a directory of git that another program may change while git runs, between the list and its use. */
  readonly mayChange?: (git: string) => boolean;
}): RunGit {
  const { home, timeoutMs = TIMEOUT_MS, mayChange = () => false } = machine;
  return async ({ directory, args, environment }, signal) => {
    const repository = repositoryOf(directory);
    if (repository !== undefined && mayChange(repository))
      return { type: 'failed', reason: `a server of this session can change ${repository}. Start ybs again` };
    const pipe = waitingFile(directory);
    if (pipe !== undefined) return { type: 'failed', reason: `${pipe} is not an ordinary file. Remove it` };
    const own = { ...safeGitEnvironment(machine.environment, machine.platform, directory), ...environment };
    const run = (command: readonly string[], variables: Readonly<Record<string, string>>): Promise<GitResult> =>
      runOnce(safeGitArguments(directory, command), { environment: variables, home, timeoutMs }, signal);
    const filters = await run(FILTERS, own);
    if (filters.type === 'failed') return filters;
    return run(args, withoutFilters(filters.stdout, own));
  };
}

/** The `.git` of the work tree that contains a directory. */
function repositoryOf(directory: string): string | undefined {
  const git = path.join(directory, '.git');
  if (lstatSync(git, { throwIfNoEntry: false }) !== undefined) return git;
  const parent = path.dirname(directory);
  return parent === directory ? undefined : repositoryOf(parent);
}

/** Files that git opens in a work tree, and in the directory of its state. */
const OPENED = ['.gitattributes', '.gitignore', '.gitmodules', '.mailmap'];
const OPENED_STATE = [
  ...['HEAD', 'index', 'config', 'config.worktree', 'commondir', 'packed-refs', 'shallow'],
  ...['info/attributes', 'info/exclude', 'info/grafts', 'info/sparse-checkout', 'objects/info/alternates'],
];
/** Directories of the state in which git opens files of any name: references, their logs, and the lists of objects. */
const OPENED_BELOW = [
  'refs',
  'logs',
  'worktrees',
  'rebase-merge',
  'rebase-apply',
  'objects/info',
  'objects/pack',
  'info',
];
/** More entries than these are not looked at: every command has a time limit, too. */
const MAX_ENTRIES = 2_000;

/** The first file of a repository, from `directory` up to its root, whose opening would wait, as that of a pipe does. */
function waitingFile(directory: string): string | undefined {
  const isRoot = lstatSync(path.join(directory, '.git'), { throwIfNoEntry: false }) !== undefined;
  const names = isRoot ? [...OPENED, '.git'] : OPENED;
  const found =
    names.map((name) => path.join(directory, name)).find(waits) ??
    (isRoot
      ? stateDirectories(path.join(directory, '.git'))
          .map(waitingState)
          .find((file) => file !== undefined)
      : undefined);
  const parent = path.dirname(directory);
  return found ?? (isRoot || parent === directory ? undefined : waitingFile(parent));
}

/** The directories of the state of a work tree: `.git`, or the one that a file `.git` names, and the one that it shares. */
function stateDirectories(git: string): readonly string[] {
  const named = /^gitdir: (.+)/.exec(textOf(git))?.[1];
  const own = named === undefined ? git : path.resolve(path.dirname(git), named.trim());
  const common = waits(path.join(own, 'commondir')) ? '' : textOf(path.join(own, 'commondir')).trim();
  return common === '' ? [own] : [own, path.resolve(own, common)];
}

/** The first file of a directory of state whose opening would wait. */
function waitingState(state: string): string | undefined {
  const files = OPENED_STATE.map((name) => path.join(state, name));
  for (const name of OPENED_BELOW) {
    for (const entry of entriesBelow(path.join(state, name), MAX_ENTRIES)) files.push(entry);
  }
  return files.find(waits);
}

/** The special files and links below a directory, of its first entries. */
function entriesBelow(directory: string, limit: number): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .slice(0, limit)
      .flatMap((entry) => {
        const file = path.join(directory, entry.name);
        if (entry.isDirectory()) return entriesBelow(file, Math.floor(limit / 4));
        return entry.isFile() ? [] : [file];
      });
  } catch {
    return [];
  }
}

/** The maximum size of a file that names a directory, in bytes. */
const MAX_POINTER = 8192;

function textOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() === true && stat.size <= MAX_POINTER ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

/** True for a pipe, a socket or a device. */
function waits(file: string): boolean {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile() && !stat.isDirectory();
  } catch {
    // git reports why it cannot use it.
    return false;
  }
}

/** Runs git once and collects its output. */
function runOnce(
  args: readonly string[],
  {
    environment,
    home,
    timeoutMs,
  }: { readonly environment: Readonly<Record<string, string>>; readonly home: string; readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<GitResult> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ type: 'failed', reason: 'aborted' });
    const child = spawn('git', args, {
      cwd: home,
      env: environment,
      // A command that reads its input gets an empty one.
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const output = { stdout: '', stderr: '' };
    // It may have started processes, which would keep its output open.
    const stop = (reason: string): void => {
      if (child.pid !== undefined) killGroup(child.pid);
      child.stdout.destroy();
      child.stderr.destroy();
      finish({ type: 'failed', reason });
    };
    const abort = (): void => stop('aborted');
    const finish = (result: GitResult): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(result);
    };
    const timer = setTimeout(stop, timeoutMs, 'timed_out');
    signal.addEventListener('abort', abort, { once: true });
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
        if (output[name].length > MAX_OUTPUT_BYTES) stop('it printed too much');
      });
    }
    child.once('error', () => finish({ type: 'failed', reason: 'it is not installed or cannot be started' }));
    child.once('close', (exitCode) => {
      if (exitCode === null) finish({ type: 'failed', reason: 'a signal ended it' });
      else finish({ type: 'ended', exitCode, ...output });
    });
  });
}

/** Ends git and all that it has started: on Windows, which has no groups of processes, git alone. */
function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended since.
  }
}
