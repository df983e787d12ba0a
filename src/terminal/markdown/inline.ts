import { Lexer, type MarkedToken, type Token } from 'marked';
import type { Style } from '../../app/terminal.ts';

/** Text with the styles that it is shown in. Line feeds end a row. */
export interface Span {
  readonly text: string;
  readonly styles: readonly Style[];
}

/** The maximum length of an open construct; later text does not belong to it. */
const MAX_HELD = 400;

/** A longer text is shown as it is, because the search for constructs may take quadratic time. */
const MAX_LENGTH = 4_000;

/** Characters without which a text has no inline construct. */
const SPECIAL = /[*_~`[\\<@&]|https?:|www\./i;

/** An emphasis, a code span or a link that has begun and not ended. */
const UNFINISHED = /\*(?=\S)|(?<![\p{L}\p{N}])_+(?=[^\s_])|~~(?=\S)|`|\[[^\]]*$|\]\([^)]*$|\\$/u;

/**
 * True if more text after a space cannot change how this one is shown, as when no emphasis is open. Text that has waited
 * for long is shown as it is.
 */
export function isSettled(source: string): boolean {
  if (!SPECIAL.test(source) || source.length > MAX_HELD) return true;
  return !UNFINISHED.test(outline(Lexer.lexInline(source)));
}

/** The text outside of the constructs that have ended, each of which is replaced with `x`. */
function outline(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'text') return token.raw;
      return token.type === 'strong' || token.type === 'em' || token.type === 'del'
        ? `x${outline(token['tokens'] ?? []).replaceAll(/[*_]+/g, '')}x`
        : 'x';
    })
    .join('');
}

/** The spans of a text, in `styles` of their own and those of its emphasis, code and links. */
export function inlineSpans(source: string, styles: readonly Style[] = []): readonly Span[] {
  if (source.length > MAX_LENGTH || !SPECIAL.test(source)) return [{ text: source, styles }];
  return spansOf(Lexer.lexInline(source), styles);
}

export function spansOf(tokens: readonly Token[], styles: readonly Style[]): readonly Span[] {
  return tokens.flatMap((token) => (isInline(token) ? spansOfToken(token, styles) : [{ text: token.raw, styles }]));
}

type InlineToken = Extract<
  MarkedToken,
  { readonly type: 'strong' | 'em' | 'del' | 'codespan' | 'br' | 'escape' | 'link' | 'image' | 'text' }
>;
const INLINE = new Set(['strong', 'em', 'del', 'codespan', 'br', 'escape', 'link', 'image', 'text']);

function isInline(token: Token): token is InlineToken {
  return INLINE.has(token.type);
}

function spansOfToken(token: InlineToken, styles: readonly Style[]): readonly Span[] {
  switch (token.type) {
    case 'strong':
      return spansOf(token.tokens, [...styles, 'bold']);
    case 'em':
      return spansOf(token.tokens, [...styles, 'italic']);
    case 'del':
      return spansOf(token.tokens, [...styles, 'strikethrough']);
    case 'codespan':
      return [{ text: token.text, styles: [...styles, 'cyan'] }];
    case 'br':
      return [{ text: '\n', styles }];
    case 'escape':
      return [{ text: token.text, styles }];
    case 'link':
    case 'image': {
      const label = spansOf(token.tokens, [...styles, 'underline']);
      const isAddress = ['', 'mailto:', 'http://'].some((scheme) => token.href === scheme + token.text);
      // The address is always shown, so that the text cannot pretend another one.
      return isAddress ? label : [...label, { text: ` (${token.href})`, styles: [...styles, 'dim'] }];
    }
    case 'text':
      return [{ text: decodeEntities(token.raw), styles }];
    default:
      return token satisfies never;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

function decodeEntities(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}
