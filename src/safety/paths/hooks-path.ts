/**
 * The directories of hooks that the configuration of a repository names (`core.hooksPath`), as written there. Pure, and
 * rather too many than too few: the sections of the file make no difference.
 */
export function hooksPathsOf(gitConfig: string): readonly string[] {
  return [...gitConfig.matchAll(/^[^\S\n]*(?:\[[^\]\n]*\])?[^\S\n]*hookspath[^\S\n]*=(.*)$/gim)].flatMap(
    ([, written = '']) => {
      const [, quoted, plain = ''] = /^\s*(?:"([^"]*)"|([^;#]*))/.exec(written) ?? [];
      const path = quoted ?? plain.trim();
      return path === '' ? [] : [path];
    },
  );
}
