import type { SandboxRules } from './rules.ts';

/** The mark of a variable that the user passes although its name says that it holds a secret: `secret:NPM_TOKEN`. */
const SECRET_MARK = 'secret:';

/** The name of a marked variable in `safety.environment`. */
export function secretVariable(entry: string): string | undefined {
  return entry.startsWith(SECRET_MARK) ? entry.slice(SECRET_MARK.length) : undefined;
}

/** Caches that programs write even when they only read. In a view, they are in the directory of temporary files. */
const CACHES_OF_VIEW: Readonly<Record<string, string>> = { XDG_CACHE_HOME: '/tmp/cache', npm_config_cache: '/tmp/npm' };

/**
 * The variables of a command in a view of the workspace: without secrets, and with caches that end with it. Go does not
 * ask git for the revision, which the view hides. Pure.
 */
export function variablesOfView(
  variables: Readonly<Record<string, string>>,
  { secretVariables }: Pick<SandboxRules, 'secretVariables'>,
): Readonly<Record<string, string>> {
  const secret = new Set(secretVariables.map((name) => name.toUpperCase()));
  const others = Object.entries(variables).filter(([name]) => !secret.has(name.toUpperCase()));
  const GOFLAGS = `${variables['GOFLAGS'] ?? ''} -buildvcs=false`.trim();
  return { ...Object.fromEntries(others), ...CACHES_OF_VIEW, GOFLAGS };
}

/** Directories of the system, which every command in a view may read: programs, and facts about the machine. */
const SYSTEM_DIRECTORIES: ReadonlySet<string> = new Set([
  'bin',
  'dev',
  'etc',
  'gnu',
  'lib',
  'lib32',
  'lib64',
  'libx32',
  'nix',
  'opt',
  'proc',
  'sbin',
  'snap',
  'sys',
  'usr',
  // macOS
  ...['Applications', 'Library', 'System', 'cores', 'private'],
]);

/** The directories at the root of the file system that a view leaves out. */
export function directoriesOutsideView(names: readonly string[]): readonly string[] {
  return names.filter((name) => !SYSTEM_DIRECTORIES.has(name)).map((name) => `/${name}`);
}

/** The directory of Homebrew on Linux, which is beside the homes of users. */
export const LINUXBREW = '/home/linuxbrew/.linuxbrew';

/** Directories with the lists of packages, and of programs that are installed beside the system. */
export const VISIBLE_IN_VIEW: readonly string[] = [
  ...['/var/lib/dpkg', '/var/lib/apt', '/var/lib/rpm', '/var/lib/pacman', '/var/cache/man', LINUXBREW],
];

/**
 * True for settings of git that hold no secret: neither an address with a password, nor a header or a token. Nor do they
 * name a program for all changes (`diff.external`), to which git would give the content of every file.
 */
export function isPlainGitConfig(text: string): boolean {
  return !/:\/\/(?:[^/\s:@]*:[^/\s@]+|[^/\s:@]{20,})@|extraheader|cookie|(?:token|pass(?:w\w*|phrase)?|secret|api-?key)\s*=|^\s*(?:\[diff\]\s*)?external\s*=/im.test(
    text,
  );
}
