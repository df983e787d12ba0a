import { existsSync, lstatSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UsageError } from '../agent/errors.ts';
import type { Machine } from '../app/settings.ts';
import { POLICY_FILE } from '../config/places.ts';
import { contains } from '../policy/paths/path-policy.ts';
import type { SandboxRules } from '../policy/sandbox/rules.ts';
import type { GuardedChanges, StartServer } from '../tools/mcp/settings.ts';
import { createNodeFileSystem } from './files/node-file-system.ts';
import type { ConfineServer } from './mcp/start-server.ts';
import { systemProcesses } from './processes.ts';
import type { OpenProgram, Sandbox } from './sandbox/sandbox.ts';
import { computeDigest, newId, type Projects, systemClock, trustedEnvironment } from './system.ts';

/** The platform as far as programs differ: macOS has those of POSIX. */
const shellPlatform = process.platform === 'win32' ? 'windows' : 'posix';

/**
 * Reads this machine, with the adapters of Node.js. Those of a session are loaded on demand, because a command must start
 * quickly. Throws `UsageError` when the home directory or the current directory cannot be used.
 */
export async function readMachine({
  startMockModel,
  warn,
  projects = new Set(),
}: Pick<Machine, 'projects' | 'startMockModel' | 'warn'>): Promise<Machine> {
  const currentDirectory = readCurrentDirectory(process.cwd);
  const home = readHome(os.homedir, path.isAbsolute);
  const sandboxes = new Map<string, Promise<Sandbox>>();
  let sandbox: Promise<Sandbox> | undefined;
  const places: ServerPlaces = { roots: new Set(), repositories: new Set() };
  return {
    platform: process.platform === 'darwin' ? 'darwin' : shellPlatform,
    environment: process.env,
    home,
    projects,
    temporaryDirectory: os.tmpdir(),
    resolvePath: (file) => path.resolve(currentDirectory, file),
    newId,
    random: Math.random,
    clock: systemClock,
    digest: computeDigest,
    fileSystem: {
      ...createNodeFileSystem(),
      findTracked: async (files) => (await import('./sandbox/tracked-files.ts')).findTracked(files, false),
    },
    processes: systemProcesses,
    openFetch: async (settings) =>
      (await import('./http/open-fetch.ts')).openFetch(settings, { environment: process.env, home }),
    async runProgram(program, args, signal) {
      const { readProgramOutput } = await import('./shell/program-output.ts');
      return readProgramOutput(program, args, { environment: trustedEnvironment(projects), home }, signal);
    },
    async openLogins() {
      const [{ openKeyring }, { loginPages }] = await Promise.all([
        import('./mcp/keyring.ts'),
        import('./mcp/login-pages.ts'),
      ]);
      return { keyring: openKeyring(projects), pages: loginPages(projects) };
    },
    async runGit(command, signal) {
      const { createRunGit } = await import('./git.ts');
      const mayChange = (git: string): boolean => isChanging(git, places);
      return createRunGit({ environment: trustedEnvironment(projects), platform: shellPlatform, home, mayChange })(
        command,
        signal,
      );
    },
    freeBytes,
    async probeSandbox() {
      // A later project can have a program of this name in a directory of `PATH`.
      const searchPath = trustedPath(projects);
      sandbox = sandboxes.get(searchPath) ?? openSandbox(searchPath);
      sandboxes.set(searchPath, sandbox);
      return (await sandbox).probe();
    },
    async readPolicy() {
      if (shellPlatform === 'windows' || isAbsent(POLICY_FILE)) return undefined;
      return (await import('./files/policy-file.ts')).readPolicyFile(POLICY_FILE);
    },
    async trySandbox() {
      const [opened, { trySandbox }, { chooseShellProgram }] = await Promise.all([
        openSandbox(trustedPath(projects)),
        import('./sandbox/try-sandbox.ts'),
        import('./shell/shell-program.ts'),
      ]);
      const shell = chooseShellProgram({ platform: shellPlatform, environment: {}, exists: existsSync });
      const trials = await trySandbox(opened, { shell, home, searchPath: process.env['PATH'] ?? '' });
      return { state: await opened.probe(), trials };
    },
    async loadSessionAdapters() {
      return loadSessionAdapters(await sandbox, places, projects);
    },
    startMockModel,
    warn,
  };
}

/**
 * The user's home directory, as `report` returns it. Throws `UsageError` unless it is absolute: a relative path would
 * lead into the project, whose files would then count as the user's own configuration.
 */
export function readHome(report: () => string, isAbsolute: (path: string) => boolean): string {
  const home = attempt(report);
  if (home !== undefined && isAbsolute(home)) return home;
  const found = home === undefined ? 'it is unknown' : `it is ${JSON.stringify(home)}`;
  throw new UsageError(`The home directory must be an absolute path, but ${found}. Set HOME (Windows: USERPROFILE).`);
}

/** The current directory, as `report` returns it. Throws `UsageError` when it has been removed. */
export function readCurrentDirectory(report: () => string): string {
  const directory = attempt(report);
  if (directory !== undefined) return directory;
  throw new UsageError('The current directory has been removed. Change to another directory and start ybs there.');
}

function attempt(report: () => string): string | undefined {
  try {
    return report();
  } catch {
    return undefined;
  }
}

async function freeBytes(directory: string): Promise<number> {
  const { statfs } = await import('node:fs/promises');
  for (let at = directory; ; at = path.dirname(at)) {
    try {
      const { bavail, bsize } = await statfs(at);
      return bavail * bsize;
    } catch (error) {
      if (at === path.dirname(at)) throw error;
    }
  }
}

/** The places of the servers that were started in the sandbox. */
interface ServerPlaces {
  /** The directories that they can write. */
  readonly roots: Set<string>;
  /** The repositories of which they cannot change the settings. */
  readonly repositories: Set<string>;
}

/** True for a repository that a server may have made, and can change at any time. */
function isChanging(git: string, { roots, repositories }: ServerPlaces): boolean {
  return !repositories.has(git) && [...roots].some((root) => contains(root, git, 'posix'));
}

/** The directories of `PATH` in which no command can put a program; see `trustedEnvironment`. */
function trustedPath(projects: Projects): string {
  return trustedEnvironment(projects)['PATH'] ?? '';
}

async function openSandbox(searchPath: string): Promise<Sandbox> {
  const [{ createSandbox }, { chooseShellProgram }] = await Promise.all([
    import('./sandbox/sandbox.ts'),
    import('./shell/shell-program.ts'),
  ]);
  const shell = chooseShellProgram({ platform: 'posix', environment: {}, exists: existsSync });
  return createSandbox(shell, searchPath);
}

async function loadSessionAdapters(
  sandbox: Sandbox | undefined,
  places: ServerPlaces,
  projects: Projects,
): ReturnType<Machine['loadSessionAdapters']> {
  const [{ createNodeShell }, { chooseShellProgram }, { WorkerTextSearch }, { createRipgrep }] = await Promise.all([
    import('./shell/node-shell.ts'),
    import('./shell/shell-program.ts'),
    import('./search/worker-text-search.ts'),
    import('./search/ripgrep.ts'),
  ]);
  const confineWith = (rules: SandboxRules | undefined) =>
    rules === undefined ? undefined : async (command: OpenProgram) => triedSandbox(sandbox).confine(command, rules);
  return {
    openShell(environment, rules) {
      for (const root of rules?.pathRules.allowedRoots ?? []) projects.add(root);
      const program = chooseShellProgram({ platform: shellPlatform, environment, exists: existsSync });
      return { shell: createNodeShell({ program, confine: confineWith(rules) }), name: program.name };
    },
    async openServerStart(rules) {
      // Loaded when a server starts, because a session that starts none would pay for it.
      const startWith = (confine: ConfineServer | undefined): StartServer => {
        const start: StartServer = async (program, events) =>
          (await import('./mcp/start-server.ts')).createStartServer(confine)(program, events);
        return Object.assign(start, { isConfined: confine !== undefined });
      };
      if (rules === undefined) return startWith(undefined);
      const { pathRules } = rules;
      const { skillRoots = [], allowedRoots } = pathRules;
      let changes: Promise<() => Promise<GuardedChanges>> | undefined;
      const start = startWith(async (program, { read, write, hosts }) => {
        changes ??= triedSandbox(sandbox).watch(rules);
        await changes;
        const granted = { skillRoots: [...skillRoots, ...read], allowedRoots: [...allowedRoots, ...write] };
        const git = path.join(pathRules.workspace, '.git');
        for (const root of granted.allowedRoots) places.roots.add(root);
        if (existsSync(git)) places.repositories.add(git);
        // What a server makes there so that git runs its code is not put back, because no call of it has a clear end.
        const guarded = write.some((each) => contains(each, git, 'posix')) ? [] : [git];
        const guardedPaths = [...rules.guardedPaths, ...guarded];
        // A command must not replace a program that a launcher keeps there, and get what the entry grants.
        const own = computeDigest(new TextEncoder().encode(JSON.stringify([program.program, program.args])));
        return triedSandbox(sandbox).confine(program, {
          ...rules,
          cacheDirectory: `${rules.cacheDirectory}.${own.slice(0, 12)}`,
          hosts: [...(rules.hosts ?? []), ...hosts],
          guardedPaths,
          pathRules: { ...pathRules, ...granted },
        });
      });
      return Object.assign(start, { guardedChanges: async () => (await changes)?.() ?? {} });
    },
    openTextSearch: (workspace) =>
      new WorkerTextSearch({
        findCandidates: createRipgrep({ findSearchPath: () => trustedPath(projects), workspace }),
      }),
  };
}

function triedSandbox(sandbox: Sandbox | undefined): Sandbox {
  if (sandbox === undefined) throw new Error('The sandbox was not tried.');
  return sandbox;
}

/** True for a path that certainly does not exist: neither a link that leads nowhere, nor one that cannot be looked up. */
function isAbsent(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
