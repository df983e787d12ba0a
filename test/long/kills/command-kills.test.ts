import { describe, expect, it } from 'vitest';
import { killRecorders, TEAR_RENAMES } from '../../support/kills/recorder-kills.ts';
import { killChanges } from '../../support/kills/story-command-kills.ts';

describe('mock-llm-server record', () => {
  it('leaves no partial story when it is killed 200 times', async () => {
    const { whole, torn, problems } = await killRecorders(200, 17);
    expect(problems).toEqual([]);
    expect(whole).toBeGreaterThan(30);
    // Otherwise no kill has met a write.
    expect(torn).toBeGreaterThan(10);
  });

  it('is detected if its renames are not atomic', async () => {
    const { problems } = await killRecorders(20, 17, TEAR_RENAMES);
    expect(problems.length).toBeGreaterThan(1);
  });
});

describe.each(['rebase', 'from-drift'] as const)('ybs with %s', (command) => {
  it('leaves the story unchanged or changes it completely when it is killed 40 times', async () => {
    const { old, changed, problems } = await killChanges(command, 40, 23);
    expect(problems).toEqual([]);
    expect(old).toBeGreaterThan(5);
    expect(changed).toBeGreaterThan(2);
  });

  it('is detected if its renames are not atomic', async () => {
    const { problems } = await killChanges(command, 16, 23, TEAR_RENAMES);
    expect(problems.length).toBeGreaterThan(0);
  });
});
