import type { TriggerSpecification } from '../../scenario/format/trigger-format.ts';

/** Edge of a literal: a text that goes on, the end of the prompt (`^`, `$`), or a word boundary (`\b`). */
export type Edge = 'any' | 'text' | 'word';

/** A trigger that a chat template can search: a literal, lower-case if it ignores case. */
export interface LiteralTrigger {
  readonly text: string;
  readonly ignoresCase: boolean;
  readonly start: Edge;
  readonly end: Edge;
}

/** A part of a trigger that a chat template cannot test. */
export interface TriggerProblem {
  readonly field: string | undefined;
  readonly reason: string;
  readonly fix: string;
}

/** Characters that are special in an expression outside of a class. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/;
const LITERAL_FIX = 'write a text, or an expression that is one with ^, $ or \\b at its ends';

/**
 * Reads a trigger as a literal, or says why it is not one. Pure. The literals of a trigger that ignores case are its
 * spellings: all in lower case, and with the letters as they are written beyond a to z, which not every server changes.
 */
export function readLiteralTrigger(specification: TriggerSpecification): readonly LiteralTrigger[] | TriggerProblem {
  if (typeof specification === 'string') return containedText(specification);
  const { text, regex, flags, ...conditions } = specification;
  const [condition] = Object.keys(conditions);
  if (condition !== undefined) {
    const reason = `a chat template cannot test the condition "${condition}"`;
    return { field: condition, reason, fix: 'remove the condition, or the scenario' };
  }
  if (text !== undefined) return containedText(text);
  if (regex === undefined) return { field: undefined, reason: 'the trigger has no text', fix: 'write a text' };
  return (
    readLiteral(regex, flags ?? 'i') ?? {
      field: 'regex',
      reason: `/${regex}/${flags ?? ''} is not a literal`,
      fix: LITERAL_FIX,
    }
  );
}

function containedText(text: string): readonly LiteralTrigger[] | TriggerProblem {
  if (text.includes('\0'))
    return { field: undefined, reason: 'a chat template cannot contain U+0000', fix: 'remove it' };
  return spellingsOf(text).map((spelling) => ({ text: spelling, ignoresCase: true, start: 'any', end: 'any' }));
}

function spellingsOf(text: string): readonly string[] {
  const written = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return [...new Set([text.toLowerCase(), written])];
}

/** Reads the source of an expression symbol by symbol; undefined if it is more than a literal. */
function readLiteral(source: string, flags: string): readonly LiteralTrigger[] | undefined {
  const symbols = source.match(/\\?[\s\S]/gu) ?? [];
  const start = EDGES[symbols[0] ?? ''] ?? 'any';
  const end = symbols.length > 1 ? (EDGES[symbols.at(-1) ?? ''] ?? 'any') : 'any';
  if (symbols[0] === '$' || symbols.at(-1) === '^') return undefined;
  const inside = symbols.slice(start === 'any' ? 0 : 1, end === 'any' ? undefined : -1).map(literalOf);
  if (inside.includes(undefined) || inside.length === 0) return undefined;
  const isMultiline = flags.includes('m') && (start === 'text' || end === 'text');
  const text = inside.join('');
  if (isMultiline) return undefined;
  const ignoresCase = flags.includes('i');
  return (ignoresCase ? spellingsOf(text) : [text]).map((spelling) => ({ text: spelling, ignoresCase, start, end }));
}

const EDGES: Readonly<Record<string, Edge>> = { '^': 'text', $: 'text', '\\b': 'word' };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };

function literalOf(symbol: string): string | undefined {
  if (!symbol.startsWith('\\')) return SPECIAL.test(symbol) ? undefined : symbol;
  const escaped = symbol.slice(1);
  return /[A-Za-z0-9]/.test(escaped) ? ESCAPES[escaped] : escaped;
}
