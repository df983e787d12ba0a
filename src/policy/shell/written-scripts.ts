import type { PermissionRule } from '../../agent/ports/approver.ts';
import { placesOf } from '../decision-input.ts';
import { foldName } from '../paths/fold-name.ts';
import type { PathRules } from '../paths/path-policy.ts';
import type { Places } from './directories.ts';
import { parseCommandLine } from './parse/command-line.ts';
import type { CommandWords, ShellWord } from './parse/shell-word.ts';
import { StepBudget } from './parse/step-budget.ts';
import { isSelfDescription, programOf } from './programs/system-program.ts';
import { READ_ONLY_PROGRAMS } from './read-only/programs.ts';

/** Programs that run the files in their words, without a version at the end of their names. */
const INTERPRETERS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'pwsh', 'source', '.'],
  ...['python', 'pypy', 'node', 'deno', 'bun', 'tsx', 'ts-node', 'ruby', 'perl', 'php', 'lua', 'rscript', 'osascript'],
  ...['expect', 'tclsh', 'guile', 'julia', 'groovy', 'elixir', 'swift', 'java', 'jshell', 'kotlin', 'scala', 'dart'],
  ...['go', 'dotnet', 'nodemon', 'vite-node', 'jiti', 'zx', 'uv', 'poetry', 'pipenv', 'ansible-playbook'],
  ...['make', 'gmake', 'just', 'rake', 'cmake', 'ninja', 'gradle', 'gradlew', 'mvn', 'ant', 'scons', 'tox', 'nox'],
]);

/** Programs that run the file behind their option `-f`, and read the others. */
const RUN_WITH_F: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'sed', 'psql']);

/** Names of files that a program runs if a word names their directory: `node .`, `python3 -m app`. */
const ENTRIES = /^(?:index|main|__main__|__init__|mod)\.|^package\.json$/;

/** Files that define the commands of programs, by the name of the program. */
const DEFINITIONS: Readonly<Record<string, readonly string[]>> = {
  npm: ['package.json'],
  npx: ['package.json'],
  pnpm: ['package.json'],
  yarn: ['package.json'],
  bun: ['package.json'],
  make: ['makefile', 'gnumakefile'],
  gmake: ['makefile', 'gnumakefile'],
  just: ['justfile', '.justfile'],
  rake: ['rakefile'],
  cargo: ['build.rs', 'cargo.toml'],
  go: ['go.mod'],
  tox: ['tox.ini'],
  nox: ['noxfile.py'],
  gradle: ['build.gradle', 'build.gradle.kts', 'settings.gradle'],
  gradlew: ['build.gradle', 'build.gradle.kts', 'settings.gradle'],
  mvn: ['pom.xml'],
  ant: ['build.xml'],
  cmake: ['cmakelists.txt'],
  scons: ['sconstruct'],
};

/**
 * The first of the written files that a command runs: as a program, as the script of an interpreter, or because it
 * defines what the program does. Pure. Names are compared without their directories, so that no link hides one; a word
 * that the shell computes may be any file.
 */
export function findWrittenScript<Entry extends readonly [path: string, ...rest: unknown[]]>(
  command: string,
  places: Places,
  written: readonly Entry[],
): Entry | undefined {
  if (written.length === 0) return undefined;
  const { commands } = parseCommandLine(command, { places, budget: new StepBudget() });
  return written.find(([path]) => commands.some(({ words }) => runsFile(words, path)));
}

/** Programs that change files and run none, besides those that only read. */
const CHANGES_FILES: ReadonlySet<string> = new Set([
  ...['cp', 'mv', 'rm', 'rmdir', 'mkdir', 'touch', 'ln', 'chmod', 'chown', 'chgrp', 'tee', 'dd', 'truncate', 'shred'],
  ...['mktemp', 'gzip', 'gunzip', 'bzip2', 'xz', 'zip', 'unzip', 'split', 'curl', 'wget', 'kill', 'pkill', 'sleep'],
]);

/** Words of the shell that run no file by themselves. */
const SHELL_BUILT_INS: ReadonlySet<string> = new Set([
  ...['cd', ':', '[', 'test', 'let', 'local', 'declare', 'typeset', 'readonly', 'read', 'shift', 'wait', 'continue'],
  ...['exit', 'break', 'return', 'set', 'shopt', 'pushd', 'popd', 'dirs', 'unset', 'getopts', 'export', 'history'],
]);

/** Subcommands of git that change files, and run none: hooks cannot be changed unseen. */
const GIT_CHANGES = /^(?:add|rm|mv|reset|restore|branch|tag|init|remote|config|clean)$/;

/** True for a file that may be code, by its name. Pure. */
export function mayBeCode(file: string): boolean {
  return !/\.(?:md|txt|rst|adoc|csv|log|png|jpe?g|gif|svg)$/i.test(file);
}

/**
 * True if a command may run a file of the project: one of its programs is neither known to only read, nor to only change
 * files. A command that cannot be read may run any. Pure.
 */
export function mayRunFiles(command: string, places: Places): boolean {
  const { commands, uncertainties } = parseCommandLine(command, { places, budget: new StepBudget() });
  return (
    uncertainties.length > 0 ||
    commands.some(({ words }) => {
      const rest = words.slice(1).map(({ text }) => text);
      const name = programOf({ words });
      const first = rest.find((text) => !text.startsWith('-')) ?? '';
      if (name === 'git' && GIT_CHANGES.test(first)) return false;
      if (name !== '' && isSelfDescription({ words })) return false;
      // Of interpreters, the table of reads has only the version.
      const isReader =
        Object.hasOwn(READ_ONLY_PROGRAMS, name) && !INTERPRETERS.has(name) && !Object.hasOwn(DEFINITIONS, name);
      return !isReader && !CHANGES_FILES.has(name) && !SHELL_BUILT_INS.has(name);
    })
  );
}

/** True for a rule about a command that runs this file, a real path. */
export function ruleRunsFile(rule: PermissionRule, file: string, pathRules: PathRules): boolean {
  if (rule.type === 'command_prefix')
    return findWrittenScript(rule.words.join(' '), placesOf(pathRules), [[file]]) !== undefined;
  if (rule.type !== 'exact_command') return false;
  return findWrittenScript(rule.command, placesOf(pathRules, rule.workingDirectory), [[file]]) !== undefined;
}

function runsFile([program, ...rest]: CommandWords, path: string): boolean {
  const file = nameOf(path);
  const name = nameOf(program.text);
  if (/[\\/]/.test(program.text) && name === file) return true;
  const tool = name === '.' ? name : name.replace(/\.exe$|(?<![\d.])[\d.]+$/, '');
  if (Object.hasOwn(DEFINITIONS, tool) && DEFINITIONS[tool]?.includes(file)) return true;
  if (RUN_WITH_F.has(tool)) {
    return rest.some(
      ({ text }, index) =>
        /^(?:-f|--file)/.test(text) &&
        [text.slice(2), rest[index + 1]?.text ?? ''].some((each) => nameOf(each.slice(each.indexOf('=') + 1)) === file),
    );
  }
  return (
    INTERPRETERS.has(tool) &&
    rest.some((word) => mayName(word, file) || (ENTRIES.test(file) && mayNameDirectory(word, path)))
  );
}

/** `build.sh` is also named by `--file=dir/build.sh`, by `build`, as in `node build`, and by `pkg.build`, as in `python -m`. */
function mayName({ text, static: isStatic }: ShellWord, file: string): boolean {
  if (!isStatic) return true;
  const name = nameOf(text.slice(text.indexOf('=') + 1));
  const stem = file.replace(/(?<=.)\.[^.]*$/, '');
  return name === file || name === stem || name.endsWith(`.${stem}`);
}

/** `app` names the directory of `app/__main__.py`, and `.` that of any entry. */
function mayNameDirectory({ text }: ShellWord, path: string): boolean {
  const directory = nameOf(path.replace(/[\\/][^\\/]*$/, ''));
  const name = nameOf(text.slice(text.indexOf('=') + 1));
  return name === '' || name === '.' || name === '..' || name === directory || name.endsWith(`.${directory}`);
}

/** The last name of a path, in the form that every file system compares. */
function nameOf(path: string): string {
  return foldName(path.replace(/(?<![\\/])[\\/]+$/, '').replace(/^.*[\\/]/s, ''));
}
