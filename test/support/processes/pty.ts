import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { onTestFinished } from 'vitest';
import { declineTrust } from '../screens/decline-trust.ts';
import { ybsEntry } from './entry.ts';
import { binEnvironment } from './run-bin.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const COLUMNS = 100;
const ROWS = 40;
/** Shortly before the timeout of a test, so that the error shows the screen. */
const DEADLINE_MS = 50_000;

/** `ybs` in a terminal, with access to its screen and its keyboard. */
export interface TerminalSession {
  readonly pid: number;
  readonly directory: string;
  /** Presses keys; `\r` is Enter, `\u0003` Ctrl-C. */
  type(keys: string): void;
  /** Changes the width of the terminal. */
  resize(columns: number): void;
  /** Closes the terminal, as closing its window does. */
  hangUp(): void;
  /** The lines on the screen and in its scrollback, without trailing spaces. */
  screen(): string;
  /** The bytes of the output so far, with its control sequences. */
  output(): string;
  /** The line of the cursor, up to the cursor. */
  cursorLine(): string;
  /** Waits until `condition` holds for a screen whose rows are complete; a failure shows the screen. */
  waitFor(description: string, condition: (screen: string) => boolean): Promise<void>;
  /** Waits until the screen contains the text. */
  waitForText(text: string): Promise<void>;
  /** Waits until the cursor is right after the prompt, with nothing typed. */
  waitForPrompt(prompt?: string): Promise<void>;
  /** The exit of the process; the screen then contains all its output. */
  readonly ended: Promise<{ readonly exitCode: number; readonly signal: number | undefined }>;
}

/** Directory and environment of a command. */
export interface TerminalOptions {
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The number of columns of the screen; absent: 100. */
  readonly columns?: number;
  /** The number of rows; absent: 40. */
  readonly rows?: number;
}

/** Starts `ybs` in a new pseudo-terminal; it is killed after the test. */
export function startInTerminal(args: readonly string[], options: TerminalOptions = {}): TerminalSession {
  return startProgram(process.execPath, [ybsEntry, ...args], options);
}

/** Starts Bash with job control in a new pseudo-terminal, and `ybs` in it. The prompt of the shell is `$ `. */
export async function startInShell(args: readonly string[], options: TerminalOptions = {}): Promise<TerminalSession> {
  const environment = { ...options.environment, PS1: '$ ' };
  const terminal = startProgram('bash', ['--norc', '--noprofile', '-i'], { ...options, environment });
  await terminal.waitForPrompt('$ ');
  const command = [process.execPath, ybsEntry, ...args].map((word) => `'${word}'`).join(' ');
  terminal.type(`${command}\r`);
  return terminal;
}

function startProgram(program: string, args: readonly string[], options: TerminalOptions): TerminalSession {
  const directory = options.directory ?? temporaryDirectory();
  const screen = new xterm.Terminal({
    cols: options.columns ?? COLUMNS,
    rows: options.rows ?? ROWS,
    allowProposedApi: true,
    scrollback: 1_000,
  });
  const env = binEnvironment({ TERM: 'xterm-256color', ...options.environment });
  declineTrust(directory, env);
  const child = spawn(program, [...args], {
    cols: options.columns ?? COLUMNS,
    rows: options.rows ?? ROWS,
    cwd: directory,
    env,
  });
  const watchers = new Set<() => void>();
  const notify = () => {
    for (const watcher of watchers) watcher();
  };
  let exited = false;
  const ended = new Promise<{ exitCode: number; signal: number | undefined }>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      // The screen processes writes asynchronously; after the last write it contains all output.
      screen.write('', () => {
        exited = true;
        notify();
        resolve({ exitCode, signal });
      });
    });
  });
  let output = '';
  child.onData((data) => {
    output += data;
    screen.write(data, notify);
  });
  onTestFinished(() => {
    if (!exited) process.kill(child.pid, 'SIGKILL');
    screen.dispose();
  });
  const lineAt = (row: number, end?: number) =>
    screen.buffer.active.getLine(row)?.translateToString(end === undefined, 0, end) ?? '';
  const cursorLine = () => {
    const { baseY, cursorY, cursorX } = screen.buffer.active;
    return lineAt(baseY + cursorY, cursorX);
  };
  const wholeScreen = () =>
    Array.from({ length: screen.buffer.active.length }, (_, row) => lineAt(row))
      .join('\n')
      .trimEnd();

  function waitFor(description: string, condition: (text: string) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (settle: () => void) => {
        clearTimeout(timer);
        watchers.delete(watch);
        settle();
      };
      const fail = (reason: string) =>
        stop(() => reject(new Error(`${reason} while waiting for ${description}; the screen:\n${wholeScreen()}`)));
      const watch = () => {
        // A terminal splits one write into several parts. While ybs draws rows, lines are not wrapped.
        if (screen.modes.wraparoundMode && condition(wholeScreen())) stop(resolve);
        else if (exited) fail('ybs ended');
      };
      const timer = setTimeout(() => fail(`${DEADLINE_MS} ms passed`), DEADLINE_MS);
      watchers.add(watch);
      watch();
    });
  }

  return {
    pid: child.pid,
    directory,
    ended,
    output: () => output,
    cursorLine,
    waitFor,
    type: (keys) => child.write(keys),
    resize(width) {
      screen.resize(width, ROWS);
      child.resize(width, ROWS);
    },
    hangUp() {
      // Not among the types of the library.
      if (!('destroy' in child) || typeof child.destroy !== 'function')
        throw new Error('the terminal cannot be closed');
      // The kernel sends the only SIGHUP. A second one by the library could arrive while Node.js ends, and end it.
      child.kill = () => {};
      child.destroy();
    },
    screen: wholeScreen,
    waitForText: (text) => waitFor(JSON.stringify(text), (shown) => shown.includes(text)),
    waitForPrompt: (prompt = '> ') => waitFor(`the prompt ${JSON.stringify(prompt)}`, () => cursorLine() === prompt),
  };
}
