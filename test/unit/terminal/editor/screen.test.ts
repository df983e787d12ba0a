import { describe, expect, it } from 'vitest';
import { drawBuffer } from '../../../../src/terminal/editor/draw.ts';
import { createScreen } from '../../../../src/terminal/editor/screen.ts';
import { createVirtualScreen } from '../../../support/screens/virtual-screen.ts';

const typed = (text: string) => (space: { columns: number; rows: number }) =>
  drawBuffer({ text, cursor: text.length }, '> ', space);

describe('a status', () => {
  it('moves, counts the seconds, and makes room for text', async () => {
    const { screen, rows, tick } = createVirtualScreen();
    screen.showStatus({ label: 'thinking' });
    expect(await rows()).toEqual([]);
    tick(120);
    expect(await rows()).toEqual(['▌ ⠙ thinking 0 s (Esc stops)']);
    tick(2_000);
    await screen.write('Hello.\n');
    expect(await rows()).toEqual(['Hello.', '▌ ⠹ thinking 2 s (Esc stops)']);
  });

  it('is below text without a line end, which then continues', async () => {
    const { screen, rows, tick } = createVirtualScreen();
    screen.showStatus({ label: 'thinking' });
    tick(120);
    for (const part of ['Hel', '', 'lo, ']) await screen.write(part);
    expect(await rows()).toEqual(['Hello,', '▌ ⠙ thinking 0 s (Esc stops)']);
    await screen.write('world.\nNext');
    expect(await rows()).toEqual(['Hello, world.', 'Next', '▌ ⠙ thinking 0 s (Esc stops)']);
    screen.showStatus(undefined);
    await screen.write('.\n');
    expect(await rows()).toEqual(['Hello, world.', 'Next.']);
  });

  it('leaves a row to each line of ybs that comes while a text has no line end', async () => {
    const { screen, rows } = createVirtualScreen();
    for (const part of ['Hello', '▌   The mode is plan.\n', ', world', '\u001b[2m▌\u001b[22m note\n'])
      await screen.write(part);
    expect(await rows()).toEqual(['Hello', '▌   The mode is plan.', ', world', '▌ note']);
  });

  it('is erased at the end, and counts from zero for another label', async () => {
    const { screen, rows, tick, ticking } = createVirtualScreen();
    screen.showStatus({ label: 'thinking' });
    tick(5_000);
    screen.showStatus({ label: 'running', detail: '40%' });
    tick(1_000);
    expect(await rows()).toEqual(['▌ ⠹ running 1 s (Esc stops)  40%']);
    screen.showStatus({ label: 'running', detail: '50%' });
    tick(1_000);
    expect(await rows()).toEqual(['▌ ⠸ running 2 s (Esc stops)  50%']);
    screen.showStatus(undefined);
    screen.showStatus(undefined);
    expect(ticking()).toBe(0);
    expect(await rows()).toEqual([]);
  });

  it('shows that it waits when there was no event for three seconds', async () => {
    const { screen, rows, tick } = createVirtualScreen();
    const answering = { label: 'answering', quiet: 'waiting for the server' };
    screen.showStatus(answering);
    tick(2_900);
    expect(await rows()).toEqual(['▌ ⠙ answering 2 s (Esc stops)']);
    tick(1_100);
    expect(await rows()).toEqual(['▌ ⠹ waiting for the server 4 s (Esc stops)']);
    screen.showStatus(answering);
    tick(120);
    expect(await rows()).toEqual(['▌ ⠸ answering 4 s (Esc stops)']);
  });

  it('is drawn 40 ms after a change, and moves every third time', async () => {
    const { screen, rows, draw } = createVirtualScreen();
    const write = (size: string) => screen.showStatus({ label: 'writing a.ts', size });
    write('1 byte');
    draw();
    expect(await rows()).toEqual([]);
    draw();
    draw();
    write('2 bytes');
    expect(await rows()).toEqual(['▌ ⠙ writing a.ts (1 byte) 0 s (Esc stops)']);
    draw();
    expect(await rows()).toEqual(['▌ ⠙ writing a.ts (2 bytes) 0 s (Esc stops)']);
    draw();
    draw();
    expect(await rows()).toEqual(['▌ ⠹ writing a.ts (2 bytes) 0 s (Esc stops)']);
  });

  it('shows a growing size, and the end of the written text if there is room', async () => {
    const { screen, rows, tick } = createVirtualScreen(30);
    screen.showStatus({ label: 'writing a.ts', size: '3.1 KB', rows: ['one', 'two '.repeat(20)] });
    tick(0);
    screen.showStatus({ label: 'writing a.ts', size: '3.2 KB', rows: ['two', 'three'] });
    tick(1_000);
    expect(await rows()).toEqual(['▌ ⠹ writing a.ts (3.2 KB) 1 s', '▌   two', '▌   three']);
    const low = createVirtualScreen(30, 11);
    low.screen.showStatus({ label: 'writing a.ts', rows: ['one'] });
    low.tick(0);
    expect(await low.rows()).toEqual(['▌ ⠙ writing a.ts 0 s (Esc sto']);
  });

  it('takes one row of any width', async () => {
    const { screen, rows, tick } = createVirtualScreen(40);
    screen.showStatus({ label: 'running', detail: '日本'.repeat(50) });
    tick(0);
    expect(await rows()).toEqual(['▌ ⠙ running 0 s (Esc stops)  日本日本日']);
  });

  it('does not throw when the screen is closed', async () => {
    const ticks: (() => void)[] = [];
    const screen = createScreen({
      write: () => Promise.reject(new Error('gone')),
      size: () => ({ columns: 80, rows: 24 }),
      now: () => 0,
      repeat(tick) {
        ticks.push(tick);
        return () => {};
      },
    });
    screen.showStatus({ label: 'thinking' });
    for (let draws = 0; draws < 3; draws++) for (const tick of ticks) tick();
    screen.clear();
    screen.hide();
    await new Promise(setImmediate);
  });
});

describe('facts', () => {
  it('are omitted from the end if they do not fit, and only the first one is truncated', async () => {
    const { screen, rows } = createVirtualScreen(20);
    screen.setView(() => ({ rows: ['> '], cursor: { row: 0, column: 2 } }));
    const shown: string[] = [];
    for (const facts of [
      ['model', 'ask', 'on'],
      ['model', 'ask', 'sandbox on'],
      ['a model with a long name', 'ask'],
    ]) {
      screen.showFacts(facts, (text) => text);
      shown.push((await rows()).at(-1) ?? '');
    }
    expect(shown).toEqual(['▌ model · ask · on', '▌ model · ask', '▌ a model with a lo']);
  });

  it('are below the line and the status, in one row', async () => {
    const { screen, rows, tick, cursorRow } = createVirtualScreen(30);
    screen.showFacts([`model ${'x'.repeat(50)}`], (text) => `\u001b[2m${text}\u001b[22m`);
    expect(await rows()).toEqual([]);
    screen.setView(typed('half'));
    const row = `▌ model ${'x'.repeat(21)}`;
    expect(await rows()).toEqual(['> half', row]);
    expect(await cursorRow()).toBe('> half');
    screen.setView(undefined);
    screen.showStatus({ label: 'thinking' });
    tick(120);
    expect(await rows()).toEqual(['▌ ⠙ thinking 0 s (Esc stops)', row]);
    expect(await cursorRow()).toBe('');
    await screen.write('Text\n');
    screen.showStatus(undefined);
    expect(await rows()).toEqual(['Text']);
  });
});

describe('signals for an absent user', () => {
  function open() {
    const written: string[] = [];
    let time = 0;
    const screen = createScreen({
      async write(text) {
        written.push(text);
        return true;
      },
      size: () => ({ columns: 80, rows: 24 }),
      now: () => time,
      repeat: () => () => {},
    });
    return { screen, written, pass: (ms: number) => (time += ms) };
  }

  it('are a bell after a long status, whatever its labels', () => {
    const { screen, written, pass } = open();
    screen.setBell({ afterMs: 1_000 });
    for (const ms of [999, 1_000]) {
      screen.showStatus({ label: 'thinking' });
      pass(ms / 2);
      screen.showStatus({ label: 'running' });
      pass(ms / 2);
      screen.showStatus(undefined);
    }
    screen.showStatus(undefined);
    screen.setBell(undefined);
    screen.showStatus({ label: 'thinking' });
    pass(5_000);
    screen.showStatus(undefined);
    expect(written).toEqual(['\u0007']);
  });

  it('are a notification instead of the bell', () => {
    const { screen, written, pass } = open();
    screen.setBell({ afterMs: 1_000, notification: 'ybs waits for you' });
    screen.showStatus({ label: 'thinking' });
    pass(1_000);
    screen.showStatus(undefined);
    expect(written).toEqual(['\u001b]9;ybs waits for you\u0007']);
  });

  it('are a title, after which the previous one is restored', () => {
    const { screen, written } = open();
    screen.setTitle(undefined);
    screen.setTitle('one');
    screen.setTitle('two');
    screen.setTitle(undefined);
    screen.setTitle(undefined);
    expect(written).toEqual(['\u001b[22;2t\u001b]2;one\u0007', '\u001b]2;two\u0007', '\u001b]2;\u0007\u001b[23;2t']);
  });
});

describe('a line that is typed', () => {
  it.each([60, 100])('stays below the text that is written, at %i columns', async (columns) => {
    const { screen, rows, cursorRow } = createVirtualScreen(columns, 10);
    screen.setView(typed('half a'));
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    for (const line of lines) {
      await screen.write(line.slice(0, 3));
      await screen.write(`${line.slice(3)}\n`);
    }
    expect(await rows()).toEqual([...lines, '> half a']);
    expect(await cursorRow()).toBe('> half a');
  });

  it('stays below a line that fills its row', async () => {
    const { screen, rows } = createVirtualScreen(10);
    screen.setView(typed('x'));
    for (const part of ['12345', '67890', '12345678901234567890', '1\n']) await screen.write(part);
    expect(await rows()).toEqual(['1234567890', '1234567890', '1234567890', '1', '> x']);
  });

  it('stays in place below tabs and wide characters', async () => {
    const { screen, rows } = createVirtualScreen(30);
    screen.setView(typed('x'));
    for (const part of ['a\tb', '日本', '\t👩🏽‍💻', '.\n']) await screen.write(part);
    expect((await rows()).at(-1)).toBe('> x');
    expect(await rows()).toHaveLength(2);
  });

  it('leaves no remains if the terminal is narrower than the known size', async () => {
    const { screen, rows, tick, resize, resizeEarly } = createVirtualScreen(60, 12);
    await screen.write('An answer');
    await resizeEarly(30, 12);
    screen.showFacts(['a long row of facts about this session'], (text) => text);
    screen.showStatus({ label: 'thinking' });
    tick(120);
    tick(120);
    await screen.write(' that goes');
    tick(120);
    await resize(30, 12);
    screen.showStatus(undefined);
    await screen.write(' on.\n');
    expect(await rows()).toEqual(['An answer that goes on.']);
  });

  it('is drawn again in another size, without remains', async () => {
    const { screen, rows, resize, cursorRow } = createVirtualScreen(60, 12);
    screen.setView(typed('one two three four five six seven eight nine ten eleven'));
    await screen.write('text\n');
    await resize(20, 12);
    expect(await rows()).toEqual([
      'text',
      '> one two three fou',
      '  r five six seven',
      '  eight nine ten el',
      '  even',
    ]);
    await resize(60, 12);
    expect((await rows()).at(-1)).toBe('> one two three four five six seven eight nine ten eleven');
    expect(await cursorRow()).toBe('> one two three four five six seven eight nine ten eleven');
  });

  const transcript = Array.from({ length: 8 }, (_, index) => `answer ${index}`);
  const draft = Array.from({ length: 100 }, (_, index) => String(index).padStart(3, '0')).join('');

  it.each([
    ['wrap', [60, 30, 100]],
    ['wrap', [50, 100, 50, 100]],
    ['wrap', [30, 100, 29, 28, 99]],
    ['cut', [60, 30, 100]],
    ['cut', [50, 100, 50, 100]],
  ] as const)('erases no text above it when the terminal (%s) gets the widths %j', async (onResize, widths) => {
    const { screen, rows, resize, resizeEarly } = createVirtualScreen(100, 20, onResize);
    screen.showFacts(['model', 'ask'], (text) => text);
    screen.setView(typed(draft));
    await screen.write(transcript.map((row) => `${row}\n`).join(''));
    for (const width of widths) {
      await resizeEarly(width, 20);
      screen.refresh();
      await resize(width, 20);
      screen.refresh();
      const shown = await rows();
      expect(shown.slice(0, 8)).toEqual(transcript);
      const drawn = drawBuffer({ text: draft, cursor: draft.length }, '> ', { columns: width, rows: 18 }).rows;
      expect(shown.slice(-1 - drawn.length)).toEqual([...drawn, '▌ model · ask']);
    }
  });

  it('continues a text after a change of the width, without remains', async () => {
    const { screen, rows, tick, resize } = createVirtualScreen(100, 20);
    screen.showFacts(['model', 'ask'], (text) => text);
    screen.showStatus({ label: 'thinking' });
    tick(120);
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`);
    const widths: Readonly<Record<number, number>> = { 8: 60, 18: 30, 30: 100, 45: 50 };
    for (const [index, word] of words.entries()) {
      await screen.write(`${word} `);
      tick(120);
      const width = widths[index];
      if (width !== undefined) await resize(width, 20);
    }
    screen.showStatus(undefined);
    await screen.write('end.\n');
    const shown = (await rows()).join(' ');
    expect(shown).not.toContain('▌');
    expect(shown.replaceAll(' ', '')).toBe(`${words.join('')}end.`);
  });

  it('shows the status once and the whole text when the width of a draft of several rows changes', async () => {
    const { screen, rows, tick, resize } = createVirtualScreen(100, 20);
    screen.setView(typed(draft));
    screen.showStatus({ label: 'thinking' });
    tick(120);
    for (const [text, width] of [
      ['one two', 60],
      [' three', 100],
      [' four', 30],
      [' five', 100],
    ] as const) {
      await screen.write(text);
      await resize(width, 20);
      tick(120);
    }
    await screen.write(' six.\n');
    const shown = await rows();
    expect(shown.filter((row) => row.startsWith('▌'))).toEqual([shown.at(-1)]);
    for (const word of ['one two', 'three', 'four', 'five', 'six.'])
      expect(shown.filter((row) => row.startsWith(word) || row.startsWith(` ${word}`)).length).toBe(1);
  });

  it('does not overwrite text that a terminal has cut', async () => {
    const { screen, rows, resize } = createVirtualScreen(100, 20, 'cut');
    screen.setView(typed('x'));
    await screen.write('1234567890'.repeat(9));
    await resize(60, 20);
    await screen.write('more\n');
    expect(await rows()).toEqual(['1234567890'.repeat(6), 'more', '> x']);
  });

  it('leaves no copy of itself above a screen that was cleared', async () => {
    const { screen, rows, kept } = createVirtualScreen();
    await screen.write('text\n');
    screen.showFacts(['facts'], (text) => text);
    screen.setView(typed('half'));
    screen.clear();
    screen.setView(typed('whole'));
    screen.clear();
    await screen.write('> sent\n');
    screen.hide();
    expect(await rows()).toEqual(['> sent']);
    expect(await kept()).toEqual(['text']);
  });

  it('gives the terminal to another program, and returns', async () => {
    const { screen, rows } = createVirtualScreen();
    screen.setView(typed('half'));
    screen.hide();
    expect(await rows()).toEqual([]);
    screen.refresh();
    await screen.write('later\n');
    expect(await rows()).toEqual([]);
    screen.show();
    expect(await rows()).toEqual(['later', '> half']);
  });

  it('ends the line of the text before another program writes', async () => {
    const { screen, rows } = createVirtualScreen();
    screen.setView(typed('half'));
    await screen.write('Some');
    screen.hide();
    for (const part of ['other', '▌ note\n', '▌ note 2\n']) await screen.write(part);
    screen.show();
    await screen.write('thing.\n');
    expect(await rows()).toEqual(['Some', 'other', '▌ note', '▌ note 2', 'thing.', '> half']);
  });

  it('is at the top after the screen was cleared', async () => {
    const { screen, rows } = createVirtualScreen(60, 5);
    screen.setView(typed('half'));
    await screen.write('text\n');
    screen.clear();
    expect((await rows()).at(-1)).toBe('> half');
    expect(await rows()).not.toContain('text');
  });
});
