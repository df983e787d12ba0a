/** A line that sets `hooksPath`: its value, up to a comment. */
const HOOKS_PATH = settingLine('hookspath');

/** A line that sets `path`, which in `.gitmodules` is the directory of a submodule. */
const SUBMODULE_PATH = settingLine('path');

/**
 * The directories of hooks that the configuration of a repository names (`core.hooksPath`), as written there. Pure.
 * Ignores the sections of the file, so the result may have too many directories, but never too few.
 */
export function hooksPathsOf(gitConfig: string): readonly string[] {
  return valuesOf(gitConfig, HOOKS_PATH);
}

/** The directories of submodules that a `.gitmodules` names, as written there. Pure. */
export function submodulePathsOf(gitModules: string): readonly string[] {
  return valuesOf(gitModules, SUBMODULE_PATH);
}

function settingLine(key: string): RegExp {
  return new RegExp(String.raw`^\s*(?:\[[^\]]*\])?\s*${key}\s*=\s*("[^"]*"|[^;#]*)`, 'i');
}

function valuesOf(settings: string, line: RegExp): readonly string[] {
  return settings.split('\n').flatMap((text) => {
    const [, ...values] = line.exec(text) ?? [];
    return values.map((value) => value.replaceAll('"', '').trim()).filter((path) => path !== '');
  });
}
