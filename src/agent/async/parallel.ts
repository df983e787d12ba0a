import { closeQuietly } from './abort.ts';

/** One source, its position in the list and its latest step. */
interface Advance<Value, Result> {
  readonly position: number;
  readonly source: AsyncIterator<Value, Result, void>;
  readonly step: IteratorResult<Value, Result>;
}

/**
 * Runs generators in parallel, at most `limit` at a time. Yields values as they arrive and returns the results in the
 * order of `sources`. A source is pulled only after its last value was consumed, so that none is buffered. An error of
 * one source ends all of them.
 */
export async function* runInParallel<Value, Result>(
  sources: readonly AsyncIterator<Value, Result, void>[],
  limit: number,
): AsyncGenerator<Value, Result[], void> {
  const results: { readonly position: number; readonly result: Result }[] = [];
  const running = new Map<number, Promise<Advance<Value, Result>>>();
  const waiting = [...sources.entries()];
  const advance = (position: number, source: AsyncIterator<Value, Result, void>): void => {
    running.set(
      position,
      source.next().then((step) => ({ position, source, step })),
    );
  };
  const startNext = (): void => {
    for (const [position, source] of waiting.splice(0, 1)) advance(position, source);
  };
  try {
    for (let started = 0; started < limit; started += 1) startNext();
    while (running.size > 0) {
      const { position, source, step } = await Promise.race(running.values());
      running.delete(position);
      if (step.done === true) {
        results.push({ position, result: step.value });
        startNext();
      } else {
        yield step.value;
        advance(position, source);
      }
    }
    return results.sort((left, right) => left.position - right.position).map(({ result }) => result);
  } finally {
    // Errors after the end are ignored, because nobody is left to handle them.
    for (const unfinished of running.values()) unfinished.catch(() => {});
    for (const source of sources) closeQuietly(source);
  }
}

/** Groups neighbouring items for which `belongs` is true; every other item forms its own group. Keeps the order. */
export function groupNeighbours<Item>(items: readonly Item[], belongs: (item: Item) => boolean): readonly Item[][] {
  const groups: Item[][] = [];
  let open: Item[] | undefined;
  for (const item of items) {
    const joins = belongs(item);
    if (joins && open !== undefined) {
      open.push(item);
      continue;
    }
    const group = [item];
    groups.push(group);
    open = joins ? group : undefined;
  }
  return groups;
}
