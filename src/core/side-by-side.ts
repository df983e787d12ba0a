/** Runs one source to its next value and remembers whose it was. */
async function advance<Value, Result>(
  source: AsyncIterator<Value, Result, void>,
  position: number,
): Promise<{ readonly position: number; readonly step: IteratorResult<Value, Result> }> {
  return { position, step: await source.next() };
}

/**
 * Merges generators into one: at most `limit` run at a time, values come out as they arrive, and the results are
 * returned in the order of `sources`. A source is only pulled when its last value has been taken, so nothing piles up.
 * An error of one source ends all of them.
 */
export async function* sideBySide<Value, Result>(
  sources: readonly AsyncIterator<Value, Result, void>[],
  limit: number,
): AsyncGenerator<Value, Result[], void> {
  const results = new Map<number, Result>();
  const running = new Map<number, ReturnType<typeof advance<Value, Result>>>();
  const waiting = [...sources.entries()];
  const startNext = (): void => {
    const next = waiting.shift();
    if (next !== undefined) running.set(next[0], advance(next[1], next[0]));
  };
  try {
    for (let started = 0; started < limit; started += 1) startNext();
    while (running.size > 0) {
      const { position, step } = await Promise.race(running.values());
      running.delete(position);
      if (step.done === true) {
        results.set(position, step.value);
        startNext();
      } else {
        yield step.value;
        const source = sources[position];
        if (source !== undefined) running.set(position, advance(source, position));
      }
    }
    return [...results].sort(([left], [right]) => left - right).map(([, result]) => result);
  } finally {
    // Nobody waits for these: a generator that is busy only answers `return` when its own wait ends.
    for (const unfinished of running.values()) unfinished.catch(() => {});
    for (const source of sources) source.return?.().catch(() => {});
  }
}
