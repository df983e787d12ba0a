import type { WriteText } from '../../../src/app/terminal.ts';

/** A host that writes lines to the input of the agent under test and reads the lines that it prints. */
export interface FakeHost {
  /** The lines that the agent has printed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** Writes lines: objects as JSON, strings unchanged. */
  send(...lines: readonly (object | string)[]): void;
  /** Closes the input of the agent. */
  end(): void;
  /** Lets the reads of the input fail. */
  break(error: Error): void;
  /** Stops reading, as a host that was killed does. */
  leave(): void;
  /**
   * Waits for the next printed line for which `matches` is true, starting with the first line after that of the last
   * call.
   */
  waitFor(matches: (line: Readonly<Record<string, unknown>>) => boolean): Promise<Readonly<Record<string, unknown>>>;
  readonly openInput: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  readonly write: WriteText;
}

/** Creates a host. */
export function createFakeHost(): FakeHost {
  const chunks: (Uint8Array | 'end' | Error)[] = [];
  const lines: Readonly<Record<string, unknown>>[] = [];
  let waited = 0;
  let left = false;
  let wake = (): void => {};
  const printed = new Set<() => void>();
  const push = (chunk: (typeof chunks)[number]): void => {
    chunks.push(chunk);
    wake();
  };
  return {
    lines,
    send(...sent) {
      const text = sent.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
      push(new TextEncoder().encode(text));
    },
    end: () => push('end'),
    break: push,
    leave: () => {
      left = true;
    },
    async waitFor(matches) {
      for (;;) {
        for (const line of lines.slice(waited)) {
          waited += 1;
          if (matches(line)) return line;
        }
        await new Promise<void>((resolve) => printed.add(resolve));
      }
    },
    async *openInput(signal) {
      for (;;) {
        signal.throwIfAborted();
        const chunk = chunks.shift();
        if (chunk === 'end') return;
        if (chunk instanceof Error) throw chunk;
        if (chunk !== undefined) {
          yield chunk;
          continue;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    },
    async write(text) {
      if (left) return false;
      if (!text.endsWith('\n') || text.slice(0, -1).includes('\n')) throw new Error(`not one line: ${text}`);
      lines.push(JSON.parse(text));
      for (const resolve of printed) resolve();
      printed.clear();
      return true;
    },
  };
}
