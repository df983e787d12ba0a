import type { Places } from '../directories.ts';
import { normalPath } from '../directories.ts';
import { type AlsoPlain, type PlainCommand, readPlainCommands } from '../plain-commands.ts';
import { unwrapCommand } from '../programs/unwrap-command.ts';
import { literalWord } from '../programs/unwrapped.ts';
import { WRAPPERS } from '../programs/wrappers.ts';
import { readsNoContent } from '../read-only/read-only-command.ts';
import { HARMLESS_VARIABLE, NEVER, PREFIX_PROGRAMS, type PrefixProgram } from './prefix-programs.ts';
import { joinPrefixes, prefixesOf, type Words } from './prefix-words.ts';

/** Wrappers that change nothing of what a command does but its time, its priority and how it prints. */
const TRANSPARENT: ReadonlySet<string> = new Set(['timeout', 'nice', 'ionice', 'time', 'env', 'command', 'stdbuf']);

const ALSO_PLAIN: AlsoPlain = {
  variable: (name, value) => HARMLESS_VARIABLE.test(`${name}=${value}`),
  // It becomes names of files, which cannot begin with a dash.
  pattern: ({ start }) => /^[\w./]/.test(start),
};

/**
 * The first words of a command that a rule may allow, as the user is shown them: those of each part that does more than
 * to enter a directory or to print, and that no rule with the words of `known` allows. `undefined` if no rule with them
 * would allow the whole command beside the known ones.
 */
export function prefixOf(command: string, places: Places, known: readonly Words[] = []): Words | undefined {
  const found: Words[] = [];
  for (const { words: written } of segmentsOf(command, places) ?? []) {
    const words = runBy(written);
    const row = words && rowOf(words);
    if (words === undefined || row === undefined) continue;
    if ([...found, ...known].some((prefix) => begins(words, prefix, places))) continue;
    found.push(words.slice(0, row.words.length));
  }
  const isWhole = found.length > 0 && havePrefixes(command, [...found, ...known], places);
  return isWhole ? joinPrefixes(found) : undefined;
}

/** The reason why no rule may have these words, as a sentence for the user. */
export function prefixProblem(words: Words): string | undefined {
  return prefixesOf(words)
    .map(problemOf)
    .find((problem) => problem !== undefined);
}

function problemOf(words: Words): string | undefined {
  const [program = ''] = words;
  if (program === '') return 'Type the words that the command begins with.';
  const row = rowOf(words);
  if (row !== undefined) {
    const unknown = findUnknown(row, words.slice(row.words.length));
    if (unknown === undefined) return undefined;
    return `It is not known what ${unknown} does for ${row.words[0]}, so no rule may contain it. Answer for this command only.`;
  }
  const name = program.replace(/\.exe$|(?<![\d.])[\d.]+$/, '').toLowerCase();
  const never = NEVER.find(({ names }) => names.has(program) || names.has(name));
  const subcommands = PREFIX_PROGRAMS.filter((each) => each.words[0] === program).map((each) => shown(each));
  const listed = [...new Set(subcommands)].sort().join(', ');
  if (never !== undefined || Object.hasOwn(WRAPPERS, program)) {
    const reason = never?.reason ?? 'runs another command';
    const but = listed === '' ? '' : ` Only these may begin with it: ${listed}.`;
    return `${program} ${reason}, so it never qualifies.${but} Answer for this command only.`;
  }
  if (listed !== '') return `${words.join(' ')} does not qualify. Of ${program}, these do: ${listed}.`;
  if (/[\\/]/.test(program)) return `${program} is a file, which may change. Answer for this command only.`;
  return `It is not known what the arguments of ${program} do, so its words limit nothing. Answer for this command only.`;
}

const shown = ({ words }: PrefixProgram): string => words.map((word) => (word === '*' ? 'NAME' : word)).join(' ');

/**
 * True for a line of plain commands of which each begins with the words of one of the rules, and otherwise has only
 * operands in the workspace and options that are known to be harmless. Between them, it may enter directories of the
 * workspace, and run programs that only print what they get. Each part is judged by itself, and a command that another
 * one runs, such as `timeout`, by what it is.
 */
export function havePrefixes(command: string, prefixes: readonly Words[], places: Places): boolean {
  const usable = prefixes.filter((prefix) => prefixProblem(prefix) === undefined);
  const segments = segmentsOf(command, places);
  if (usable.length === 0 || segments === undefined) return false;
  let matched = 0;
  for (const segment of segments) {
    const isInside = (directory: string | undefined): boolean =>
      directory !== undefined && isPlain(directory, places, places.workspace);
    if (![...segment.directories].every(isInside)) return false;
    if (isPassive(segment, places)) continue;
    const words = runBy(segment.words);
    if (words === undefined || !usable.some((prefix) => begins(words, prefix, places))) return false;
    matched += 1;
  }
  return matched > 0;
}

/** True if a part of the command begins with these words, or what it runs does. */
export function beginsWith(command: string, prefix: Words): boolean {
  const segments = segmentsOf(command, undefined) ?? [];
  return segments.some(({ words }) => prefix.every((word, index) => runBy(words)?.[index] === word));
}

function segmentsOf(command: string, places: Places | undefined): readonly PlainCommand[] | undefined {
  const plain = readPlainCommands(command, places, ALSO_PLAIN);
  return plain.type === 'plain' ? plain.commands : undefined;
}

/** Words after which commands do the same, and fewer of them. */
const HARMLESS = /^(?:exit|break|continue)(?: \d+)?$|^set -[eux]*(?:o pipefail)?$/;

/** True for `cd` into the workspace, for a test of a file, and for a program that reads at most its input. */
function isPassive({ words: [program, ...rest], directories }: PlainCommand, places: Places): boolean {
  if (HARMLESS.test([program, ...rest].join(' '))) return true;
  if (program !== 'cd') return readsNoContent(program, rest);
  const [target, ...others] = rest;
  if (target === undefined || others.length > 0 || target.startsWith('-')) return false;
  return [...directories].every((directory) => directory !== undefined && isPlain(target, places, directory));
}

/** The command that a command runs in the end; `undefined` if a wrapper does more than to run it. */
function runBy(words: Words): Words | undefined {
  const [program, ...rest] = words;
  if (program === undefined || !TRANSPARENT.has(program)) return words;
  if (program === 'time' && rest.some((word, index) => index === 0 && /^-(?!p$)/.test(word))) return undefined;
  if (program === 'env') {
    const first = rest.findIndex((word) => !/^\w+=/.test(word));
    const isHarmless = rest.slice(0, Math.max(0, first)).every((word) => HARMLESS_VARIABLE.test(word));
    return first < 0 || !isHarmless || rest[first]?.startsWith('-') ? undefined : runBy(rest.slice(first));
  }
  const found = unwrapCommand([literalWord(program), ...rest.map(literalWord)], undefined);
  const [only, ...others] = found;
  if (only?.type !== 'command' || others.length > 0) return undefined;
  return runBy(only.words.map(({ text }) => text));
}

/** The row whose words a command begins with. */
function rowOf(words: Words): PrefixProgram | undefined {
  return PREFIX_PROGRAMS.find((row) =>
    row.words.every((word, index) => (word === '*' ? /^\w[\w:-]*$/.test(words[index] ?? '') : word === words[index])),
  );
}

function begins(words: Words, prefix: Words, places: Places): boolean {
  if (!prefix.every((word, index) => words[index] === word)) return false;
  const row = rowOf(words);
  return row !== undefined && findUnknown(row, words.slice(row.words.length), places) === undefined;
}

/** The first word behind those of a row that is not known to be harmless. */
function findUnknown(row: PrefixProgram, words: Words, places?: Places): string | undefined {
  const { also, after, operands } = row;
  const isOperand = (word: string): boolean => isPlain(word, places) && operands?.test(word) !== false;
  for (let [index, word] = [0, words[0]]; word !== undefined; word = words[++index]) {
    if (word === '--') return words.slice(index + 1).find((each) => after?.test(each) !== true && !isOperand(each));
    if (also?.test(word)) continue;
    if (!word.startsWith('-')) {
      if (!isOperand(word)) return word;
      continue;
    }
    const value = optionOf(row, word);
    if (value === undefined) return word;
    if (value.path !== undefined && !isPlain(value.path, places)) return word;
    if (value.takesNext === undefined) continue;
    const next = words[++index];
    if (next === undefined || next.startsWith('-')) return word;
    if (value.takesNext === 'path' && !isPlain(next, places)) return next;
  }
  return undefined;
}

interface HarmlessOption {
  readonly takesNext?: 'text' | 'path';
  /** A value in the same word that is a path. */
  readonly path?: string;
}

function optionOf({ short = '', long = '', oneDash }: PrefixProgram, word: string): HarmlessOption | undefined {
  const names = long.split(' ');
  if (word.startsWith('--') || oneDash === true) {
    const body = word.replace(/^--?/, '');
    const equals = body.indexOf('=');
    const name = equals === -1 ? body : body.slice(0, equals);
    const value = equals === -1 ? undefined : body.slice(equals + 1);
    if (name === '') return undefined;
    if (value !== undefined) {
      if (names.includes(`${name}/`)) return { path: value };
      return names.includes(`${name}=`) || names.includes(`${name}=?`) ? {} : undefined;
    }
    if (names.includes(name) || names.includes(`${name}=?`)) return {};
    if (names.includes(`${name}/`)) return { takesNext: 'path' };
    return names.includes(`${name}=`) ? { takesNext: 'text' } : undefined;
  }
  for (let index = 1; index < word.length; index++) {
    const at = word[index] === ':' ? -1 : short.indexOf(word.charAt(index));
    if (at < 0) return undefined;
    if (short[at + 1] === ':') return index + 1 < word.length ? {} : { takesNext: 'text' };
  }
  return word.length > 1 ? {} : undefined;
}

/** A word that is no option, no list of arguments in a file, no address, and no path that leaves the workspace. */
function isPlain(word: string, places?: Places, directory?: string): boolean {
  if (/^[-@~]|^\w+:\/\/|\\/.test(word) || word === '') return false;
  if (places === undefined) return !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(word);
  const { workspace, platform } = places;
  const from = directory ?? workspace;
  const path = normalPath(word.startsWith('/') ? word : `${from}/${word}`, platform);
  const isInside = path === workspace || path.startsWith(`${workspace}/`);
  // From another directory than that of the workspace, `..` may still be in it, which is not worth the doubt.
  return isInside && (directory !== undefined || !/(?:^|\/)\.\.(?:\/|$)/.test(word));
}

/** The reason why these words cannot be allowed at a question about a command, or do not begin it. */
export function wordsProblem(words: Words, command: string): string | undefined {
  const problem = prefixProblem(words);
  if (problem !== undefined || prefixesOf(words).every((prefix) => beginsWith(command, prefix))) return problem;
  return 'The command of this question does not begin with these words.';
}
