import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import path from 'node:path';
import { contains } from '../../policy/paths/path-policy.ts';
import type { CandidateQuery, Candidates, FindCandidates } from '../../tools/search/candidates.ts';

/** The places to look for `rg` in, and those where it must not be. */
export interface RipgrepPlace {
  /** Finds the value of `PATH`. Called with the first search, because most sessions have none. */
  readonly findSearchPath: () => string;
  /** Real path of the workspace, whose programs are not run. */
  readonly workspace: string;
}

/** The length of the paths for one process. Windows allows 32,767 characters, macOS 1 MB with the environment. */
const MAX_ARGUMENTS = process.platform === 'win32' ? 20_000 : 400_000;
const AT_ONCE = 2;

/**
 * Finds candidates with `rg`, if it is installed: it only gets files and directories that the walk allows, and texts
 * instead of patterns, so that it reads nothing else and differs in nothing. It runs without a configuration file and
 * without the environment.
 */
export function createRipgrep(place: RipgrepPlace): FindCandidates {
  let program: Promise<string | undefined> | undefined;
  return async (query, signal) => {
    program ??= findRipgrep(place);
    const found = await program;
    if (found === undefined) return undefined;
    const waiting = [
      ...inGroups(query.trees, []),
      ...inGroups([...query.directories, ...query.files], ['--max-depth', '1']),
    ];
    const paths: string[] = [];
    let searched = 0;
    let failed = false;
    const work = async (): Promise<void> => {
      for (let group = waiting.shift(); group !== undefined && !failed; group = waiting.shift()) {
        const part = await run(found, query, group, signal);
        if (part === undefined) failed = true;
        for (const name of part?.paths ?? []) paths.push(name);
        searched += part?.searched ?? 0;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return failed ? undefined : { paths, searched };
  };
}

/** The real path of `rg` in a directory of `PATH`; `undefined` if there is none outside the workspace. */
async function findRipgrep({ findSearchPath, workspace }: RipgrepPlace): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  for (const directory of findSearchPath().split(path.delimiter)) {
    if (!path.isAbsolute(directory)) continue;
    try {
      const found = await realpath(path.join(directory, name));
      if (contains(workspace, found, process.platform === 'win32' ? 'windows' : 'posix')) continue;
      await access(found, constants.X_OK);
      return found;
    } catch {
      // There is none in this directory.
    }
  }
  return undefined;
}

/** Paths for one process, and the options for them. */
interface Group {
  readonly options: readonly string[];
  readonly paths: string[];
}

function inGroups(paths: readonly string[], options: readonly string[]): readonly Group[] {
  const groups: Group[] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const name of paths) {
    if (length + name.length > MAX_ARGUMENTS) {
      groups.push({ options, paths: [] });
      length = 0;
    }
    groups.at(-1)?.paths.push(name);
    length += name.length + 3;
  }
  return groups;
}

/**
 * The files that contain a text, binary ones too; `undefined` if rg failed, for instance at a file that it cannot read.
 */
function run(
  program: string,
  { root, maxBytes, texts, ignoresCase }: CandidateQuery,
  { options, paths }: Group,
  signal: AbortSignal,
): Promise<Candidates | undefined> {
  const args = [
    ...['--no-config', '--files-with-matches', '--null', '--text', '--no-messages', '--color', 'never', '--stats'],
    // Every regular file that is not larger.
    ...['--hidden', '--no-ignore', '--max-filesize', String(maxBytes), ...options],
    ...['--fixed-strings', ignoresCase ? '--ignore-case' : '--case-sensitive'],
    // A text may have a zero byte, which an argument cannot have.
    ...['--file', '-'],
    '--',
    ...paths.map((name) => `./${name}`),
  ];
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env: {}, stdio: ['pipe', 'pipe', 'ignore'], signal });
    // Without its texts, rg fails.
    child.stdin.on('error', () => {});
    child.stdin.end(texts.join('\n'));
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => {
      resolve(code === 0 || code === 1 ? candidatesIn(Buffer.concat(chunks).toString()) : undefined);
    });
  });
}

/** The names, each of which ends with NUL, and the number of files in the statistics that follow. */
function candidatesIn(output: string): Candidates | undefined {
  const names = output.split('\0');
  const searched = /^(\d+) files? searched$/m.exec(names.pop() ?? '')?.[1];
  if (searched === undefined) return undefined;
  const paths = names.map((name) => name.replace(/^\.[\\/]+/, '').replaceAll(path.sep, '/'));
  return { paths, searched: Number(searched) };
}
