import { minimatch } from 'minimatch';
import { pathFlavour } from '../../paths/path-policy.ts';
import { absoluteWord, MAX_PATH_LENGTH, normalPath, type Places } from '../directories.ts';
import type { SimpleCommand } from '../parse/parsed-command-line.ts';
import { dropStart, programName, type ShellWord, wordOf } from '../parse/shell-word.ts';
import type { StepBudget } from '../parse/step-budget.ts';
import { COPIERS, copiedFiles } from '../programs/copied-files.ts';
import { type OptionGrammar, parseMixedOptions } from '../programs/options.ts';

/** Places whose links are known. */
interface LinkedPlaces extends Places {
  readonly links: ReadonlyMap<string, string>;
}

const LINK_OPTIONS: OptionGrammar = {
  short: 'bdFfiLnPrsTvhwS:t:',
  long: 'backup directory force interactive logical no-dereference physical relative symbolic suffix= target-directory= no-target-directory verbose',
};

/**
 * The links of the file system kept in `places`, those that a command line creates with `ln -s`, and those that it moves
 * or copies.
 */
export function linksOf(commands: readonly SimpleCommand[], places: Places, budget: StepBudget): LinkedPlaces {
  const links = new Map(places.links);
  for (const { words, directories } of commands) {
    const [name, ...rest] = words;
    const program = programName(name);
    if (program !== 'ln' && program !== 'mv' && program !== 'cp') continue;
    for (const directory of directories) {
      budget.spend(rest.length);
      const copied = copiedPaths(program, rest, directory, places).filter(([, source]) => links.has(source));
      const created = program === 'ln' ? createdLinks(rest, directory, places) : copied;
      for (const [link, target] of created) links.set(link, target);
    }
  }
  return { ...places, links };
}

/** The absolute paths of files that become another link or the target of one, so that a removal may follow them. */
export function linkSources(commands: readonly SimpleCommand[], places: Places): readonly string[] {
  return commands.flatMap(({ words: [name, ...rest], directories }) =>
    [...directories].flatMap((directory) => {
      const program = programName(name);
      const pairs =
        program === 'ln' ? createdLinks(rest, directory, places) : copiedPaths(program, rest, directory, places);
      return pairs.map(([, source]) => source);
    }),
  );
}

/** The new path of each file that `mv` or `cp` names, if both are known: with its own name, and in the target. */
function copiedPaths(
  program: string | undefined,
  words: readonly ShellWord[],
  directory: string | undefined,
  places: Places,
): readonly (readonly [path: string, source: string])[] {
  if (program === undefined || program === 'install' || !Object.hasOwn(COPIERS, program)) return [];
  const { sources, target } = copiedFiles(program === 'mv' ? 'mv' : 'cp', words);
  const { join, basename } = pathFlavour(places.platform);
  const pathOf = (word: ShellWord): string | undefined => {
    const absolute = absoluteWord(word, directory, places);
    return absolute.static ? normalPath(absolute.text, places.platform) : undefined;
  };
  const place = target && pathOf(target);
  if (place === undefined) return [];
  return sources.flatMap((word) => {
    const source = pathOf(word);
    if (source === undefined) return [];
    return [[place, source] as const, [join(place, basename(source)), source] as const];
  });
}

/** The links that `ln -s` creates: with the name of the last operand or, if that is a directory, in it. */
function createdLinks(
  words: readonly ShellWord[],
  directory: string | undefined,
  places: Places,
): readonly (readonly [link: string, target: string])[] {
  const { options, names, operands } = parseMixedOptions(words, LINK_OPTIONS);
  if (!names.has('s') && !names.has('symbolic')) return [];
  const named = options.find(({ name }) => name === 't' || name === 'target-directory')?.value;
  const targets = named === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
  const place = named ?? (operands.length > 1 ? operands.at(-1) : undefined);
  const { join, dirname, basename } = pathFlavour(places.platform);
  const pathOf = (word: ShellWord, from: string | undefined): string | undefined => {
    const absolute = absoluteWord(word, from, places);
    return absolute.static ? normalPath(absolute.text, places.platform) : undefined;
  };
  const created = place === undefined ? directory : pathOf(place, directory);
  if (created === undefined) return [];
  const isName = named === undefined && operands.length === 2 && place?.end.endsWith('/') === false;
  return targets.flatMap((word) => {
    const inside = basename(word.text) === '..' ? [] : [join(created, basename(word.text))];
    return [...inside, ...(isName ? [created] : [])].flatMap((link) => {
      const target = pathOf(word, dirname(link));
      return target === undefined ? [] : [[link, target] as const];
    });
  });
}

/** The links of a process to its own directory and to the root of its file system. */
const PROCESS_LINK = /^\/+proc\/+[^/]+(?:\/+task\/+[^/]+)?\/+(cwd|root)(?=\/|$)/;
/** Systems follow no more links than this in one path. */
const MAX_LINKS = 40;

/**
 * An absolute word with the links in its known beginning resolved: all of them if the path goes on or ends with `/`. The
 * last name is only followed on request, because a link is removed without the files behind it.
 */
export function resolveLinks(
  word: ShellWord,
  from: string | undefined,
  places: Places,
  followsLast: boolean,
): ShellWord {
  const process = word.static || word.pattern ? PROCESS_LINK.exec(word.text) : null;
  const target = process === null ? word : replaceStart(word, process[0].length, behind(process[1], from, places));
  const goesOn = followsLast || /\/\.{0,2}$/.test(target.start);
  const length = target.static && goesOn ? target.start.length : target.start.lastIndexOf('/') + 1;
  if (places.links === undefined || places.links.size === 0 || length > MAX_PATH_LENGTH) return target;
  return replaceStart(target, length, realPathOf(target.start.slice(0, length), places.links, places));
}

/** A directory, and the pattern of names in it that a path goes through. `length`: the characters of both. */
interface PathGlob {
  readonly directory: string;
  readonly glob: string;
  readonly length: number;
}

/** The first name of an absolute word that is a pattern, if the path goes on behind it. */
export function firstGlob({ text, start, pieces }: ShellWord): PathGlob | undefined {
  const unknown = pieces.find(({ kind }) => kind !== 'literal');
  const length = text.indexOf('/', start.length);
  if (unknown?.kind !== 'pattern' || length < 0) return undefined;
  const begin = start.lastIndexOf('/') + 1;
  return { directory: start.slice(0, begin), glob: text.slice(begin, length), length };
}

/** The word with the target of each known link in place of the pattern of names that the link has. */
export function behindGlob(word: ShellWord, { links, platform }: LinkedPlaces): readonly ShellWord[] {
  const found = firstGlob(word);
  if (found === undefined) return [];
  const { dirname, basename } = pathFlavour(platform);
  const directory = normalPath(found.directory, platform);
  return [...links].flatMap(([link, target]) =>
    dirname(link) === directory && minimatch(basename(link), found.glob)
      ? [replaceStart(word, found.length, target)]
      : [],
  );
}

/** The directory behind a link of a process. The number in its path is hardly ever that of another program. */
function behind(kind: string | undefined, from: string | undefined, { workspace }: Places): string {
  if (kind === 'root') return '/';
  return from === undefined || PROCESS_LINK.test(from) ? workspace : from;
}

/** The word with another absolute path in place of its first characters. */
function replaceStart(word: ShellWord, length: number, path: string): ShellWord {
  const rest = dropStart(word, length);
  return wordOf([{ kind: 'literal', text: path }, { kind: 'literal', text: '/' }, ...rest.pieces]);
}

/** The path with every link replaced, and with `..` taken from where the links lead. */
function realPathOf(text: string, links: ReadonlyMap<string, string>, { platform }: Places): string {
  const { parse, join, dirname } = pathFlavour(platform);
  const { root } = parse(text);
  let [path, followed] = [root, 0];
  const names = text.slice(root.length).split('/');
  for (const [index, name] of names.entries()) {
    path = name === '..' ? dirname(path) : join(path, name);
    // A file that is moved to a place has that name, or its own name in it.
    const next = names[index + 1];
    if (next !== undefined && links.has(join(path, next))) continue;
    for (let target = links.get(path); target !== undefined && followed < MAX_LINKS; target = links.get(path)) {
      path = target;
      followed++;
    }
  }
  return path;
}
