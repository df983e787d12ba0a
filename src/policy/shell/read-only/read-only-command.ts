import { ownEntry } from '../../../text/json/own-entry.ts';
import { pathFlavour } from '../../paths/path-policy.ts';
import type { Places } from '../directories.ts';
import { readPlainCommands } from '../plain-commands.ts';
import { GIT_FIRST_WORDS, READ_ONLY_GIT } from './git/git-subcommands.ts';
import { namedPaths, type ReadPaths, readPaths } from './program-words.ts';
import { FIND_PLAIN_WORDS, FIND_VALUE_WORDS, READ_ONLY_PROGRAMS, TEST_OPERATORS } from './programs.ts';
import { GIT_CONTENT } from './viewed-paths.ts';

/**
 * Paths that a command reads, if it certainly only reads. The paths are absolute, as the text names them, with links not
 * resolved. A link to another directory in `directories` would change what the other paths mean. Of the paths in `trees`,
 * all files are read; if one of those in `files` is a directory, more than that happens.
 */
export type ReadOnlyUse =
  | {
      readonly type: 'read_only';
      readonly paths: readonly string[];
      readonly directories: readonly string[];
      readonly trees: readonly string[];
      readonly files: readonly string[];
    }
  | { readonly type: 'other'; readonly reason: string };

/**
 * Checks whether a command line certainly only reads: every word is known, every program is in the static table with
 * each of its options, and nothing else happens in it. Pure.
 */
export function readOnlyUse(command: string, places: Places): ReadOnlyUse {
  if (places.platform === 'windows') return other('the table of programs that only read is for POSIX systems');
  const plain = readPlainCommands(command, places);
  if (plain.type === 'other') return plain;
  const found = { names: new Set<string>(), trees: new Set<string>(), files: new Set<string>() };
  const paths = new Set<string>();
  const directories = new Set<string>();
  for (const { words, directories: from } of plain.commands) {
    const [program, ...rest] = words;
    const read = program === 'cd' ? enteredPaths(rest) : pathsOf(program, rest);
    if (read === undefined) return other(`${program} with these words is not in the table of programs that only read`);
    // Only the repository of the workspace is one that the user has trusted.
    if (program === 'git' && [...from].some((directory) => directory !== places.workspace))
      return other('git may find another repository outside the directory of the workspace');
    for (const path of read.paths) {
      if (leavesName(path)) return other(`${path} leaves a directory that may be a link`);
      for (const directory of from) {
        if (directory === undefined) return other('the directory that it runs in is not known');
        const absolute = pathFlavour(places.platform).resolve(directory, path);
        if (GIT_CONTENT.test(absolute)) return other(`${path} is what git has committed, also files with secrets`);
        (program === 'cd' ? directories : paths).add(absolute);
        found[read.kind].add(absolute);
      }
    }
  }
  // The sandbox hides all files with secrets from a search, and git would take them for changed.
  if (found.trees.size > 0 && plain.commands.some(({ words: [program] }) => program === 'git'))
    return other('a search of all files and git cannot run in one command');
  const [trees, files] = [[...found.trees], [...found.files]];
  return { type: 'read_only', paths: [...paths], directories: [...directories], trees, files };
}

/** True for a program that with these words certainly reads at most its input, and of files at most what they are. */
export function readsNoContent(program: string, words: readonly string[]): boolean {
  const read = pathsOf(program, words);
  return read?.paths.length === 0 || (read !== undefined && /^(?:test|\[)$/.test(program));
}

function other(reason: string): ReadOnlyUse {
  return { type: 'other', reason };
}

function pathsOf(program: string, words: readonly string[]): ReadPaths | undefined {
  switch (program) {
    case 'find':
      return pathsOfFind(words);
    case 'git':
      return pathsOfGit(words);
    case 'sed':
      return pathsOfSed(words);
    case '[':
      return words.at(-1) === ']' ? pathsOfTest(words.slice(0, -1)) : undefined;
    case 'test':
      return pathsOfTest(words);
    default: {
      const row = ownEntry(READ_ONLY_PROGRAMS, program);
      return row && readPaths(row, words);
    }
  }
}

/** `cd` with one operand. Without one, or with `-`, it goes where the text does not show. */
function enteredPaths(words: readonly string[]): ReadPaths | undefined {
  return words.length === 1 && !words[0]?.startsWith('-') ? namedPaths(words) : undefined;
}

function pathsOfFind(words: readonly string[]): ReadPaths | undefined {
  const length = words.findIndex((word) => /^[-(),!]/.test(word));
  const starts = length < 0 ? words : words.slice(0, length);
  let isValue = false;
  for (const word of words.slice(starts.length)) {
    if (isValue) isValue = false;
    else if (FIND_VALUE_WORDS.has(word)) isValue = true;
    else if (!FIND_PLAIN_WORDS.has(word)) return undefined;
  }
  return namedPaths(starts);
}

function pathsOfGit(words: readonly string[]): ReadPaths | undefined {
  const rest = words.slice(words.findIndex((word) => !GIT_FIRST_WORDS.has(word)));
  for (const length of [2, 1]) {
    const name = rest.slice(0, length).join(' ');
    const row = ownEntry(READ_ONLY_GIT, name);
    if (row !== undefined) return readPaths(row, rest.slice(length));
  }
  return undefined;
}

/** Only `sed -n 5,10p` is known, because a script of sed may write files and run programs. */
function pathsOfSed([option, script, ...files]: readonly string[]): ReadPaths | undefined {
  const isKnown = option === '-n' && script !== undefined && /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/.test(script);
  return isKnown && files.every((file) => !file.startsWith('-')) ? namedPaths(files) : undefined;
}

/** Every operand may name a file. One with an expansion could run a command, because `[` expands some again. */
function pathsOfTest(words: readonly string[]): ReadPaths | undefined {
  const isKnown = (word: string): boolean => (word.startsWith('-') ? TEST_OPERATORS.has(word) : !/[$`]/.test(word));
  return words.every(isKnown) ? namedPaths(words.filter((word) => !word.startsWith('-'))) : undefined;
}

/** True if `..` follows a name, which may be that of a link: `link/../x`. */
function leavesName(path: string): boolean {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const first = names.findIndex((name) => name !== '..');
  return first >= 0 && names.includes('..', first);
}
