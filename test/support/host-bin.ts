import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ybsEntry } from './entry.ts';
import { type BinOptions, binEnvironment } from './run-bin.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A line that `ybs` has printed. */
export type PrintedLine = Readonly<Record<string, unknown>>;

/** The built `ybs` as a host drives it: JSON lines on both streams. */
export interface HostBin {
  readonly pid: number;
  readonly lines: readonly PrintedLine[];
  /** Writes lines: objects as JSON, texts as they are. */
  send(...lines: readonly (object | string)[]): void;
  /** Closes its standard input. */
  end(): void;
  signal(name: NodeJS.Signals): void;
  /** Closes its standard output. */
  hangUp(): void;
  /** Stops reading its output; returns a function that goes on. */
  pause(): () => void;
  /** Waits for the next line for which `matches` is true, after the one of the last call. Rejects when the process ends first. */
  waitFor(matches: (line: PrintedLine) => boolean): Promise<PrintedLine>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly stderr: string }>;
}

/** How `ybs` is started. With `relayed`, its host is a process between it and the test, which signals go to. */
export interface HostBinOptions extends Omit<BinOptions, 'input'> {
  readonly relayed?: boolean;
}

/** The arguments with which Node starts `ybs`, through a host that is a process of its own if `relayed` is true. */
export function hostedEntry(relayed: boolean): readonly string[] {
  return relayed ? [path.join(import.meta.dirname, 'relay-host.mjs'), process.execPath, ybsEntry] : [ybsEntry];
}

/**
 * Starts `ybs` for a host. A line that is no JSON object is an error of `waitFor` and of `ended`, which waits for both
 * processes if there is a host between them.
 */
export function startHostBin(args: readonly string[], options: HostBinOptions = {}): HostBin {
  const child = spawn(process.execPath, [...hostedEntry(options.relayed === true), ...args], {
    cwd: options.directory ?? temporaryDirectory(),
    env: binEnvironment(options.environment),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${ybsEntry} did not start`);
  const lines: PrintedLine[] = [];
  let rest = '';
  let stderr = '';
  let waited = 0;
  let exited = false;
  let wake: () => void = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const [last = '', ...whole] = (rest + text).split('\n').reverse();
    rest = last;
    for (const line of whole.reverse()) lines.push(JSON.parse(line));
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A process that ends without reading its input breaks the pipe, which is not an error of the test.
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => {
    exited = true;
    wake();
    return {
      code: typeof code === 'number' ? code : null,
      signal: typeof signal === 'string' ? signal : null,
      stderr: rest === '' ? stderr : `${stderr}\nthe last line is cut: ${rest}`,
    };
  });
  return {
    pid,
    lines,
    ended,
    send(...sent) {
      for (const line of sent) child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    },
    end: () => {
      child.stdin.end();
    },
    signal: (name) => {
      child.kill(name);
    },
    hangUp: () => {
      child.stdout.destroy();
    },
    pause() {
      child.stdout.pause();
      return () => child.stdout.resume();
    },
    async waitFor(matches) {
      for (;;) {
        for (const line of lines.slice(waited)) {
          waited += 1;
          if (matches(line)) return line;
        }
        if (exited)
          throw new Error(
            `ended without the line:\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n${stderr}`,
          );
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
