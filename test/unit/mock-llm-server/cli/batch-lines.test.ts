import { expect, it } from 'vitest';
import { batchLines } from '../../../../mock-llm-server/cli/serve.ts';

it('writes the lines of a while at once, in their order, and nothing twice', () => {
  const written: string[] = [];
  const turns: (() => void)[] = [];
  const { add, flush } = batchLines(
    (text) => written.push(text),
    (callback) => turns.push(callback),
  );
  add('a');
  add('b');
  expect([written, turns.length]).toEqual([[], 1]);
  turns.shift()?.();
  add('c');
  flush();
  turns.shift()?.();
  flush();
  expect(written).toEqual(['a\nb\n', 'c\n']);
});
