import { describe, expect, it } from 'vitest';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet, steps } from '../../../support/stories/builders.ts';

const scenarios = scenarioSet({
  default_response: { content: 'ok' },
  scenarios: [
    { name: 'code', trigger: 'the code', steps: [...steps(2).slice(0, 1), { response: { content: 'It is 5222.' } }] },
    {
      name: 'explicit',
      trigger: 'set ids',
      steps: [{ response: { tool_calls: [{ id: 'call_set', name: 'tool' }] } }, { response: { content: 'As set.' } }],
    },
  ],
});

async function send(path: string, body: object): Promise<readonly [status: number, text: string]> {
  const headers = { 'anthropic-version': '2023-06-01' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await createMockServer({ scenarios }).request(path, request);
  return [response.status, await response.text()];
}

const GEMINI = '/v1beta/models/gemini-2.5-flash:generateContent';
const RESPONSES = '/v1/responses';

const turn = (role: string, ...parts: readonly object[]) => ({ role, parts });
const functionCall = { functionCall: { name: 'customDivide', args: { numerator: 100, denominator: 2 } } };
const functionResponse = { functionResponse: { name: 'customDivide', response: { result: 50 } } };
const user = { role: 'user', content: 'Hello' };
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'TOOL-5222' });
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAA' };
const own = { role: 'assistant', content: 'The meaning of life is 42' };

/** Requests that Google answered with 200, shortened; those of other services are in test/integration/services. */
describe('the server accepts requests that a real service accepted', () => {
  it.each<readonly [string, string, object]>([
    [
      'a functionCall that the user ignores (js-genai, Chats_Tests_chats_function_calling_Google_AI)',
      GEMINI,
      { contents: [turn('user', { text: '100/2?' }), turn('model', functionCall), turn('user', { text: '50/2?' })] },
    ],
    [
      'a functionCall with its functionResponse in one turn (js-genai, sendMessage_multiple_messages_with_server_side_MCP)',
      GEMINI,
      {
        contents: [
          turn('user', { text: '100/2?' }),
          turn('model', functionCall, functionResponse, { text: 'It is 50.' }),
          turn('user', { text: 'And 50/2?' }),
        ],
      },
    ],
  ])('%s', async (_name, path, body) => {
    expect(await send(path, body)).toEqual([200, expect.stringContaining('ok')]);
  });
});

describe('the server refuses requests in the words of the service that refused them', () => {
  const lonely = "Item 'rs_1' of type 'reasoning' was provided without its required following item.";
  const count =
    'Please ensure that the number of function response parts is equal to the number of function call parts of the ' +
    'function call turn.';
  it.each<readonly [string, string, object, string]>([
    [
      'reasoning before a message that the client wrote (pydantic-ai, test_openai_responses_thinking_with_modified_history)',
      RESPONSES,
      { model: 'gpt-5', input: [user, reasoning, own, user] },
      lonely,
    ],
    ['reasoning before a text of the user', RESPONSES, { input: [user, reasoning, user] }, lonely],
    ['reasoning before an output', RESPONSES, { input: [user, reasoning, output('call_1')] }, lonely],
    ['reasoning at the end', RESPONSES, { input: [user, reasoning] }, lonely],
    ['a reference to such reasoning', RESPONSES, { input: [user, { type: 'item_reference', id: 'rs_1' }] }, lonely],
    [
      'two responses to one call (message in google-gemini/gemini-cli, issue 5443)',
      GEMINI,
      {
        contents: [
          turn('user', { text: '100/2?' }),
          turn('model', functionCall),
          turn('user', functionResponse, functionResponse),
        ],
      },
      count,
    ],
  ])('%s', async (_name, path, body, message) => {
    expect(await send(path, body)).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('the output of a call in a stored conversation', () => {
  const callIds = async (prompt: string) => {
    const [, body] = await send(RESPONSES, { input: prompt, conversation: 'conv_1' });
    return [...body.matchAll(/"call_id":"([^"]+)"/g)].map(([, id = '']) => id);
  };

  it.each([
    ['the code', 'It is 5222.'],
    ['set ids', 'As set.'],
  ])('leads to the next step, because its id locates the step: %s', async (prompt, expected) => {
    const ids = await callIds(prompt);
    const answer = await send(RESPONSES, { conversation: { id: 'conv_1' }, input: ids.map(output) });
    expect(answer).toEqual([200, expect.stringContaining(expected)]);
  });

  it('is refused without the conversation', async () => {
    const [id = ''] = await callIds('the code');
    expect(await send(RESPONSES, { input: [user, output(id)] })).toEqual([
      400,
      expect.stringContaining(`No tool call found for function call output with call_id ${id}.`),
    ]);
  });
});
