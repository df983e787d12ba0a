import { describe, expect, it } from 'vitest';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import type { LintMode } from '../../../../mock-llm-server/wire/wire.ts';
import { scenarioSet, steps } from '../../../support/stories/builders.ts';

const set = scenarioSet({
  scenarios: [
    {
      name: 'pair',
      trigger: 'go',
      steps: [{ response: { tool_calls: [{ name: 'f' }, { name: 'f' }] } }, { response: { content: 'done' } }],
    },
    {
      name: 'numbers',
      trigger: 'count them',
      steps: [
        { response: { tool_calls: [{ name: 'f' }, { name: 'g' }] } },
        { response: { content: '[{{tool_result 1}}, {{tool_result 2}}, {{tool_result last}}]' } },
      ],
    },
  ],
});

async function send(path: string, body: object, lint: LintMode = 'fail') {
  const journal = createJournal();
  const app = createMockServer({ scenarios: set, journal, lint });
  const answer = await app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({
      model: 'm',
      ...(path === '/v1/messages' && { max_tokens: 9 }),
      ...(!path.startsWith('/v1beta/') && { stream: false }),
      ...body,
    }),
  });
  return { status: answer.status, text: await answer.text(), lint: journal.entries[0]?.lint };
}

const DONE = { status: 200, text: expect.stringContaining('done') };
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
/** Calls and responses of Gemini with these ids. */
const turns = (calls: readonly (string | undefined)[], responses: readonly (string | undefined)[]) =>
  contents(
    goPart,
    calls.map((id) => part('functionCall', id)),
    responses.map((id) => part('functionResponse', id)),
  );
const goPart = [{ text: 'go' }];

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const ANTHROPIC = '/v1/messages';
const GEMINI = '/v1beta/models/gemini-2.5-pro:generateContent';
const OLLAMA = '/api/chat';

const picture = { type: 'image_url', image_url: { url: 'data:,' } };
const inline = { inlineData: { mimeType: 'image/png', data: '' } };

describe('messages between calls and results', () => {
  const system = { role: 'system', content: 'Be quick.' };
  const chat = (...between: readonly object[]) => ({
    messages: [go, chatCalls(['a', 'b']), ...between, toolMessage('a'), toolMessage('b')],
  });
  const calls = [part('functionCall', 'a'), part('functionCall', 'b')];
  const answers = [part('functionResponse', 'a'), part('functionResponse', 'b')];
  const turn = (role: string, ...parts: readonly object[]) => ({ role, parts });
  const google = (...between: readonly object[]) => ({
    contents: [turn('user', ...goPart), turn('model', ...calls), ...between, turn('user', ...answers)],
  });
  const unanswered = 'Function calls without a response: a, b.';
  const late = 'did not have response messages: a, b';

  it.each<readonly [string, string, object, string]>([
    ['a system text', CHAT, chat(system), late],
    ['a developer text', CHAT, chat({ role: 'developer', content: 'Be quick.' }), late],
    ['a text of the assistant', CHAT, chat({ role: 'assistant', content: 'Wait.' }), late],
    ['a picture', CHAT, chat({ role: 'user', content: [picture] }), late],
    ['an empty text of the user', CHAT, chat({ role: 'user', content: '' }), late],
    [
      'a system text between two results',
      CHAT,
      { messages: [go, chatCalls(['a', 'b']), toolMessage('b'), system, toolMessage('a')] },
      'did not have response messages: a"',
    ],
    ['a picture to Gemini', GEMINI, google(turn('user', inline)), unanswered],
    ['a text of the model', GEMINI, google(turn('model', { text: 'Wait.' })), unanswered],
  ])('are refused: %s', async (_name, path, body, expected) => {
    const text = expect.stringContaining(expected);
    const lint = [expect.any(String)];
    expect(await send(path, body)).toMatchObject({ status: 400, text, lint });
    expect(await send(path, body, 'warn')).toMatchObject({ ...DONE, lint });
    expect(await send(path, body, 'off')).toMatchObject({ ...DONE, lint: [] });
  });

  it('are reported once if they are a text of the user, or if a result is absent', async () => {
    const bodies = [chat(system, quick), { messages: [go, chatCalls(['a', 'b']), system, toolMessage('a')] }];
    for (const body of bodies) expect((await send(CHAT, body, 'warn')).lint).toHaveLength(1);
  });

  it.each<readonly [string, string, object]>([
    ['nothing', CHAT, chat()],
    ['an empty message of the assistant', CHAT, chat({ role: 'assistant', content: '' })],
    ['more calls', CHAT, { messages: [go, chatCalls(['a']), chatCalls(['b']), toolMessage('a'), toolMessage('b')] }],
    ['system texts elsewhere', CHAT, { messages: [system, go, system, ...chat().messages.slice(1), system] }],
    ['a picture after the results', CHAT, { messages: [...chat().messages, { role: 'user', content: [picture] }] }],
    ['nothing to Gemini', GEMINI, google()],
    [
      'a picture beside the responses',
      GEMINI,
      { contents: [turn('user', ...goPart), turn('model', ...calls), turn('user', ...answers, inline)] },
    ],
  ])('are accepted: %s', async (_name, path, body) => {
    expect(await send(path, body)).toMatchObject({ ...DONE, lint: [] });
  });
});

describe('the number of a tool result', () => {
  const count = 'count them';
  const prompt = { role: 'user', content: count };
  const chat = (...ids: readonly string[]) => ({
    messages: [prompt, chatCalls(['a', 'b']), ...ids.map((id) => ({ ...toolMessage(id), content: id.toUpperCase() }))],
  });
  const outputs = (...ids: readonly string[]) => ({
    input: [prompt, called('a'), called('b'), ...ids.map((id) => ({ ...output(id), output: id.toUpperCase() }))],
  });
  const block = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: id.toUpperCase() });
  const anthropic = (...ids: readonly string[]) => ({
    messages: [prompt, blocks('tool_use', ['a', 'b']), { role: 'user', content: ids.map(block) }],
  });
  const responses = (...names: readonly string[]) =>
    names.map((name) => ({ functionResponse: { name, response: { output: name === 'f' ? 'A' : 'B' } } }));
  const functionCalls = [{ functionCall: { name: 'f' } }, { functionCall: { name: 'g' } }];
  const google = (...names: readonly string[]) => contents([{ text: count }], functionCalls, responses(...names));
  const ollama = (...names: readonly string[]) => ({
    messages: [
      prompt,
      { role: 'assistant', tool_calls: ['f', 'g'].map((name) => ({ function: { name } })) },
      ...names.map((name) => ({ role: 'tool', tool_name: name, content: name === 'f' ? 'A' : 'B' })),
    ],
  });

  it.each<readonly [string, string, readonly object[]]>([
    ['Chat Completions', CHAT, [chat('a', 'b'), chat('b', 'a')]],
    ['Responses', RESPONSES, [outputs('a', 'b'), outputs('b', 'a')]],
    ['Anthropic', ANTHROPIC, [anthropic('a', 'b'), anthropic('b', 'a')]],
    ['Gemini', GEMINI, [google('f', 'g'), google('g', 'f')]],
    ['Ollama', OLLAMA, [ollama('f', 'g'), ollama('g', 'f')]],
  ])('is that of its call, in any order of results: %s', async (_name, path, bodies) => {
    for (const body of bodies) {
      expect(await send(path, body)).toMatchObject({ status: 200, text: expect.stringContaining('[A, B, B]') });
    }
  });

  it.each<readonly [string, string, object, string]>([
    ['the second of two', OLLAMA, ollama('f'), 'the call messages[1].tool_calls[1] to g has no result'],
    ['the first of two', OLLAMA, ollama('g'), 'the call messages[1].tool_calls[0] to f has no result'],
    ['a call of a request that is not checked', CHAT, chat('b'), 'the call a to f has no result'],
  ])('identifies the absent result: %s', async (_name, path, body, expected) => {
    const { status, text } = await send(path, body, 'off');
    expect([status, text]).toEqual([400, expect.stringContaining(`has no value: ${expected}`)]);
  });
});

describe('an image alone', () => {
  const answered = { role: 'assistant', content: 'done' };
  it.each<readonly [string, string, object]>([
    ['Chat Completions', CHAT, { messages: [go, answered, { role: 'user', content: [picture] }] }],
    [
      'Responses',
      RESPONSES,
      { input: [go, answered, { role: 'user', content: [{ type: 'input_image', image_url: '' }] }] },
    ],
    ['Anthropic', ANTHROPIC, { messages: [go, answered, { role: 'user', content: [{ type: 'image', source: {} }] }] }],
    ['Gemini', GEMINI, contents(goPart, [{ text: 'done' }], [inline])],
    ['Ollama', OLLAMA, { messages: [go, answered, { role: 'user', content: '', images: ['aGk='] }] }],
  ])('is a new prompt without text: %s', async (_name, path, body) => {
    const answer = await send(path, body);
    const message = 'No scenario matches this request. The request has no text of the user.';
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
  });
});

it.each([
  ['as the first message', []],
  ['after an answer', [go, { role: 'assistant', content: 'done' }]],
])('an image alone starts a scenario whose trigger needs no text: %s', async (_name, before) => {
  const scenarios = scenarioSet({ scenarios: [{ name: 'any', trigger: { model: 'vision' }, steps: steps() }] });
  const answer = await createMockServer({ scenarios }).request(CHAT, {
    method: 'POST',
    body: JSON.stringify({ model: 'vision', messages: [...before, { role: 'user', content: [picture] }] }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('done')]);
});

describe('requests that each API accepts', () => {
  it.each<readonly [string, string, object]>([
    [
      'a text between calls and outputs',
      RESPONSES,
      { input: [go, called('a'), called('b'), quick, output('a'), output('b')] },
    ],
    ['a text between outputs', RESPONSES, { input: [go, called('a'), called('b'), output('a'), quick, output('b')] }],
    ['calls and outputs in turn', RESPONSES, { input: [go, called('a'), output('a'), called('b'), output('b')] }],
    [
      'several outputs of one custom tool call',
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
    ['responses without ids', GEMINI, turns([undefined, undefined], [undefined, undefined])],
    ['responses whose number and names fit, although an id does not', GEMINI, turns(['a', 'b'], ['a', 'a'])],
    [
      'a text before the results',
      OLLAMA,
      { messages: [go, chatCallsOf(2), quick, { role: 'tool', content: 'x' }, { role: 'tool', content: 'y' }] },
    ],
    ['fewer results than calls', OLLAMA, { messages: [go, chatCallsOf(2), { role: 'tool', content: 'x' }] }],
    ['results of no call', OLLAMA, { messages: [go, { role: 'tool', content: 'x' }, { role: 'tool', content: 'y' }] }],
  ])('%s: %s', async (_name, path, body) => {
    expect(await send(path, body)).toMatchObject(DONE);
  });
});

describe('requests that each API refuses', () => {
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
    ['one response too few', GEMINI, turns(['a', 'b'], ['a']), 'number of function response parts is equal'],
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
      'function response turn comes immediately after a function call turn',
    ],
  ])('%s: %s', async (_name, path, body, message) => {
    expect(await send(path, body)).toMatchObject({ status: 400, text: expect.stringContaining(message) });
  });
});

it.each<LintMode>(['fail', 'warn'])(
  'unpaired results, which Ollama does not check, are only noted with lint %s',
  async (lint) => {
    const answer = await send(OLLAMA, { messages: [go, chatCallsOf(2), { role: 'tool', content: 'x' }] }, lint);
    expect(answer).toMatchObject({
      status: 200,
      lint: ['messages[1]: these tool calls have no result: messages[1].tool_calls[1]'],
    });
  },
);

function chatCallsOf(count: number) {
  return {
    role: 'assistant',
    tool_calls: Array.from({ length: count }, () => ({ function: { name: 'f', arguments: {} } })),
  };
}
