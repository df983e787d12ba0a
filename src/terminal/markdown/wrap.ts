import type { Palette, Style } from '../../app/terminal.ts';
import { clusters, isBreakable, maxWidth, unitsOf } from '../../text/width.ts';
import type { Span } from './inline.ts';

/** A part of a text that is not divided between two rows: pieces with their styles, without white space. */
export interface Word {
  readonly pieces: readonly Span[];
  readonly width: number;
  /** The white space before it, of which one space or one line feed is left. */
  readonly gap: '' | ' ' | '\n';
}

/** The words of some spans. A row may also end between two characters of which one is wide. */
export function wordsOf(spans: readonly Span[]): readonly Word[] {
  const words: Word[] = [];
  let pieces: Span[] = [];
  let gap: Word['gap'] = '';
  const end = (next: Word['gap']) => {
    if (pieces.length > 0) {
      words.push({ pieces, width: pieces.reduce((sum, { text }) => sum + maxWidth(text), 0), gap });
      [pieces, gap] = [[], next];
    } else if (gap !== '\n' && next !== '') {
      gap = next;
    }
  };
  for (const { text, styles } of spans) {
    for (const [part] of text.matchAll(/[ \t\n]+|[^ \t\n]+/g)) {
      if (/^[ \t\n]/.test(part)) {
        end(part.includes('\n') ? '\n' : ' ');
        continue;
      }
      for (const [index, unit] of unitsOf(part).entries()) {
        if (pieces.length > 0 && (index > 0 || isBreakable(lastOf(pieces), clusters(unit.slice(0, 20))[0]))) end('');
        pieces.push({ text: unit, styles });
      }
    }
  }
  end('');
  return words;
}

/** The last character of the pieces, however many code points it has. */
function lastOf(pieces: readonly Span[]): string | undefined {
  return clusters((pieces.at(-1)?.text ?? '').slice(-20)).at(-1);
}

function paint({ text, styles }: Span, palette: Palette): string {
  return styles.reduceRight((painted: string, style: Style) => palette(style, painted), text);
}

export function paintWord({ pieces }: Word, palette: Palette): string {
  return pieces.map((piece) => paint(piece, palette)).join('');
}

/** The words in rows of at most `width` columns. Longer words are divided between their characters. */
export function wrapWords(words: readonly Word[], width: number): readonly (readonly Word[])[] {
  const rows: Word[][] = [[]];
  let column = 0;
  for (const word of words.flatMap((whole) => divideWord(whole, width))) {
    const row = rows.at(-1);
    const space = column > 0 && word.gap === ' ' ? 1 : 0;
    const fits = word.gap !== '\n' && column + space + word.width <= width;
    if (row !== undefined && (fits || column === 0)) {
      row.push(word);
      column += space + word.width;
    } else {
      rows.push([word]);
      column = word.width;
    }
  }
  return rows;
}

function divideWord(word: Word, width: number): readonly Word[] {
  if (word.width <= width) return [word];
  const parts: Word[] = [];
  for (const { text, styles } of word.pieces) {
    for (const cluster of clusters(text)) {
      const columns = maxWidth(cluster);
      const last = parts.at(-1);
      const piece = { text: cluster, styles };
      if (last !== undefined && last.width + columns <= width) {
        parts[parts.length - 1] = { ...last, pieces: [...last.pieces, piece], width: last.width + columns };
      } else {
        parts.push({ pieces: [piece], width: columns, gap: parts.length === 0 ? word.gap : '' });
      }
    }
  }
  return parts;
}

/** A row of words as text, and its width. */
export function rowText(row: readonly Word[], palette: Palette): { readonly text: string; readonly width: number } {
  let text = '';
  let width = 0;
  for (const [index, word] of row.entries()) {
    const space = index > 0 && word.gap !== '' ? ' ' : '';
    text += space + paintWord(word, palette);
    width += space.length + word.width;
  }
  return { text, width };
}
