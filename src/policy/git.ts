import { trustedSearchPath } from './search-path.ts';

/**
 * The options and the environment that keep git from starting a program that a repository names in its own
 * configuration. They cannot cover two cases: filters (`filter.*.clean`), which run when git compares or stores the
 * content of a file with a `filter` attribute, so that git must list them first (`FILTERS`, `withoutFilters`); and the
 * external programs of `git diff`, which need `--no-ext-diff --no-textconv`.
 */
const OPTIONS = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.sshCommand', 'false'],
  ['core.alternateRefsCommand', 'false'],
  // An empty helper removes those before it.
  ['credential.helper', ''],
  // A directory of a clone that looks like a bare repository would bring its own configuration.
  ['safe.bareRepository', 'explicit'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['commit.gpgSign', 'false'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.ssh.defaultKeyCommand', 'false'],
  ['log.showSignature', 'false'],
] as const;

/** The whole command line of a git command, without the program. */
export function safeGitArguments(directory: string, args: readonly string[]): readonly string[] {
  return [
    ...OPTIONS.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...['--no-pager', '--no-optional-locks', '-C', directory],
    ...args,
  ];
}

/** Lists the names of the settings of filters, each of which ends with NUL. Without any, the exit code is 1. */
export const FILTERS = ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'];

/**
 * The environment of a command that runs no filter, by the output of `FILTERS` in the same directory. Variables come after
 * all files of git and all options, and unlike in an option, a name in them may contain `=`. Pure.
 */
export function withoutFilters(
  listed: string,
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const drivers = new Set(listed.split('\0').flatMap((name) => /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1] ?? []));
  const settings = [...drivers].flatMap((driver) =>
    [['clean', ''] as const, ['smudge', ''] as const, ['process', ''] as const, ['required', 'false'] as const].map(
      ([key, value]) => [`filter.${driver}.${key}`, value] as const,
    ),
  );
  return settings.reduce((result, [name, value]) => withGitSetting(result, name, value), environment);
}

/** Adds a setting of git to an environment that may have some. Pure. */
export function withGitSetting(
  environment: Readonly<Record<string, string>>,
  name: string,
  value: string,
): Readonly<Record<string, string>> {
  const count = Number(environment['GIT_CONFIG_COUNT'] ?? 0);
  return {
    ...environment,
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: name,
    [`GIT_CONFIG_VALUE_${count}`]: value,
  };
}

/** The variables that git itself needs: its location, the user's configuration and the author. No other is passed on. */
const PASSED_ON =
  /^(?:PATH|HOME|USER|LOGNAME|TMPDIR|TEMP|TMP|TZ|XDG_CONFIG_HOME|SYSTEMROOT|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|PROGRAMDATA|EMAIL|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL))$/i;

/**
 * The environment of a git command in `repository`, derived from the user's. It has no variable that redirects git or
 * makes it start a program, and no directory in `PATH` that depends on the current one or lies in the repository.
 */
export function safeGitEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  platform: 'posix' | 'windows',
  repository: string,
): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined || !PASSED_ON.test(name)) return [];
    const isPath = name.toUpperCase() === 'PATH';
    return [[name, isPath ? trustedSearchPath(value, platform, repository) : value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    // Output is the same in every language.
    LC_ALL: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
    // Variables take precedence over the settings of a repository. With an empty one, git asks nobody.
    GIT_ASKPASS: '',
    GIT_EDITOR: 'false',
    GIT_SEQUENCE_EDITOR: 'false',
    // Paths are never patterns.
    GIT_LITERAL_PATHSPECS: '1',
    // No protocol has this name, so a partial clone fetches nothing, whatever `protocol.*` is in its configuration.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    // Windows otherwise looks for programs in the current directory first.
    NoDefaultCurrentDirectoryInExePath: '1',
  };
}
