import { beforeAll, describe, expect, it } from 'vitest';
import { drawBuffer, drawLine, echo, fitInto } from '../../../../src/terminal/editor/draw.ts';
import { press, withCompletion } from '../../../../src/terminal/editor/line-editor.ts';
import { newLine } from '../../../../src/terminal/editor/line-state.ts';
import { loadWidths } from '../../../../src/text/width.ts';

beforeAll(loadWidths);

/** The rows of a buffer whose cursor is `|`, with a `|` at the drawn cursor. */
function draw(marked: string, columns: number, rows = 20): readonly string[] {
  const cursor = marked.indexOf('|');
  const drawing = drawBuffer({ text: marked.replace('|', ''), cursor }, '> ', { columns, rows });
  return drawing.rows.map((row, index) => (index === drawing.cursor.row ? `${row} @${drawing.cursor.column}` : row));
}

describe('a buffer', () => {
  it.each([
    ['an empty line', '|', 20, ['>  @2']],
    ['a line', 'he|llo', 20, ['> hello @4']],
    ['several lines', 'one\ntw|o\n', 20, ['> one', '  two @4', '  ']],
    ['the cursor after a line feed', 'one\n|', 20, ['> one', '   @2']],
    ['a long line, without the last column', '1234567|8', 10, ['> 1234567', '  8 @2']],
    ['the cursor at the end of a full row', '1234567|', 10, ['> 1234567 @9']],
    ['wide characters', '日本語|中', 10, ['> 日本語', '  中 @2']],
    ['an emoji of several code points', 'a👩🏽‍💻|b', 20, ['> a👩🏽‍💻b @5']],
    ['emoji that some terminals show wider', '👍🏽👍🏽👍🏽|', 12, ['> 👍🏽👍🏽', '  👍🏽 @4']],
    ['a tab', 'a\t|b', 20, ['> a    b @7']],
    ['control characters and the mark of ybs', '\u001b▌|', 30, ['> \\u{1b}\\u{258c} @16']],
    ['a narrow screen', 'abcd|', 6, ['> abc', '  d @3']],
  ])('%s', (_name, marked, columns, rows) => {
    expect(draw(marked, columns)).toEqual(rows);
  });

  it.each([
    ['at the start', '|1\n2\n3\n4\n5', ['> 1 @2', '  2', '  3']],
    ['in the middle', '1\n2\n3|\n4\n5', ['  2', '  3 @3', '  4']],
    ['at the end', '1\n2\n3\n4\n5|', ['  3', '  4', '  5 @3']],
  ])('shows the part around the cursor %s', (_name, marked, rows) => {
    expect(draw(marked, 20, 3)).toEqual(rows);
  });

  it('stays on the screen unwrapped, so that it can be copied', () => {
    const long = 'word '.repeat(50);
    expect(echo(`one\n${long}\n\u0007`, '> ')).toBe(`> one\n  ${long}\n  \\u{7}\n`);
    expect(echo('one\ntwo', '\u001b[36m▌\u001b[39m   $ ')).toBe(
      '\u001b[36m▌\u001b[39m   $ one\n\u001b[36m▌\u001b[39m     two\n',
    );
  });
});

describe('a line', () => {
  const space = { columns: 40, rows: 20 };
  const typed = (text: string) => newLine(['git status', 'npm test'], text);

  it('has the queued messages above it', () => {
    const { rows, cursor } = drawLine(typed('third'), 'next> ', { waiting: ['first', 'second\nmessage'] }, space);
    expect(rows).toEqual(['▌ next: first', '▌ next: second message', 'next> third']);
    expect(cursor).toEqual({ row: 2, column: 11 });
  });

  it('shows the search instead of the prompt', () => {
    let state = press(typed('x'), { type: 'key', name: 'C-r' }).state;
    state = press(state, { type: 'text', text: 'git' }).state;
    expect(drawLine(state, '> ', {}, space)).toEqual({
      rows: ['search "git": git status'],
      cursor: { row: 0, column: 14 },
    });
    state = press(state, { type: 'text', text: '!' }).state;
    expect(drawLine(state, '> ', {}, space).rows).toEqual(['search, not found "git!": git status']);
  });

  it('has the completions below it, the chosen one marked', () => {
    let state = withCompletion(typed('a'), { from: 0, to: 1, items: ['ab', 'ac\n'] });
    state = press(state, { type: 'key', name: 'Tab' }).state;
    expect(drawLine(state, '> ', {}, space).rows).toEqual(['> ab', '▌ › ab', '▌   ac ']);
  });

  it('reports that there may be more completions than were read', () => {
    const state = withCompletion(typed('a'), { from: 0, to: 1, items: ['ab', 'ac'], isPartial: true });
    expect(drawLine(state, '> ', {}, space).rows.slice(1)).toEqual(['▌   ab', '▌   ac', '▌   and perhaps more']);
  });

  it('shows some of many completions, among them the chosen one', () => {
    const items = Array.from({ length: 30 }, (_, index) => `item ${index}`);
    let state = withCompletion(typed(''), { from: 0, to: 0, items });
    expect(drawLine(state, '> ', {}, space).rows.slice(-2)).toEqual(['▌   item 7', '▌   and 22 more']);
    const partial = withCompletion(typed(''), { from: 0, to: 0, items, isPartial: true });
    expect(drawLine(partial, '> ', {}, space).rows.at(-1)).toBe('▌   and at least 22 more');
    for (let pressed = 0; pressed < 12; pressed += 1) state = press(state, { type: 'key', name: 'Tab' }).state;
    expect(drawLine(state, '> ', {}, space).rows).toContain('▌ › item 11');
    state = press(state, { type: 'key', name: 'S-Tab' }).state;
    for (let pressed = 0; pressed < 11; pressed += 1) state = press(state, { type: 'key', name: 'S-Tab' }).state;
    expect(drawLine(state, '> ', {}, space).rows.at(-1)).toBe('▌ › item 29');
  });
});

it.each([
  ['short', 10, 'short'],
  ['日本語', 5, '日本'],
  ['abc', 0, ''],
])('the start of %j in %i columns is %j', (text, columns, start) => {
  expect(fitInto(text, columns)).toBe(start);
});

it('the part of a long text around the cursor is drawn like the same part of the whole', () => {
  const text = Array.from({ length: 60 }, (_each, index) => 'abcdefghijkl'.repeat(index % 3)).join('\n');
  for (const rows of [1, 2, 5, 9]) {
    for (let cursor = 0; cursor <= text.length; cursor += 1) {
      const whole = drawBuffer({ text, cursor }, '> ', { columns: 12, rows: Number.POSITIVE_INFINITY });
      const first = Math.min(Math.max(whole.cursor.row - Math.floor(rows / 2), 0), whole.rows.length - rows);
      const part = drawBuffer({ text, cursor }, '> ', { columns: 12, rows });
      expect(part.rows).toEqual(whole.rows.slice(first, first + rows));
      expect(part.cursor).toEqual({ ...whole.cursor, row: whole.cursor.row - first });
    }
  }
});

it('the start of a long message stays on the screen', () => {
  const message = Array.from({ length: 3_000 }, (_, index) => `${index}`).join('\n');
  const rows = echo(message, '> ').split('\n');
  expect([rows.length, rows[0], rows.at(-2)]).toEqual([22, '> 0', '  [2,980 more lines]']);
  expect(echo(message.split('\n').slice(0, 40).join('\n'), '> ').split('\n')).toHaveLength(41);
});

it('shows the notes of completions in a column', () => {
  const completion = { from: 0, to: 1, items: ['/a', '/long'], notes: ['First', ''] };
  const rows = drawLine(withCompletion(newLine([], '/'), completion), '> ', {}, { columns: 40, rows: 24 }).rows;
  expect(rows).toEqual(['> /', '▌   /a     First', '▌   /long']);
});
