import { describe, expect, it } from 'vitest';
import { fuzzFrames } from '../../support/hosts/fuzz-frames.ts';
import { LONG } from '../../support/random/property.ts';

const COUNT = LONG ? 3000 : 120;

describe.each(['stream-json', 'yume-json'] as const)('a broken host in %s', (name) => {
  it('gets an answer to every line, and does not disturb the next ones', async () => {
    expect(await fuzzFrames({ name, count: COUNT, seed: 13 })).toEqual({
      ...{ lines: COUNT, silent: [], problems: [], alive: true },
    });
  });

  it('would be found waiting if a decoder were silent about lines that it cannot read', async () => {
    const damage = (command: Parameters<NonNullable<Parameters<typeof fuzzFrames>[0]['damage']>>[0]) =>
      command.type === 'reply' ? { type: 'ignored' as const } : command;
    const { silent, alive } = await fuzzFrames({ name, count: COUNT, seed: 13, damage });
    expect(silent.length).toBeGreaterThan(COUNT / 3);
    expect(alive).toBe(false);
  });
});
