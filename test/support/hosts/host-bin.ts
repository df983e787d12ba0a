import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ybsEntry } from '../processes/entry.ts';
import { collectLines, type PrintedLines } from '../processes/printed-lines.ts';
import { type BinOptions, binEnvironment } from '../processes/run-bin.ts';
import { temporaryDirectory } from '../processes/temporary-directory.ts';

/** The built `ybs` as a host drives it: JSON lines on both streams. */
export interface HostBin extends Pick<PrintedLines, 'lines' | 'waitFor'> {
  readonly pid: number;
  /** Writes lines: objects as JSON, strings unchanged. */
  send(...lines: readonly (object | string)[]): void;
  /** Closes its standard input. */
  end(): void;
  signal(name: NodeJS.Signals): void;
  /** Closes its standard output. */
  hangUp(): void;
  /** Stops reading its output; returns a function that continues. */
  pause(): () => void;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly stderr: string }>;
}

/**
 * Options of the start of `ybs`. With `relayed`, its host is a process between it and the test, which receives the
 * signals.
 */
export interface HostBinOptions extends Omit<BinOptions, 'input'> {
  readonly relayed?: boolean;
}

/** The arguments with which Node starts `ybs`, through a separate host process if `relayed` is true. */
export function hostedEntry(relayed: boolean): readonly string[] {
  return relayed ? [path.join(import.meta.dirname, 'relay-host.mjs'), process.execPath, ybsEntry] : [ybsEntry];
}

/**
 * Starts `ybs` for a host. A line that is not a JSON object is an error of `waitFor` and of `ended`, which waits for both
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
  const printed = collectLines();
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', printed.add);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A process that ends without reading its input breaks the pipe, which is not an error of the test.
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => {
    printed.finish(stderr);
    const rest = printed.rest();
    return {
      code: typeof code === 'number' ? code : null,
      signal: typeof signal === 'string' ? signal : null,
      stderr: rest === '' ? stderr : `${stderr}\nthe last line is cut: ${rest}`,
    };
  });
  return {
    pid,
    lines: printed.lines,
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
    waitFor: printed.waitFor,
  };
}
