import assert from 'node:assert/strict';
import path from 'node:path';
import { type Check, NotRun } from '../check.ts';
import { createDesk, runPrompt, runYbs } from '../run-ybs.ts';
import { whatHappened } from '../what-happened.ts';

const FILES = { 'notes.txt': 'The secret word is marmalade.\n' };
const TEXTS = ['I read the notes.', 'The word means jam.'];

/** Checks of sessions that go on elsewhere, and of their recordings. */
export const SESSION_CHECKS: readonly Check[] = [
  {
    name: 'another wire within a session',
    async run({ address, others, temporary }) {
      if (others.length === 0) throw new NotRun('the server has one wire');
      const desk = await createDesk(temporary, FILES);
      for (const each of others) {
        for (const [turn, place] of [address, each].entries()) {
          const words = turn === 0 ? [] : ['--continue'];
          const { texts, outcome, message } = whatHappened(
            await runPrompt('think about it', { address: place, desk }, ...words),
          );
          assert.deepEqual({ texts, outcome }, { texts: TEXTS, outcome: 'done' }, `${place.wire}: ${message}`);
        }
      }
    },
  },
  {
    name: 'another server within a session',
    async run({ address, mock, temporary }) {
      const desk = await createDesk(temporary, FILES);
      for (const [turn, place] of [mock, address, mock].entries()) {
        const words = turn === 0 ? [] : ['--continue'];
        const { texts, outcome, message } = whatHappened(
          await runPrompt('think about it', { address: place, desk }, ...words),
        );
        assert.deepEqual({ texts, outcome }, { texts: TEXTS, outcome: 'done' }, `request ${turn + 1}: ${message}`);
      }
    },
  },
  {
    name: 'a recording, played by the mock',
    async run({ address, temporary, mockOf }) {
      const desk = await createDesk(temporary, FILES);
      const out = path.join(temporary, 'recorded');
      const recorded = await runYbs(['record', 'recorded', 'look first', '--out', out], { address, desk });
      assert.equal(recorded.code, 0, `${recorded.stdout}${recorded.stderr}`);
      const fresh = () => createDesk(temporary, FILES);
      const there = whatHappened(await runPrompt('look first', { address, desk: await fresh() }));
      const here = whatHappened(await runPrompt('look first', { address: await mockOf(out), desk: await fresh() }));
      assert.deepEqual(here, there);
      const played = await runYbs(['test', out], { address, desk: await fresh() });
      assert.equal(played.code, 0, `${played.stdout}${played.stderr}`);
    },
  },
];
