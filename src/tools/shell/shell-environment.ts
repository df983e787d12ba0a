import { contains } from '../../policy/paths/path-policy.ts';
import { secretVariable } from '../../policy/sandbox/view.ts';
import { trustedSearchPath } from '../../policy/search-path.ts';

/** Names of variables that hold keys, passwords or tokens. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|PWD$|CRED|AUTH|_PAT$|DATABASE_URL/i;

/** Variables that a command gets from the user. */
const KEPT = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TMP', 'TEMP']);

/** Variables without which programs for Windows do not start. */
const KEPT_ON_WINDOWS = new Set([
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'OS', 'NUMBER_OF_PROCESSORS'],
  ...['USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA'],
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432', 'PROCESSOR_ARCHITECTURE', 'PSMODULEPATH'],
]);

/**
 * Settings that keep git from starting programs of a repository when it only reads: a monitor, the configuration of a
 * directory that looks like a bare repository, filters of submodules, and the hook of the index after a refresh.
 */
const GIT_SETTINGS = [
  ['core.fsmonitor', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['diff.autoRefreshIndex', 'false'],
] as const;

/** Values that prevent pagers, editors, prompts and colours. With `:` as GIT_EDITOR, git uses a message unchanged. */
export const QUIET: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  LESS: '-FRX',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: ':',
  GIT_SEQUENCE_EDITOR: ':',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_CONFIG_COUNT: String(GIT_SETTINGS.length),
  ...Object.fromEntries(
    GIT_SETTINGS.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
  TERM: 'dumb',
  NO_COLOR: '1',
};

/**
 * The environment of commands: built, never inherited. It has the places, the user and the language, values that keep a
 * command from waiting, and the variables of `passed` (`safety.environment`). A name that looks like a secret, and those
 * of provider keys (`keyVariables`), must have the mark `secret:` there. `PATH` has no relative directories and none of the
 * workspace, unless it is one of `passed`. Ignores the case of names.
 */
export function shellEnvironment(
  userEnvironment: Readonly<Record<string, string | undefined>>,
  keyVariables: readonly string[] = [],
  passed: readonly string[] = [],
  workspace?: string,
): Record<string, string> {
  const isWindows = 'SYSTEMROOT' in upperCased(userEnvironment);
  const keys = new Set(keyVariables.map((name) => name.toUpperCase()));
  const wanted = new Set(
    passed.flatMap((entry) => {
      const marked = secretVariable(entry);
      const name = (marked ?? entry).toUpperCase();
      return marked !== undefined || !(SECRET_NAME.test(name) || keys.has(name)) ? [name] : [];
    }),
  );
  const [way, home] = [isWindows ? 'windows' : 'posix', userEnvironment['HOME']] as const;
  // A workspace that contains the home directory has the user's own programs, not those of a project.
  const project = workspace && home && contains(workspace, home, way) ? undefined : workspace;
  const kept = Object.entries(userEnvironment).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    const upper = name.toUpperCase();
    if (value === undefined || Object.hasOwn(QUIET, upper)) return [];
    const isUsual = KEPT.has(upper) || upper.startsWith('LC_') || (isWindows && KEPT_ON_WINDOWS.has(upper));
    if (upper === 'PATH' && !wanted.has(upper)) {
      return [[name, trustedSearchPath(value, way, project)]];
    }
    return isUsual || wanted.has(upper) ? [[name, value]] : [];
  });
  return { ...Object.fromEntries(kept), ...QUIET };
}

/** The names in an environment that indicate a secret, and always those of provider keys. */
export function secretNames(
  environment: Readonly<Record<string, string | undefined>>,
  keyVariables: readonly string[],
): readonly string[] {
  const keys = new Set(keyVariables.map((name) => name.toUpperCase()));
  return Object.keys(environment).filter((name) => SECRET_NAME.test(name) || keys.has(name.toUpperCase()));
}

function upperCased(environment: Readonly<Record<string, string | undefined>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(environment).map((name) => [name.toUpperCase(), true]));
}
