import { expect, it } from 'vitest';
import type { ModelEvent } from '../../../src/agent/ports/language-model.ts';
import { chooseModel } from '../../../src/providers/target/choose-model.ts';
import { tryToolCall } from '../../../src/providers/try-tool-call.ts';
import { configOf } from '../../support/agent/config-of.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { SCRIPTED } from '../../support/fakes/scripted-model.ts';
import { LOCAL_ANSWERS, localFetch, type RecordedAnswer } from '../../support/wires/local-servers.ts';

const signal = new AbortController().signal;

/** The trial over a wire. */
async function tryOver(provider: string, endpoint: string, answers: Readonly<Record<string, RecordedAnswer>>) {
  const { fetch } = localFetch(answers);
  const ports = { clock: createManualClock(), random: () => 0, openFetch: async () => fetch };
  const choice = chooseModel(configOf({ llm: { provider, endpoint, model: 'caller:latest' } }), {}, ports);
  if (choice.type === 'refused') throw new Error(choice.message);
  return tryToolCall(await choice.open(), signal);
}

it('tells a model that answers with text from one that the server gives no tools', async () => {
  const chat = 'POST http://127.0.0.1:8000/v1/chat/completions';
  expect(await tryOver('openai-compatible', 'http://127.0.0.1:8000', { [chat]: LOCAL_ANSWERS.text })).toEqual({
    type: 'text',
  });
  const refused = await tryOver('ollama', 'http://localhost:11434', {
    'POST http://localhost:11434/api/show': LOCAL_ANSWERS.ollamaShow,
    'GET http://localhost:11434/api/ps': LOCAL_ANSWERS.ollamaPs,
    'POST http://localhost:11434/api/chat': LOCAL_ANSWERS.ollamaRefusal,
  });
  expect(refused).toMatchObject({ type: 'refused', message: expect.stringContaining('does not support tools') });
});

it('tells a server that is down from both', async () => {
  const down = await tryOver('openai-compatible', 'http://127.0.0.1:8000', {});
  expect(down).toMatchObject({ type: 'failed', message: expect.stringContaining('Nothing is listening at') });
  const chat = 'POST http://127.0.0.1:8000/v1/chat/completions';
  const other = await tryOver('openai-compatible', 'http://127.0.0.1:8000', { [chat]: { status: 404, body: '{}' } });
  expect(other).toMatchObject({ type: 'failed', message: expect.stringContaining('There is no chat API at') });
});

const call = (text: string): ModelEvent => ({ type: 'tool_call_delta', index: 0, arguments: text });

it.each<[string, readonly ModelEvent[], string]>([
  ['a call in two pieces', [call('{"path": '), call('"README.md"}')], 'calls'],
  ['a call with a comma too many', [call("{'path': 'README.md',}")], 'calls'],
  ['a call without its argument', [call('{}')], 'broken'],
  ['a call that was cut', [call('{"path": "READ')], 'broken'],
  [
    'a call that was withdrawn',
    [call('{"path": "a"}'), { type: 'retry', attempt: 1, delayMs: 1, code: 'cut_off', message: 'again' }],
    'text',
  ],
])('reads %s', async (_name, events, type) => {
  const model = {
    identity: SCRIPTED,
    async *stream() {
      yield* events;
    },
  };
  expect(await tryToolCall(model, signal)).toEqual({ type });
});

it('throws the reason of the signal, and errors of the program', async () => {
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  const failing = (error: Error) => ({ identity: SCRIPTED, stream: () => fail(error) });
  await expect(tryToolCall(failing(new Error('late')), stop.signal)).rejects.toThrow('stopped');
  await expect(tryToolCall(failing(new Error('a bug')), signal)).rejects.toThrow('a bug');
});

async function* fail(error: Error): AsyncGenerator<ModelEvent, void, void> {
  yield { type: 'text_delta', text: 'Let me' };
  throw error;
}
