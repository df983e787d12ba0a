import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../../mock-llm-server/conversation/conversation.ts';
import {
  type ResponsesRequest,
  readResponsesRequest,
} from '../../../../../mock-llm-server/wire/openai/responses/request.ts';
import { openaiResponses } from '../../../../../mock-llm-server/wire/openai/responses/responses.ts';
import { createResponseId } from '../../../../../mock-llm-server/wire/openai/shared.ts';

function read(body: unknown): ResponsesRequest {
  const request = readResponsesRequest(JSON.stringify(body));
  if (request.type === 'error') throw new Error(`refused: ${request.message}`);
  return request;
}

const conversationOf = (body: object): Conversation => read({ model: 'm', ...body }).conversation;
const text = (value: string) => ({ type: 'text', text: value });
const empty: Conversation = { protocol: 'openai-responses', model: 'm', system: [], messages: [], tools: [] };

it.each([
  ['a stored prompt', { prompt: { id: 'pmpt_1', version: '2' } }],
  ['a stored conversation', { conversation: 'conv_1' }],
  ['a stored conversation as an object', { conversation: { id: 'conv_1' } }],
])('accepts %s as input', (_name, body) => {
  expect(readResponsesRequest(JSON.stringify(body))).toMatchObject({
    type: 'responses',
    conversation: { messages: [] },
  });
});

describe('the input', () => {
  it('may be a string', () => {
    const { conversation, stream, encryptReasoning } = read({ input: 'hi' });
    expect({ stream, encryptReasoning }).toEqual({ stream: false, encryptReasoning: false });
    const messages = [{ role: 'user', index: 0, parts: [text('hi')] }];
    expect(conversation).toEqual({ ...empty, model: 'mock-model', messages });
  });

  const call = (id: string, name: string, args: string) => ({ type: 'tool_call', id, name, arguments: args });
  const assistantSays = (part: object) => ({ role: 'assistant', parts: [part] });
  const result = (callId: string, content: string) => ({
    role: 'user',
    parts: [{ type: 'tool_result', callId, content }],
  });
  it.each<readonly [string, object, object | undefined]>([
    ['a message of the user without a type', { role: 'user', content: 'a' }, { role: 'user', parts: [text('a')] }],
    [
      'a message with an image',
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: 'data:,' },
          { type: 'input_text', text: 'b' },
        ],
      },
      { role: 'user', parts: [text('a'), text('b')] },
    ],
    [
      'an output message',
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [
          { type: 'output_text', text: 'a', annotations: [] },
          { type: 'refusal', refusal: 'no' },
        ],
      },
      { role: 'assistant', parts: [text('a'), text('no')] },
    ],
    [
      'a function call',
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'x', arguments: '{"a":' },
      assistantSays(call('c', 'x', '{"a":')),
    ],
    [
      'a custom tool call',
      { type: 'custom_tool_call', call_id: 'c', namespace: 'functions', name: 'exec', input: 'text(1)' },
      assistantSays({ ...call('c', 'exec', 'text(1)'), input: 'text' }),
    ],
    ['an output', { type: 'function_call_output', call_id: 'c', output: 'ok' }, result('c', 'ok')],
    [
      'an output in parts',
      {
        type: 'custom_tool_call_output',
        call_id: 'c',
        output: [
          { type: 'input_text', text: 'o' },
          { type: 'input_text', text: 'k' },
        ],
      },
      result('c', 'ok'),
    ],
    ['a reference to a call', { type: 'item_reference', id: 'fc_call_a_1' }, assistantSays(call('call_a_1', '', '{}'))],
    [
      'a reference to a custom call',
      { type: 'item_reference', id: 'ctc_call_1' },
      assistantSays(call('call_1', '', '{}')),
    ],
    ['a reference to a message', { type: 'item_reference', id: 'msg_1' }, assistantSays(text('msg_1'))],
    ['reasoning', { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }, undefined],
    ['an item of an unknown type', { type: 'new_kind', role: 5 }, undefined],
  ])('may contain %s', (_name, item, expected) => {
    const messages = expected === undefined ? [] : [{ ...expected, index: 1 }];
    expect(conversationOf({ input: [{ type: 'reasoning', id: 'rs_0', summary: [] }, item] })).toEqual({
      ...empty,
      messages,
    });
  });

  it('reads instructions, system and developer messages as system texts', () => {
    const input = [
      { role: 'developer', content: 'be brief' },
      { role: 'system', content: [{ type: 'input_text', text: 'be kind' }] },
    ];
    expect(conversationOf({ instructions: 'be good', input })).toEqual({
      ...empty,
      system: ['be good', 'be brief', 'be kind'],
    });
  });

  it('may be absent after another response', () => {
    const digest = '0'.repeat(64);
    const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };
    const previous = {
      digest,
      created: 0,
      model: 'm',
      reasoning: undefined,
      content: '',
      toolCalls: [],
      usage,
    } as const;
    const id = createResponseId({ ...previous, finish: 'stop', source: undefined });
    const continues = { id, digest: digest.slice(0, 24) };
    expect(conversationOf({ previous_response_id: id })).toEqual({ ...empty, continues });
  });
});

describe('the tools', () => {
  const weather = { type: 'function', name: 'weather', parameters: { type: 'object' }, strict: true };
  const patch = { type: 'custom', name: 'apply_patch', description: 'Patch.', format: { type: 'grammar' } };
  const offeredWeather = { name: 'weather', description: '', input: 'json', parameters: { type: 'object' } };
  const offeredPatch = { name: 'apply_patch', description: 'Patch.', input: 'text' };
  const group = { type: 'namespace', name: 'functions', description: 'x', tools: [weather, patch, { type: 'odd' }] };
  const grouped = [offeredWeather, offeredPatch].map((tool) => ({ ...tool, namespace: 'functions' }));

  it.each<readonly [string, object, readonly object[]]>([
    ['functions', { tools: [weather] }, [offeredWeather]],
    [
      'a function without parameters',
      { tools: [{ type: 'function', name: 'x', description: null, parameters: null }] },
      [{ name: 'x', description: '', input: 'json', parameters: {} }],
    ],
    ['custom tools', { tools: [patch] }, [offeredPatch]],
    [
      'a custom tool without a description',
      { tools: [{ type: 'custom', name: 'x' }] },
      [{ name: 'x', description: '', input: 'text' }],
    ],
    ['namespaces', { tools: [group] }, grouped],
    ["the provider's own, which no reply calls", { tools: [{ type: 'web_search' }, { type: 'mcp', name: 5 }] }, []],
    [
      'additional tools in the input',
      { input: [{ type: 'additional_tools', role: 'developer', tools: [group] }] },
      grouped,
    ],
    [
      'tools that a search found',
      { input: [{ type: 'tool_search_output', call_id: null, tools: [weather] }] },
      [offeredWeather],
    ],
    [
      'both, those of the request first',
      { tools: [patch], input: [{ type: 'additional_tools', role: 'developer', tools: [weather] }] },
      [offeredPatch, offeredWeather],
    ],
  ])('may be %s', (_name, body, expected) => {
    expect(conversationOf({ input: [], ...body })).toEqual({ ...empty, tools: expected });
  });
});

describe('the format of the text', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const json = { type: 'json_schema', name: 'x', schema, strict: true };
  const update = (format: object) => ({ type: 'configuration_update', text: { format } });

  it.each<readonly [string, object, object | undefined]>([
    ['no text settings', {}, undefined],
    ['no format', { text: { verbosity: 'low' } }, undefined],
    ['plain text', { text: { format: { type: 'text' } } }, undefined],
    ['any JSON', { text: { format: { type: 'json_object' } } }, {}],
    ['a schema', { text: { format: json } }, schema],
    ['a format without a schema', { text: { format: { type: 'json_schema', name: 'x' } } }, {}],
    ['a later schema', { input: [update({ type: 'text' }), update(json)] }, schema],
    ['a schema that a later format replaces', { text: { format: json }, input: [update({ type: 'text' })] }, undefined],
    ['an update without a format', { text: { format: json }, input: [{ type: 'configuration_update' }] }, schema],
  ])('is read from %s', (_name, body, expected) => {
    expect(conversationOf({ input: [], ...body }).outputSchema).toEqual(expected);
  });
});

describe('the settings that a response repeats', () => {
  it('have the defaults of the API', () => {
    expect(read({ input: 'hi', temperature: null }).settings).toMatchObject({
      instructions: null,
      parallel_tool_calls: true,
      temperature: 1,
      text: { format: { type: 'text' }, verbosity: 'medium' },
      tools: [],
    });
  });

  it('are those of the request', () => {
    const tools = [{ type: 'web_search', search_context_size: 'low' }];
    const repeated = { instructions: 'x', metadata: { a: 'b' }, reasoning: { effort: 'low' }, tools, unknown: 1 };
    const { settings } = read({ input: 'hi', text: { verbosity: 'low' }, ...repeated });
    expect(settings).toMatchObject({
      instructions: 'x',
      metadata: { a: 'b' },
      reasoning: { effort: 'low', summary: null },
      text: { format: { type: 'text' }, verbosity: 'low' },
      tools,
    });
    expect(settings).not.toHaveProperty('unknown');
  });
});

it.each<readonly [unknown, object]>([
  [[], { param: null, message: 'The body of the request must be a JSON object.' }],
  [{}, { param: 'input', code: 'missing_required_parameter', message: "Missing required parameter: 'input'." }],
  [
    { input: null, previous_response_id: null },
    { param: 'input', code: 'invalid_type' },
  ],
  [
    { input: 5 },
    {
      param: 'input',
      code: 'invalid_type',
      message:
        "Invalid type for 'input': expected one of a string or array of input items, but got an integer instead.",
    },
  ],
  [{ input: ['x'] }, { param: 'input[0]' }],
  [{ input: [[]] }, { param: 'input[0]' }],
  [{ input: [null] }, { param: 'input[0]' }],
  [{ input: [{ type: 5 }] }, { param: 'input[0]' }],
  [{ input: [{ role: 'robot', content: '' }] }, { param: 'input[0]' }],
  [
    { input: [{ type: 'function_call_output', output: '' }] },
    { code: 'missing_required_parameter', message: "Missing required parameter: 'input[0].call_id'." },
  ],
  [
    { input: [{ role: 'user', content: 5 }] },
    {
      message:
        "Invalid type for 'input[0].content': expected one of a string or array of objects, but got an integer instead.",
    },
  ],
  [{ input: '', tools: [{ type: 'function', function: { name: 'x' } }] }, { param: 'tools[0].name' }],
  [
    { input: '', tools: [{ type: 'namespace', name: 'x', tools: [{ type: 'custom' }] }] },
    { param: 'tools[0].tools[0].name' },
  ],
  [{ input: '', stream: 'yes' }, { param: 'stream' }],
])('refuses %j', (body, error) => {
  const refused = readResponsesRequest(JSON.stringify(body));
  if (refused.type !== 'error') throw new Error('the request was accepted');
  expect(openaiResponses.encodeError(refused)).toMatchObject({ error: { type: 'invalid_request_error', ...error } });
});
