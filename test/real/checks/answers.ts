import assert from 'node:assert/strict';
import type { Check } from '../check.ts';
import { createDesk, runPrompt } from '../run-ybs.ts';
import { textOf, whatHappened } from '../what-happened.ts';

const GREETING = 'Hello, world. Ünïcödé 🎉 日本語!';

/** Checks of answers and calls as the model wrote them. */
export const ANSWER_CHECKS: readonly Check[] = [
  {
    name: 'a text',
    async run({ address, temporary }) {
      const ended = await runPrompt('say hello', { address, desk: await createDesk(temporary) });
      const { texts, calls, finishes, outcome, code } = whatHappened(ended);
      assert.deepEqual(
        { texts, calls, finishes, outcome, code },
        { texts: [GREETING], calls: [], finishes: ['stop'], outcome: 'done', code: 0 },
      );
      assert.equal(textOf(ended.events, 'text_delta').trim(), GREETING);
    },
  },
];
