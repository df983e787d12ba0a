import { describe, expect, it } from 'vitest';
import { addOutput, endOutput, NO_OUTPUT, unfold, wholeOutput } from '../../../../src/terminal/chat/output-view.ts';

/** The lines that are shown for output that arrives in these chunks. */
function shownOf(...chunks: readonly string[]): readonly string[] {
  let view = NO_OUTPUT;
  const lines: string[] = [];
  for (const chunk of chunks) {
    const added = addOutput(view, chunk);
    ({ view } = added);
    lines.push(...added.shown);
  }
  const { hidden, last } = endOutput(view);
  return [...lines, ...(hidden === 0 ? [] : [`${hidden} hidden`]), ...last];
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
    [21, [...numbers(1, 8), '1 hidden', ...numbers(10, 21)]],
    [3_000, [...numbers(1, 8), '2980 hidden', ...numbers(2_989, 3_000)]],
  ])('of %i lines shows the first and the last ones', (count, lines) => {
    const text = numbers(1, count).join('\n');
    expect(shownOf(text)).toEqual(lines);
    expect(shownOf(`${text}\n`)).toEqual(lines);
    expect(shownOf(...`${text}\n`)).toEqual(lines);
  });

  it('shows hidden lines, and all later lines at once, on request', () => {
    const { view } = addOutput(NO_OUTPUT, `${numbers(1, 30).join('\n')}\nx`);
    const unfolded = unfold(view);
    expect(unfolded?.shown).toEqual(numbers(9, 30));
    expect(unfolded?.lost).toBe(0);
    const more = addOutput(unfolded?.view ?? NO_OUTPUT, 'y\nz');
    expect(more.shown).toEqual(['xy']);
    expect(endOutput(more.view)).toEqual({ hidden: 0, shortened: false, last: ['z'] });
    expect(wholeOutput(more.view)).toEqual({ lines: [...numbers(1, 30), 'xy', 'z'], lost: 0 });
  });

  it.each(['', 'a\n', numbers(1, 8).join('\n')])('has nothing to unfold while all its lines are shown: %j', (text) => {
    expect(unfold(addOutput(NO_OUTPUT, text).view)).toBeUndefined();
  });

  it('keeps the first part of a very long output', () => {
    const line = `${'x'.repeat(999)}\n`;
    const { view } = addOutput(NO_OUTPUT, line.repeat(3_000));
    const { lines, lost } = wholeOutput(view);
    expect([lines.length, lost]).toEqual([2_000, 1_000]);
    expect(unfold(view)).toMatchObject({ lost: 1_000, view: { shown: 3_000, tail: [] } });
  });

  it('shows the first lines at once', () => {
    const { shown, view } = addOutput(NO_OUTPUT, 'a\nb\nc');
    expect(shown).toEqual(['a', 'b']);
    expect(view.line).toBe('c');
  });

  it('shortens a long line, and keeps more of it for the user who asks', () => {
    const { view } = addOutput(NO_OUTPUT, 'x'.repeat(5_000));
    expect(endOutput(view)).toEqual({
      hidden: 0,
      shortened: true,
      last: [`${'x'.repeat(1_000)} [… 4000 more characters …]`],
    });
    const more = addOutput(view, `${'y'.repeat(100_000)}\n`);
    expect(more.shown).toEqual([`${'x'.repeat(1_000)} [… 104000 more characters …]`]);
    expect(endOutput(more.view)).toEqual({ hidden: 0, shortened: true, last: [] });
    const kept = `${'x'.repeat(5_000)}${'y'.repeat(95_000)} [… 5000 more characters …]`;
    expect(wholeOutput(more.view)).toEqual({ lines: [kept], lost: 0 });
  });

  it.each(['👍🏽', '👩‍👩‍👧', 'e\u0301'])('does not cut %s when it shortens a line', (character) => {
    const { shown } = addOutput(NO_OUTPUT, `${'x'.repeat(999)}${character}${'y'.repeat(9)}\n`);
    expect(shown).toEqual([`${'x'.repeat(999)} [… ${character.length + 9} more characters …]`]);
  });
});
