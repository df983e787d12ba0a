import { describe, expect, it } from 'vitest';
import { groupNeighbours, runInParallel } from '../../../../src/agent/async/parallel.ts';

/** A gate that a test opens by hand. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

async function readAll<Value, Result>(
  merged: AsyncGenerator<Value, Result, void>,
): Promise<{ readonly values: Value[]; readonly results: Result }> {
  const values: Value[] = [];
  for (;;) {
    const step = await merged.next();
    if (step.done === true) return { values, results: step.value };
    values.push(step.value);
  }
}

async function* count(name: string, upTo: number): AsyncGenerator<string, string, void> {
  for (let number = 1; number <= upTo; number += 1) yield `${name}${number}`;
  return name;
}

describe('running generators in parallel', () => {
  it('merges values and returns results in the order of the sources', async () => {
    const { values, results } = await readAll(runInParallel([count('a', 3), count('b', 1), count('c', 0)], 4));
    expect(values.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(results).toEqual(['a', 'b', 'c']);
  });

  it('returns no results for no sources', async () => {
    expect(await readAll(runInParallel([], 4))).toEqual({ values: [], results: [] });
  });

  it('never runs more than the limit at a time', async () => {
    let running = 0;
    let max = 0;
    async function* work(): AsyncGenerator<string, void, void> {
      running += 1;
      max = Math.max(max, running);
      yield 'step';
      running -= 1;
    }
    const sources = Array.from({ length: 9 }, work);
    expect((await readAll(runInParallel(sources, 4))).values).toHaveLength(9);
    expect(max).toBe(4);
  });

  it('lets a fast source finish before a slow one and keeps the order of results', async () => {
    const slow = gate();
    async function* waits(): AsyncGenerator<string, string, void> {
      await slow.opened;
      yield 'slow';
      return 'first';
    }
    async function* opens(): AsyncGenerator<string, string, void> {
      yield 'fast';
      slow.open();
      return 'second';
    }
    expect(await readAll(runInParallel([waits(), opens()], 2))).toEqual({
      values: ['fast', 'slow'],
      results: ['first', 'second'],
    });
  });

  it('fails with the error of the first failing source and ends the others', async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<string, string, void> {
      try {
        for (;;) yield 'more';
      } finally {
        ended = true;
      }
    }
    async function* broken(): AsyncGenerator<string, string, void> {
      yield 'once';
      throw new Error('broken');
    }
    await expect(readAll(runInParallel([endless(), broken()], 2))).rejects.toThrow('broken');
    expect(ended).toBe(true);
  });

  it('does not wait for a source that hangs, and ignores its late failure', async () => {
    const late = gate();
    async function* hangs(): AsyncGenerator<string, string, void> {
      await late.opened;
      throw new Error('too late to matter');
    }
    const merged = runInParallel([count('a', 5), hangs()], 2);
    expect((await merged.next()).value).toBe('a1');
    await merged.return([]);
    late.open();
    await late.opened;
    expect(await merged.next()).toEqual({ done: true, value: undefined });
  });

  it('accepts a source without a return method', async () => {
    const bare: AsyncIterator<string, string, void> = { next: async () => ({ done: true, value: 'bare' }) };
    expect((await readAll(runInParallel([bare], 1))).results).toEqual(['bare']);
  });
});

describe('grouping neighbours', () => {
  it.each([
    ['', ''],
    ['abc', 'abc'],
    ['aXbc', 'a X bc'],
    ['XYab', 'X Y ab'],
    ['abXYcd', 'ab X Y cd'],
  ])('turns %j into the groups %j', (items, expected) => {
    const groups = groupNeighbours([...items], (item) => item === item.toLowerCase());
    expect(groups.map((group) => group.join('')).join(' ')).toBe(expected);
  });
});
