import assert from 'node:assert/strict';
import { MARKUPS, type MarkupName } from '../../../mock-llm-server/weights/markups/markups.ts';
import type { Address } from '../../../tooling/real/real-server.ts';
import { type Check, NotRun } from '../check.ts';
import { createDesk, ONE_RETRY, runPrompt } from '../run-ybs.ts';
import { whatHappened } from '../what-happened.ts';

const FILES = { 'notes.txt': 'The secret word is marmalade.\n', 'more.txt': 'And jam.\n' };

const THOUGHT =
  'The shelf is high and the ladder is short, so somebody must stand on the ladder and hold a broom, unless the cat ' +
  'helps, which it has never done before in any of the stories about this kitchen.';

/** The prompts of the suite that nearly every markup can express; for gpt-oss, one call at a time. */
const PROMPTS = [
  { prompt: 'say hello', calls: 0, reasoning: '' },
  { prompt: 'write odd characters', calls: 1, reasoning: '' },
  { prompt: 'think for a long time', calls: 0, reasoning: THOUGHT },
  // Last, because not every parser reads several calls.
  { prompt: 'open two files', calls: 2, reasoning: '' },
] as const;

/** The markups besides that of all other checks. */
const OTHERS = Object.keys(MARKUPS).filter((name): name is Exclude<MarkupName, 'hermes'> => name !== 'hermes');

/** The checks that a server reads text, calls and reasoning in each markup as the mock means them. */
export const MARKUP_CHECKS: readonly Check[] = OTHERS.map((markup) => ({
  name: `the markup ${markup}`,
  async run({ address: { behind }, mock, variant, temporary }) {
    if (behind !== undefined) throw new NotRun('what is behind the gateway is compared itself');
    const address = await variant({ markup });
    for (const { prompt, calls, reasoning } of PROMPTS) {
      if (markup === 'gpt-oss' && calls > 1) continue;
      const play = async (place: Address) => {
        const options = { address: place, desk: await createDesk(temporary, FILES), settings: ONE_RETRY };
        const run = whatHappened(await runPrompt(prompt, options));
        const message = run.message.replaceAll(new URL(place.endpoint).host, 'HOST');
        return { ...run, reasoning: run.reasoning.replace(/\s/g, ''), message };
      };
      // Some services show reasoning only if they are asked for it, and so does the mock.
      const expected = { ...(await play(mock)), reasoning: reasoning.replace(/\s/g, '') };
      assert.equal(expected.calls.length, calls, `${prompt} in the mock`);
      assert.deepEqual(await play(address), expected, prompt);
    }
  },
}));
