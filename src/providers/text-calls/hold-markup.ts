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

/** Creates the holder of one answer, which may have calls of `tools`. Markup in back quotes and fences is no call. */
export function createMarkupHolder(tools: readonly ToolDefinition[]): MarkupHolder {
  // Calls of GLM have no tag around the name.
  const opens = [...OPENS, ...tools.flatMap(({ name }) => [`<tool_call>${name}`, `<tool_call>\n${name}`])];
  let held = '';
  let markup: string | undefined;
  let isFenced = false;
  let line = '';

  /** Shows text, and remembers if it ends within code. */
  const show = (text: string): string => {
    const [first = '', ...others] = text.split('\n');
    line += first;
    for (const next of others) {
      if (/^\s*(?:`{3}|~{3})/.test(line)) isFenced = !isFenced;
      line = next;
    }
    return text;
  };
  const isCode = (): boolean => isFenced || /^\s*(?:`{3}|~{3})/.test(line) || (line.split('`').length - 1) % 2 === 1;

  return {
    push(text) {
      if (markup !== undefined) {
        markup += text;
        return '';
      }
      let rest = held + text;
      let shown = '';
      for (;;) {
        const start = rest.search(/[<[\]]|c(?=o|$)/);
        const before = start === -1 ? rest : rest.slice(0, start);
        shown += show(before);
        rest = rest.slice(before.length);
        if (rest === '') break;
        const mayOpen = !isCode() && (!rest.startsWith('c') || /(?:^|\W|assistant)$/.test(line));
        const isOpen = mayOpen && opens.some((open) => rest.startsWith(open));
        if (isOpen) {
          markup = rest;
          held = '';
          return shown;
        }
        if (mayOpen && opens.some((open) => open.startsWith(rest))) break;
        shown += show(rest.slice(0, 1));
        rest = rest.slice(1);
      }
      held = rest;
      return shown;
    },
    get markup() {
      return markup ?? '';
    },
    end: () => ({ text: held, markup: markup ?? '' }),
  };
}
