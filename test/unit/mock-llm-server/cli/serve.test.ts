import { expect, it } from 'vitest';
import { batchLines } from '../../../../mock-llm-server/cli/serve.ts';

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
