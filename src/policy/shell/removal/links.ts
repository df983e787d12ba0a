import { pathFlavour } from '../../paths/path-policy.ts';
import { absoluteWord, MAX_PATH_LENGTH, normalPath, type Places } from '../directories.ts';
import type { SimpleCommand } from '../parse/parsed-command-line.ts';
import { dropStart, programName, type ShellWord, wordOf } from '../parse/shell-word.ts';
import type { StepBudget } from '../parse/step-budget.ts';
import { type OptionGrammar, parseMixedOptions } from '../programs/options.ts';

/** The options of `ln`. */
const LINK_OPTIONS: OptionGrammar = {
  short: 'bdFfiLnPrsTvhwS:t:',
  long: 'backup directory force interactive logical no-dereference physical relative symbolic suffix= target-directory= no-target-directory verbose',
};

/** The links of the file system kept in `places`, and those that a command line creates with `ln -s`. */
export function linksOf(commands: readonly SimpleCommand[], places: Places, budget: StepBudget): Places {
  const links = new Map(places.links);
  for (const { words, directories } of commands) {
    const [name, ...rest] = words;
    if (programName(name) !== 'ln') continue;
    for (const directory of directories) {
      budget.spend(rest.length);
      for (const [link, target] of createdLinks(rest, directory, places)) links.set(link, target);
    }
  }
  return { ...places, links };
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
  for (const name of text.slice(root.length).split('/')) {
    path = name === '..' ? dirname(path) : join(path, name);
    for (let target = links.get(path); target !== undefined && followed < MAX_LINKS; target = links.get(path)) {
      path = target;
      followed++;
    }
  }
  return path;
}
