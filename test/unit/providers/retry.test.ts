import { afterEach, describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/errors.ts';
import type {
  LanguageModel,
  ModelErrorCode,
  ModelEvent,
  ModelRequest,
} from '../../../src/agent/ports/language-model.ts';
import { withoutEmptyAnswers, withRetry } from '../../../src/providers/retry.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createScriptedModel, SCRIPTED, type ScriptedAnswer } from '../../support/fakes/scripted-model.ts';

const request: ModelRequest = { system: '', messages: [{ role: 'user', content: 'hello' }], tools: [] };
const never = new AbortController().signal;
const settings = { attempts: 3, backoffBaseMs: 1_000 };
const fails = (code: ModelErrorCode, retryAfterMs?: number): ScriptedAnswer => ({
  text: 'half',
  end: new ModelError(code, 'It went wrong.', retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const retriesOf = (events: readonly ModelEvent[]) => events.filter((event) => event.type === 'retry');

/** Reads the whole answer while the clock runs as fast as it can. */
async function collect(model: LanguageModel, clock = createManualClock()): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, never)) {
    events.push(event);
    if (event.type === 'retry') void clock.untilSleeping().then(() => clock.advance(event.delayMs));
  }
  return events;
}

describe('withRetry', () => {
  const clock = createManualClock();
  afterEach(() => clock.assertIdle());

  it.each(['rate_limit', 'overloaded', 'network', 'cut_off'] as const)(
    'repeats a request that failed with %s',
    async (code) => {
      const model = createScriptedModel(fails(code), { text: 'whole' });
      expect(await collect(withRetry(model, clock, settings), clock)).toEqual([
        { type: 'text_delta', text: 'half' },
        { type: 'retry', attempt: 1, delayMs: 1_000, code, message: 'It went wrong.' },
        { type: 'text_delta', text: 'whole' },
        { type: 'finish', reason: 'stop' },
      ]);
      expect(model.requests).toEqual([request, request]);
      model.assertExhausted();
    },
  );

  it.each(['auth', 'bad_request', 'context_overflow'] as const)(
    'does not repeat a request that failed with %s',
    async (code) => {
      const model = createScriptedModel(fails(code));
      await expect(collect(withRetry(model, clock, settings))).rejects.toMatchObject({ code });
      model.assertExhausted();
    },
  );

  it('rethrows an error that is not a ModelError', async () => {
    const model = createScriptedModel();
    await expect(collect(withRetry(model, clock, settings))).rejects.toThrow('the script has no answer');
  });

  it('throws the last error after the last attempt', async () => {
    const model = createScriptedModel(fails('network'), fails('network'), fails('overloaded'));
    const retrying = withRetry(model, clock, { ...settings, attempts: 2 });
    await expect(collect(retrying, clock)).rejects.toMatchObject({ code: 'overloaded' });
    model.assertExhausted();
  });

  it('sends one request when attempts is 0', async () => {
    const model = createScriptedModel(fails('network'));
    await expect(collect(withRetry(model, clock, { ...settings, attempts: 0 }))).rejects.toThrow('It went wrong.');
  });

  it('doubles the wait up to 30 s', async () => {
    const model = createScriptedModel(...Array.from({ length: 7 }, () => fails('network')), {});
    const events = await collect(withRetry(model, clock, { ...settings, attempts: 7 }), clock);
    expect(retriesOf(events).map(({ delayMs }) => delayMs)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
  });

  it.each([
    [0, 750],
    [0.5, 1_000],
    [0.999, 1_250],
  ])('varies the wait by up to a quarter: the random number %d makes it %d ms', async (random, delayMs) => {
    const model = createScriptedModel(fails('network'), {});
    const events = await collect(
      withRetry(model, clock, settings, () => random),
      clock,
    );
    expect(retriesOf(events)).toMatchObject([{ delayMs }]);
  });

  it.each([0, 45_000, 120_000])('waits for the %d ms that the provider asks for', async (delayMs) => {
    const model = createScriptedModel(fails('rate_limit', delayMs), {});
    const events = await collect(withRetry(model, clock, settings), clock);
    expect(retriesOf(events)).toMatchObject([{ delayMs, message: 'It went wrong.' }]);
  });

  it.each([
    [120_001, 3, '3 min'],
    [120_001, 0, '3 min'],
    [180_000, 3, '3 min'],
    [40_000_000, 3, '12 h'],
  ])('stops at a wait of %d ms with %d attempts left, and names it as %s', async (retryAfterMs, attempts, wait) => {
    const model = createScriptedModel(fails('rate_limit', retryAfterMs));
    await expect(collect(withRetry(model, clock, { ...settings, attempts }))).rejects.toMatchObject({
      code: 'rate_limit',
      message: `It went wrong. It asks to wait ${wait}, and ybs waits at most 2 min. Try again after that time.`,
      retryAfterMs,
    });
    model.assertExhausted();
  });

  it('never repeats a request whose answer has finished', async () => {
    const model = createScriptedModel({
      events: [{ type: 'finish', reason: 'stop' }],
      end: new ModelError('network', 'The line dropped afterwards.'),
    });
    await expect(collect(withRetry(model, clock, settings))).rejects.toThrow('The line dropped afterwards.');
  });

  it('stops waiting as soon as it is aborted', async () => {
    const controller = new AbortController();
    const model = createScriptedModel(fails('network'));
    const stream = withRetry(model, clock, settings).stream(request, controller.signal)[Symbol.asyncIterator]();
    await stream.next();
    await stream.next();
    const waiting = stream.next();
    await clock.untilSleeping();
    controller.abort();
    await expect(waiting).rejects.toBe(controller.signal.reason);
    model.assertExhausted();
  });

  it('does not repeat a request that failed after an abort', async () => {
    const controller = new AbortController();
    const model: LanguageModel = {
      identity: SCRIPTED,
      async *stream() {
        yield { type: 'text_delta', text: 'half' };
        controller.abort();
        throw new ModelError('network', 'The line dropped.');
      },
    };
    const stream = withRetry(model, clock, settings).stream(request, controller.signal)[Symbol.asyncIterator]();
    await stream.next();
    await expect(stream.next()).rejects.toThrow('The line dropped.');
  });
});

describe('withoutEmptyAnswers', () => {
  const answering = (...events: readonly ModelEvent[]): LanguageModel => ({
    identity: SCRIPTED,
    async *stream() {
      yield* events;
    },
  });
  const stop = { type: 'finish', reason: 'stop' } as const;
  const again = { type: 'retry', attempt: 1, delayMs: 0, code: 'network', message: '' } as const;

  it.each<[string, readonly ModelEvent[], string]>([
    ['nothing', [stop], 'an empty answer'],
    ['white space', [{ type: 'text_delta', text: ' \n' }, stop], 'an empty answer'],
    ['reasoning', [{ type: 'reasoning_delta', text: 'a' }, { type: 'reasoning_delta', text: 'b' }, stop], 'only its'],
    ['a text that was withdrawn', [{ type: 'text_delta', text: 'a' }, again, stop], 'an empty answer'],
  ])('throws for %s', async (_name, events, words) => {
    const error: unknown = await collect(withoutEmptyAnswers(answering(...events))).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'incomplete_answer', message: expect.stringContaining(words) });
  });

  it.each<[string, readonly ModelEvent[]]>([
    ['a text', [{ type: 'text_delta', text: 'a' }, { type: 'text_delta', text: 'b' }, stop]],
    ['a call', [{ type: 'tool_call_delta', index: 0, name: 'a', arguments: '' }, stop]],
    ['a cut answer', [{ type: 'finish', reason: 'length' }]],
    ['counts', [{ type: 'usage', inputTokens: 1, outputTokens: 1 }, { type: 'text_delta', text: 'a' }, stop]],
  ])('passes on %s', async (_name, events) => {
    expect(await collect(withoutEmptyAnswers(answering(...events)))).toEqual(events);
  });
});
