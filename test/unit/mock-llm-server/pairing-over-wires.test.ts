import { describe, expect, it } from 'vitest';
import { createJournal } from '../../../mock-llm-server/journal.ts';
import type { LintMode } from '../../../mock-llm-server/lint-mode.ts';
import { createMockServer } from '../../../mock-llm-server/server.ts';
import { scenarioSet } from './builders.ts';

const set = scenarioSet({
  scenarios: [
    {
      name: 'pair',
      trigger: 'go',
      steps: [{ response: { tool_calls: [{ name: 'f' }, { name: 'f' }] } }, { response: { content: 'done' } }],
    },
  ],
});

async function send(path: string, body: object, lint: LintMode = 'fail') {
  const journal = createJournal();
  const app = createMockServer({ scenarios: set, journal, lint });
  const answer = await app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'm', max_tokens: 9, stream: false, ...body }),
  });
  return { status: answer.status, text: await answer.text(), lint: journal.entries[0]?.lint };
}

const output = (id: string, type = 'function_call_output') => ({ type, call_id: id, output: 'ok' });
const called = (id: string, type = 'function_call') => ({ type, call_id: id, name: 'f', arguments: '{}', input: '' });
const go = { role: 'user', content: 'go' };
const quick = { role: 'user', content: 'also be quick' };

const chatCalls = (ids: readonly string[]) => ({
  role: 'assistant',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const toolMessage = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const blocks = (type: 'tool_use' | 'tool_result', ids: readonly string[]) => ({
  role: type === 'tool_use' ? 'assistant' : 'user',
  content: ids.map((id) => (type === 'tool_use' ? { type, id, name: 'f', input: {} } : { type, tool_use_id: id })),
});
const part = (kind: 'functionCall' | 'functionResponse', id: string | undefined, name = 'f') => ({
  [kind]: { ...(id !== undefined && { id }), name },
});
const contents = (...list: readonly (readonly object[])[]) => ({
  contents: list.map((parts, index) => ({ role: index % 2 === 0 ? 'user' : 'model', parts })),
});
const goPart = [{ text: 'go' }];

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const ANTHROPIC = '/v1/messages';
const GEMINI = '/v1beta/models/gemini-2.5-pro:generateContent';
const OLLAMA = '/api/chat';

describe('what each API takes', () => {
  it.each<readonly [string, string, object]>([
    [
      'a text between calls and outputs',
      RESPONSES,
      { input: [go, called('a'), called('b'), quick, output('a'), output('b')] },
    ],
    ['a text between outputs', RESPONSES, { input: [go, called('a'), called('b'), output('a'), quick, output('b')] }],
    ['calls and outputs in turn', RESPONSES, { input: [go, called('a'), output('a'), called('b'), output('b')] }],
    [
      'a custom tool that says more than once what it does',
      RESPONSES,
      {
        input: [
          go,
          called('a', 'custom_tool_call'),
          called('b'),
          output('a', 'custom_tool_call_output'),
          output('a', 'custom_tool_call_output'),
          output('b'),
        ],
      },
    ],
    ['results in any order', CHAT, { messages: [go, chatCalls(['a', 'b']), toolMessage('b'), toolMessage('a')] }],
    [
      'results in any order',
      ANTHROPIC,
      { messages: [go, blocks('tool_use', ['a', 'b']), blocks('tool_result', ['b', 'a'])] },
    ],
    [
      'responses without ids',
      GEMINI,
      contents(
        goPart,
        [part('functionCall', undefined), part('functionCall', undefined)],
        [part('functionResponse', undefined), part('functionResponse', undefined)],
      ),
    ],
    [
      'responses whose number and names are right',
      GEMINI,
      contents(
        goPart,
        [part('functionCall', 'a'), part('functionCall', 'b')],
        [part('functionResponse', 'a'), part('functionResponse', 'a')],
      ),
    ],
    [
      'a text before the results',
      OLLAMA,
      { messages: [go, chatCallsOf(2), quick, { role: 'tool', content: 'x' }, { role: 'tool', content: 'y' }] },
    ],
    ['fewer results than calls', OLLAMA, { messages: [go, chatCallsOf(2), { role: 'tool', content: 'x' }] }],
    ['results of no call', OLLAMA, { messages: [go, { role: 'tool', content: 'x' }, { role: 'tool', content: 'y' }] }],
  ])('%s: %s', async (_name, path, body) => {
    expect(await send(path, body)).toMatchObject({ status: 200, text: expect.stringContaining('done') });
  });
});

describe('what each API refuses', () => {
  it.each<readonly [string, string, object, string]>([
    [
      'a call without an output',
      RESPONSES,
      { input: [go, called('a'), called('b'), output('a')] },
      'for function call b.',
    ],
    ['an output without a call', RESPONSES, { input: [go, output('a')] }, 'output with call_id a.'],
    [
      'a text before the results',
      CHAT,
      { messages: [go, chatCalls(['a']), quick, toolMessage('a')] },
      'did not have response messages: a',
    ],
    [
      'a text between the results',
      CHAT,
      { messages: [go, chatCalls(['a', 'b']), toolMessage('a'), quick, toolMessage('b')] },
      'did not have response messages: b',
    ],
    [
      'a message before the results',
      ANTHROPIC,
      { messages: [go, blocks('tool_use', ['a']), quick, blocks('tool_result', ['a'])] },
      'without `tool_result` blocks immediately after: a',
    ],
    [
      'a response too few',
      GEMINI,
      contents(goPart, [part('functionCall', 'a'), part('functionCall', 'b')], [part('functionResponse', 'a')]),
      'number of function response parts is equal',
    ],
    [
      'another name',
      GEMINI,
      contents(goPart, [part('functionCall', 'a')], [part('functionResponse', 'x', 'g')]),
      'number of function response parts is equal',
    ],
    [
      'a text before the responses',
      GEMINI,
      contents(
        goPart,
        [part('functionCall', 'a')],
        [{ text: 'quick' }],
        [{ text: 'ok' }],
        [part('functionResponse', 'a')],
      ),
      'number of function response parts is equal',
    ],
  ])('%s: %s', async (_name, path, body, message) => {
    expect(await send(path, body)).toMatchObject({ status: 400, text: expect.stringContaining(message) });
  });
});

it.each<LintMode>(['fail', 'warn'])('what Ollama does not look at is a note under %s', async (lint) => {
  const answer = await send(OLLAMA, { messages: [go, chatCallsOf(2), { role: 'tool', content: 'x' }] }, lint);
  expect(answer).toMatchObject({
    status: 200,
    lint: ['messages[1]: these tool calls have no result: messages[1].tool_calls[1]'],
  });
});

function chatCallsOf(count: number) {
  return {
    role: 'assistant',
    tool_calls: Array.from({ length: count }, () => ({ function: { name: 'f', arguments: {} } })),
  };
}
