import { describe, expect, it } from 'vitest';
import { WIRE_NAMES, type Wire } from '../../src/providers/wires.ts';
import { pathWithQuickNpm } from '../support/quick-npm.ts';
import { allPassed, playBuilt, shippedStoryNames, wireExclusion } from '../support/stories-on-wires.ts';

/** The wire of a story: they take turns, except where a wire cannot tell the story. All five are in `test/long`. */
function wireOf(name: string, index: number): Wire | undefined {
  const turns = [...WIRE_NAMES.slice(index % WIRE_NAMES.length), ...WIRE_NAMES];
  return turns.find((wire) => wireExclusion(name, wire) === undefined);
}

describe('ybs test', () => {
  it.each(WIRE_NAMES)('passes the stories that come with ybs, those of %s over this wire', async (wire) => {
    const names = shippedStoryNames().filter((name, index) => wireOf(name, index) === wire);
    expect(names.length).toBeGreaterThanOrEqual(4);
    expect(await playBuilt(names, wire, { PATH: pathWithQuickNpm() })).toEqual(allPassed(names));
  });
});
