import { UsageError } from '../../agent/errors.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import { countOf } from '../../text/quantities.ts';

/** One of several parts of a list of stories; `index` is counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads the value of `--shard`: `2/5`. Throws `UsageError`. */
export function readShard(value: string): Shard {
  const [, index = '', count = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(value) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new UsageError(`--shard ${JSON.stringify(value)} is not I/N, such as 1/4 to 4/4 for four machines.`);
}

/**
 * The stories of one shard, in their order. Each story, the longest first, goes to the shard with the least to do, so
 * that every machine finds the same parts. A story without a duration counts as the mean of the others. Throws
 * `UsageError` if there are more shards than stories, because a shard that plays nothing must not look like a success.
 */
export function chooseShard<Story extends { readonly name: string }>(
  stories: readonly Story[],
  { index, count }: Shard,
  timings: ReadonlyMap<string, number> = new Map(),
): readonly Story[] {
  if (count > stories.length) {
    const found = countOf(stories.length, 'story', 'stories');
    throw new UsageError(`${count} shards are too many for ${found}. Use at most ${stories.length}.`);
  }
  const known = stories.flatMap(({ name }) => timings.get(name) ?? []);
  const mean = known.length === 0 ? 1 : known.reduce((sum, duration) => sum + duration, 0) / known.length;
  const weighed = stories
    .map((story) => ({ story, weight: timings.get(story.name) ?? mean }))
    .sort((left, right) => right.weight - left.weight || compareCodePoints(left.story.name, right.story.name));
  const shards = Array.from({ length: count }, () => ({ weight: 0, stories: new Set<Story>() }));
  for (const { story, weight } of weighed) {
    // The number of stories counts as well, so that no shard stays empty when stories take no time.
    const [lightest] = shards.toSorted(
      (left, right) => left.weight - right.weight || left.stories.size - right.stories.size,
    );
    if (lightest !== undefined) lightest.weight += weight;
    lightest?.stories.add(story);
  }
  return stories.filter((story) => shards[index - 1]?.stories.has(story));
}

/** Checks that reports belong to all shards of one run, each once. Throws `UsageError`. */
export function checkShards(reports: readonly { readonly file: string; readonly shard: Shard | undefined }[]): void {
  const [first] = reports;
  const count = first?.shard?.count;
  for (const { file, shard } of reports) {
    if (shard === undefined || shard.count !== count) {
      throw new UsageError(`${file} is not a report of one of ${count ?? 'several'} shards, so it cannot be merged.`);
    }
  }
  const indexes = reports.map(({ shard }) => shard?.index);
  const missing = Array.from({ length: count ?? 0 }, (_, index) => index + 1).filter(
    (index) => !indexes.includes(index),
  );
  if (missing.length > 0) throw new UsageError(`The report of shard ${missing.join(', ')} of ${count} is missing.`);
  if (new Set(indexes).size < indexes.length)
    throw new UsageError('Two reports are of the same shard. Name one report of each shard.');
}
