import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../../src/agent/errors.ts';
import type { ModelEvent } from '../../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../../src/agent/ports/messages.ts';
import type { PrepareRequest } from '../../../../src/agent/run-input.ts';
import { EMPTY_SESSION } from '../../../../src/agent/session-state.ts';
import { eventsOf, outcomeOf, runHarness } from '../../../support/agent/agent-harness.ts';
import { scriptedCall as call } from '../../../support/fakes/scripted-model.ts';
import { scriptedTools } from '../../../support/fakes/scripted-tools.ts';

describe('the preparation of a request', () => {
  it('sends the repaired history by default', async () => {
    const [user, orphan]: readonly Message[] = [
      { role: 'user', content: 'earlier' },
      { role: 'tool', toolCallId: 'nobody', content: 'lost', isError: false },
    ];
    if (user === undefined || orphan === undefined) throw new Error('the history is empty');
    const state = { ...EMPTY_SESSION, started: true, messages: [user, orphan] };
    const run = await runHarness({ answers: [{ text: 'Done.' }], state });
    expect(run.model.requests[0]?.messages).toEqual([user, { role: 'user', content: 'go' }]);
  });

  it('may replace the messages and yield events, before each request of a run', async () => {
    const seen: number[] = [];
    const prepareRequest: PrepareRequest = async function* (state) {
      seen.push(state.messages.length);
      const messages: Message[] = [{ role: 'user', content: `a summary of ${state.messages.length}` }];
      yield { type: 'compaction', tokensBefore: 900, tokensAfter: 20, messages };
      return messages;
    };
    const run = await runHarness({
      answers: [{ calls: [call('a', 'read', { label: 'x' })] }, { text: 'Done.' }],
      tools: scriptedTools({ read: {} }),
      prepareRequest,
    });
    expect(seen).toEqual([1, 3]);
    expect(run.model.requests.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
      ['a summary of 1'],
      ['a summary of 3'],
    ]);
    expect(eventsOf(run, 'compaction')).toHaveLength(2);
    expect(run.events.slice(1, 6).map(({ type }) => type)).toEqual([
      'user_message',
      'turn_start',
      'compaction',
      'tool_call_delta',
      'assistant_message',
    ]);
    expect(outcomeOf(run).outcome).toBe('done');
  });

  it('is abandoned when the user stops the run while it waits, and its signal aborts', async () => {
    let stopNow = (): void => {};
    let aborted = false;
    const run = await runHarness({
      answers: [],
      prepareRequest: async function* (_state, _request, signal) {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        yield { type: 'warning', code: 'slow', message: 'Preparing.' };
        stopNow();
        return new Promise<never>(() => {});
      },
      onEvent: (_event, stop) => {
        stopNow = stop;
      },
    });
    expect(outcomeOf(run)).toEqual({ type: 'run_end', outcome: 'aborted', message: 'Stopped.' });
    expect(aborted).toBe(true);
    expect(run.model.requests).toEqual([]);
    expect(run.state.messages).toEqual([{ role: 'user', content: 'go' }]);
  });

  it('is repeated once, with an event, when the provider refuses the request as too long', async () => {
    const wanted: unknown[] = [];
    const run = await runHarness({
      answers: [{ end: new ModelError('context_overflow', 'Too long.') }, { text: 'Done.' }],
      prepareRequest: async function* (state, { shorten }) {
        wanted.push(shorten);
        return state.messages;
      },
    });
    expect(wanted).toEqual([undefined, 'overflow']);
    const message = 'The model refused the conversation as too long, so it is shortened.';
    const retry = { type: 'retry', attempt: 1, delayMs: 0, code: 'context_overflow', message };
    expect(eventsOf(run, 'retry')).toEqual([retry]);
  });

  it.each([
    ['an error of a model', new ModelError('overloaded', 'Try later.'), { code: 'overloaded', message: 'Try later.' }],
    [
      'any other error',
      new Error('out of luck'),
      { code: 'internal', message: 'The request to the model failed unexpectedly: out of luck' },
    ],
  ])('ends the run as failed when it throws %s', async (_name, thrown, error) => {
    const run = await runHarness({
      answers: [],
      prepareRequest: () => {
        throw thrown;
      },
    });
    expect(outcomeOf(run)).toMatchObject({ outcome: 'failed', error });
    expect(run.model.requests).toEqual([]);
  });

  it('must continue the previous request unless it was compacted', async () => {
    let requests = 0;
    const changing = runHarness({
      answers: [{ calls: [call('a', 'read', { label: 'x' })] }, { text: 'Done.' }],
      tools: scriptedTools({ read: {} }),
      prepareRequest: async function* (state) {
        requests += 1;
        return [{ role: 'user', content: `request ${requests}` }, ...state.messages];
      },
    });
    await expect(changing).rejects.toThrow('request 1 does not continue the one before');
  });

  it('is closed when the consumer leaves at one of its events', async () => {
    let closed = false;
    const leaving = runHarness({
      answers: [],
      prepareRequest: async function* () {
        try {
          yield { type: 'warning', code: 'slow', message: 'Preparing.' };
          return [];
        } finally {
          closed = true;
        }
      },
      onEvent: ({ type }) => {
        if (type === 'warning') throw new Error('the consumer left');
      },
    });
    await expect(leaving).rejects.toThrow('the consumer left');
    expect(closed).toBe(true);
  });
});

describe('a call that the model is writing', () => {
  it('is reported piece by piece, with the id and the name that it will have', async () => {
    const events: ModelEvent[] = [
      { type: 'tool_call_delta', index: 0, id: 'a', arguments: '{"la' },
      { type: 'tool_call_delta', index: 0, name: 'read', arguments: 'bel"' },
      { type: 'tool_call_delta', index: 1, name: 'read', arguments: '{"label":' },
      { type: 'tool_call_delta', index: 0, arguments: '' },
      { type: 'tool_call_delta', index: 0, arguments: ':"x"}' },
      { type: 'tool_call_delta', index: 1, arguments: '"y"}' },
    ];
    const run = await runHarness({
      answers: [{ events, end: 'tool_calls' }, { text: 'Done.' }],
      tools: scriptedTools({ read: {} }),
    });
    expect(eventsOf(run, 'tool_call_delta')).toEqual([
      { type: 'tool_call_delta', callId: 'a', name: 'read', text: '{"label"' },
      { type: 'tool_call_delta', callId: 'call_1_2', name: 'read', text: '{"label":' },
      { type: 'tool_call_delta', callId: 'a', name: 'read', text: ':"x"}' },
      { type: 'tool_call_delta', callId: 'call_1_2', name: 'read', text: '"y"}' },
    ]);
    expect(eventsOf(run, 'tool_call').map(({ call: { id } }) => id)).toEqual(['a', 'call_1_2']);
  });

  it('has no name while it is held back as text, which is not part of the answer', async () => {
    const held: ModelEvent = { type: 'held_delta', text: '<tool_call>{"name"' };
    const run = await runHarness({ answers: [{ events: [held, { type: 'text_delta', text: 'Hi.' }] }] });
    expect(eventsOf(run, 'tool_call_delta')).toEqual([{ type: 'tool_call_delta', text: '<tool_call>{"name"' }]);
    expect(run.state.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Hi.', toolCalls: [] });
  });
});
