import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reply, ReplyToolCall } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { openaiResponses } from '../../../../../mock-llm-server/wire/openai/responses/responses.ts';
import { readNow } from '../../../../../mock-llm-server/wire/read-now.ts';
import type { ReadRequest, WireRequest } from '../../../../../mock-llm-server/wire/wire.ts';
import { anyText } from '../../../../support/random/any-text.ts';
import { propertySettings } from '../../../../support/random/property.ts';

const httpRequest = (body: object, path = '/v1/responses'): WireRequest => ({
  method: 'POST',
  path,
  query: {},
  headers: {},
  body: JSON.stringify(body),
});

function read(more: object = {}): ReadRequest {
  const request = readNow(openaiResponses, httpRequest({ model: 'm', input: 'hi', ...more }));
  if (request.type === 'error') throw new Error(`refused: ${request.message}`);
  return request;
}

const reading: ReplyToolCall = { id: 'call_1', name: 'read_file', input: 'json', arguments: '{"path": "„漢字“ 🙂"}' };
const patching: ReplyToolCall = {
  id: 'call_2',
  name: 'exec',
  namespace: 'functions',
  input: 'text',
  arguments: 'text("\\n")\n漢字',
};
const reply: Reply = {
  digest: 'd'.repeat(64),
  created: 1_750_000_000,
  model: 'm',
  reasoning: 'First I look.',
  content: 'I look „here“.',
  toolCalls: [reading, patching],
  finish: 'tool_calls',
  usage: { inputTokens: 3, cachedTokens: 0, outputTokens: 4, reasoningTokens: 4 },
  source: { scenario: 's', step: 0 },
};
const plain: Reply = {
  ...reply,
  reasoning: undefined,
  toolCalls: [],
  finish: 'stop',
  usage: { ...reply.usage, reasoningTokens: 0 },
};
const silent: Reply = { ...plain, content: undefined, source: undefined };

/** The events of a stream with their names checked. */
function eventsOf(value: Reply, request = read()) {
  return request.frames(value).map(({ bytes, kind }) => {
    const [, name, data] = /^event: (\S+)\ndata: ([^\n]+)\n\n$/.exec(bytes) ?? [];
    const event = JSON.parse(data ?? '');
    if (event.type !== name) throw new Error(`the event ${event.type} is named ${name}`);
    return { ...event, kind };
  });
}

describe('an answer', () => {
  it.each([
    ['everything', reply],
    ['text', plain],
    ['nothing', silent],
  ])('writes the golden bytes: %s', async (name, value) => {
    const request = read({ include: ['reasoning.encrypted_content'] });
    const stream = request.frames(value).map(({ bytes }) => bytes);
    await expect(stream.join('')).toMatchFileSnapshot(`golden/openai-responses-${name}.sse`);
    const body = `${JSON.stringify(request.encode(value), null, 2)}\n`;
    await expect(body).toMatchFileSnapshot(`golden/openai-responses-${name}.json`);
  });

  it('has encrypted reasoning only if the request includes it', () => {
    const item = {
      id: `rs_${'d'.repeat(40)}898c523b`,
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'First I look.' }],
    };
    expect(read().encode(reply)).toMatchObject({ output: [item, {}, {}, {}] });
    expect(JSON.stringify(read().encode(reply))).not.toContain('encrypted_content');
    const including = read({ include: ['reasoning.encrypted_content'] }).encode(reply);
    expect(including).toMatchObject({
      output: [{ ...item, encrypted_content: expect.stringMatching(/^gAAAAAB\w+$/) }, {}, {}, {}],
    });
  });
});

describe('a stream', () => {
  it('streams exactly the content of any reply', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, fc.boolean(), (reasoning, content, args, isText) => {
        const call: ReplyToolCall = { ...reading, input: isText ? 'text' : 'json', arguments: args };
        const deltas = new Map<number, string>();
        for (const { type, output_index: index, delta } of eventsOf({
          ...reply,
          reasoning,
          content,
          toolCalls: [call],
        })) {
          if (type.endsWith('.delta')) deltas.set(index, (deltas.get(index) ?? '') + delta);
        }
        expect([0, 1, 2].map((index) => deltas.get(index) ?? '')).toEqual([reasoning, content, args]);
      }),
      propertySettings(50),
    );
  });
});

describe('an error', () => {
  const fault = { type: 'unpaired_results' as const, index: 3, missing: [], orphans: [], hint: undefined };

  it.each([
    [
      'missing results',
      { ...fault, missing: ['a', 'b'] },
      'No tool output found for function call a. No tool output found for function call b.',
    ],
    ['orphans', { ...fault, orphans: ['c'] }, 'No tool call found for function call output with call_id c.'],
    ['a hint', { ...fault, missing: ['a'], hint: 'Look.' }, 'No tool output found for function call a. Look.'],
  ])("describes %s with the API's message", (_name, answer, message) => {
    expect(openaiResponses.encodeError(openaiResponses.unpaired(answer))).toEqual({
      error: { message, type: 'invalid_request_error', param: 'input', code: null },
    });
  });

  it.each([
    [400, 'no_scenario_matched', 'messages', 'invalid_request_error', 'input'],
    [429, 'insufficient_quota', undefined, 'insufficient_quota', null],
  ] as const)('has the type of its status: %i %s', (status, code, param, type, shownParam) => {
    const error = { type: 'error', status, code, message: 'm', ...(param !== undefined && { param }) } as const;
    expect(openaiResponses.encodeError(error)).toEqual({ error: { message: 'm', type, param: shownParam, code } });
  });
});

describe('the other routes', () => {
  const answer = (path: string, body: object) => {
    const routes = openaiResponses.routes.map((route) => route.answer(httpRequest(body, path), 'fail', []));
    return routes[path.endsWith('input_tokens') ? 0 : 1];
  };

  it('counts tokens', async () => {
    expect(await answer('/v1/responses/input_tokens', { input: 'hi' })).toEqual({
      status: 200,
      body: { object: 'response.input_tokens', input_tokens: expect.any(Number) },
    });
    expect(await answer('/v1/responses/input_tokens', {})).toMatchObject({
      type: 'error',
      status: 400,
      param: 'input',
    });
  });

  it('refuses to retrieve a response, because nothing is stored', () => {
    expect(answer('/v1/responses/resp_1', {})).toMatchObject({
      status: 404,
      message: "Response with id 'resp_1' not found. This server stores no responses.",
    });
  });

  it.each([
    ['/v1/responses', true],
    ['/responses/x/cancel', true],
    ['/v1/responsesx', false],
    ['/v1/models', false],
  ])('owns %s: %s', (path, owned) => {
    expect(openaiResponses.owns(path)).toBe(owned);
  });
});
