import type { ComputeDigest } from '../../agent/ports/digest.ts';
import { buildPathRules } from '../paths/build-path-rules.ts';
import { type PathPlatform, type PathRules, pathFlavour } from '../paths/path-policy.ts';
import { PROTECTED_IN_HOME, SENSITIVE_NAMES, SENSITIVE_PAIRS } from '../paths/special-names.ts';
import { expandPath } from '../paths/written-path.ts';
import { findHooks, type RepositoryFiles } from '../trust/repository-settings.ts';
import { findUserSettings, type UserFiles, type UserSettings } from '../trust/user-settings.ts';

/** The user's side of the sandbox of one session. */
export interface SandboxRules {
  readonly pathRules: PathRules;
  /** Absolute paths that commands may not change, although they may lie in the workspace. */
  readonly guardedPaths: readonly string[];
  /** The hooks and included files of the user's own settings of git. */
  readonly userSettings?: Pick<UserSettings, 'home' | 'hooks' | 'included'>;
  /** `hidden`: a command sees nothing of the home directory but programs and what it may write. */
  readonly home: 'read-only' | 'hidden';
  /** Commands may open sockets of this machine. */
  readonly localSockets: boolean;
  /** The servers that commands may reach, as names, addresses or `*.` before a name. */
  readonly hosts?: readonly string[];
  /** Absolute path of the directory in which programs keep their caches for this workspace. It need not exist. */
  readonly cacheDirectory: string;
  /** Absolute paths outside of the workspace that commands may read, also in a hidden home. */
  readonly readablePaths?: readonly string[];
  /** The directories of programs, as in `PATH`. */
  readonly programDirectories: readonly string[];
  /** The variables of the user that hold secrets, which commands get unless they run without a question. */
  readonly secretVariables: readonly string[];
  /** Commands see the objects that a repository of the workspace borrows from another one of the user. */
  readonly showsBorrowed?: boolean;
}

/** The user's settings of the sandbox. Paths are as the user wrote them. */
export interface SandboxSettings {
  readonly allowedPaths: readonly string[];
  readonly blockedPaths: readonly string[];
  readonly ownDirectories: readonly string[];
  /** Files and directories of the project that ybs runs, such as its tools. */
  readonly guardedPaths: readonly string[];
  readonly homeMode: SandboxRules['home'];
  readonly readablePaths?: readonly string[];
  readonly localSockets: boolean;
  readonly hosts?: readonly string[];
  /** The folders of skills, as real paths. */
  readonly skillRoots?: readonly string[];
  readonly secretVariables: readonly string[];
  /** The user trusts the project, whose files name repositories from which it borrows objects. */
  readonly isTrusted?: boolean;
}

/**
 * Builds the rules of a session. The caches of a workspace are with the other files of ybs, so that no tool can read them,
 * in a directory named after the workspace and its digest. The hooks that the repository names are guarded like those in
 * `.git`. `realPathOf` as in `buildPathRules`.
 */
export async function buildSandboxRules(
  {
    homeMode,
    localSockets,
    secretVariables,
    hosts = [],
    searchPath,
    environment,
    digest,
    home,
    guardedPaths,
    readablePaths = [],
    isTrusted = false,
    ...settings
  }: SandboxSettings & {
    readonly workspace: string;
    readonly home: string;
    readonly platform: PathPlatform;
    readonly searchPath: string;
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly digest: ComputeDigest;
  },
  realPathOf: (absolutePath: string) => Promise<string>,
  files: RepositoryFiles & UserFiles,
): Promise<SandboxRules> {
  const { workspace, platform } = settings;
  const realHome = await realPathOf(home).catch(() => home);
  const flavour = pathFlavour(platform);
  const user = await findUserSettings(realHome, platform, files, environment);
  const hooks = await findHooks(workspace, platform, files, user);
  const rules = { ...settings, home: realHome, readOnlyRoots: [], guardedPaths: hooks };
  const pathRules = await buildPathRules(rules, realPathOf);
  const name = `${flavour.basename(workspace)}-${digest(new TextEncoder().encode(workspace)).slice(0, 12)}`;
  return {
    pathRules,
    home: homeMode,
    localSockets,
    secretVariables,
    showsBorrowed: isTrusted,
    hosts,
    userSettings: user,
    readablePaths: readablePaths.map((written) => expandPath(written, { ...settings, home: realHome })),
    guardedPaths: [...guardedPaths, ...hooks].map((written) => expandPath(written, { ...settings, home: realHome })),
    cacheDirectory: flavour.join(home, '.config/ybs/caches', name),
    programDirectories: searchPath.split(flavour.delimiter),
  };
}

/** Files and directories of the home directory with secrets, besides those that no tool may read. */
const SECRETS_IN_HOME: readonly string[] = [
  ...['.local/share/fish/fish_history', '.viminfo', '.lesshst'],
  ...['.claude', '.claude.json', '.codex', '.gemini', '.m2/settings.xml', '.gradle/gradle.properties'],
  ...['.terraform.d', '.subversion/auth'],
];

/** Files and directories of the system with secrets, which root could read. */
const SECRETS_IN_SYSTEM: readonly string[] = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'],
  ...['/etc/ssl/private', '/etc/krb5.keytab', '/etc/wireguard', '/var/lib/docker', '/var/lib/containerd'],
  ...['/etc/ssh/ssh_host_rsa_key', '/etc/ssh/ssh_host_ecdsa_key', '/etc/ssh/ssh_host_ed25519_key'],
];

/** Everything outside the workspace that a command may not read, as absolute paths, which need not exist. Pure. */
export function secretPlaces({ home, platform, blockedPaths, ownDirectories = [] }: PathRules): readonly string[] {
  const { join } = pathFlavour(platform);
  const pairs = SENSITIVE_PAIRS.map((names) => join(...names));
  const inHome = [...PROTECTED_IN_HOME, ...SECRETS_IN_HOME, ...SENSITIVE_NAMES, ...pairs];
  const below = home === undefined ? [] : inHome.map((path) => join(home, path));
  return [...new Set([...below, ...SECRETS_IN_SYSTEM, ...blockedPaths, ...ownDirectories])];
}

/** The directories of caches, by the variable that tells a program where it is. Relative to the directory of caches. */
const CACHES: Readonly<Record<string, string>> = {
  // pip, uv, go build, yarn, deno, corepack and many others.
  XDG_CACHE_HOME: '',
  npm_config_cache: 'npm',
  // The store of pnpm. npm warns of settings that it does not know, such as `npm_config_store_dir`.
  PNPM_HOME: 'pnpm',
  CARGO_HOME: 'cargo',
  GOMODCACHE: 'go-mod',
  BUN_INSTALL_CACHE_DIR: 'bun',
  YARN_GLOBAL_FOLDER: 'yarn-berry',
  GRADLE_USER_HOME: 'gradle',
  NUGET_PACKAGES: 'nuget',
};

/** The variables that commands in the sandbox get besides their environment. Pure. */
export function sandboxVariables({ pathRules, cacheDirectory }: SandboxRules): Readonly<Record<string, string>> {
  const { join } = pathFlavour(pathRules.platform);
  const caches = Object.entries(CACHES).map(([name, directory]) => [name, join(cacheDirectory, directory)] as const);
  const { home } = pathRules;
  return {
    ...Object.fromEntries(caches),
    TMPDIR: '/tmp',
    // The browsers of tests are too large for a cache of each workspace.
    ...(home !== undefined && { PLAYWRIGHT_BROWSERS_PATH: join(home, '.cache/ms-playwright') }),
  };
}
