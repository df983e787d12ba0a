import { expect, it } from 'vitest';
import { pathWithQuickNpm } from '../../support/processes/quick-npm.ts';
import { allPassed, playBuilt, shippedStoryNames } from '../../support/wires/stories-on-wires.ts';

// Integration tests play the stories in process, distributed over the wires; test/long plays them with the built command
// over every wire.
it('ybs test passes the bundled stories', async () => {
  const names = shippedStoryNames();
  expect(await playBuilt(names, 'openai-chat', { PATH: pathWithQuickNpm() })).toEqual(allPassed(names));
});
