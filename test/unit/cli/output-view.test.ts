import { describe, expect, it } from 'vitest';
import { addOutput, endOutput, NO_OUTPUT } from '../../../src/cli/chat/output-view.ts';

/** The lines that are shown for output that arrives in these chunks. */
function shownOf(...chunks: readonly string[]): readonly string[] {
  let view = NO_OUTPUT;
  const lines: string[] = [];
  for (const chunk of chunks) {
    const added = addOutput(view, chunk);
    ({ view } = added);
    lines.push(...added.shown);
  }
  return [...lines, ...endOutput(view)];
}

const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}`);

describe('the output of a command', () => {
  it.each([
    ['nothing', '', []],
    ['lines', 'a\n\nb\n', ['a', '', 'b']],
    ['a last line without a line end', 'a\nb', ['a', 'b']],
    ['CRLF line ends', 'a\r\nb\r\n', ['a', 'b']],
    ['progress that overwrites its line', '10%\r50%\r100%\ndone\n', ['100%', 'done']],
    ['progress that ends with a carriage return', '10%\r100%\r', ['100%']],
    ['progress before a line feed', '10%\r100%\r\nx', ['100%', 'x']],
    ['carriage returns alone', '\r\r', []],
  ])('shows %s, wherever its chunks end', (_name, text, lines) => {
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(shownOf(text.slice(0, cut), text.slice(cut)), `cut at ${cut}`).toEqual(lines);
    }
  });

  it.each([
    [20, numbers(1, 20)],
    [21, [...numbers(1, 8), '[… 1 line omitted …]', ...numbers(10, 21)]],
    [3_000, [...numbers(1, 8), '[… 2980 lines omitted …]', ...numbers(2_989, 3_000)]],
  ])('of %i lines shows the first and the last ones', (count, lines) => {
    const text = numbers(1, count).join('\n');
    expect(shownOf(text)).toEqual(lines);
    expect(shownOf(`${text}\n`)).toEqual(lines);
    expect(shownOf(...`${text}\n`)).toEqual(lines);
  });

  it('shows the first lines at once', () => {
    const { shown, view } = addOutput(NO_OUTPUT, 'a\nb\nc');
    expect(shown).toEqual(['a', 'b']);
    expect(view.line).toBe('c');
  });

  it('shortens a long line, and keeps only its start', () => {
    const { view } = addOutput(NO_OUTPUT, 'x'.repeat(5_000));
    const more = addOutput(view, `${'y'.repeat(5_000)}\n`);
    expect(more.shown).toEqual([`${'x'.repeat(1_000)} [… 9000 more characters …]`]);
    expect(view.line).toHaveLength(1_000);
  });
});
