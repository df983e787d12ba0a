import type { Places } from '../directories.ts';
import { readPlainCommands } from '../plain-commands.ts';

/** A parsed rule, such as `npm test *`: the words that a command begins with, and whether it may have more. */
interface AllowRule {
  readonly source: string;
  readonly words: readonly string[];
  readonly more: boolean;
}

/** The commands that run without a question, because the user has said so. */
export interface AllowList {
  /** The rules that allow every command of a line; `undefined` if one of them is not allowed, or the line does more. */
  find(command: string, places?: Places): readonly string[] | undefined;
}

/**
 * Parses the rules of `safety.allowed_commands`. They match whole words, and `*` at the end any others. A rule that
 * cannot be parsed allows nothing. They are parsed with the first command.
 */
export function parseAllowList(sources: readonly string[]): AllowList {
  let rules: readonly AllowRule[] | undefined;
  return {
    find(command, places) {
      if (sources.length === 0) return undefined;
      rules ??= sources.map(parseAllowRule).filter((rule) => rule !== undefined);
      const plain = readPlainCommands(command, places);
      if (plain.type === 'other') return undefined;
      const found = plain.commands.map(({ words }) => rules?.find((rule) => matches(rule, words))?.source);
      const allowing = found.filter((source) => source !== undefined);
      return allowing.length === found.length ? [...new Set(allowing)] : undefined;
    },
  };
}

/** Parses one rule; `undefined` unless it is one plain command, perhaps with `run_shell:` before it or `*` after it. */
export function parseAllowRule(source: string): AllowRule | undefined {
  const text = source.replace(/^run_shell:/, '').trim();
  const more = /\s\*$/.test(text);
  const plain = readPlainCommands(more ? text.slice(0, -1) : text);
  const [only, ...others] = plain.type === 'plain' ? plain.commands : [];
  if (only === undefined || others.length > 0) return undefined;
  return { source, words: only.words, more };
}

function matches({ words, more }: AllowRule, written: readonly string[]): boolean {
  if (more ? written.length < words.length : written.length !== words.length) return false;
  return words.every((word, index) => word === written[index]);
}
