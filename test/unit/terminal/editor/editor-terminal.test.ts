import { describe, expect, it } from 'vitest';
import type { Completion } from '../../../../src/app/commands/completion.ts';
import type { LineQuestion } from '../../../../src/app/terminal.ts';
import { createEditorTerminal } from '../../../../src/terminal/editor/editor-terminal.ts';
import { COMPLETION_MS } from '../../../../src/terminal/editor/find-completion.ts';
import { ENTER_MS, HELD_MS, QUIET_MS, TYPING_MS } from '../../../../src/terminal/editor/question-keys.ts';
import type { ComposedText, EditorTerminalPorts, KeyHandlers } from '../../../../src/terminal/editor/terminal-ports.ts';
import type { Key } from '../../../../src/terminal/keys/key.ts';
import { Listeners } from '../../../../src/terminal/listeners.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { createVirtualScreen } from '../../../support/screens/virtual-screen.ts';

const MESSAGE = { prompt: '> ', fresh: false };
const QUESTION = { prompt: '? ', fresh: true, keys: ['y', 'n', 's'] };
const LETTER = '▌ To answer, pause, then type one letter.';
const line = (text: string) => ({ type: 'line', text });

function open(options: Partial<EditorTerminalPorts> = {}, columns = 60) {
  const { screen, ...view } = createVirtualScreen(columns);
  const clock = createManualClock();
  let handlers: KeyHandlers | undefined;
  const modes: string[] = [];
  const terminal = createEditorTerminal({
    keys: {
      start: (receivers) => {
        handlers = receivers;
      },
      setModes: (active) => modes.push(active ? 'keys' : 'other'),
      dropPaste: () => modes.push('drop paste'),
      stop: () => modes.push('stop'),
    },
    screen,
    clock,
    typeAhead: true,
    ...options,
  });
  const press = (...keys: readonly string[]) => {
    for (const key of keys) {
      const name = /^<(.+)>$/.exec(key)?.[1];
      const pressed: readonly Key[] =
        name === undefined ? [...key].map((text): Key => ({ type: 'text', text })) : [{ type: 'key', name }];
      for (const one of pressed) handlers?.onKey(one);
    }
  };
  const paste = (text: string) => handlers?.onKey({ type: 'paste', text });
  const settled = () => new Promise(setImmediate);
  const pass = async (ms: number) => {
    await settled();
    await clock.advance(ms);
    await settled();
  };
  /** Asks a question and waits until its keys count. */
  const ask = async (question: LineQuestion = QUESTION, signal?: AbortSignal) => {
    const answer = terminal.readLine(question, signal);
    await pass(QUIET_MS);
    return { answer };
  };
  /** Presses a key of a question, and no other one for long enough. */
  const reply = async (key: string) => {
    press(key);
    await pass(HELD_MS);
  };
  /** Stops typing. A key that follows is one of the question. */
  const pause = () => pass(TYPING_MS);
  /** Presses a key of a question at which a message was typed, and no other one for long enough. */
  const replyAfterText = async (key: string) => {
    press(key);
    await pause();
  };
  /** Reads a line while these keys are pressed. */
  const readTyped = (question: LineQuestion, ...keys: readonly string[]) => {
    const answer = terminal.readLine(question);
    press(...keys);
    return answer;
  };
  const end = () => handlers?.onEnd();
  const typing = { press, paste, ask, pass, reply, pause, replyAfterText, readTyped, settled, end };
  return { terminal, screen, ...view, clock, modes, ...typing };
}

describe('a long paste in the message', () => {
  const LINES = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');

  it('is sent whole, and the screen keeps its label', async () => {
    const { terminal, press, paste, rows } = open();
    const answer = terminal.readLine(MESSAGE);
    press('fix ');
    paste(LINES);
    expect(await rows()).toEqual(['> fix [pasted 30 lines]']);
    press('<Enter>');
    expect(await answer).toEqual(line(`fix ${LINES}`));
    expect(await rows()).toEqual(['> fix [pasted 30 lines]']);
  });

  it('is passed to $EDITOR whole, and returned whole after a question and a stop', async () => {
    const composed: string[] = [];
    const compose = async (text: string) => {
      composed.push(text);
      return { failure: 'Not now.' };
    };
    const { terminal, press, paste, ask, settled, rows } = open({ compose });
    paste(LINES);
    await ask();
    expect(await rows()).toContain('next> [pasted 30 lines]');
    press('<C-c>');
    press('<C-g>');
    await settled();
    expect(composed).toEqual([LINES]);
    const answer = terminal.readLine(MESSAGE);
    press('<Enter>');
    expect(await answer).toEqual(line(LINES));
  });
});

describe('text that is typed while the agent works', () => {
  it('is shown below the output, and is in the next message', async () => {
    const { terminal, screen, press, rows, cursorRow } = open();
    press('half a');
    await screen.write('The answer');
    expect(await rows()).toEqual(['The answer', 'next> half a']);
    await screen.write(' is 42.\n');
    const message = terminal.readLine(MESSAGE);
    expect(await rows()).toEqual(['The answer is 42.', '> half a']);
    press(' line', '<Enter>');
    expect(await message).toEqual(line('half a line'));
    expect(await rows()).toEqual(['The answer is 42.', '> half a line']);
    expect(await cursorRow()).toBe('');
  });

  it('waits after Enter, and becomes messages in order, which are in the history', async () => {
    const { readTyped, terminal, screen, press, rows } = open();
    press('first', '<Enter>', 'second', '<M-Enter>', 'line', '<Enter>', '<Enter>', 'third');
    expect(await rows()).toEqual(['▌ next: first', '▌ next: second line', 'next> third']);
    await screen.write('Done.\n');
    expect(await terminal.readLine(MESSAGE)).toEqual(line('first'));
    expect(await rows()).toEqual(['Done.', '> first', '▌ next: second line', 'next> third']);
    expect(await terminal.readLine(MESSAGE)).toEqual(line('second\nline'));
    expect(await readTyped(MESSAGE, '<C-u>', '<Up>', '<Up>', '<Up>', '<Enter>')).toEqual(line('first'));
  });

  it.each(['<C-c>', '<Esc>'])('returns to the input line when %s stops the agent', async (key) => {
    const { readTyped, terminal, press, rows } = open();
    const stops: string[] = [];
    const unsubscribe = terminal.onInterrupt(() => stops.push('stop'));
    press('first', '<Enter>', 'second', key);
    expect(stops).toHaveLength(1);
    expect(await rows()).toEqual(['next> first', '      second']);
    unsubscribe();
    press(key);
    expect(stops).toHaveLength(1);
    expect(await readTyped(MESSAGE, '<Enter>')).toEqual(line('first\nsecond'));
  });

  it.each(['<C-c>', '<Esc>'])('returns to the input line when %s at a question stops the agent', async (key) => {
    const { terminal, press, ask, rows } = open();
    press('first', '<Enter>', 'second');
    const { answer } = await ask();
    press(key);
    expect(await answer).toEqual({ type: 'interrupt', cleared: false });
    const message = terminal.readLine(MESSAGE);
    expect((await rows()).slice(-2)).toEqual(['> first', '  second']);
    press('<Enter>');
    expect(await message).toEqual(line('first\nsecond'));
  });

  it('returns as several messages if one of them is a command, each of which needs its own Enter', async () => {
    const { readTyped, terminal, press, rows } = open();
    press('/help', '<Enter>', '!ls', '<Enter>', 'half', '<Enter>', '<C-c>');
    expect(await rows()).toEqual(['▌ next: !ls', '▌ next: half', 'next> /help']);
    const first = terminal.readLine(MESSAGE);
    expect(await rows()).toEqual(['▌ next: !ls', '▌ next: half', '> /help']);
    press('<Enter>');
    expect(await first).toEqual(line('/help'));
    expect(await readTyped(MESSAGE, '<C-c>')).toEqual({ type: 'interrupt', cleared: true });
    expect(await readTyped(MESSAGE, ' a thought', '<Enter>')).toEqual(line('half a thought'));
  });

  it.each([
    ['a command is typed', ['@file:x hi'], '/c', 'ost'],
    ['a command returns', ['/nope', 'then'], 'pla', 'in'],
  ])('stays whole when messages return while %s', async (_what, [refused = '', ...waiting], start, rest) => {
    const { readTyped, terminal, press, rows } = open();
    for (const text of waiting) press(text, '<Enter>');
    press(start);
    const message = terminal.readLine({ ...MESSAGE, text: refused });
    press(rest);
    const shown = [refused, ...waiting].map((text) => `▌ next: ${text}`);
    expect(await rows()).toEqual([...shown, `> ${start}${rest}`]);
    press('<Enter>');
    expect(await message).toEqual(line(start + rest));
    expect(await readTyped(MESSAGE, '<Enter>')).toEqual(line(refused));
  });

  it('continues at the cursor when plain messages return', async () => {
    const { terminal, press, rows } = open();
    press('second', '<Enter>', 'thrd', '<Left>', '<Left>');
    const message = terminal.readLine({ ...MESSAGE, text: 'first' });
    press('i');
    expect(await rows()).toEqual(['> first', '  second', '  third']);
    press('<Enter>');
    expect(await message).toEqual(line('first\nsecond\nthird'));
  });

  it('returns one by one even when the next message is typed during a run', async () => {
    const { terminal, press, rows } = open();
    press('/help', '<Enter>', '/tools', '<Enter>', '<C-c>', '<Enter>');
    expect(await rows()).toEqual(['▌ next: /help', 'next> /tools']);
    expect(await terminal.readLine(MESSAGE)).toEqual(line('/help'));
  });

  it('follows a message that returns for correction', async () => {
    const { readTyped, terminal, press, rows } = open();
    press('second', '<Enter>', 'third');
    const message = terminal.readLine({ ...MESSAGE, text: 'first' });
    expect(await rows()).toEqual(['> first', '  second', '  third']);
    press('<Enter>');
    expect(await message).toEqual(line('first\nsecond\nthird'));
    expect(await readTyped({ ...MESSAGE, text: 'alone' }, '<Enter>')).toEqual(line('alone'));
  });

  it('is dropped if no message follows', async () => {
    const { terminal, press, ask, reply } = open({ typeAhead: false });
    const stops: string[] = [];
    terminal.onInterrupt(() => stops.push('stop'));
    press('y', '<Enter>', '<C-d>', '<C-c>', '<Esc>');
    expect(stops).toHaveLength(2);
    const { answer } = await ask();
    await reply('n');
    expect(await answer).toEqual(line('n'));
  });
});

describe('a message during a run that takes messages', () => {
  function run(options: { enter?: 'steer' | 'queue' } = {}) {
    const opened = open();
    const given: { text: string; settle: (isTaken: boolean) => void }[] = [];
    const steer = (text: string) => new Promise<boolean>((settle) => given.push({ text, settle }));
    opened.terminal.steerWith?.({ steer, enter: options.enter ?? 'steer' });
    return { ...opened, given };
  }

  it('is sent with the next request after Enter, and queued after Ctrl-Q, as the row below the line explains', async () => {
    const { terminal, press, rows, settled, given } = run();
    press('and this');
    expect(await rows()).toEqual(['next> and this', '▌ Enter: with the next request · Ctrl-Q: after this run']);
    press('<Enter>', 'later', '<C-q>', 'and that', '<Enter>');
    expect(given.map(({ text }) => text)).toEqual(['and this', 'and that']);
    expect(await rows()).toEqual([
      '▌ for the next request: and this',
      '▌ for the next request: and that',
      '▌ next: later',
      'next>',
    ]);
    given[0]?.settle(true);
    await settled();
    expect(await rows()).toEqual(['▌ for the next request: and that', '▌ next: later', 'next>']);
    terminal.steerWith?.(undefined);
    given[1]?.settle(false);
    await settled();
    expect(await terminal.readLine(MESSAGE)).toEqual(line('and that'));
    expect(await terminal.readLine(MESSAGE)).toEqual(line('later'));
    const next = terminal.readLine(MESSAGE);
    press('<Up>', '<Up>', '<Up>', '<Enter>');
    expect(await next).toEqual(line('and this'));
  });

  it('waits for the end of the run if it is a command or names a file, and keys are swapped by the setting', async () => {
    const { press, rows, given } = run({ enter: 'queue' });
    press('x');
    expect((await rows())[1]).toBe('▌ Enter: after this run · Ctrl-Q: with the next request');
    press('<Enter>', 'y', '<C-q>', '/diff', '<C-q>', '!ls', '<C-q>', 'see @file:a', '<C-q>', ' ', '<C-q>');
    expect(given.map(({ text }) => text)).toEqual(['y']);
    expect((await rows()).filter((row) => row.includes('next: '))).toHaveLength(4);
  });

  it('returns at Esc, which stops the run, if the run has not taken it', async () => {
    const { terminal, press, settled, given } = run();
    press('and this', '<Enter>', 'more', '<Esc>');
    terminal.steerWith?.(undefined);
    given[0]?.settle(false);
    await settled();
    const next = terminal.readLine(MESSAGE);
    press('<Enter>');
    expect(await next).toEqual(line('and this\nmore'));
  });

  it('that the run has taken after it returned stays in the input line', async () => {
    const { terminal, press, settled, given } = run();
    press('and this', '<Enter>', '<Esc>');
    given[0]?.settle(true);
    await settled();
    const next = terminal.readLine(MESSAGE);
    press('<Enter>');
    expect(await next).toEqual(line('and this'));
  });
});

describe('a question', () => {
  it('is answered with one key, in any case, and puts an unfinished message aside', async () => {
    const { readTyped, press, ask, pause, replyAfterText, rows, cursorRow } = open();
    press('half a mess');
    const { answer } = await ask();
    await pause();
    expect(await rows()).toEqual(['?', 'next> half a mess']);
    expect(await cursorRow()).toBe('? ');
    await replyAfterText('Y');
    expect(await answer).toEqual(line('y'));
    expect(await rows()).toEqual(['? y', 'next> half a mess']);
    expect(await readTyped(MESSAGE, 'age', '<Enter>')).toEqual(line('half a message'));
  });

  it('takes keys before it and for a moment after it as text, until its prompt appears', async () => {
    const { terminal, press, pass, replyAfterText, rows } = open();
    press('y');
    const answer = terminal.readLine(QUESTION);
    press('y', '<Enter>', 'n');
    await pass(TYPING_MS - 1);
    expect(await rows()).toEqual(['next> yy', '      n']);
    await pass(1);
    expect(await rows()).toEqual(['?', LETTER, 'next> yy⏎n']);
    await replyAfterText('n');
    expect(await answer).toEqual(line('n'));
    expect(await rows()).toEqual(['? n', 'next> yy', '      n']);
  });

  it.each([0, TYPING_MS])(
    'has its usual times after single keys, the last of them %i ms after another one',
    async (ms) => {
      const { terminal, press, pass, reply, rows } = open();
      if (ms > 0) press('x');
      await pass(ms);
      press('y');
      const answer = terminal.readLine(QUESTION);
      await pass(QUIET_MS);
      expect(await rows()).toEqual(['?', `next> ${ms > 0 ? 'xy' : 'y'}`]);
      await reply('n');
      expect(await answer).toEqual(line('n'));
    },
  );

  it.each([230, 350, TYPING_MS - 1])(
    'is not answered by a sentence that continues with a key every %i ms',
    async (ms) => {
      const { terminal, press, pass, pause, replyAfterText, rows } = open();
      press('and');
      const answer = terminal.readLine(QUESTION);
      for (const letter of ' say yes') {
        await pass(ms);
        press(letter);
      }
      expect(await rows()).toEqual(['next> and say yes']);
      await pause();
      expect(await rows()).toEqual(['?', 'next> and say yes']);
      press('y');
      await pass(ms);
      press('!');
      expect(await rows()).toEqual(['next> and say yesy!']);
      await pause();
      await replyAfterText('n');
      expect(await answer).toEqual(line('n'));
    },
  );

  it.each([
    ['a message was sent', MESSAGE, ['next', '<Enter>']],
    ['a question was answered', QUESTION, ['n']],
  ])('takes keys after its usual time when %s before it', async (_what, before, keys) => {
    const { press, ask, pass, reply } = open();
    await ask(before);
    press(...keys);
    await pass(HELD_MS);
    const { answer } = await ask();
    await reply('n');
    expect(await answer).toEqual(line('n'));
  });

  it.each<[string, LineQuestion, string]>([
    ['the question after it', QUESTION, ''],
    ['the line that it opens', { prompt: 'edit> ', fresh: true, text: 'npm test' }, 'npm test'],
  ])('gives an Enter that follows a letter to that answer, not to %s', async (_what, next, text) => {
    const { press, ask, pass, reply } = open();
    await ask();
    await reply('y');
    const { answer } = await ask(next);
    press('<Enter>');
    const late = pass(ENTER_MS).then(() => 'nothing');
    expect(await Promise.race([answer, late])).toBe('nothing');
    press('<Enter>');
    expect(await answer).toEqual(line(text));
  });

  it.each([
    ['after a while', [], ENTER_MS, ''],
    ['after another key', ['x', '<Backspace>'], 0, 'npm test'],
  ])('takes an Enter for itself %s', async (_what, keys, time, text) => {
    const { press, ask, pass, reply } = open();
    await ask();
    await reply('y');
    const { answer } = await ask(text === '' ? QUESTION : { prompt: 'edit> ', fresh: true, text });
    await pass(time);
    press(...keys, '<Enter>');
    expect(await answer).toEqual(line(text));
  });

  it('is answered by a letter only when no other key follows it for a moment', async () => {
    const { press, ask, pass, rows } = open();
    const { answer } = await ask();
    press('y');
    await pass(HELD_MS - 1);
    expect(await rows()).toEqual(['?']);
    await pass(1);
    expect(await answer).toEqual(line('y'));
  });

  it.each([
    ['a word that begins with a key', ['y', 'a', 'y'], 'yay'],
    ['a word', ['half typed'], 'half typed'],
    ['a word that continues', ['half', ' ', 'typed', 'y'], 'half typedy'],
    ['several lines', ['yes', '<Enter>', 'no', '<Enter>', 'n'], 'yes\nno\nn'],
    ['a line that is cleared', ['no, wait', '<C-u>', 'go on'], 'go on'],
    ['keys that edit', ['<Tab>', 'y', '<Up>', '<Backspace>', '<C-d>', '<C-r>', 'n', 's'], 'ns'],
    ['a key that is not offered', ['a', 'y'], 'ay'],
  ])('keeps %s for the message, and asks again after a moment without a key', async (_what, typed, text) => {
    const { readTyped, press, ask, pass, pause, replyAfterText, rows } = open();
    const { answer } = await ask();
    for (const keys of typed) {
      press(keys);
      await pass(HELD_MS - 1);
    }
    expect((await rows()).join('\n')).toBe(`next> ${text.replaceAll('\n', '\n      ')}`);
    await pause();
    expect(await rows()).toEqual([
      '?',
      ...(text.includes('\n') ? [LETTER] : []),
      `next> ${text.replaceAll('\n', '⏎')}`,
    ]);
    await replyAfterText('n');
    expect(await answer).toEqual(line('n'));
    expect(await readTyped(MESSAGE, '<Enter>')).toEqual(line(text));
  });

  it.each([
    ['kept', true, 'half yes\nno'],
    ['dropped if no message follows', false, ''],
  ])('is not answered by a paste, which is %s', async (_where, typeAhead, text) => {
    const { readTyped, press, paste, ask, pause, replyAfterText } = open({ typeAhead });
    press('half ');
    const { answer } = await ask();
    paste('yes\nno');
    await pause();
    await replyAfterText('n');
    expect(await answer).toEqual(line('n'));
    expect(await readTyped(MESSAGE, '<Enter>')).toEqual(line(text));
  });

  it('takes Enter for no after other keys if no message follows', async () => {
    const { press, ask, pass } = open({ typeAhead: false });
    const { answer } = await ask();
    press('x');
    await pass(QUIET_MS);
    press('<Enter>');
    expect(await answer).toEqual(line(''));
  });

  it('is not answered by a held letter after its signal has aborted', async () => {
    const { terminal, press, ask, pass } = open();
    const stop = new AbortController();
    const { answer } = await ask(QUESTION, stop.signal);
    press('y');
    stop.abort();
    await expect(answer).rejects.toThrow('stopped');
    const next = terminal.readLine(QUESTION);
    await pass(HELD_MS);
    await pass(TYPING_MS);
    await pass(TYPING_MS);
    press('<C-d>');
    expect(await next).toEqual({ type: 'end' });
  });

  it('takes Enter as an empty line, and Ctrl-D as the end', async () => {
    const first = open();
    const { answer } = await first.ask();
    first.press('<Enter>');
    expect(await answer).toEqual(line(''));
    const second = open();
    const { answer: last } = await second.ask();
    second.press('<C-d>');
    expect(await last).toEqual({ type: 'end' });
    expect(await second.terminal.readLine(MESSAGE)).toEqual({ type: 'end' });
  });

  it.each(['<C-c>', '<Esc>'])('reports %s at any time', async (key) => {
    const { readTyped, press, ask } = open();
    const { answer } = await ask();
    press(key);
    expect(await answer).toEqual({ type: 'interrupt', cleared: false });
    expect(await readTyped(QUESTION, key)).toEqual({ type: 'interrupt', cleared: false });
  });

  it('without keys is answered with a line, which is not in the history', async () => {
    const { readTyped, terminal, press, rows } = open();
    const answer = terminal.readLine({ prompt: '$ ', fresh: true, text: 'npm test' });
    expect(await rows()).toEqual(['$ npm test']);
    press('<C-w>', 'ci', '<Enter>');
    expect(await answer).toEqual(line('npm ci'));
    expect(await readTyped(MESSAGE, '<Up>', '<Up>', '<Enter>')).toEqual(line(''));
  });

  it.each([
    ['a sentence', undefined, true, 'half\n typed here'],
    ['a sentence if no message follows', undefined, false, ' here'],
    ['an edited text', 'npm', true, 'half here'],
  ])('returns %s to the message when its signal aborts', async (_what, text, typeAhead, expected) => {
    const { readTyped, terminal, press, rows } = open({ typeAhead });
    press('half');
    const stop = new AbortController();
    const answer = terminal.readLine({ prompt: '$ ', fresh: true, ...(text !== undefined && { text }) }, stop.signal);
    press(' typed');
    stop.abort();
    await expect(answer).rejects.toThrow('stopped');
    expect(await readTyped(MESSAGE, ' here', '<Enter>')).toEqual(line(expected));
    expect((await rows()).join('\n')).toBe(`> ${expected.replace('\n', '\n  ')}`);
  });
});

describe('a sentence instead of an answer', () => {
  it.each(['<Esc>', '<C-c>'])('becomes a part of the message at %s', async (key) => {
    const { readTyped, press, ask, rows } = open();
    press('half');
    expect(await readTyped({ prompt: ': ', fresh: true }, 'keep it', key)).toEqual({
      type: 'interrupt',
      cleared: key === '<C-c>',
    });
    await ask();
    expect((await rows()).slice(-3)).toEqual(['?', LETTER, 'next> half⏎keep it']);
  });

  it('is not part of the message if it was the edited text of the question', async () => {
    const { readTyped, rows } = open();
    await readTyped({ prompt: '$ ', fresh: true, text: 'ls' }, ' -l', '<Esc>');
    expect((await rows()).at(-1)).toBe('$ ls -l');
  });
});

describe('the history', () => {
  it('begins with the messages of earlier sessions, and keeps each new one', async () => {
    const added: string[] = [];
    const history = { load: async () => ['old'], add: async (message: string) => void added.push(message) };
    const { readTyped, settled } = open({ history });
    await readTyped(MESSAGE, 'new', '<Enter>');
    await settled();
    expect(await readTyped(MESSAGE, '<Up>', '<Enter>')).toEqual(line('new'));
    expect(await readTyped(MESSAGE, '<Up>', '<Up>', '<Enter>')).toEqual(line('old'));
    await readTyped(MESSAGE, ' ', '<Enter>');
    expect(added).toEqual(['new', 'old']);
  });

  it('keeps unsent text when the terminal closes, in order', async () => {
    const added: string[] = [];
    const waits = [1, 2, 3].map((time) => async () => {
      for (let turn = time; turn < 4; turn += 1) await Promise.resolve();
    });
    const add = async (message: string) => {
      await waits.shift()?.();
      added.push(message);
    };
    const { terminal, press, settled, end } = open({ history: { load: async () => [], add } });
    press('first', '<Enter>', '/second', '<Enter>', 'half');
    end();
    terminal.close();
    await settled();
    expect(added).toEqual(['first', '/second', 'half']);
  });

  it('may be missing', async () => {
    const history = { load: () => Promise.reject(new Error('x')), add: () => Promise.reject(new Error('y')) };
    const { terminal, press, settled } = open({ history });
    const message = terminal.readLine(MESSAGE);
    await settled();
    press('a', '<Up>', '<Enter>');
    expect(await message).toEqual(line('a'));
  });

  it('that arrives late delays the keys that need it, but never Ctrl-C', async () => {
    let loaded: (messages: readonly string[]) => void = () => {};
    const history = {
      load: () => new Promise<readonly string[]>((resolve) => (loaded = resolve)),
      add: async () => {},
    };
    const { readTyped, terminal, press, settled } = open({ history });
    await readTyped(MESSAGE, 'one', '<Enter>');
    expect(await readTyped(MESSAGE, 'x', '<Up>', '<C-c>')).toEqual({ type: 'interrupt', cleared: true });
    const third = terminal.readLine(MESSAGE);
    loaded(['zero']);
    await settled();
    press('<Up>', '<Enter>');
    expect(await third).toEqual(line('zero'));
  });
});

describe('completion', () => {
  /** A terminal whose completions are given by `answer`, one after the other. */
  function openWithCompleter() {
    const signals: AbortSignal[] = [];
    const texts: string[] = [];
    let resolve: ((completion: Completion) => void) | undefined;
    const opened = open({
      complete: (text, cursor, signal) => {
        signals.push(signal);
        texts.push(text.slice(0, cursor));
        return new Promise((settle) => (resolve = settle));
      },
    });
    const answer = async (...items: readonly string[]) => {
      resolve?.({ from: 0, to: texts.at(-1)?.length ?? 0, items });
      await opened.settled();
    };
    return { ...opened, signals, texts, answer };
  }

  it('replaces the word at the cursor before the keys that follow it', async () => {
    const { terminal, press, rows, answer, texts } = openWithCompleter();
    const message = terminal.readLine(MESSAGE);
    press('/ag', '<Tab>', 'rev', '<Tab>', '!', '<Enter>');
    expect(await rows()).toEqual(['> /ag']);
    await answer('/agent');
    expect(await rows()).toEqual(['> /agent rev']);
    await answer('/agent reviewer');
    expect(await message).toEqual(line('/agent reviewer !'));
    expect(texts.slice(-2)).toEqual(['/ag', '/agent rev']);
  });

  it.each(['<Esc>', '<C-c>'])('is cancelled by %s, and loses no key', async (key) => {
    const { terminal, press, rows, answer, signals } = openWithCompleter();
    const message = terminal.readLine(MESSAGE);
    press('/se', '<Tab>', 'c', key, 'r', 'e', 't');
    expect(signals[0]?.aborted).toBe(true);
    await answer('/sessions');
    expect(await rows()).toEqual(['> /secret']);
    press('<Enter>');
    expect(await message).toEqual(line('/secret'));
  });

  it.each(['<Esc>', '<C-c>'])('does not keep %s from stopping a message whose Enter waited', async (key) => {
    const { terminal, press } = openWithCompleter();
    const stops: string[] = [];
    terminal.onInterrupt(() => stops.push('stop'));
    const message = terminal.readLine(MESSAGE);
    press('/se', '<Tab>', '<Enter>', key);
    expect([await message, stops]).toEqual([line('/se'), ['stop']]);
  });

  it.each(['<Esc>', '<C-c>'])('does not keep %s from stopping a run', async (key) => {
    const { terminal, press, rows } = openWithCompleter();
    const stops: string[] = [];
    terminal.onInterrupt(() => stops.push('stop'));
    press('/se', '<Tab>', 'c', key);
    expect(stops).toHaveLength(1);
    expect(await rows()).toEqual(['next> /sec']);
  });

  it.each([
    [['/se', '<Tab>', 'y'], '/sey'],
    [['/se', '<Tab>', 'c', '<Tab>', 'y'], '/secy'],
  ])('is cancelled by a question, which receives none of the earlier keys: %j', async (keys, message) => {
    const { terminal, press, ask, pass, rows, answer } = openWithCompleter();
    press(...keys);
    const { answer: asked } = await ask();
    await pass(TYPING_MS);
    await answer('/sessions');
    await pass(TYPING_MS);
    expect(await rows()).toEqual(['?', `next> ${message}`]);
    press('n', '<Enter>');
    expect(await asked).toEqual(line('n'));
    void terminal.readLine(MESSAGE);
    expect((await rows()).at(-1)).toBe(`> ${message}`);
  });

  it('is offered while the name of a command is typed, and changes no key', async () => {
    const { terminal, press, rows, answer, texts, signals } = openWithCompleter();
    const stops: string[] = [];
    terminal.onInterrupt(() => stops.push('stop'));
    press('/', 's');
    expect([texts, signals.map(({ aborted }) => aborted)]).toEqual([
      ['/', '/s'],
      [true, false],
    ]);
    await answer('/save', '/sessions');
    expect(await rows()).toEqual(['next> /s', '▌   /save', '▌   /sessions']);
    press('<Esc>');
    expect(stops).toHaveLength(1);
    const message = terminal.readLine(MESSAGE);
    press('a', '<Tab>');
    await answer('/save');
    expect(await rows()).toEqual(['> /save']);
    press('x', ' ', '/', '<Enter>');
    expect([await message, texts]).toEqual([line('/save x /'), ['/', '/s', '/sa', '/sa']]);
  });

  it('loses no key when the terminal closes', async () => {
    const added: string[] = [];
    const history = { load: async () => [], add: async (message: string) => void added.push(message) };
    const { terminal, press, settled, end } = open({ history, complete: () => new Promise(() => {}) });
    void terminal.readLine(MESSAGE);
    await settled();
    press('/se', '<Tab>', 'c');
    end();
    await settled();
    expect(added).toEqual(['/sec']);
  });

  it('is dropped when other text returns to the input line meanwhile', async () => {
    let answer: (() => void) | undefined;
    const { terminal, press, settled, rows } = open({
      complete: () => new Promise((resolve) => (answer = () => resolve({ from: 0, to: 3, items: ['@file:'] }))),
    });
    press('@fi', '<Tab>');
    void terminal.readLine({ ...MESSAGE, text: 'earlier' });
    answer?.();
    await settled();
    expect(await rows()).toEqual(['> earlier', '  @fi']);
  });

  it('offers nothing after its deadline, and when it fails', async () => {
    let calls = 0;
    const { terminal, press, settled, clock, rows } = open({
      complete: () => {
        calls += 1;
        return calls === 1 ? new Promise(() => {}) : Promise.reject(new Error('broken'));
      },
    });
    const message = terminal.readLine(MESSAGE);
    press('a', '<Tab>');
    await settled();
    await clock.advance(COMPLETION_MS);
    await settled();
    press('<Tab>');
    await settled();
    expect(await rows()).toEqual(['> a']);
    press('<Enter>');
    expect(await message).toEqual(line('a'));
  });

  it('is only available for messages', async () => {
    let calls = 0;
    const complete = () => {
      calls += 1;
      return Promise.resolve({ from: 0, to: 0, items: ['x'] });
    };
    const { terminal, press, settled } = open({ complete });
    const answer = terminal.readLine({ prompt: '$ ', fresh: true });
    press('<Tab>');
    await settled();
    press('<Enter>');
    expect([await answer, calls]).toEqual([line(''), 0]);
  });
});

describe('another program', () => {
  it('edits the line, and controls the terminal meanwhile', async () => {
    const seen: string[] = [];
    const { terminal, press, settled, modes, rows } = open({
      compose: async (text) => {
        seen.push(text, ...(await rows()));
        return { text: 'composed\r\ntext' };
      },
    });
    const message = terminal.readLine(MESSAGE);
    press('half', '<C-g>');
    while (modes.length < 2) await settled();
    expect(seen).toEqual(['half']);
    expect(modes).toEqual(['other', 'keys']);
    expect(await rows()).toEqual(['> composed', '  text']);
    press('<C-_>', '<C-g>');
    while (modes.length < 4) await settled();
    press('<Enter>');
    expect(await message).toEqual(line('composed\ntext'));
  });

  /** A terminal with a program that ends when `finish` gives it a text. */
  function openWithProgram(options: Partial<EditorTerminalPorts> = {}) {
    const started: string[] = [];
    let resolve: ((composed: ComposedText) => void) | undefined;
    const compose = (text: string) => {
      started.push(text);
      return new Promise<ComposedText>((settle) => (resolve = settle));
    };
    const opened = open({ compose, ...options });
    const finish = async (text: string) => {
      resolve?.({ text });
      await opened.settled();
    };
    return { ...opened, started, finish };
  }

  it('edits the next message during a run, whose output waits', async () => {
    const { readTyped, screen, press, rows, started, finish } = openWithProgram();
    await screen.write('one\n');
    press('half', '<C-g>');
    await screen.write('two\n');
    await screen.write('three');
    expect(await rows()).toEqual(['one']);
    await finish('half done');
    expect(started).toEqual(['half']);
    expect(await rows()).toEqual(['one', 'two', 'three', 'next> half done']);
    expect(await readTyped(MESSAGE, '<Enter>')).toEqual(line('half done'));
  });

  it('edits the message at a question, which appears again and waits for its keys', async () => {
    const { terminal, press, ask, pass, rows, finish, started } = openWithProgram();
    press('half');
    const { answer } = await ask({ ...QUESTION, above: 'run npm test\n' });
    press('<C-g>');
    await finish('half done');
    press('y');
    await pass(TYPING_MS);
    expect(started).toEqual(['half']);
    expect(await rows()).toEqual(['run npm test', '?', 'next> half doney']);
    press('n', '<Enter>');
    expect(await answer).toEqual(line('n'));
    void terminal.readLine(MESSAGE);
    expect((await rows()).at(-1)).toBe('> half doney');
  });

  it('has its result in the message even when a question came first, which is shown once', async () => {
    const { screen, press, ask, pass, finish, rows } = openWithProgram();
    press('<C-g>');
    await screen.write('run npm test\n');
    const { answer } = await ask({ ...QUESTION, above: 'run npm test\n' });
    await finish('text');
    await pass(TYPING_MS);
    expect(await rows()).toEqual(['run npm test', '?', 'next> text']);
    press('<C-c>');
    expect(await answer).toEqual({ type: 'interrupt', cleared: false });
  });

  it('receives all keys, and ybs none of them', async () => {
    const { terminal, press, rows, started, finish } = openWithProgram();
    const message = terminal.readLine(MESSAGE);
    press('half', '<C-g>', '<C-g>', 'x', '<Enter>');
    await finish('half done');
    expect(started).toEqual(['half']);
    expect(await rows()).toEqual(['> half done']);
    press('<Enter>');
    expect(await message).toEqual(line('half done'));
  });

  it('keeps the terminal when the job is continued', async () => {
    const continues = new Listeners();
    const jobControl = { stop: () => {}, onContinue: continues.add };
    const { terminal, press, rows, modes, finish } = openWithProgram({ jobControl });
    void terminal.readLine(MESSAGE);
    press('half', '<C-g>');
    continues.call();
    expect([modes, await rows()]).toEqual([['other'], []]);
    await finish('half done');
    expect([modes, await rows()]).toEqual([['other', 'keys'], ['> half done']]);
  });

  it.each([
    ['half', 'earlier', ['> earlier', '  half done']],
    ['', '/compact', ['> /compact', '  half done']],
    ['/half', 'earlier', ['next: earlier', '> half done']],
  ])('keeps a message that returns meanwhile: %j, %j', async (typed, text, expected) => {
    const { terminal, press, rows, finish } = openWithProgram();
    press(typed, '<C-g>');
    void terminal.readLine({ ...MESSAGE, text });
    await finish('half done');
    expect((await rows()).map((row) => row.replace('▌ ', ''))).toEqual(expected);
  });

  it('is not started if no message is typed', async () => {
    const started: string[] = [];
    const compose = async (text: string) => ({ text: `${text}${started.push(text)}` });
    const { press, ask } = open({ compose, typeAhead: false });
    press('<C-g>');
    await ask();
    press('<C-g>');
    expect(started).toEqual([]);
  });

  it('leaves output of that time on the screen when the terminal closes', async () => {
    const { terminal, screen, press, rows } = openWithProgram();
    press('<C-g>');
    await screen.write('output\n');
    terminal.close();
    expect(await rows()).toEqual(['output']);
  });

  it('changes nothing when it fails, which the screen reports', async () => {
    const compose = async () => ({ failure: 'The editor failed with \u001b.' });
    const { terminal, press, settled, rows, modes } = open({ compose });
    const message = terminal.readLine(MESSAGE);
    press('half', '<C-g>');
    await settled();
    expect(await rows()).toEqual(['▌ The editor failed with \\u{1b}.', '> half']);
    expect(modes).toEqual(['other', 'keys']);
    press('<Enter>');
    expect(await message).toEqual(line('half'));
  });

  it('edits the line of a question', async () => {
    const { terminal, press, settled } = open({ compose: async (text) => ({ text: `${text}!` }) });
    const answer = terminal.readLine({ prompt: '$ ', fresh: true, text: 'ls' });
    press('<C-g>');
    await settled();
    press('<Enter>');
    expect(await answer).toEqual(line('ls!'));
  });
});

describe('the terminal', () => {
  it('stops with its job and returns with the line', async () => {
    const log: string[] = [];
    const continues = new Listeners();
    const jobControl = { stop: () => log.push('stopped'), onContinue: continues.add };
    const { terminal, press, modes, rows } = open({ jobControl });
    const message = terminal.readLine(MESSAGE);
    press('half', '<C-z>');
    expect(log).toEqual(['stopped']);
    expect(modes).toEqual(['other', 'keys']);
    continues.call();
    expect(await rows()).toEqual(['> half']);
    press('<Enter>');
    expect(await message).toEqual(line('half'));
    terminal.close();
    expect(continues.size).toBe(0);
  });

  it('draws a question again after a stop, once, and ignores its keys for a moment after that', async () => {
    const continues = new Listeners();
    // The report that the process was continued comes later.
    const jobControl = { stop: () => screen.clear(), onContinue: continues.add };
    const { screen, ask, press, pass, reply, rows } = open({ jobControl });
    const above = 'run_shell: run npm test\ny yes, once\n';
    await screen.write(above);
    const { answer } = await ask({ ...QUESTION, above });
    press('y', '<C-z>');
    continues.call();
    await pass(HELD_MS);
    expect(await rows()).toEqual(['run_shell: run npm test', 'y yes, once']);
    await pass(QUIET_MS - HELD_MS);
    expect(await rows()).toEqual(['run_shell: run npm test', 'y yes, once', '?']);
    await reply('n');
    expect(await answer).toEqual(line('n'));
  });

  it('takes Enter for the text that was typed at a question even after a stop', async () => {
    const { ask, press, pass, rows } = open({ jobControl: { stop: () => {}, onContinue: () => () => {} } });
    await ask({ ...QUESTION, above: 'run npm test\n' });
    press('maybe', '<C-z>');
    await pass(QUIET_MS);
    press('<Enter>', 'n');
    expect((await rows()).slice(-2)).toEqual(['next> maybe', '      n']);
  });

  it('draws a question again when another process has stopped and continued it', async () => {
    const continues = new Listeners();
    const { screen, terminal, rows } = open({ jobControl: { stop: () => {}, onContinue: continues.add } });
    void terminal.readLine({ prompt: ': ', fresh: true, above: 'run_shell: run npm test\n' });
    screen.clear();
    continues.call();
    expect(await rows()).toEqual(['run_shell: run npm test', ':']);
  });

  it('ignores Ctrl-Z if no shell controls the job', async () => {
    const { press, modes } = open();
    press('<C-z>');
    expect(modes).toEqual([]);
  });

  it('reports Shift-Tab at any time, even at a question', async () => {
    const { terminal, press, ask, reply } = open();
    let pressed = 0;
    terminal.onMode?.(() => {
      pressed += 1;
    });
    press('<S-Tab>');
    const { answer } = await ask();
    press('<S-Tab>');
    expect(pressed).toBe(2);
    await reply('y');
    expect(await answer).toEqual(line('y'));
  });

  it('clears the screen at Ctrl-L, and reports Ctrl-O', async () => {
    const { terminal, press, screen, rows } = open();
    const unfolds: string[] = [];
    const unsubscribe = terminal.onUnfold?.(() => unfolds.push('unfold'));
    await screen.write('text\n');
    void terminal.readLine(MESSAGE);
    press('half', '<C-l>', '<C-o>');
    expect((await rows()).at(-1)).toBe('> half');
    expect(unfolds).toHaveLength(1);
    unsubscribe?.();
    press('<C-o>');
    expect(unfolds).toHaveLength(1);
  });

  it('keeps a question on the screen at Ctrl-L', async () => {
    const { terminal, press, screen, rows } = open();
    await screen.write('run_shell: run npm test\n');
    void terminal.readLine(QUESTION);
    press('<C-l>');
    expect(await rows()).toContain('run_shell: run npm test');
  });

  it('answers every request with the end once it is closed, and keeps the line on the screen', async () => {
    const { terminal, press, end, rows, modes } = open();
    const message = terminal.readLine(MESSAGE);
    press('half');
    end();
    end();
    expect(await message).toEqual({ type: 'end' });
    expect(await terminal.readLine(QUESTION)).toEqual({ type: 'end' });
    terminal.close();
    terminal.close();
    expect(modes).toEqual(['stop']);
    expect(await rows()).toEqual(['> half']);
  });
});

describe('a key that has an effect in other agents only', () => {
  it('shows advice above the line: Esc twice in an empty line, and Ctrl-V', async () => {
    const { terminal, press, rows, settled } = open({}, 100);
    const message = terminal.readLine(MESSAGE);
    press('a', '<Esc>', '<Esc>', '<Backspace>', '<Esc>');
    await settled();
    expect(await rows()).toEqual(['>']);
    press('<Esc>', 'a', '<C-v>');
    await settled();
    expect(await rows()).toEqual([
      '▌ Up brings back a message to change it; /undo takes back what the last run has changed.',
      '▌ Pictures are not pasted. Name the file, as in @shot.png',
      '> a',
    ]);
    press('<Enter>');
    expect(await message).toEqual(line('a'));
  });

  it('shows none at a question, and still stops a run', async () => {
    const { terminal, press, rows, settled } = open({}, 100);
    let stops = 0;
    terminal.onInterrupt(() => (stops += 1));
    press('<Esc>', '<Esc>');
    expect(stops).toBe(2);
    const answer = terminal.readLine({ prompt: '? ', fresh: true });
    press('<C-v>', '<Esc>');
    expect(await answer).toEqual({ type: 'interrupt', cleared: false });
    await settled();
    expect((await rows()).join('')).not.toContain('Pictures');
  });
});
