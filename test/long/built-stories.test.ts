import { expect, it } from 'vitest';
import { WIRE_NAMES } from '../../src/providers/wires.ts';
import {
  allPassed,
  playAllShipped,
  playBuilt,
  shippedStoryNames,
  wireExclusion,
} from '../support/wires/stories-on-wires.ts';

it('the built command passes every story, called as in README.md', async () => {
  expect(await playAllShipped()).toEqual(allPassed(shippedStoryNames()));
});

it.each(WIRE_NAMES)('the built command passes every story over %s that this wire can express', async (wire) => {
  const names = shippedStoryNames().filter((name) => wireExclusion(name, wire) === undefined);
  expect(names.length).toBeGreaterThanOrEqual(21);
  expect(await playBuilt(names, wire)).toEqual(allPassed(names));
});
