import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createKeyboardTerminal } from '../../../src/adapters/terminal/keyboard.ts';
import { PasteCollector } from '../../../src/adapters/terminal/keyboard-input.ts';
import { createTextOutput } from '../../../src/adapters/terminal/output.ts';
import { readPipedInput } from '../../../src/adapters/terminal/piped-input.ts';
import { AbortedError } from '../../../src/core/abort.ts';
import { UsageError } from '../../../src/core/errors.ts';
import type { Terminal } from '../../../src/ports/terminal.ts';
import { terminalContract } from '../../support/contracts/terminal.ts';
import { createScriptedTerminal } from '../../support/scripted-terminal.ts';

const CTRL_C = '\u0003';
const MESSAGE = { prompt: '> ', fresh: false };
const QUESTION = { prompt: '? ', fresh: true };
const line = (text: string) => ({ type: 'line', text });

/** A keyboard and a screen in memory. */
function createKeyboard(bracketedPaste?: boolean) {
  const keys = Object.assign(new PassThrough(), { isTTY: true, isRaw: false, setRawMode });
  const modes: boolean[] = [];
  function setRawMode(raw: boolean) {
    modes.push(raw);
    return keys;
  }
  const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  let shown = '';
  screen.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const terminal = createKeyboardTerminal(keys, screen, bracketedPaste);
  const drawn = async (prompt: string) => {
    while (!shown.includes(prompt)) await new Promise(setImmediate);
  };
  return { terminal, keys, modes, shown: () => shown, drawn };
}

/** A terminal whose user types each line as soon as it is requested, and then Ctrl-D. */
function createTypist(lines: readonly string[]): Terminal {
  const { terminal, keys } = createKeyboard();
  const left = [...lines.map((text) => `${text}\r`), '\u0004'];
  return {
    ...terminal,
    readLine(question, signal) {
      const answer = terminal.readLine(question, signal);
      if (signal?.aborted !== true) keys.write(left.shift() ?? '');
      return answer;
    },
  };
}

terminalContract([
  { name: 'scripted', create: () => ({ open: (lines) => createScriptedTerminal(lines) }) },
  { name: 'keyboard', create: () => ({ open: createTypist }) },
]);

describe('a keyboard', () => {
  it('is in raw mode until the terminal is closed', () => {
    const { terminal, modes, shown } = createKeyboard();
    terminal.close();
    expect(modes.at(0)).toBe(true);
    expect(modes.at(-1)).toBe(false);
    expect(shown().startsWith('\u001b[?2004h')).toBe(true);
    expect(shown().endsWith('\u001b[?2004l')).toBe(true);
  });

  it('does not receive the control sequence of bracketed paste if it would print it', () => {
    const { terminal, shown } = createKeyboard(false);
    terminal.close();
    expect(shown()).not.toContain('2004');
  });

  it.each([
    ['a line', 'y\r'],
    ['an unfinished line', 'y'],
    ['an unfinished paste', '\u001b[200~y'],
  ])('does not treat %s after a message as the answer to a question', async (_what, early) => {
    const { terminal, keys, drawn } = createKeyboard();
    const message = terminal.readLine(MESSAGE);
    keys.write(`message\r${early}`);
    expect(await message).toEqual(line('message'));
    const answer = terminal.readLine(QUESTION);
    await drawn('? ');
    keys.write('\r');
    expect(await answer).toEqual(line(''));
    terminal.close();
  });

  it('reports Ctrl-C at a question and clears the line', async () => {
    const { terminal, keys, shown } = createKeyboard();
    const first = terminal.readLine(MESSAGE);
    keys.write(`half${CTRL_C}`);
    expect(await first).toEqual({ type: 'interrupt', cleared: true });
    const second = terminal.readLine(MESSAGE);
    keys.write(CTRL_C);
    expect(await second).toEqual({ type: 'interrupt', cleared: false });
    const third = terminal.readLine(MESSAGE);
    keys.write('whole\r');
    expect(await third).toEqual(line('whole'));
    expect(shown()).toContain('^C');
    terminal.close();
  });

  it('calls the listeners on Ctrl-C between questions and drops other keys', async () => {
    const { terminal, keys, drawn } = createKeyboard();
    let pressed = 0;
    const unsubscribe = terminal.onInterrupt(() => {
      pressed += 1;
    });
    keys.write(`y\r${CTRL_C}y\r`);
    await new Promise(setImmediate);
    expect(pressed).toBe(1);
    unsubscribe();
    keys.write(CTRL_C);
    const answer = terminal.readLine(QUESTION);
    await drawn('? ');
    keys.write('no\r');
    expect(await answer).toEqual(line('no'));
    expect(pressed).toBe(1);
    terminal.close();
  });

  it('reads several lines that arrive together as messages, but never as the answer to a question', async () => {
    const { terminal, keys, drawn } = createKeyboard();
    const first = terminal.readLine(MESSAGE);
    keys.write('one\rtwo\rthree\r');
    expect(await first).toEqual(line('one'));
    expect(await terminal.readLine(MESSAGE)).toEqual(line('two'));
    const stop = new AbortController();
    const question = terminal.readLine(QUESTION, stop.signal);
    await drawn('? ');
    stop.abort();
    await expect(question).rejects.toThrow(AbortedError);
    terminal.close();
  });

  it('rejects a question if its signal aborts, and answers the next one', async () => {
    const { terminal, keys } = createKeyboard();
    const stop = new AbortController();
    const first = terminal.readLine(MESSAGE, stop.signal);
    stop.abort();
    await expect(first).rejects.toThrow(AbortedError);
    const second = terminal.readLine(MESSAGE);
    keys.write('here\r');
    expect(await second).toEqual(line('here'));
    terminal.close();
  });

  it('ends when its input ends', async () => {
    const { terminal, keys } = createKeyboard();
    const answer = terminal.readLine(MESSAGE);
    keys.end();
    expect(await answer).toEqual({ type: 'end' });
    terminal.close();
  });
});

describe('piped input', () => {
  const never = new AbortController().signal;
  const read = (...chunks: readonly Uint8Array[]) => readPipedInput(Readable.from(chunks), never);

  it('is read to its end, wherever its chunks end', async () => {
    const bytes = Buffer.from('žluť 日本\n');
    expect(await read(bytes.subarray(0, 1), bytes.subarray(1, 9), bytes.subarray(9))).toBe('žluť 日本\n');
    expect(await read()).toBe('');
    expect(await read(Buffer.from([0x61, 0xff]))).toBe('a\ufffd');
  });

  it('is refused when it is too long, without reading the rest', async () => {
    let chunks = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          chunks += 1;
          yield Buffer.alloc(1_000_000, 'x');
        }
      })(),
    );
    await expect(readPipedInput(endless, never)).rejects.toThrow(UsageError);
    expect(chunks).toBeLessThan(10);
  });

  it('is refused when it cannot be read', async () => {
    const broken = new Readable({ read: () => broken.destroy(new Error('EISDIR: illegal operation')) });
    await expect(readPipedInput(broken, never)).rejects.toThrow(
      'Standard input cannot be read: EISDIR: illegal operation. Close it with < /dev/null.',
    );
  });

  it('is no longer read after a stop', async () => {
    const stop = new AbortController();
    const input = new PassThrough();
    const reading = readPipedInput(input, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
    expect(input.destroyed).toBe(true);
  });
});

describe('pasted lines', () => {
  it('are one message, which the next Enter sends', () => {
    const paste = new PasteCollector();
    expect(paste.addLine('before')).toBe('before');
    paste.startPaste();
    expect([paste.addLine('one'), paste.addLine('two')]).toEqual([undefined, undefined]);
    paste.endPaste();
    expect(paste.addLine('three')).toBe('one\ntwo\nthree');
    expect(paste.addLine('after')).toBe('after');
  });

  it('are discarded by Ctrl-C', () => {
    const paste = new PasteCollector();
    expect(paste.isEmpty).toBe(true);
    paste.startPaste();
    paste.addLine('one');
    expect(paste.isEmpty).toBe(false);
    paste.clear();
    expect(paste.isEmpty).toBe(true);
    expect(paste.addLine('two')).toBe('two');
  });
});

describe('a text output', () => {
  it('waits for its reader', async () => {
    const pendingWrites: (() => void)[] = [];
    const slow = new Writable({
      write(_chunk, _encoding, done) {
        pendingWrites.push(done);
      },
    });
    let written = false;
    const writing = createTextOutput(slow)('a').then((accepted) => {
      written = accepted;
    });
    await new Promise(setImmediate);
    expect({ written, pending: pendingWrites.length }).toEqual({ written: false, pending: 1 });
    pendingWrites[0]?.();
    await writing;
    expect(written).toBe(true);
  });

  it('returns false after its reader has closed it, and writes nothing more', async () => {
    const stream = new PassThrough();
    const write = createTextOutput(stream);
    expect([await write(''), await write('a')]).toEqual([true, true]);
    stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect([await write('b'), await write('c'), await write('')]).toEqual([false, false, false]);
  });

  it('rejects on any other failure', async () => {
    const stream = new PassThrough({
      transform(_chunk, _encoding, done) {
        done(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
      },
    });
    await expect(createTextOutput(stream)('a')).rejects.toThrow('no space left');
  });
});
