import { UsageError } from '../../agent/errors.ts';

/** A trigger begins a word, even inside brackets. Code in backticks is therefore text. */
const FILE = /(?<=^|[\s([{])@file:(?:"((?:[^"\n]|"")*)"|([^\s"]*))/gu;

/** Punctuation after a path that has no quotes belongs to the sentence. */
const PUNCTUATION = /[.,;:!?)\]}>'"`]+$/u;

/**
 * The paths of the files that a typed message names with `@file:PATH`, or with `@file:"PATH"`, in which a quote is
 * doubled: each once, in their order. Pure. Throws `UsageError` for a trigger without a path.
 */
export function namedFiles(message: string): readonly string[] {
  const paths = [...message.matchAll(FILE)].map(([, quoted, bare = '']) => {
    const path = quoted?.replaceAll('""', '"') ?? withoutPunctuation(bare);
    if (path.trim() === '') throw new UsageError('Type a path after @file:, for example @file:README.md');
    return path;
  });
  return [...new Set(paths)];
}

/**
 * `@PATH` without `file:`, for a path below the directory; for the name of a package or a person, no such file exists.
 * A path with spaces has quotes, or backslashes as in a shell.
 */
const MENTION =
  /(?<=^|[\s([{])@(?!file:|agent:|!|["']?(?:[/~]|\.\.))(?:(?:"([^"\n]+)"|'([^'\n]+)')(?=$|[\s.,;:!?)\]}])|(?!["'])((?:\\ |[^\s":@])*[^\s":@/\\]))/gu;

/** The paths that a typed message may name with `@PATH`: each once, in their order. Pure. */
export function mentionedFiles(message: string): readonly string[] {
  const paths = [...message.matchAll(MENTION)].map(
    ([, double, single, bare = '']) => double ?? single ?? withoutPunctuation(bare.replaceAll('\\ ', ' ')),
  );
  return [...new Set(paths)];
}

/** `..` is a path. */
function withoutPunctuation(word: string): string {
  return /^\.+$|\/\.+$/u.test(word) ? word : word.replace(PUNCTUATION, '');
}

const AGENT = /(?<=^|\s)@agent:(\S*)\s*/gu;

/**
 * The agent that a typed message chooses with `@agent:NAME`, and the message without that. Pure. Throws `UsageError` for a
 * trigger without a name, and for several agents.
 */
export function namedAgent(message: string): { readonly agent: string | undefined; readonly text: string } {
  const names = [...new Set([...message.matchAll(AGENT)].map(([, word = '']) => withoutPunctuation(word)))];
  const [agent, ...others] = names;
  if (names.includes('')) throw new UsageError('Type a name after @agent:, for example @agent:reviewer');
  if (others.length > 0) throw new UsageError(`Name one agent, not ${names.join(' and ')}.`);
  return { agent, text: agent === undefined ? message : message.replaceAll(AGENT, '').trim() };
}
