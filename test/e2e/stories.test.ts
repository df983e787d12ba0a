import { expect, it } from 'vitest';
import { pathWithQuickNpm } from '../support/processes/quick-npm.ts';
import { allPassed, playBuilt } from '../support/wires/stories-on-wires.ts';

/** Stories with an edit, commands, questions, a refusal, a retry, a compaction and a session on disk. */
const STORIES = [
  'approve-for-session',
  'denied-with-feedback',
  'edit-and-run-tests',
  'long-conversation-compacts',
  'outside-path-refused',
  'resumed-session',
  'stream-cut-then-retry',
];

// Integration tests play every story in process, test/thorough/runs/built-stories.test.ts with the built command.
it('ybs test passes the bundled stories', async () => {
  expect(await playBuilt(STORIES, 'openai-chat', { PATH: pathWithQuickNpm() })).toEqual(allPassed(STORIES));
});
