import { expect, it } from 'vitest';
import { pathWithQuickNpm } from '../support/quick-npm.ts';
import { allPassed, playBuilt, shippedStoryNames } from '../support/stories-on-wires.ts';

// Integration tests play them over all wires in process, light-start.test.ts starts the command over each, test/long does both.
it('ybs test passes the stories that come with ybs', async () => {
  const names = shippedStoryNames();
  expect(await playBuilt(names, 'openai-chat', { PATH: pathWithQuickNpm() })).toEqual(allPassed(names));
});
