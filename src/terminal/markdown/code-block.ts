import type { Palette, Style } from '../../app/terminal.ts';
import type { CodeKind, CodeLine } from './highlight.ts';

/** Highlights code; `undefined` for an unknown language. */
export type Highlight = (code: string, language: string) => readonly CodeLine[] | undefined;

/** The lines before a line of code that decide how it is highlighted. */
export type CodeContext = readonly string[];

/** Minimum number of lines that are remembered, if they are not too long. */
const CONTEXT_LINES = 40;

/** Maximum length of highlighted code, because the expressions of a language may take quadratic time. */
const MAX_LENGTH = 3_000;

const STYLES: Readonly<Partial<Record<CodeKind, Style>>> = {
  kwd: 'magenta',
  str: 'green',
  num: 'yellow',
  bool: 'yellow',
  esc: 'yellow',
  cmnt: 'dim',
  func: 'blue',
  section: 'blue',
  class: 'cyan',
  type: 'cyan',
  var: 'cyan',
  insert: 'green',
  deleted: 'red',
};

/** A line of a block of code in colours, and the context of the next one. */
export function codeRow(
  line: string,
  { language, context }: { readonly language: string; readonly context: CodeContext },
  palette: Palette,
  highlight: Highlight | undefined,
): { readonly text: string; readonly context: CodeContext } {
  let code: CodeContext = [...context, line];
  while (code.length > 1 && lengthOf(code) > MAX_LENGTH) code = code.slice(Math.ceil(code.length / 2));
  const isKnown = language !== '' && lengthOf(code) <= MAX_LENGTH;
  const lines = isKnown ? highlight?.(code.join('\n'), language) : undefined;
  const parts = lines?.at(-1)?.parts;
  if (lines === undefined || parts === undefined) return { text: line, context: [] };
  const text = parts.map(({ text: part, kind }) => {
    const style = kind === undefined ? undefined : STYLES[kind];
    return style === undefined ? part : palette(style, part);
  });
  return { text: text.join(''), context: shortened(code, lines) };
}

function lengthOf(code: CodeContext): number {
  return code.reduce((sum, line) => sum + line.length + 1, 0);
}

/** The code without the lines that no longer matter, which keeps the work for each line within limits. */
function shortened(code: CodeContext, lines: readonly CodeLine[]): CodeContext {
  if (code.length < 2 * CONTEXT_LINES) return code;
  const end = lines.slice(0, code.length - CONTEXT_LINES).findLastIndex(({ isWhole }) => isWhole);
  return code.slice(end + 1);
}
