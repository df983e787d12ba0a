/** A line that `ybs` has printed. */
export type PrintedLine = Readonly<Record<string, unknown>>;

/** The lines of JSON that arrive from `ybs` in pieces. */
export interface PrintedLines {
  readonly lines: readonly PrintedLine[];
  /** Adds the next piece. Throws if a line is not JSON. */
  add(text: string): void;
  /** Marks the end. `report` is shown in the errors of pending waits. */
  finish(report: string): void;
  /** The start of a line that has not ended. */
  readonly rest: () => string;
  /** Waits for the next line for which `matches` is true, after the one of the last call. Rejects when no more arrives. */
  waitFor(matches: (line: PrintedLine) => boolean): Promise<PrintedLine>;
}

/** Collects printed lines. */
export function collectLines(): PrintedLines {
  const lines: PrintedLine[] = [];
  let rest = '';
  let waited = 0;
  let end: string | undefined;
  let wake: () => void = () => {};
  return {
    lines,
    rest: () => rest,
    add(text) {
      const [last = '', ...whole] = (rest + text).split('\n').reverse();
      rest = last;
      for (const line of whole.reverse()) lines.push(JSON.parse(line));
      wake();
    },
    finish(report) {
      end = report;
      wake();
    },
    async waitFor(matches) {
      for (;;) {
        for (const line of lines.slice(waited)) {
          waited += 1;
          if (matches(line)) return line;
        }
        if (end !== undefined) {
          throw new Error(`ended without the line:\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n${end}`);
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
