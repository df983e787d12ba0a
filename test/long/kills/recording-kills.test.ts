import { expect, it } from 'vitest';
import { killStoryWriters } from '../../support/kills/story-kills.ts';

it.each(['extend', 'replace'] as const)(
  'no partial story is left when a process that would %s one is killed 100 times',
  async (mode) => {
    const { whole, problems } = await killStoryWriters(mode, 100, 11, 150);
    expect(problems).toEqual([]);
    expect(whole).toBeGreaterThan(30);
  },
);

it('control: partial stories of a process that writes in place are detected', async () => {
  const { problems } = await killStoryWriters('in_place', 40, 11);
  expect(problems.length).toBeGreaterThan(3);
});
