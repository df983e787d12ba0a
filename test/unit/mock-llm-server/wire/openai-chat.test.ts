import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../../mock-llm-server/conversation.ts';
import { encodeChatFrames, encodeChatReply, openaiChat } from '../../../../mock-llm-server/wire/openai-chat.ts';
import { readChatRequest } from '../../../../mock-llm-server/wire/openai-chat-request.ts';
import type { Frame } from '../../../../mock-llm-server/wire/wire.ts';
import { anyText } from '../../../support/any-text.ts';
import { propertySettings } from '../../../support/property.ts';

const read = (body: unknown) => readChatRequest(JSON.stringify(body));
const userMessage = { role: 'user', content: 'hi' };
const text = (value: string) => ({ type: 'text', text: value });

describe('readChatRequest', () => {
  it('turns every kind of message into the neutral form', () => {
    const echoed = { id: 'a', type: 'function', function: { name: 'x', arguments: '{"p":1}' } };
    const messages = [
      { role: 'system', content: 'be kind' },
      { role: 'developer', content: [text('be '), text('brief')] },
      {
        role: 'user',
        content: [text('one'), { type: 'image_url', image_url: { url: 'data:' } }, text('two')],
        name: 'u',
      },
      { role: 'assistant', content: null, tool_calls: [echoed], reasoning_content: 'hm', refusal: null },
      { role: 'tool', tool_call_id: 'a', content: [text('o'), text('k')] },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }], tool_calls: null },
      { role: 'assistant', tool_calls: [{ id: 'b', type: 'custom', custom: { name: 'y', input: 'raw' } }] },
      { role: 'tool', tool_call_id: 'b', content: null },
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'new_kind' }] },
    ];
    const result = (callId: string, content: string) => ({ type: 'tool_result', callId, content });
    const called = (id: string, name: string, args: string) => ({ type: 'tool_call', id, name, arguments: args });
    expect(read({ model: 'm', messages, stream: true, stream_options: { include_usage: true }, unknown: {} })).toEqual({
      stream: true,
      includeUsage: true,
      lint: expect.any(Function),
      conversation: {
        protocol: 'openai-chat',
        model: 'm',
        tools: [],
        system: ['be kind', 'be ', 'brief'],
        messages: [
          { role: 'user', index: 2, parts: [text('one'), text('two')] },
          { role: 'assistant', index: 3, parts: [called('a', 'x', '{"p":1}')] },
          { role: 'user', index: 4, parts: [result('a', 'ok')] },
          { role: 'assistant', index: 5, parts: [text('no')] },
          { role: 'assistant', index: 6, parts: [{ ...called('b', 'y', 'raw'), input: 'text' }] },
          { role: 'user', index: 7, parts: [result('b', '')] },
          { role: 'assistant', index: 8, parts: [called('c', '', '{}')] },
        ],
      },
    });
  });

  it('fills in what a short request leaves out', () => {
    expect(read({ messages: [userMessage], stream_options: null })).toMatchObject({
      stream: false,
      includeUsage: false,
      conversation: { model: 'mock-model' },
    });
  });

  it.each([undefined, null, ''])('notes that the model is %j', (model) => {
    const request = read({ model, messages: [userMessage] });
    if ('type' in request) throw new Error(request.message);
    expect(request.lint().map((error) => openaiChat.encodeError(error))).toEqual([
      {
        error: {
          message: 'you must provide a model parameter',
          type: 'invalid_request_error',
          param: null,
          code: null,
        },
      },
    ]);
    expect(request.conversation.model).toBe('mock-model');
  });

  it('reads calls and results of the older form, which have no ids', () => {
    const called = { name: 'f', arguments: '{}' };
    const messages = [
      userMessage,
      { role: 'function', name: 'f', content: 'before any call' },
      { role: 'assistant', content: null, function_call: called },
      { role: 'function', name: 'f', content: 'ok' },
      { role: 'assistant', content: null, function_call: called },
      { role: 'function', name: 'g', content: 'of another' },
      { role: 'assistant', content: 'done', function_call: called },
    ];
    const request = read({ model: 'm', messages });
    if ('type' in request) throw new Error(request.message);
    const id = 'messages[2].function_call';
    expect(request.conversation.messages.slice(1)).toEqual([
      { role: 'assistant', index: 2, parts: [{ type: 'tool_call', id, ...called }] },
      { role: 'user', index: 3, parts: [{ type: 'tool_result', callId: id, content: 'ok' }] },
      { role: 'assistant', index: 4, parts: [] },
      { role: 'assistant', index: 6, parts: [{ type: 'text', text: 'done' }] },
    ]);
  });

  it.each<readonly [unknown, object]>([
    [{}, { param: 'messages', code: 'missing_required_parameter', message: "Missing required parameter: 'messages'." }],
    [[], { param: null, message: 'The body of the request must be a JSON object.' }],
    [null, { param: null, message: 'The body of the request must be a JSON object.' }],
    [{ messages: [] }, { param: 'messages', code: 'invalid_value' }],
    [{ messages: 'x' }, { param: 'messages', code: 'invalid_value' }],
    [{ messages: [userMessage, { role: 'robot' }] }, { param: 'messages[1].role' }],
    [{ messages: [{ role: 'tool', content: '' }] }, { param: 'messages[0].tool_call_id' }],
    [
      { messages: [{ role: 'user', content: 5 }] },
      {
        param: 'messages[0].content',
        message: "Invalid value for 'messages[0].content': expected a string or an array of parts with a type.",
      },
    ],
    [{ messages: [userMessage], stream: 'yes' }, { param: 'stream' }],
  ])('refuses %j', (body, error) => {
    const refused = read(body);
    if (!('type' in refused)) throw new Error('it was accepted');
    expect(openaiChat.encodeError(refused)).toMatchObject({ error: { type: 'invalid_request_error', ...error } });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((value) => `{"messages":[${value}]}`),
        ),
        (body) => {
          expect(readChatRequest(body)).toBeTypeOf('object');
        },
      ),
      propertySettings(),
    );
  });
});

const reply: Reply = {
  digest: 'd'.repeat(64),
  created: 1_750_000_000,
  model: 'm',
  reasoning: undefined,
  content: 'I look.',
  toolCalls: [
    { id: 'a', name: 'read_file', input: 'json', arguments: '{"path": "a b.txt"}' },
    { id: 'b', name: 'list_files', input: 'json', arguments: '{}' },
  ],
  finish: 'tool_calls',
  usage: { inputTokens: 3, outputTokens: 4 },
  source: { scenario: 's', step: 0 },
};
const plain: Reply = { ...reply, toolCalls: [], finish: 'stop' };
const usage = {
  prompt_tokens: 3,
  completion_tokens: 4,
  total_tokens: 7,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
};

const everything: Reply = {
  ...reply,
  reasoning: 'First I look.',
  content: 'I look „here“ – 漢字 🙂.',
  toolCalls: [...reply.toolCalls, { id: 'c', name: 'apply_patch', input: 'text', arguments: '*** "a"\n漢字' }],
};

it.each([
  ['everything', everything],
  ['text', plain],
  ['nothing', { ...plain, content: undefined }],
])('has the golden bytes: %s', async (name, value) => {
  const stream = encodeChatFrames(value, true).map(({ bytes }) => bytes);
  await expect(stream.join('')).toMatchFileSnapshot(`golden/openai-chat-${name}.sse`);
  await expect(`${JSON.stringify(encodeChatReply(value), null, 2)}\n`).toMatchFileSnapshot(
    `golden/openai-chat-${name}.json`,
  );
});

describe('encodeChatReply', () => {
  it('writes text and parallel calls', () => {
    expect(encodeChatReply(reply)).toEqual({
      id: `chatcmpl-${'d'.repeat(29)}`,
      object: 'chat.completion',
      created: 1_750_000_000,
      model: 'm',
      service_tier: 'default',
      system_fingerprint: 'fp_mock',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'I look.',
            refusal: null,
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path": "a b.txt"}' } },
              { id: 'b', type: 'function', function: { name: 'list_files', arguments: '{}' } },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage,
    });
  });

  it('never has an empty list of calls', () => {
    expect(JSON.stringify(encodeChatReply(plain))).not.toContain('tool_calls');
    expect(encodeChatReply(plain)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  });

  it('has content null beside calls without text', () => {
    expect(encodeChatReply({ ...reply, content: undefined })).toMatchObject({
      choices: [{ message: { content: null } }],
    });
  });
});

function parseFrames(frames: readonly Frame[]) {
  return frames.map(({ bytes: frame }) => {
    if (!/^data: [^\n]+\n\n$/.test(frame)) throw new Error(`not a frame: ${frame}`);
    const data = frame.slice('data: '.length).trimEnd();
    return data === '[DONE]' ? data : JSON.parse(data);
  });
}

describe('encodeChatFrames', () => {
  it('sends role, text, calls by index, finish, end', () => {
    const frames = parseFrames(encodeChatFrames(reply, false));
    expect(frames.pop()).toBe('[DONE]');
    const head = encodeChatReply(reply);
    for (const { id, created, model, object } of frames) {
      expect({ id, created, model }).toEqual({ id: head['id'], created: head['created'], model: head['model'] });
      expect(object).toBe('chat.completion.chunk');
    }
    expect(frames.map(({ choices: [{ delta, finish_reason: finish }] }) => [delta, finish])).toEqual([
      [{ role: 'assistant', content: '', refusal: null }, null],
      [{ content: 'I' }, null],
      [{ content: ' look.' }, null],
      [{ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'read_file', arguments: '' } }] }, null],
      [{ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }, null],
      [{ tool_calls: [{ index: 0, function: { arguments: ' "a' } }] }, null],
      [{ tool_calls: [{ index: 0, function: { arguments: ' b.txt"}' } }] }, null],
      [
        { tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'list_files', arguments: '' } }] },
        null,
      ],
      [{ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }, null],
      [{}, 'tool_calls'],
    ]);
    expect(JSON.stringify(frames)).not.toContain('"usage"');
  });

  it('begins with content null where there is only a call', () => {
    const [first] = parseFrames(encodeChatFrames({ ...reply, content: undefined }, false));
    expect(first).toMatchObject({ choices: [{ delta: { role: 'assistant', content: null } }] });
  });

  it('has usage null in every frame and the usage in the last when it is asked for', () => {
    const frames = parseFrames(encodeChatFrames(plain, true)).slice(0, -1);
    const last = frames.pop();
    expect(last).toMatchObject({ choices: [], usage });
    expect(frames.every((frame) => frame.usage === null)).toBe(true);
    expect(frames.at(-1)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }] });
  });

  it('holds the whole answer, whatever is in it', () => {
    fc.assert(
      fc.property(anyText, anyText, (content, args) => {
        const call = { id: 'a', name: 'x', input: 'json' as const, arguments: args };
        const frames = parseFrames(encodeChatFrames({ ...reply, content, toolCalls: [call] }, false)).slice(0, -1);
        const deltas = frames.map((frame) => frame.choices[0].delta);
        expect(deltas.map((delta) => delta.content ?? '').join('')).toBe(content);
        expect(deltas.map((delta) => delta.tool_calls?.[0].function.arguments ?? '').join('')).toBe(args);
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
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The " +
        'following tool_call_ids did not have response messages: a, b',
    ],
    [
      'orphans',
      { ...fault, orphans: ['c'] },
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. The " +
        'following tool_call_ids answer none: c',
    ],
    [
      'both, with a hint',
      { ...fault, missing: ['a'], orphans: ['c'], hint: 'Look.' },
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The " +
        'following tool_call_ids did not have response messages: a. ' +
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. The " +
        'following tool_call_ids answer none: c. Look.',
    ],
    ['a hint alone', { ...fault, hint: 'Look.' }, 'Look.'],
  ])('says %s in the words of the provider', (_name, answer, message) => {
    expect(openaiChat.encodeError(openaiChat.unpaired(answer))).toEqual({
      error: { message, type: 'invalid_request_error', param: 'messages.[3].role', code: null },
    });
  });

  it('names the code of a miss', () => {
    const miss = {
      type: 'error',
      status: 400,
      code: 'no_scenario_matched',
      message: 'none',
      param: 'messages',
    } as const;
    expect(openaiChat.encodeError(miss)).toEqual({
      error: { message: 'none', type: 'invalid_request_error', param: 'messages', code: 'no_scenario_matched' },
    });
  });
});
