import type { ToolDefinition } from '../../agent/ports/tool.ts';
import { MARKUP } from './markup.ts';

/** Divides a text into what can be shown and, from the first markup of a call on, what cannot. */
export interface MarkupHolder {
  /** Reads a piece, and returns the text that can be shown. */
  push(text: string): string;
  /** The markup so far. */
  readonly markup: string;
  /** The markup, empty if there is none, and the text that may have been the beginning of one. Ends the text. */
  end(): { readonly text: string; readonly markup: string };
}

const OPENS = MARKUP.flatMap(({ opens }) => opens);

/** Upper bound of the length of an open tag, in characters. */
const MAX_OPEN = 100;

/** The start of a tag that may go on with a namespace, and a namespace. */
const WORD = /^<[a-z]\w{0,19}$/;
const NAMESPACE = /^<[a-z]\w{0,19}:/;

/** The bars of tokens, as in a class of characters. */
const BARS = String.raw`|\uff5c\u2016`;
const TOKENS = String.raw`^(?:</?(?:[${BARS}]*| [${BARS}]+ )[\w:\u2581]+(?:[${BARS}]+\w*| [${BARS}]+ \w+)?>?|(?<=^<\|open\|>)tools|\[[A-Z_]+\])+`;

/** Tokens that a sentence only names: the sentence ends or an ordinary word follows, without arguments. */
const NAMED = new RegExp(
  String.raw`${TOKENS}(?:[.,;:!?)"'*]+\s|,? (?:(?:and|or) |[a-z]+(?:[.,;:!?)]+\s| (?=[^{([<\s]|<[^/${BARS}]))))`,
);
/** Tokens behind which the text ends too soon to say if it only names them. */
const UNDECIDED = new RegExp(String.raw`${TOKENS}(?:<[/${BARS}]*|\[[A-Z_]*|[.,;:!?)"'*]+|,? [a-z]*[^\s\w]*(?: <?)?)?$`);

/** A mark that begins a quotation. A straight one begins none behind a word or the mark of a sentence. */
const QUOTE = /(?:(?:^|[^\p{L}\p{N}.,;!?)\]}"'`])(["'])|([\u201c\u2018\u201e«‹「『`])\s?)$/u;
/** Each mark that begins a quotation, and the one that ends it. */
const MARKS = '""\'\'\u201c\u201d\u2018\u2019\u201e\u201c«»‹›「」『』';
/** The end of a quotation of markup. */
const endOf = (mark: string): RegExp =>
  mark === '`' ? /`/ : new RegExp(`[>\\]}]\\s?${MARKS.charAt(MARKS.indexOf(mark) + 1)}`);

/** The length of the start of a line that may be a fence, and of the end of one ahead of a call of gpt-oss. */
const MAX_START = 80;
const MAX_TAIL = 10;

/** Creates the holder of one answer, which may have calls of `tools`. Markup in quotes and fences is no call. */
export function createMarkupHolder(tools: readonly ToolDefinition[]): MarkupHolder {
  // Calls of GLM have no tag around the name, some calls of Gemini have no tag at all, and Inkling has the name ahead.
  const starts = ['<tool_call>', '<tool_call>\n', 'declaration:default_api:', '<|message_model|>'];
  const opens = [...OPENS, ...tools.flatMap(({ name }) => starts.map((start) => start + name))];
  const isOpen = (head: string): boolean => {
    const tag = head.replace(NAMESPACE, '<*:');
    return opens.some((open) => head.startsWith(open) || tag.startsWith(open));
  };
  let held = '';
  let markup: string | undefined;
  let isFenced = false;
  // The line may be as long as the answer, so only its start, its end and the state of its back quotes are kept.
  let start = '';
  let tail = '';
  let isQuoted = false;
  /** The end of the section of markup that is quoted, at the latest a blank line. */
  let quoteEnd: RegExp | undefined;

  const isNamed = (text: string): boolean => start.trim() !== '' && NAMED.test(text);
  const isFence = (): boolean => /^\s*(?:`{3}|~{3})/.test(start);
  /** Shows text, and remembers if it ends within code. */
  const show = (text: string): string => {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) {
        if (start.trim() === '') quoteEnd = undefined;
        isFenced = isFenced !== isFence();
        start = '';
        tail = '';
        isQuoted &&= quoteEnd !== undefined;
      }
      if (quoteEnd?.test(tail.slice(-2) + piece)) quoteEnd = undefined;
      if (start.length < MAX_START) start += piece.slice(0, MAX_START);
      // Back quotes in a row are one mark.
      const marks = (tail.slice(-1) + piece).split(/`+/).length - (tail.endsWith('`') ? 1 : 0);
      isQuoted = isQuoted !== (marks % 2 === 0);
      tail = (tail + piece.slice(-MAX_TAIL)).slice(-MAX_TAIL);
    }
    return text;
  };

  return {
    push(text) {
      if (markup !== undefined) {
        markup += text;
        return '';
      }
      let rest = held + text;
      let shown = '';
      for (;;) {
        const next = rest.search(/[<[\]]|c(?=o|$)|d(?=e|$)|f(?=u|$)/);
        const before = next === -1 ? rest : rest.slice(0, next);
        shown += show(before);
        rest = rest.slice(before.length);
        if (rest === '') break;
        const [, straight, mark = straight] = QUOTE.exec(tail) ?? [];
        const isBegun = mark !== undefined && isQuoted === (mark === '`');
        const isCode = isFenced || isFence() || (isQuoted && !isBegun) || quoteEnd !== undefined;
        // Only the markup of Phi stands at the start of a line.
        const mayBegin = rest.startsWith('f') ? start.trim() === '' : /(?:^|\W|assistant)$/.test(tail);
        const mayOpen = !isCode && (!'cdf'.includes(rest.charAt(0)) || mayBegin);
        const head = rest.slice(0, MAX_OPEN);
        const tag = head.replace(NAMESPACE, '<*:');
        const isShort = head === rest && mayOpen;
        if (mayOpen && isBegun && isOpen(head)) {
          quoteEnd = endOf(mark);
          tail = '';
        } else if (mayOpen && isOpen(head) && !isNamed(head)) {
          if (isShort && UNDECIDED.test(head)) break;
          markup = rest;
          held = '';
          return shown;
        } else if (isShort && (WORD.test(head) || opens.some((open) => open.startsWith(head) || open.startsWith(tag))))
          break;
        shown += show(rest.slice(0, 1));
        rest = rest.slice(1);
      }
      held = rest;
      return shown;
    },
    get markup() {
      return markup ?? '';
    },
    end: () =>
      isOpen(held) && !isNamed(`${held}\n`) ? { text: '', markup: held } : { text: held, markup: markup ?? '' },
  };
}
