import { expect, it } from 'vitest';
import { killStoryWriters } from '../../support/kills/story-kills.ts';

// A sample; test/long/kills/recording-kills.test.ts has 200 kills.
it.each(['extend', 'replace'] as const)(
  'no partial story is left when a process that would %s one is killed',
  async (mode) => {
    const { problems } = await killStoryWriters(mode, 1, 5);
    expect(problems).toEqual([]);
  },
);
