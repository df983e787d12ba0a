import assert from 'node:assert/strict';
import type { Address } from '../../../tooling/real/real-server.ts';
import type { Check } from '../check.ts';
import { createDesk, runPrompt } from '../run-ybs.ts';
import { startTap } from '../tap.ts';
import { whatHappened } from '../what-happened.ts';

const FILES = { 'notes.txt': 'The secret word is marmalade.\n' };
const FIRST = 'The notes may contain the word.';

/**
 * The settings with which a service of the mock shows its reasoning: it does so only if it is asked, as the real one.
 */
const settingsFor = ({ behind }: Address) =>
  behind?.startsWith('mock') ? { settings: { llm: { reasoning_effort: 'medium' } } } : {};

/** Checks of what a model thinks before it answers. */
export const REASONING_CHECKS: readonly Check[] = [
  {
    name: 'reasoning is shown',
    async run({ address, temporary }) {
      const desk = await createDesk(temporary, FILES);
      const ended = await runPrompt('think about it', { address, desk, ...settingsFor(address) });
      const { texts, calls, reasoning, outcome, message } = whatHappened(ended);
      assert.deepEqual(
        { texts, calls: calls.length, outcome },
        { texts: ['I read the notes.', 'The word means jam.'], calls: 1, outcome: 'done' },
        message,
      );
      assert.equal(reasoning.replace(/\s/g, ''), `${FIRST}It is a kind of jam.`.replace(/\s/g, ''));
    },
  },
  {
    name: 'reasoning goes back',
    async run({ address, temporary }) {
      const tap = await startTap(address);
      try {
        const ended = await runPrompt('think about it', {
          address: tap.address,
          desk: await createDesk(temporary, FILES),
          ...settingsFor(address),
        });
        const [, ...later] = tap.answers();
        // A refused request is sent again before.
        const second = later.at(-1);
        assert.ok(second, `there was no second request: ${whatHappened(ended).message}`);
        assert.ok(second.request.includes(FIRST), `the second request lacks it: ${second.request.slice(-1_500)}`);
      } finally {
        await tap.close();
      }
    },
  },
];
