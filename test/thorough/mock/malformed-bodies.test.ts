import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../../mock-llm-server/conversation/conversation.ts';
import { createMockServer } from '../../../mock-llm-server/server/app.ts';
import { propertySettings } from '../../support/random/property.ts';
import { readRequests } from '../../support/recorded/requests.ts';
import { scenarioSet, steps } from '../../support/stories/builders.ts';

const set = scenarioSet({ scenarios: [{ name: 'pair', trigger: { regex: '.' }, steps: steps(1, 1, 1, 1) }] });
const headers = { 'anthropic-version': '2023-06-01', 'x-goog-api-key': 'unused' };
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const input = { path: 'a.txt' };

/** The recorded request of a file with this number, streamed. */
function recorded(file: string, number: number) {
  const { path, body } = readRequests(`${file}.jsonl.gz`)[number] ?? { path: '', body: {} };
  const streamed = path.replace('generateContent', 'streamGenerateContent').replace(/converse$/, 'converse-stream');
  return { path: streamed, body: { ...body, ...(path.startsWith('/v1/') && { stream: true }) } };
}

/** A request with calls and many fields for each protocol; the malformed bodies derive from it. */
const REQUESTS: Readonly<Record<Protocol, { readonly path: string; readonly body: object }>> = {
  'openai-chat': recorded('pydantic-ai', 960),
  'openai-responses': recorded('openllmetry', 109),
  'anthropic-messages': recorded('mirascope', 43),
  'bedrock-converse': recorded('ruby_llm', 51),
  gemini: recorded('pydantic-ai', 1234),
  'gemini-interactions': {
    path: '/v1beta/interactions',
    body: {
      model: 'm',
      input: [
        { type: 'user_input', content: [{ type: 'text', text: 'two reads' }] },
        { type: 'thought', signature: 'x' },
        { type: 'function_call', id: 'a', name: 'x', arguments: input },
        { type: 'function_result', call_id: 'a', result: [{ type: 'text', text: 'ok' }] },
      ],
      system_instruction: 'be kind',
      tools: [{ type: 'function', name: 'x', parameters: schema }],
      generation_config: { max_output_tokens: 100, tool_choice: { allowed_tools: { mode: 'auto', tools: ['x'] } } },
      response_format: { type: 'text', mime_type: 'application/json', schema },
      stream: true,
    },
  },
  ollama: {
    path: '/api/chat',
    body: {
      model: 'm',
      messages: [
        { role: 'user', content: 'two reads' },
        { role: 'assistant', content: '', tool_calls: [{ function: { name: 'x', arguments: input } }] },
        { role: 'tool', tool_name: 'x', content: 'ok' },
      ],
      tools: [{ type: 'function', function: { name: 'x', parameters: schema } }],
      format: schema,
      options: { num_ctx: 4096 },
      stream: true,
    },
  },
};

type Change = { readonly path: readonly number[]; readonly value: unknown };

/** Sets the value at the position that the numbers select; `undefined` removes it. */
function change(json: unknown, { path, value }: Change): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof json !== 'object' || json === null) return value;
  const entries = Object.entries(json);
  const at = step % (entries.length + 1);
  const changed = entries.map(([key, child], index) => [
    key,
    index === at ? change(child, { path: rest, value }) : child,
  ]);
  if (Array.isArray(json)) return changed.flatMap(([, child]) => (child === undefined ? [] : [child]));
  return Object.fromEntries(changed);
}

const changes = fc.array(
  fc.record({
    path: fc.array(fc.nat(30), { maxLength: 8 }),
    value: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(undefined, null, '', [], {}, 'two reads', true, 'constructor', '__proto__'),
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

const bodyOf = (request: object) =>
  fc.oneof(
    { weight: 5, arbitrary: changes.map((all) => JSON.stringify(all.reduce<unknown>(change, request)) ?? '') },
    { weight: 1, arbitrary: fc.nat(400).map((length) => JSON.stringify(request).slice(0, length)) },
    { weight: 1, arbitrary: fc.oneof(fc.string(), fc.json()) },
  );

/** The problem of a response that no body may cause; undefined for a correct response. */
async function problemOf(app: ReturnType<typeof createMockServer>, path: string, body: string) {
  const response = await app.request(path, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status === 200) return text === '' ? 'an empty answer' : undefined;
  if (response.status >= 500) return `status ${response.status}: ${text}`;
  // Amazon's errors are a message alone, and their kind is in a header.
  const isError = text.includes('"error"') || (response.headers.has('x-amzn-errortype') && text.includes('"message"'));
  return isError ? undefined : `status ${response.status} without an error: ${text}`;
}

describe.each(Object.entries(REQUESTS))('%s', (_protocol, { path, body }) => {
  it('accepts the request that the malformed ones derive from', async () => {
    const app = createMockServer({ scenarios: set });
    const response = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/"name": ?"tool"|done/)]);
  });

  it('answers any body with a response or an error of the protocol', async () => {
    const app = createMockServer({ scenarios: set });
    const property = fc.asyncProperty(bodyOf(body), async (text) => {
      expect(await problemOf(app, path, text)).toBeUndefined();
    });
    await fc.assert(property, propertySettings(40));
  });

  it('detects a failure of the server', async () => {
    const app = createMockServer({
      scenarios: () => {
        throw new Error('on purpose');
      },
    });
    expect(await problemOf(app, path, JSON.stringify(body))).toMatch(/^status 500: .*on purpose/);
  });
});
