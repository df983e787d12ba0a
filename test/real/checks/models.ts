import assert from 'node:assert/strict';
import * as z from 'zod';
import type { Address } from '../../../tooling/real/real-server.ts';
import { type Check, NotRun } from '../check.ts';
import { createDesk, type Desk, runPrompt, runYbs } from '../run-ybs.ts';
import { startTap } from '../tap.ts';
import { typeInChat } from '../terminal.ts';
import { whatHappened } from '../what-happened.ts';

const ModelsSchema = z.object({
  models: z.array(
    z.looseObject({ name: z.string(), contextWindow: z.number().optional(), maxAnswer: z.number().optional() }),
  ),
});

/** Checks of models, their windows and their choice. */
export const MODEL_CHECKS: readonly Check[] = [
  {
    name: 'the window in models, doctor and a run',
    async run({ address, window: windowOf, temporary }) {
      const window = windowOf();
      const options = { address, desk: await createDesk(temporary) };
      const listed = await runYbs(['models', '--output-format', 'json'], options);
      const { models } = ModelsSchema.parse(JSON.parse(listed.stdout));
      const found = models.find(({ name }) => name === address.model || name === `${address.model}:latest`);
      const doctor = await runYbs(['doctor'], options);
      const chat = await typeInChat('/context', /of ([\d,]+) tokens, the context window/, options);
      const wanted = window.toLocaleString('en');
      assert.deepEqual(
        { models: found?.contextWindow, doctor: /window.*?([\d,]+) tokens/.exec(doctor.stdout)?.[1], run: chat[1] },
        { models: window, doctor: wanted, run: wanted },
      );
      const limits = {
        models: found?.maxAnswer?.toLocaleString('en'),
        doctor: /answer +at most ([\d,]+) tokens/.exec(doctor.stdout)?.[1],
      };
      const limit = (await limitOfRun(address, options.desk)).toLocaleString('en');
      assert.deepEqual(limits, { models: limit, doctor: limit });
    },
  },
  {
    name: 'an unknown model',
    async run({ address, temporary }) {
      const tap = await startTap(address);
      try {
        const wrong = { ...tap.address, model: 'no-such-model' };
        const ended = await runPrompt('say hello', { address: wrong, desk: await createDesk(temporary) });
        const { outcome, message, code, texts } = whatHappened(ended);
        // Some servers answer whatever the name, because they have one model.
        if (outcome === 'done') return assert.equal(texts.length, 1);
        assert.equal(code, 1);
        assert.match(message, /no-such-model/);
        assert.ok(message.includes(address.model), `the message names no model that exists: ${message}`);
        assert.ok(tap.answers().length <= 1, 'it was repeated');
      } finally {
        await tap.close();
      }
    },
  },
  {
    name: 'no model chosen',
    async run({ address, temporary }) {
      const options = { address, desk: await createDesk(temporary), profile: { model: undefined } };
      const listed = await runYbs(['models', '--output-format', 'json'], { ...options, profile: {} });
      const { models } = ModelsSchema.parse(JSON.parse(listed.stdout));
      const ended = await runPrompt('say hello', options);
      const { outcome, message } = whatHappened(ended);
      if (models.length === 1) return assert.equal(outcome, 'done', `${message}${ended.stderr}`);
      assert.notEqual(outcome, 'done');
      assert.ok(`${message}${ended.stderr}`.includes('model'), 'it does not say that the model is missing');
    },
  },
  {
    name: 'usage as the server counts it',
    async run({ address, temporary }) {
      const tap = await startTap(address);
      try {
        const files = { 'notes.txt': 'The secret word is marmalade.\n' };
        const ended = await runPrompt('look first', { address: tap.address, desk: await createDesk(temporary, files) });
        const counted = ended.events.filter(({ type }) => type === 'usage');
        // A refused request is sent again in another form.
        const seen = tap.answers().flatMap(({ status, response }) => (status === 200 ? [usageIn(response)] : []));
        assert.deepEqual(
          counted.map(({ inputTokens, outputTokens, cachedTokens = 0 }) => ({
            inputTokens,
            outputTokens,
            cachedTokens,
          })),
          seen,
        );
      } finally {
        await tap.close();
      }
    },
  },
  {
    name: 'a conversation that is too long',
    async run({ variant, temporary }) {
      const address = await variant({ window: SMALL });
      const files = Object.fromEntries(
        ['notes.txt', 'more.txt'].map((name) => [name, 'The word is marmalade.\n'.repeat(200)]),
      );
      const desk = await createDesk(temporary, files);
      const ended = await runPrompt('open two files', { address, desk });
      const { texts, outcome, message } = whatHappened(ended);
      assert.deepEqual({ outcome, last: texts.at(-1) }, { outcome: 'done', last: 'I have seen both files.' }, message);
      const compactions = ended.events.filter(({ type }) => type === 'compaction').length;
      assert.equal(compactions, 1, `it was shortened ${compactions} times`);
    },
  },
  {
    name: 'a prompt that is too long alone',
    async run({ variant, temporary }) {
      const address = await variant({ window: SMALL });
      const tap = await startTap(address);
      try {
        const desk = await createDesk(temporary);
        const ended = await runPrompt(`say hello ${'marmalade '.repeat(3_000)}`, { address: tap.address, desk });
        const { outcome, code, message } = whatHappened(ended);
        // The middle of the prompt may be left out, if the user is told so.
        const isTold = ended.events.some(({ type }) => type === 'compaction' || type === 'warning');
        if (outcome === 'done') return assert.ok(isTold, 'the prompt was shortened without a word');
        assert.equal(code, 1);
        assert.match(message, /too (?:long|large)|context window|does not fit/);
        assert.ok(tap.answers().length <= 2, `${tap.answers().length} requests`);
      } finally {
        await tap.close();
      }
    },
  },
];

/** The limit of an answer, in tokens, in the request of a run. */
async function limitOfRun(address: Address, desk: Desk): Promise<number> {
  const tap = await startTap(address);
  try {
    await runPrompt('say hello', { address: tap.address, desk });
    const [{ request } = { request: '' }] = tap.answers();
    return Number(/"(?:max_tokens|max_completion_tokens|max_output_tokens|num_predict)":(\d+)/.exec(request)?.[1]);
  } finally {
    await tap.close();
  }
}

/** A window that the prompt of ybs fits into, but not two files with it. */
const SMALL = 16_384;

/** The last counts that an answer contains, of whatever wire: those of Messages leave out what came from the cache. */
function usageIn(response: string): { inputTokens: number; outputTokens: number; cachedTokens: number } {
  const last = (names: string): number | undefined => {
    const found = [...response.matchAll(new RegExp(`"(?:${names})":\\s*(\\d+)`, 'g'))].at(-1)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const apart = last('cache_read_input_tokens');
  const input = last('prompt_tokens|input_tokens|prompt_eval_count');
  if (input === undefined) throw new NotRun('the server counts nothing');
  return {
    inputTokens: input + (apart ?? 0) + (last('cache_creation_input_tokens') ?? 0),
    outputTokens: last('completion_tokens|output_tokens|eval_count') ?? 0,
    cachedTokens: apart ?? last('cached_tokens') ?? 0,
  };
}
