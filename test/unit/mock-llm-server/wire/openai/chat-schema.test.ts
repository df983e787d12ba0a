import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { lightBodyReader } from '../../../../../mock-llm-server/wire/body.ts';
import { CHAT_REQUEST } from '../../../../../mock-llm-server/wire/openai/chat/chat-schema.data.ts';
import { readChatBody } from '../../../../../mock-llm-server/wire/openai/chat/chat-schema.ts';
import { OPENAI_BODY_ERRORS } from '../../../../../mock-llm-server/wire/openai/shared.ts';
import { mutatedJson } from '../../../../support/random/mutated-json.ts';
import { propertySettings } from '../../../../support/random/property.ts';

const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}', extra: 1 } };
const tool = { type: 'function', function: { name: 'f', description: null, parameters: { type: 'object' } } };
const BODIES: readonly string[] = [
  { messages: [{ role: 'user', content: 'hi' }] },
  {
    model: 'm',
    messages: [
      { role: 'system', content: 'a', name: 'b' },
      { role: 'developer', content: [{ type: 'text', text: 'c', cache: true }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] },
      { role: 'assistant', content: null, tool_calls: [call], reasoning_content: 'd' },
      { role: 'tool', tool_call_id: 'a', content: 'e' },
      { role: 'assistant', content: 'f', function_call: { name: 'g', arguments: '{}', extra: 1 } },
      { role: 'function', name: 'g', content: null },
    ],
    tools: [tool, { type: 'custom', custom: { name: 'h' } }],
    tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool] } },
    response_format: { type: 'json_schema', json_schema: { name: 'i', schema: { type: 'object' }, strict: true } },
    stop: ['j'],
    n: 2,
    max_tokens: 5,
    stream: true,
    stream_options: { include_usage: true, other: 1 },
    unknown: {},
  },
  {
    messages: [{ role: 'user', content: 'hi' }],
    tool_choice: 'required',
    stop: 'x',
    response_format: { type: 'text' },
  },
].map((body) => JSON.stringify(body));
const FIELDS = ['role', 'content', 'tool_calls', 'function', 'custom', 'name', 'type', 'text', 'stop', 'n', 'unknown'];
const refused = { type: 'error', status: 400, code: null, message: 'refused by zod' } as const;

/** A reader that gets no zod. */
const lightly = () => lightBodyReader(CHAT_REQUEST, OPENAI_BODY_ERRORS, async () => () => refused);

/** Equal results, where `refused` stands for any error of zod. */
async function sameResult(body: string): Promise<void> {
  const expected = readChatBody(body);
  expect(await lightly()(body)).toEqual(expected.type === 'error' ? expect.objectContaining(errorOf(body)) : expected);
}

function errorOf(body: string): object {
  try {
    JSON.parse(body);
    return refused;
  } catch {
    return { type: 'error', status: 400 };
  }
}

describe('a body of Chat Completions that is read without zod', () => {
  it.each(BODIES)('has the data that zod returns: %s', async (body) => {
    expect(await lightly()(body)).toMatchObject({ type: 'body' });
    await sameResult(body);
  });

  it('has the verdict and the data of zod after any change', async () => {
    await fc.assert(fc.asyncProperty(mutatedJson(BODIES, FIELDS), sameResult), propertySettings(120));
    const texts = fc.sample(mutatedJson(BODIES, FIELDS), propertySettings(120));
    const accepted = texts.filter((body) => readChatBody(body).type === 'body').length;
    expect(accepted).toBeGreaterThan(texts.length / 20);
    expect(texts.length - accepted).toBeGreaterThan(texts.length / 20);
  });

  it('has another verdict with a schema that lacks a rule', async () => {
    const { required: _required, ...json } = CHAT_REQUEST.json;
    const reader = lightBodyReader({ json }, OPENAI_BODY_ERRORS, async () => () => refused);
    expect(await reader('{}')).not.toEqual(await lightly()('{}'));
  });

  it.each(['{', '', '[', '\u0000'])('reports text that is not JSON without zod: %j', async (body) => {
    const load = vi.fn(async () => readChatBody);
    expect(await lightBodyReader(CHAT_REQUEST, OPENAI_BODY_ERRORS, load)(body)).toEqual(readChatBody(body));
    expect(load).not.toHaveBeenCalled();
  });

  it('leaves a body that does not fit to zod, and every later one', async () => {
    const load = vi.fn(async () => readChatBody);
    const reader = lightBodyReader(CHAT_REQUEST, OPENAI_BODY_ERRORS, load);
    expect(await reader('{"messages": 1}')).toEqual(readChatBody('{"messages": 1}'));
    expect(await reader(BODIES[0] ?? '')).toEqual(readChatBody(BODIES[0] ?? ''));
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('leaves the bodies of a server with many requests to zod', async () => {
    const load = vi.fn(async () => readChatBody);
    const reader = lightBodyReader(CHAT_REQUEST, OPENAI_BODY_ERRORS, load);
    for (let count = 1; count < 50; count += 1) await reader(BODIES[0] ?? '');
    expect(load).not.toHaveBeenCalled();
    for (let count = 0; count < 10; count += 1) await reader(BODIES[0] ?? '');
    expect(load).toHaveBeenCalledTimes(1);
  });
});
