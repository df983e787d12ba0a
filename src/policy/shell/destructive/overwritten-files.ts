import { absoluteWord, type Directories, normalPath, type Places } from '../directories.ts';
import { tryParseCommandLine } from '../parse/command-line.ts';
import type { SimpleCommand } from '../parse/parsed-command-line.ts';
import { dropStart, programName, type ShellWord, staticWord, UNKNOWN_WORD } from '../parse/shell-word.ts';
import { copiedFiles } from '../programs/copied-files.ts';
import { namesFound, readFindCommand } from '../programs/find-command.ts';
import { readGitCommand, unquotePattern } from '../programs/git-command.ts';
import { FOUND_BELOW } from '../programs/unwrap-command.ts';
import { writtenInCode } from './written-in-code.ts';

/** A file that a command may overwrite, by its absolute path, with links not resolved. */
export interface Overwritten {
  /** May contain patterns of file names. */
  readonly path: string;
  /** Name patterns of the files and directories below the path that are meant, in place of the path itself. */
  readonly found?: readonly string[];
  /** Names below the path, if it is a directory, as with `cp a b directory`. */
  readonly inside: readonly string[];
  /** The name itself is removed, also that of a link; `tree`: also a directory, with all that is in it. */
  readonly removed?: true;
  readonly tree?: true;
  /** `mv` puts the file there, and it is lost if another file goes there, too, or if the place ends with the command. */
  readonly movedTo?: string;
}

/**
 * The files and directories that a command line may overwrite or remove. `unknown`: names that the shell or a program
 * computes, by their known starts; `moves`: a file may get the content of another one that is gone then; `received`: where
 * `mv` puts what it moves, or the known starts.
 */
export interface OverwrittenFiles {
  readonly files: readonly Overwritten[];
  readonly unknown?: readonly string[];
  readonly moves?: true;
  readonly received: readonly string[];
}

/** A target as written, with the directories that it may count from. */
interface Target {
  readonly word: ShellWord;
  readonly from: Directories;
  readonly inside?: readonly ShellWord[];
  readonly removed?: true;
  readonly tree?: true;
  /** The word names a directory. */
  readonly directory?: boolean;
  /** The files that `mv` moves to it. */
  readonly sources?: readonly Target[];
}

/** The options of programs whose value is a file that they overwrite. */
const OUTPUT = /^(?:-[a-zA-Z]*o|--output)(?:=|$)/;
const OUTPUTS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries('sort curl iconv shuf xmllint pandoc gpg dot'.split(' ').map((name) => [name, OUTPUT])),
  wget: /^(?:-[a-zA-Z]*O|--output-document)(?:=|$)/,
  git: /^--output(?:=|$)/,
  openssl: /^-out$/,
  tar: /^-?[a-zA-Z]*c[a-zA-Z]*f$/,
};

/** Patterns that some programs expand, and others, or a shell with an option, do not: `**`, `{a,b}`, `!(a)`. */
const FURTHER_PATTERN = /\*\*|[{(!]/;

/** Syntax of patterns that the search for their names reads in another way than bash. */
const UNLIKE_BASH = /\*\*|\[[=.]/;

/** A step to the directory above. */
const CLIMBS = /\.\.(?:[/\s"',;&|)}]|$)/;

/** Programs after which a file may have the content of another one that is gone. */
const MOVERS = new Set(['mv', 'ln', 'install', 'rsync', 'rename']);
/** The subcommands of git that change no file of the working tree. */
const KEEPS_FILES =
  /^(?:status|diff|log|show|add|commit|branch|tag|fetch|push|rev-(?:parse|list)|ls-(?:files|tree)|check-(?:ignore|attr)|grep|blame)$/;

function mayMove({ words: [name, ...rest] }: SimpleCommand): boolean {
  const program = programName(name);
  if (program === 'git') return !KEEPS_FILES.test(readGitCommand(rest).subcommand?.text ?? '');
  return program === undefined || MOVERS.has(program);
}

/** The files that a command line may overwrite in place. Those that it appends to are not among them. Pure. */
export function overwrittenIn(command: string, places: Places): OverwrittenFiles {
  const line = tryParseCommandLine(command, { places });
  if (line === undefined) return { files: [], received: [] };
  const opened = line.redirects
    .filter(
      ({ operator, target }) => /^(?:>|>\||&>|<>)$/.test(operator) || (operator === '>&' && !isDescriptor(target)),
    )
    .map(({ target, directories }): Target => ({ word: target, from: directories }));
  const searches = searchesOf(line.commands, places);
  const moves = line.commands.some(mayMove);
  const inCode = line.commands.flatMap((each) =>
    writtenInCode(each).map((word): Target => ({ word, from: each.directories })),
  );
  const targets = [...opened, ...line.commands.flatMap(targetsOf), ...inCode];
  const made = line.commands.flatMap(({ words: [name, ...rest], directories: from }) =>
    programName(name) === 'mkdir' ? rest.flatMap((word) => resolve({ word, from }, places).map(pathOf)) : [],
  );
  const found = [
    ...targets.flatMap((target) => resolve(target, places, searches)),
    ...movedFiles(targets, new Set(made), places),
  ];
  const files = found.filter((each) => typeof each !== 'string');
  const starts = found.filter((each) => typeof each === 'string');
  // By a step up, or by a link that the command makes, a name leaves the directory that it begins with.
  const leaves = line.commands.some(({ words: [name] }) => programName(name) === 'ln') || CLIMBS.test(command);
  const unknown = starts.map((start) => (leaves || CLIMBS.test(start) ? '' : start));
  const received = line.commands
    .flatMap(movedTo)
    .flatMap((target) => resolve(target, places))
    .map(pathOf);
  return { files, received, ...(unknown.length > 0 && { unknown }), ...(moves && { moves }) };
}

/** The searches of `find` whose results other commands get; `undefined` if they may be any files. */
function searchesOf(commands: readonly SimpleCommand[], places: Places): readonly Overwritten[] | undefined {
  const searches: Overwritten[] = [];
  for (const {
    words: [name, ...rest],
    directories,
  } of commands) {
    const { starts, actions } = readFindCommand(programName(name) === 'find' ? rest : []);
    if (actions.length === 0) continue;
    const found = namesFound(rest);
    const tops = [...directories].flatMap((from) =>
      (starts.length === 0 ? [staticWord('.')] : starts).map((start) => absoluteWord(start, from, places)),
    );
    if (found === undefined || tops.some((top) => !top.static)) return undefined;
    searches.push(...tops.map(({ text }) => ({ path: normalPath(text, places.platform), inside: [], found })));
  }
  return searches;
}

const pathOf = (each: Overwritten | string): string => (typeof each === 'string' ? each : each.path);

function movedTo({ words: [name, ...rest], directories: from }: SimpleCommand): readonly Target[] {
  const { target } = programName(name) === 'mv' ? copiedFiles('mv', rest) : {};
  return target === undefined ? [] : [{ word: target, from }];
}

const isDescriptor = ({ text }: ShellWord): boolean => /^(?:\d+|-)$/.test(text);

/** The files that `mv` moves out of the workspace, or to where another file goes, too. */
function movedFiles(targets: readonly Target[], made: ReadonlySet<string>, places: Places) {
  const pathsOf = (target: Target) => resolve(target, places).filter((each) => typeof each !== 'string');
  const inAndAt = ({ path, inside }: Overwritten) => [path, ...inside.map((name) => `${path}/${name}`)];
  const uses = new Map<string, number>();
  for (const place of targets.flatMap(pathsOf).flatMap(inAndAt)) uses.set(place, (uses.get(place) ?? 0) + 1);
  const taken = new Set(targets.flatMap(({ sources = [] }) => sources.flatMap(pathsOf)).map(pathOf));
  return targets.flatMap((target): readonly (Overwritten | string)[] => {
    const { sources = [], directory = false } = target;
    if (sources.length > 0 && [target, ...sources].some(isComputed)) return [''];
    return pathsOf(target).flatMap((at) => {
      const isOne = sources.every((each) => at.path.includes(each.word.text.replace(/[^*?\]]*$/, '')));
      // Each source has its name in the directory.
      return sources.flatMap((source, index) => {
        const ways = [at.path, `${at.path}/${at.inside[index]}`];
        const isLost = (place: string): boolean =>
          place.startsWith(`${places.workspace}/`)
            ? uses.get(place) !== 1 || (place === at.path && !isOne)
            : !ways.some((way) => taken.has(way));
        const lost = ways.slice(directory || made.has(at.path) ? 1 : 0).filter(isLost);
        return lost.flatMap((movedTo) => pathsOf(source).map((each) => ({ ...each, movedTo })));
      });
    });
  });
}

/** True for the name that `find`, `fd` or `xargs` puts in the place of this word, or into it. */
const isPlaceholder = ({ text }: ShellWord): boolean => text === FOUND_BELOW.text || /\{[^{},]*\}/.test(text);

/** True for a word whose files the search for the names of a pattern does not find. */
const isComputed = ({ word }: Target): boolean =>
  isPlaceholder(word) || (!word.static && (!word.pattern || UNLIKE_BASH.test(word.text)));

/** The files of a target, or the known start of a name that is computed. */
function resolve(
  { word, from, inside = [], removed, tree }: Target,
  places: Places,
  searches: readonly Overwritten[] = [],
): readonly (Overwritten | string)[] {
  const kind = { ...(removed && { removed }), ...(tree && { tree }) };
  const names = inside.flatMap((source) =>
    isComputed({ word: source, from }) ? [] : [source.text.replace(/\/+$/, '').replace(/^.*\//s, '')],
  );
  // A file may also be named `{}`.
  const isFound = word.text === FOUND_BELOW.text && inside.length === names.length;
  const results = isFound ? searches.map((search) => ({ ...search, inside: names, ...kind })) : [];
  const resolved = [...from].map((directory): Overwritten | string => {
    const { text, static: isStatic, pattern, start } = absoluteWord(word, directory, places);
    // A name that begins the word may be an absolute path.
    if (isPlaceholder(word) && results.length === 0) return /^[/~]/.test(word.text) ? start.replace(/\{.*$/s, '') : '';
    if (!isStatic && (!pattern || text.includes('**') || (tree === true && CLIMBS.test(text)))) return start;
    // A name that is not known may be that of any file in a directory.
    const path = normalPath(text, places.platform);
    if (inside.length > names.length) return `${path}/`;
    return { path, inside: names, ...kind };
  });
  return [...results, ...resolved];
}

function targetsOf({ words: [name, ...rest], directories: from }: SimpleCommand): readonly Target[] {
  const targets = (words: readonly ShellWord[]): readonly Target[] => words.map((word) => ({ word, from }));
  const has = (pattern: RegExp): boolean => rest.some(({ text }) => pattern.test(text));
  const program = programName(name);
  switch (program) {
    case 'tee':
      return has(/^(?:-[a-z]*a[a-z]*|--a[a-z]*)$/) ? [] : targets(operandsOf(rest));
    case 'sponge':
      return targets(operandsOf(rest));
    case 'rm':
    case 'unlink':
      return operandsOf(rest).map((word) => ({
        ...{ word, from, removed: true },
        ...(removesDirectories(rest.map(({ text }) => text)) && { tree: true }),
      }));
    case 'rimraf':
    case 'del-cli':
      return operandsOf(rest).map((word) => ({
        ...{ word: FURTHER_PATTERN.test(word.text) ? UNKNOWN_WORD : unquotePattern(word), from },
        ...{ removed: true, tree: true },
      }));
    case 'find':
      return readFindCommand(rest).actions.some(({ type }) => type === 'delete')
        ? [{ word: FOUND_BELOW, from, removed: true }]
        : targets(valuesOf(rest, /^-f(?:print[0f]?|ls)$/));
    case 'cp':
    case 'mv':
    case 'install': {
      const { target, sources } = copiedFiles(program, rest);
      if (target === undefined || has(/^(?:-[a-zA-Z]*n[a-zA-Z]*|--no-c[a-z]*)$/)) return [];
      const directory = sources.length > 1 || target.text.endsWith('/') || rest.at(-1) !== target;
      const moved = sources.map((word): Target => ({ word, from, removed: true, tree: true }));
      // Below the directories that a pattern matches, the names are not known.
      const isDeep = program === 'cp' && has(/^(?:-[a-zA-Z]*[rRa]|--(?:a|pa|r))/);
      const inside = sources.map((word) => (isDeep && word.pattern ? UNKNOWN_WORD : word));
      return [{ word: target, from, inside, directory, ...(program === 'mv' && { sources: moved }) }];
    }
    case 'ln': {
      const [target, ...sources] = operandsOf(rest).toReversed();
      const isForced = has(/^(?:-[a-zA-Z]*f[a-zA-Z]*|--f[a-z]*)$/);
      return target === undefined || !isForced ? [] : [{ word: target, from, inside: sources }];
    }
    case 'sed':
      return has(/^(?:-[a-zA-Z]*i.*|--in-p.*)$/)
        ? targets(filesOf(rest, /^-[a-zA-Z]*[ef]$/, has(/^(?:-[a-zA-Z]*[ef]|--(?:exp|fil).*)/)))
        : [];
    case 'perl':
    case 'ruby':
      // Behind some letters comes a value, as in `-MList::Util` and `-rdigest`.
      return has(/^-[acdflnpsStTuUvwWX\d]*i/)
        ? targets(filesOf(rest, /^-[a-zA-Z\d]*[eE]$/, has(/^-[a-zA-Z\d]*[eE]/)))
        : [];
    case 'awk':
    case 'gawk':
      return has(/^inplace$/) ? targets(operandsOf(rest).slice(2)) : [];
    case 'uniq':
      return targets(operandsOf(rest).slice(1));
    default:
      if (program === 'git' && has(/^archive$/)) return targets(valuesOf(rest, OUTPUT));
      return targets(valuesOf(rest, OUTPUTS[program ?? ''] ?? /(?!)/));
  }
}

/** True for the options of a removal that includes directories. */
function removesDirectories(texts: readonly string[]): boolean {
  return texts.some((text) => /^(?:-[a-zA-Z]*[rRd]|--[rd])/.test(text));
}

function operandsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.filter(({ start, static: isStatic }) => !start.startsWith('-') || !isStatic);
}

/** The operands behind the script, which an option may hold instead. */
function filesOf(words: readonly ShellWord[], script: RegExp, hasScript: boolean): readonly ShellWord[] {
  const operands = words.filter(
    (word, index) => !word.start.startsWith('-') && !script.test(words[index - 1]?.text ?? ''),
  );
  return operands.slice(hasScript ? 0 : 1);
}

/** The values of an option, in the same word behind `=` or in the next one. */
function valuesOf(words: readonly ShellWord[], option: RegExp): readonly ShellWord[] {
  return words.flatMap((word, index) => {
    if (!option.test(word.start)) return [];
    return word.text.includes('=') ? [dropStart(word, word.text.indexOf('=') + 1)] : words.slice(index + 1, index + 2);
  });
}
