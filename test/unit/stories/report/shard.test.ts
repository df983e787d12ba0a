import { describe, expect, it } from 'vitest';
import { mergeStories } from '../../../../src/stories/report/merge-stories.ts';
import { readTimings } from '../../../../src/stories/report/read-reports.ts';
import { createReporter } from '../../../../src/stories/report/report-stories.ts';
import { checkShards, chooseShard, readShard } from '../../../../src/stories/report/shard.ts';
import { PLAIN } from '../../../../src/terminal/output.ts';
import { reportFiles } from '../../../support/stories/evaluation-results.ts';

const stories = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));
const split = (count: number, timings?: ReadonlyMap<string, number>) =>
  Array.from({ length: count }, (_, index) =>
    chooseShard(stories, { index: index + 1, count }, timings)
      .map(({ name }) => name)
      .join(''),
  );

describe('shards', () => {
  it.each(['0/3', '4/3', '1', 'a/b', '1/0', '1/2/3', ''])('are rejected as %j', (value) => {
    expect(() => readShard(value)).toThrow(`--shard ${JSON.stringify(value)} is not I/N`);
  });

  it.each<readonly [number, Readonly<Record<string, number>> | undefined, readonly string[]]>([
    [1, undefined, ['abcde']],
    [2, undefined, ['ace', 'bd']],
    [5, undefined, ['a', 'b', 'c', 'd', 'e']],
    [2, { a: 10, b: 1, c: 1, d: 1, e: 1 }, ['a', 'bcde']],
    [3, { a: 5, b: 4, c: 3, d: 3, e: 3 }, ['a', 'be', 'cd']],
    [2, { a: 4, b: 2, z: 99 }, ['ae', 'bcd']],
    [2, { a: 0, b: 0, c: 0, d: 0, e: 0 }, ['ace', 'bd']],
  ])('%i of stories with the durations %j are %j', (count, timings, expected) => {
    expect(split(count, timings && new Map(Object.entries(timings)))).toEqual(expected);
  });

  it('are not more than the stories', () => {
    expect(() => split(6)).toThrow('6 shards are too many for 5 stories. Use at most 5.');
  });

  it('are balanced by the durations in a report', async () => {
    const report = JSON.stringify({ stories: [{ name: 'a', durationMs: 12, type: 'passed' }] });
    expect([...(await readTimings('t.json', reportFiles({ 't.json': report })))]).toEqual([['a', 12]]);
    for (const text of ['{}', '{']) {
      const durations = readTimings('t.json', reportFiles({ 't.json': text }));
      await expect(durations).rejects.toThrow('t.json has no durations. --timings takes a report');
    }
    await expect(readTimings('t.json', reportFiles({}))).rejects.toThrow('t.json is not a file');
  });

  it.each<readonly [readonly (readonly [number, number] | undefined)[], string]>([
    [[undefined], 'f0 is not a report of one of several shards, so it cannot be merged.'],
    [
      [
        [1, 2],
        [2, 3],
      ],
      'f1 is not a report of one of 2 shards, so it cannot be merged.',
    ],
    [[[1, 3]], 'The report of shard 2, 3 of 3 is missing.'],
    [
      [
        [1, 2],
        [2, 2],
        [2, 2],
      ],
      'Two reports are of the same shard. Name one report of each shard.',
    ],
  ])('are not merged unless they are all the shards of one run: %j', (shards, message) => {
    const reports = shards.map((shard, index) => {
      return { file: `f${index}`, shard: shard && { index: shard[0], count: shard[1] } };
    });
    expect(() => checkShards(reports)).toThrow(message);
  });
});

describe('reports of shards', () => {
  const passed = (name: string) => ({ type: 'passed', name, durationMs: 10 });
  const failed = { type: 'failed', name: 'c', durationMs: 5, problems: ['no'], kept: '/x', later: 1 };
  const report = (index: number, ...results: readonly unknown[]) =>
    JSON.stringify({ shard: { index, count: 2 }, stories: results });

  async function merge(files: Readonly<Record<string, string>>) {
    let text = '';
    const disk = reportFiles(files);
    const write = async (more: string) => {
      text += more;
      return true;
    };
    const outcome = await mergeStories(Object.keys(files), createReporter('text', PLAIN), {
      ...{ disk, write, writePage: async () => {} },
    });
    return { outcome, text };
  }

  it('are merged in the order of the names, and fail if a story failed', async () => {
    const { outcome, text } = await merge({ 1: report(1, passed('d'), failed), 2: report(2, passed('a')) });
    expect(outcome).toBe('failed');
    expect(text).toBe(
      'passed a (0.0 s)\nFAILED c (0.0 s)\n  no\n  the files are kept in /x\npassed d (0.0 s)\n2 passed, 1 failed\n',
    );
    expect((await merge({ 1: report(1, passed('d')), 2: report(2, passed('a')) })).outcome).toBe('done');
  });

  it('without any played story fail', async () => {
    const skipped = { type: 'skipped', name: 'a', durationMs: 0, reason: 'no' };
    expect((await merge({ 1: report(1, skipped), 2: report(2) })).outcome).toBe('failed');
  });

  it('must be valid', async () => {
    await expect(merge({ 1: '{}' })).rejects.toThrow('1 is not a report of ybs test.');
    const ports = { disk: reportFiles({}), write: async () => true, writePage: async () => {} };
    await expect(mergeStories(['x'], createReporter('text', PLAIN), ports)).rejects.toThrow('x is not a file');
  });
});
