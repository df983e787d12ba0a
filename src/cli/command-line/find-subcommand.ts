import { mistyped } from '../../text/suggest.ts';
import type { Subcommand } from '../subcommands/subcommand.ts';
import { SUBCOMMANDS } from '../subcommands/subcommands.ts';

/** The subcommand that the words of a command line name, the prompt that they are, or the problem with them. */
export type FoundSubcommand =
  | { readonly type: 'subcommand'; readonly subcommand: Subcommand; readonly args: readonly string[] }
  | { readonly type: 'prompt' }
  | { readonly type: 'incomplete'; readonly message: string };

/** Words that commands of other programs end with, so two words that end with one are unlikely to be a prompt. */
const VERBS: ReadonlySet<string> = new Set(['list', 'ls', 'show', 'help', 'status', 'start']);

/**
 * Finds the subcommand that `words` name. They name one if they begin with its fixed words and no more follow than its
 * form takes; fewer are a mistake. Every other sequence of words is a prompt: `models are slow`.
 */
export function findSubcommand(
  words: readonly string[],
  subcommands: readonly Subcommand[] = SUBCOMMANDS,
): FoundSubcommand {
  const forms = subcommands.map((subcommand) => ({ subcommand, ...parseForm(subcommand.form) }));
  const [match] = forms
    .filter(({ fixed }) => fixed.every((word, index) => words[index] === word))
    .toSorted((left, right) => right.fixed.length - left.fixed.length);
  const isVerb = VERBS.has(words.at(-1) ?? '');
  if (match === undefined) {
    const [about, ...more] = words[0] === 'help' ? words.slice(1) : isVerb ? words.slice(0, -1) : words;
    const begun = more.length === 0 ? subcommands.filter(({ form }) => form.split(' ', 1)[0] === about) : [];
    return begun.length === 0 ? { type: 'prompt' } : incomplete(begun);
  }
  const args = words.slice(match.fixed.length);
  if (args.length > match.max) return isVerb && args.length === 1 ? incomplete([match.subcommand]) : { type: 'prompt' };
  if (args.length < match.min) return incomplete([match.subcommand]);
  return { type: 'subcommand', subcommand: match.subcommand, args };
}

/**
 * The corrected words, if `words` are a mistyped command whose arguments fit its form, so that `models are slow` and
 * `tests fail on Windows` stay prompts.
 */
export function nearSubcommand(words: readonly string[]): readonly string[] | undefined {
  const forms = [...SUBCOMMANDS.map(({ form }) => form), 'test <story>', 'help', 'version'].map(parseForm);
  const near = forms.flatMap(({ fixed, min, max }) => {
    const begun = fixed.slice(0, words.length);
    const args = words.slice(fixed.length);
    if (args.length > max || (args.length < min && args.length > 0)) return [];
    return begun.every((word, index) => mistyped(words[index] ?? '', [word]) !== undefined)
      ? [[...begun, ...args]]
      : [];
  });
  const changes = (meant: readonly string[]): number => meant.filter((word, index) => word !== words[index]).length;
  return near.filter((meant) => changes(meant) > 0).toSorted((left, right) => changes(left) - changes(right))[0];
}

function parseForm(form: string): { readonly fixed: readonly string[]; readonly min: number; readonly max: number } {
  const parts = form.split(' ');
  const fixed = parts.filter((part) => !/^[<[]/.test(part));
  const args = parts.slice(fixed.length);
  return {
    fixed,
    min: args.filter((part) => part.startsWith('<')).length,
    max: args.at(-1)?.endsWith('…>') ? Number.POSITIVE_INFINITY : args.length,
  };
}

function incomplete(forms: readonly Subcommand[]): FoundSubcommand {
  const usage = forms.map(({ form }) => `ybs ${form}`).join(' or ');
  return {
    type: 'incomplete',
    message: `Type the whole command: ${usage}. To use the words as a prompt, put -- before.`,
  };
}
