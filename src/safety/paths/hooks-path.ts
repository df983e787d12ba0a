/** A line that names a directory of hooks: its value, up to a comment. */
const HOOKS_PATH = /^\s*(?:\[[^\]]*\])?\s*hookspath\s*=\s*("[^"]*"|[^;#]*)/i;

/**
 * The directories of hooks that the configuration of a repository names (`core.hooksPath`), as written there. Pure, and
 * rather too many than too few: the sections of the file make no difference.
 */
export function hooksPathsOf(gitConfig: string): readonly string[] {
  return gitConfig.split('\n').flatMap((line) => {
    const [, ...values] = HOOKS_PATH.exec(line) ?? [];
    return values.map((value) => value.replaceAll('"', '').trim()).filter((path) => path !== '');
  });
}
