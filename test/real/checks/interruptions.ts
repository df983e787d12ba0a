import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Check } from '../check.ts';
import { createDesk, ONE_RETRY, runPrompt, startYbs } from '../run-ybs.ts';
import { startTap } from '../tap.ts';
import { textOf, whatHappened } from '../what-happened.ts';

const PROMPT = 'tell a long story';
/** The first word: a server may send the text word by word. */
const BEGIN = 'Once';
const END = 'a guest came who was very tall.';
const JSON_OUTPUT = ['--output-format', 'json'];

/** Time for which a server that was killed is gone. */
const GONE_MS = 3_000;

/** Checks of answers that do not end by themselves. */
export const INTERRUPTION_CHECKS: readonly Check[] = [
  {
    name: 'the server is killed and comes back',
    killsServer: true,
    async run({ address, spare, temporary }) {
      const server = await spare();
      const tap = await startTap(server.address);
      try {
        tap.holdAfter(BEGIN);
        const ybs = await startYbs([...JSON_OUTPUT, PROMPT], {
          address: tap.address,
          desk: await createDesk(temporary),
        });
        await ybs.waitFor(BEGIN);
        await server.kill();
        await tap.close();
        await wait(GONE_MS);
        // Not every server starts within this time, so that another instance takes its place.
        await tap.open(address);
        const { texts, outcome, message, code } = whatHappened(await ybs.ended);
        assert.deepEqual({ outcome, code }, { outcome: 'done', code: 0 }, message);
        assert.match(texts.at(-1) ?? '', new RegExp(`^${BEGIN}.*${END}$`, 's'));
      } finally {
        await tap.close();
      }
    },
  },
  {
    name: 'the server is killed and stays away',
    killsServer: true,
    async run({ spare, temporary }) {
      const server = await spare();
      const tap = await startTap(server.address);
      try {
        tap.holdAfter(BEGIN);
        const ybs = await startYbs([...JSON_OUTPUT, PROMPT], {
          address: tap.address,
          desk: await createDesk(temporary),
          settings: { agent: { retry_attempts: 2 } },
        });
        await ybs.waitFor(BEGIN);
        await server.kill();
        await tap.close();
        const ended = await ybs.ended;
        const { outcome, message, code } = whatHappened(ended);
        assert.deepEqual({ outcome, code }, { outcome: 'failed', code: 1 }, message);
        assert.match(message, new RegExp(new URL(tap.address.endpoint).host));
        assert.equal(ended.events.filter(({ type }) => type === 'retry').length, 2);
      } finally {
        await tap.close();
      }
    },
  },
  {
    name: 'Ctrl-C, then --continue',
    async run({ address, temporary }) {
      const tap = await startTap(address);
      try {
        // Ollama 0.17.4 may never answer again after a request that was given up.
        const settings = { ...ONE_RETRY, llm: { timeout_seconds: 60 } };
        const options = { address: tap.address, desk: await createDesk(temporary), settings };
        tap.holdAfter(BEGIN);
        const ybs = await startYbs([...JSON_OUTPUT, PROMPT], options);
        await ybs.waitFor(BEGIN);
        ybs.interrupt();
        const stopped = await ybs.ended;
        assert.equal(whatHappened(stopped).outcome, 'aborted');
        const ended = await runPrompt('say hello', options, '--continue');
        const { texts, outcome, message } = whatHappened(ended);
        assert.equal(outcome, 'done', message);
        assert.match(texts.at(-1) ?? '', /^Hello, world/);
        assert.ok(!textOf(ended.events, 'text_delta').includes(BEGIN), 'the stopped answer is there again');
      } finally {
        await tap.close();
      }
    },
  },
];
