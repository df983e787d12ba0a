import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AbortedError } from '../../../src/agent/async/abort.ts';
import { UsageError } from '../../../src/agent/errors.ts';
import type { Clock } from '../../../src/agent/ports/clock.ts';
import type { LineQuestion, Terminal } from '../../../src/app/terminal.ts';
import { createKeyboardTerminal } from '../../../src/node/terminal/keyboard.ts';
import { createKeySource } from '../../../src/node/terminal/keys.ts';
import { createTextOutput } from '../../../src/node/terminal/output.ts';
import { readPipedInput, readPipedLines } from '../../../src/node/terminal/piped-input.ts';
import { createEditorTerminal } from '../../../src/terminal/editor/editor-terminal.ts';
import { createScreen } from '../../../src/terminal/editor/screen.ts';
import type { JobControl } from '../../../src/terminal/editor/terminal-ports.ts';
import { Listeners } from '../../../src/terminal/listeners.ts';
import { terminalContract } from '../../support/contracts/terminal.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createScriptedTerminal } from '../../support/fakes/scripted-terminal.ts';

const CTRL_C = '\u0003';
const ESCAPE = '\u001b';
const MESSAGE = { prompt: '> ', fresh: false };
const QUESTION = { prompt: '? ', fresh: true };
const line = (text: string) => ({ type: 'line', text });

/** A keyboard and a screen in memory. A question is open as soon as it is drawn, and Escape is recognized at once. */
function createKeyboard({
  jobControl,
  typeAhead = true,
  clock = { now: () => 0, sleep: async () => {} },
}: {
  readonly jobControl?: JobControl;
  readonly typeAhead?: boolean;
  readonly clock?: Clock;
} = {}) {
  const keys = Object.assign(new PassThrough(), { isTTY: true, isRaw: false, setRawMode });
  const modes: boolean[] = [];
  function setRawMode(raw: boolean) {
    modes.push(raw);
    return keys;
  }
  const output = new PassThrough();
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const screen = createScreen({
    write: createTextOutput(output),
    size: () => ({ columns: 80, rows: 24 }),
    now: () => 0,
    repeat: () => () => {},
  });
  const terminal = createEditorTerminal({
    keys: createKeySource(keys, output, clock),
    screen,
    clock,
    jobControl,
    typeAhead,
  });
  const drawn = async (prompt: string) => {
    while (!shown.includes(prompt)) await new Promise(setImmediate);
  };
  return { ...typing(terminal, keys), modes, shown: () => shown, drawn };
}

/** A terminal that is closed after the test, with its keys; `readTyped` types chunks while it reads a line. */
function typing<Keys extends Writable>(terminal: Terminal, keys: Keys) {
  onTestFinished(() => terminal.close());
  const readTyped = (question: LineQuestion, ...chunks: readonly (string | Uint8Array)[]) => {
    const answer = terminal.readLine(question);
    for (const chunk of chunks) keys.write(chunk);
    return answer;
  };
  return { terminal, keys, readTyped };
}

/** The terminal that cannot redraw a row. */
function createPlainKeyboard(jobControl?: JobControl) {
  const keys = Object.assign(new PassThrough(), { isTTY: true, isRaw: false, setRawMode: () => keys });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const clock = { now: () => 0, sleep: async () => {} };
  return { ...typing(createKeyboardTerminal(keys, output, clock, jobControl), keys), shown: () => shown };
}

/** A terminal whose user types each line as soon as it is requested, and then Ctrl-D. */
function typeLines({ terminal, keys }: Pick<ReturnType<typeof createKeyboard>, 'terminal' | 'keys'>) {
  return (lines: readonly string[]): Terminal => {
    const left = [...lines.map((text) => `${text}\r`), '\u0004'];
    return {
      ...terminal,
      readLine(question, signal) {
        const answer = terminal.readLine(question, signal);
        if (signal?.aborted !== true) keys.write(left.shift() ?? '');
        return answer;
      },
    };
  };
}

terminalContract([
  { name: 'scripted', create: () => ({ open: (lines) => createScriptedTerminal(lines) }) },
  { name: 'keyboard', create: () => ({ open: typeLines(createKeyboard()) }) },
  { name: 'keyboard that cannot redraw a row', create: () => ({ open: typeLines(createPlainKeyboard()) }) },
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

  it.each([
    ['a line', 'y\r'],
    ['an unfinished line', 'y'],
    ['an unfinished paste', '\u001b[200~y'],
  ])('does not treat %s after a message as the answer to a question', async (_what, early) => {
    const { readTyped, terminal, keys, drawn } = createKeyboard();
    expect(await readTyped(MESSAGE, 'message\r')).toEqual(line('message'));
    keys.write(early);
    const answer = terminal.readLine({ ...QUESTION, keys: ['y', 'n'] });
    await drawn('? ');
    keys.write('n');
    if (early.startsWith(ESCAPE)) {
      await new Promise(setImmediate);
      keys.write('n');
    }
    expect(await answer).toEqual(line('n'));
  });

  it('reports Ctrl-C at a question and clears the line', async () => {
    const { readTyped, shown } = createKeyboard();
    expect(await readTyped(MESSAGE, `half${CTRL_C}`)).toEqual({ type: 'interrupt', cleared: true });
    expect(await readTyped(MESSAGE, CTRL_C)).toEqual({ type: 'interrupt', cleared: false });
    expect(await readTyped(MESSAGE, 'whole\r')).toEqual(line('whole'));
    expect(shown()).toContain('^C');
  });

  it('calls the listeners at Ctrl-C and at Escape between questions, and drops other keys', async () => {
    const { terminal, keys, drawn } = createKeyboard({ typeAhead: false });
    let pressed = 0;
    const unsubscribe = terminal.onInterrupt(() => {
      pressed += 1;
    });
    keys.write(`y\r${CTRL_C}y\r`);
    keys.write(ESCAPE);
    await new Promise(setImmediate);
    expect(pressed).toBe(2);
    unsubscribe();
    keys.write(CTRL_C);
    const answer = terminal.readLine(QUESTION);
    await drawn('? ');
    keys.write('no\r');
    expect(await answer).toEqual(line('no'));
    expect(pressed).toBe(2);
  });

  it('reads lines that are typed one after the other as messages, but never as the answer to a question', async () => {
    const { readTyped, terminal, keys, drawn } = createKeyboard();
    for (const text of ['one\r', 'two\r', 'three']) {
      keys.write(text);
      await new Promise(setImmediate);
    }
    expect(await terminal.readLine(MESSAGE)).toEqual(line('one'));
    const stop = new AbortController();
    const question = terminal.readLine(QUESTION, stop.signal);
    await drawn('? ');
    stop.abort();
    await expect(question).rejects.toThrow(AbortedError);
    expect(await terminal.readLine(MESSAGE)).toEqual(line('two'));
    expect(await readTyped(MESSAGE, '\r')).toEqual(line('three'));
  });

  it('rejects a question if its signal aborts, and accepts an answer to the next one', async () => {
    const { readTyped, terminal } = createKeyboard();
    const stop = new AbortController();
    const first = terminal.readLine(MESSAGE, stop.signal);
    stop.abort();
    await expect(first).rejects.toThrow(AbortedError);
    expect(await readTyped(MESSAGE, 'here\r')).toEqual(line('here'));
  });

  it('puts a sentence for a question that ended without an answer into the next line', async () => {
    const { readTyped, terminal, keys, drawn } = createKeyboard();
    const stop = new AbortController();
    const question = terminal.readLine(QUESTION, stop.signal);
    await drawn('? ');
    keys.write('use np');
    await new Promise(setImmediate);
    stop.abort();
    await expect(question).rejects.toThrow(AbortedError);
    expect(await readTyped(MESSAGE, 'm\r')).toEqual(line('use npm'));
  });

  it('begins with the text of the question, which can be edited', async () => {
    const { terminal, keys, drawn } = createKeyboard();
    const edited = terminal.readLine({ ...QUESTION, text: 'npm test\nls' });
    await drawn('? npm test');
    keys.write(' -l\r');
    expect(await edited).toEqual(line('npm test\nls -l'));
  });

  it('ends when its input ends', async () => {
    const { terminal, keys } = createKeyboard();
    const answer = terminal.readLine(MESSAGE);
    keys.end();
    expect(await answer).toEqual({ type: 'end' });
  });
});

it('Backspace erases the last character on a screen that cannot redraw a row', async () => {
  const { terminal, keys, shown } = createPlainKeyboard();
  const message = terminal.readLine(MESSAGE);
  keys.write('a日👩🏽\u200d💻');
  keys.write('\u007f');
  keys.write('\b');
  expect(shown().endsWith('\b \b\b \b'.repeat(2))).toBe(true);
  keys.write('\u007f\u007fb\r');
  expect(await message).toEqual(line('b'));
  terminal.close();
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

  it('is rejected when it is too long, without reading the rest', async () => {
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

  it('is rejected when it cannot be read', async () => {
    const broken = new Readable({ read: () => broken.destroy(new Error('EISDIR: illegal operation')) });
    await expect(readPipedInput(broken, never)).rejects.toThrow(
      'Standard input cannot be read: EISDIR: illegal operation. Close it with < /dev/null.',
    );
  });

  it('is not read after a stop', async () => {
    const stop = new AbortController();
    const input = new PassThrough();
    const reading = readPipedInput(input, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
    expect(input.destroyed).toBe(true);
  });
});

const PASTE = (text: string) => `\u001b[200~${text}\u001b[201~`;

describe('a paste that the terminal does not mark', () => {
  const text = 'one\r\n!touch run\rthree\r';
  it.each([
    ['in one part', [text]],
    ['in two parts, the first of which ends with a line', ['one\r\n', '!touch run\rthree\r']],
    ['with a blank line at its start', [`\r${text.slice(5)}`]],
  ])('that arrives %s is a part of the message and sends nothing', async (_how, parts) => {
    const clock = createManualClock();
    const { terminal, keys, drawn } = createKeyboard({ clock });
    const message = terminal.readLine(MESSAGE);
    keys.write('say ');
    await drawn('say ');
    for (const part of parts) keys.write(part);
    await clock.advance(100);
    await drawn('three');
    keys.write('!');
    keys.write('\r');
    expect(await message).toEqual(line(`say ${parts.join('').replaceAll(/\r\n?/g, '\n')}!`));
  });

  it('contains no control characters of keys that were typed before', async () => {
    const clock = createManualClock();
    const { terminal, keys, drawn } = createKeyboard({ clock });
    const message = terminal.readLine(MESSAGE);
    keys.write('one\u0000\r\u000ctwo\tthree\u0004\u007f');
    await clock.advance(100);
    await drawn('three');
    keys.write('\r');
    expect(await message).toEqual(line('one\ntwo\tthree'));
  });

  it('is text at a question', async () => {
    const clock = createManualClock();
    const { readTyped, terminal, keys, drawn } = createKeyboard({ clock });
    const answer = terminal.readLine({ ...QUESTION, keys: ['y', 'n'] });
    await clock.advance(300);
    await drawn('? ');
    keys.write('y\r\n');
    keys.write('and more\r\n');
    await clock.advance(1_000);
    keys.write('n\r');
    await clock.advance(100);
    expect(await answer).toEqual(line('n'));
    expect(await readTyped(MESSAGE, '\r')).toEqual(line('y\nand more\n'));
  });

  it('does not disable Ctrl-C', async () => {
    const clock = createManualClock();
    const { readTyped, terminal, keys } = createKeyboard({ clock });
    expect(await readTyped(MESSAGE, 'one\r', CTRL_C)).toEqual(line('one'));
    const next = terminal.readLine(MESSAGE);
    keys.write(`one\rtwo${CTRL_C}`);
    await clock.advance(100);
    expect(await next).toEqual({ type: 'interrupt', cleared: true });
  });
});

describe('keys that arrive together', () => {
  it('are a message if they were typed before the terminal was in raw mode, where Enter is a line feed', async () => {
    const { terminal, keys, drawn } = createKeyboard();
    keys.write('first\n');
    expect(await terminal.readLine(MESSAGE)).toEqual(line('first'));
    const second = terminal.readLine(MESSAGE);
    await drawn('> ');
    keys.write('one');
    keys.write('\n');
    keys.write('two\r');
    expect(await second).toEqual(line('one\ntwo'));
  });

  it.each([
    ['two lines', 'y\ry\r'],
    ['a line and the start of another one', 'y\rand'],
  ])('do not answer a question on a screen that cannot redraw a row: %s', async (_name, typed) => {
    const { terminal, keys } = createPlainKeyboard();
    const answer = terminal.readLine(QUESTION);
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    keys.write(typed);
    await new Promise(setImmediate);
    keys.write('n\r');
    expect(await answer).toEqual(line('n'));
  });

  it('are one message on a screen that cannot redraw a row, and send nothing', async () => {
    const { terminal, keys } = createPlainKeyboard();
    const message = terminal.readLine(MESSAGE);
    keys.write('one\r\n!touch run\rthree');
    await new Promise(setImmediate);
    keys.write('\r');
    expect(await message).toEqual(line('one\n!touch run\nthree'));
  });

  it('are dropped on such a screen if they started before a question', async () => {
    const { terminal, keys } = createPlainKeyboard();
    keys.write('y\r');
    const answer = terminal.readLine(QUESTION);
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    keys.write('n\r');
    expect(await answer).toEqual(line('n'));
  });
});

describe('a paste', () => {
  it.each([
    ['at the end of a line', `say ${PASTE('one\r\ntwo\nthree')}\r`, 'say one\ntwo\nthree'],
    ['in the middle of a line', `ab\u001b[D${PASTE('one\rtwo')}!\r`, 'aone\ntwo!b'],
    ['of one line in the middle', `ab\u001b[D${PASTE('XYZ')}\r`, 'aXYZb'],
    ['between keys', `${PASTE('a\n')}b${PASTE('c')}d\r`, 'a\nbcd'],
    ['that ends with a line end', `${PASTE('one\n')}\r`, 'one\n'],
    ['with a tab', `${PASTE('a\tb')}\r`, 'a\tb'],
    ['with control characters, which it shows', `${PASTE('a\u0003\u001b[31mb')}\r`, 'a\\u{3}\\u{1b}[31mb'],
    ['with emoji', `${PASTE('👩🏽\u200d💻 ž')}\r`, '👩🏽\u200d💻 ž'],
  ])('%s is a part of the message, wherever the chunks end', async (_name, typed, message) => {
    const bytes = Buffer.from(typed);
    const start = bytes.indexOf('\u001b[200~') + 1;
    for (const cut of [bytes.length, start + 2, start + 3, start + 6, start + 8, bytes.length - 4, bytes.length - 2]) {
      const { terminal, keys } = createKeyboard();
      const answer = terminal.readLine(MESSAGE);
      keys.write(bytes.subarray(0, cut));
      keys.write(bytes.subarray(cut));
      expect(await answer, `cut at ${cut}`).toEqual(line(message));
      terminal.close();
    }
  });
});

describe('Ctrl-Z', () => {
  function createJob(options: { readonly jobControl?: boolean } = {}) {
    const continues = new Listeners();
    const log: string[] = [];
    const jobControl: JobControl = { stop: () => log.push('stopped'), onContinue: continues.add };
    const keyboard = createKeyboard(options.jobControl === false ? {} : { jobControl });
    return { ...keyboard, continues, log };
  }

  it('gives the terminal back while the job is stopped, and continues with the same line', async () => {
    const { terminal, keys, modes, shown, log } = createJob();
    const answer = terminal.readLine(MESSAGE);
    keys.write('half');
    const before = { modes: modes.length, shown: shown().length };
    keys.write('\u001a');
    expect(log).toEqual(['stopped']);
    expect(modes.slice(before.modes)).toEqual([false, false, true]);
    const [off, on] = shown().slice(before.shown).split('\u001b[?2004h');
    expect(off).toBe('\r\u001b7\u001b[K\u001b8\u001b[J\u001b[?2004l');
    expect(on).toContain('> half');
    keys.write(' and half\r');
    expect(await answer).toEqual(line('half and half'));
  });

  it('works while no input is read, between other keys and Ctrl-C', () => {
    const { terminal, keys, log } = createJob();
    terminal.onInterrupt(() => log.push('interrupted'));
    keys.write(`y\u001a${CTRL_C}`);
    expect(log).toEqual(['stopped', 'interrupted']);
  });

  it('sets the modes again when another program stopped and continued the job', () => {
    const { terminal, modes, continues } = createJob();
    modes.length = 0;
    continues.call();
    expect(modes).toEqual([false, true]);
    terminal.close();
    expect(continues.size).toBe(0);
  });

  it('continues with one prompt on a screen that cannot redraw a row', async () => {
    const continues = new Listeners();
    const jobControl: JobControl = { stop: () => {}, onContinue: continues.add };
    const { terminal, keys, shown } = createPlainKeyboard(jobControl);
    const answer = terminal.readLine({ ...MESSAGE, above: 'run npm test\n' });
    const before = shown().length;
    keys.write('\u001a');
    continues.call();
    expect(shown().slice(before)).toMatch(/^\nrun npm test\n[^>]*> [^>]*$/);
    continues.call();
    expect(
      shown()
        .slice(before)
        .match(/run npm test\n[^>]*> /g),
    ).toHaveLength(2);
    keys.write('go\r');
    expect(await answer).toEqual(line('go'));
    terminal.close();
    expect(continues.size).toBe(0);
  });

  it('is ignored if no shell controls the job', async () => {
    const { terminal, keys } = createJob({ jobControl: false });
    const answer = terminal.readLine(MESSAGE);
    keys.write('a\u0000b\r');
    expect((await answer).type).toBe('line');
  });
});

describe('a terminal that is closed', () => {
  it('ends the question without an error, although its mode cannot be set', async () => {
    const { terminal, keys, modes } = createKeyboard();
    const answer = terminal.readLine(MESSAGE);
    keys.setRawMode = () => {
      throw Object.assign(new Error('setRawMode EIO'), { code: 'EIO' });
    };
    keys.emit('error', Object.assign(new Error('read EIO'), { code: 'EIO' }));
    expect(await answer).toEqual({ type: 'end' });
    expect(await terminal.readLine(QUESTION)).toEqual({ type: 'end' });
    expect(() => terminal.close()).not.toThrow();
    expect(modes.at(-1)).toBe(true);
  });

  it('is not touched after its stream has been destroyed', () => {
    const { terminal, keys, modes } = createKeyboard();
    keys.destroy();
    modes.length = 0;
    terminal.close();
    expect(modes).toEqual([]);
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

describe('the lines of piped input', () => {
  const { signal: never } = new AbortController();
  const linesOf = async (input: Readable, signal = never): Promise<readonly string[]> => {
    const lines: string[] = [];
    for await (const text of readPipedLines(input, signal)) lines.push(text);
    return lines;
  };

  it('arrive one by one, wherever the chunks end', async () => {
    const bytes = Buffer.from('žluť\n日本\n\nlast');
    const chunks = [bytes.subarray(0, 1), bytes.subarray(1, 9), bytes.subarray(9)];
    expect(await linesOf(Readable.from(chunks))).toEqual(['žluť', '日本', '', 'last']);
    expect(await linesOf(Readable.from([Buffer.from('a\n')]))).toEqual(['a']);
    expect(await linesOf(Readable.from([Buffer.from([0x61, 0xc5])]))).toEqual(['a\ufffd']);
  });

  it('arrive before the input ends', async () => {
    const input = new PassThrough();
    const lines = readPipedLines(input, never);
    input.write('first\nsec');
    expect(await lines.next()).toEqual({ done: false, value: 'first' });
    input.end('ond');
    expect(await lines.next()).toEqual({ done: false, value: 'second' });
  });

  it('are rejected when one is too long, or the input cannot be read', async () => {
    const long = Readable.from(Array.from({ length: 5 }, () => Buffer.alloc(1_000_000, 'x')));
    await expect(linesOf(long)).rejects.toThrow('A line of standard input is longer than 4 MB.');
    const broken = new Readable({ read: () => broken.destroy(new Error('EISDIR: illegal operation')) });
    await expect(linesOf(broken)).rejects.toThrow(UsageError);
  });

  it('end at a stop', async () => {
    const stop = new AbortController();
    const reading = linesOf(new PassThrough(), stop.signal);
    stop.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });
});
