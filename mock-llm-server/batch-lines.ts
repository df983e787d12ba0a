/** Takes lines and writes those of a while at once. */
export interface LineBatch {
  readonly add: (line: string) => void;
  /** Writes what is there now, for the end of a process. */
  readonly flush: () => void;
}

/** A write for every request would cost more than its answer. `later` calls back at the end of the while; `write` gets whole lines. */
export function batchLines(write: (text: string) => void, later: (callback: () => void) => void): LineBatch {
  let waiting = '';
  const flush = () => {
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    write(text);
  };
  return {
    add(line) {
      if (waiting === '') later(flush);
      waiting += `${line}\n`;
    },
    flush,
  };
}
