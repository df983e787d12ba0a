import { expect, it } from 'vitest';
import { batchLines, collectWhenIdle } from '../../../../mock-llm-server/cli/serve.ts';

it('batchLines writes collected lines together, in order and once', () => {
  const written: string[] = [];
  const scheduled: (() => void)[] = [];
  const { add, flush } = batchLines(
    (text) => written.push(text),
    (callback) => scheduled.push(callback),
  );
  add('a');
  add('b');
  expect([written, scheduled.length]).toEqual([[], 1]);
  scheduled.shift()?.();
  add('c');
  flush();
  scheduled.shift()?.();
  flush();
  expect(written).toEqual(['a\nb\n', 'c\n']);
});

it('collectWhenIdle collects once after many requests, when none came since its last call', () => {
  let [requests, collections] = [0, 0];
  const tick = collectWhenIdle(
    () => requests,
    () => {
      collections += 1;
    },
  );
  const counts = [0, 999, 999, 5000, 5000, 5000, 5500, 5500, 6000, 6000].map((count) => {
    requests = count;
    tick();
    return collections;
  });
  expect(counts).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 2]);
});
