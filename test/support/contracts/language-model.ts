import { expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/errors.ts';
import type { FinishReason, LanguageModel, ModelEvent, ModelRequest } from '../../../src/agent/ports/language-model.ts';
import { type ScriptedAnswer, scriptedCall } from '../fakes/scripted-model.ts';
import { contractSuite, type Implementation } from './implementations.ts';

/** Creates a model that gives this answer to its first request. */
export interface LanguageModelSubject {
  readonly answering: (answer: ScriptedAnswer) => LanguageModel;
  /** The reasons that its wire does not have, each with the one that it reports instead for a text. */
  readonly missing?: Partial<Readonly<Record<FinishReason, FinishReason>>>;
}

const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'hello' }],
  tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' }, effect: 'read' }],
};

/** Runs the contract of `LanguageModel`. */
export function languageModelContract(implementations: readonly Implementation<LanguageModelSubject>[]): void {
  contractSuite('LanguageModel', implementations, (create) => {
    const never = new AbortController().signal;

    it('yields text in the order of arrival, then one finish at the end', async () => {
      const events = await collect(
        create()
          .answering({ text: ['Hel', 'lo', ' 😀'] })
          .stream(request, never),
      );
      expect(textOf(events)).toBe('Hello 😀');
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
      expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
    });

    it('yields reasoning separately from text', async () => {
      const events = await collect(create().answering({ reasoning: 'hm', text: 'a' }).stream(request, never));
      expect(events.filter(({ type }) => type === 'reasoning_delta')).toEqual([
        { type: 'reasoning_delta', text: 'hm' },
      ]);
      expect(textOf(events)).toBe('a');
    });

    it('yields calls whose pieces share an index, with id and name on the first piece', async () => {
      const calls = [
        scriptedCall('c1', 'read_file', { path: 'a.js' }),
        scriptedCall('c2', 'list_files', { pattern: 'b' }),
      ];
      const events = await collect(create().answering({ calls }).stream(request, never));
      for (const [index, call] of calls.entries()) {
        const pieces = events.flatMap((event) =>
          event.type === 'tool_call_delta' && event.index === index ? [event] : [],
        );
        expect(pieces[0]).toMatchObject({ id: call.id, name: call.name });
        expect(pieces.map((piece) => piece.arguments).join('')).toBe(call.arguments);
      }
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' });
    });

    it('yields usage before the finish', async () => {
      const usage = { inputTokens: 1_200, outputTokens: 3 };
      const events = await collect(create().answering({ text: 'Yes', usage }).stream(request, never));
      expect(events.slice(-2)).toEqual([
        { type: 'usage', ...usage },
        { type: 'finish', reason: 'stop' },
      ]);
    });

    it.each(['stop', 'length', 'content_filter', 'tool_calls'] as const)('finishes with %s', async (end) => {
      const { answering, missing } = create();
      const events = await collect(answering({ text: 'a', end }).stream(request, never));
      expect(events.at(-1)).toEqual({ type: 'finish', reason: missing?.[end] ?? end });
    });

    it.each(['auth', 'rate_limit', 'overloaded', 'context_overflow', 'bad_request'] as const)(
      'throws ModelError %s',
      async (code) => {
        const stream = create()
          .answering({ end: new ModelError(code, 'It went wrong.') })
          .stream(request, never);
        const error = await failureOf(stream);
        expect(error).toBeInstanceOf(ModelError);
        expect(error).toMatchObject({ code });
      },
    );

    it('yields the events before an error', async () => {
      const seen: ModelEvent[] = [];
      const stream = create()
        .answering({ text: 'half', end: new ModelError('overloaded', 'It went wrong.') })
        .stream(request, never);
      await expect(collect(stream, seen)).rejects.toBeInstanceOf(ModelError);
      expect(textOf(seen)).toBe('half');
    });

    it('stops soon after an abort in the middle of an answer', async () => {
      const controller = new AbortController();
      const stream = create().answering({ text: 'half', end: 'stall' }).stream(request, controller.signal);
      const iterator = stream[Symbol.asyncIterator]();
      expect(await iterator.next()).toMatchObject({ value: { type: 'text_delta', text: 'half' } });
      const next = iterator.next();
      controller.abort();
      await expect(next).rejects.toThrow();
      expect(await iterator.next()).toMatchObject({ done: true });
    });

    it('yields nothing when the signal is already aborted', async () => {
      const seen: ModelEvent[] = [];
      await expect(
        collect(create().answering({ text: 'a' }).stream(request, AbortSignal.abort()), seen),
      ).rejects.toThrow();
      expect(seen).toEqual([]);
    });

    it('allows its reader to stop in the middle', async () => {
      const stream = create()
        .answering({ text: ['Yes', ' it is'], end: 'stall' })
        .stream(request, never);
      for await (const event of stream) {
        expect(event).toEqual({ type: 'text_delta', text: 'Yes' });
        break;
      }
    });
  });
}

/** Reads a whole stream; `events` also receives them when the stream fails. */
export async function collect(stream: AsyncIterable<ModelEvent>, events: ModelEvent[] = []): Promise<ModelEvent[]> {
  for await (const event of stream) events.push(event);
  return events;
}

/** The error that reading the stream throws; fails when it throws none. */
export async function failureOf(stream: AsyncIterable<ModelEvent>): Promise<unknown> {
  const events = await collect(stream).catch((error: unknown) => ({ error }));
  if ('error' in events) return events.error;
  throw new Error(`expected an error, but the stream yielded ${JSON.stringify(events)}`);
}

function textOf(events: readonly ModelEvent[]): string {
  return events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : [])).join('');
}
