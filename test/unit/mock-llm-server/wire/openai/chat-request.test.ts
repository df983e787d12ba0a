import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../../../../mock-llm-server/wire/openai/chat/chat.ts';
import { readChatRequest } from '../../../../../mock-llm-server/wire/openai/chat/chat-request.ts';

const read = (body: unknown) => readChatRequest(JSON.stringify(body));
const userMessage = { role: 'user', content: 'hi' };
const text = (value: string) => ({ type: 'text', text: value });

describe('readChatRequest', () => {
  it('reads every kind of message into a conversation', async () => {
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
    const body = { model: 'm', messages, stream: true, stream_options: { include_usage: true }, unknown: {} };
    expect(await read(body)).toEqual({
      body: expect.objectContaining({ stream: true, stream_options: { include_usage: true } }),
      json: body,
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

  it('applies defaults to a short request', async () => {
    expect(await read({ messages: [userMessage], stream_options: null })).toMatchObject({
      conversation: { model: 'mock-model' },
    });
  });

  it.each([undefined, null, ''])('takes the default model for %j', async (model) => {
    const request = await read({ model, messages: [userMessage] });
    if ('type' in request) throw new Error(request.message);
    expect(request.conversation.model).toBe('mock-model');
  });

  it('reads calls and results of the older form, which have no ids', async () => {
    const called = { name: 'f', arguments: '{}' };
    const messages = [
      userMessage,
      { role: 'function', name: 'f', content: 'before any call' },
      { role: 'assistant', content: null, function_call: called },
      { role: 'function', name: 'f', content: 'ok' },
      { role: 'assistant', content: null, function_call: called },
      { role: 'function', name: 'g', content: 'of another function' },
      { role: 'assistant', content: 'done', function_call: called },
    ];
    const request = await read({ model: 'm', messages });
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
    [{ messages: [] }, { param: 'messages', code: 'empty_array' }],
    [
      { messages: 'x' },
      {
        param: 'messages',
        code: 'invalid_type',
        message: "Invalid type for 'messages': expected an array of objects, but got a string instead.",
      },
    ],
    [
      { messages: [userMessage, { role: 'robot' }] },
      {
        param: 'messages[1].role',
        code: 'invalid_value',
        message:
          "Invalid value: 'robot'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
      },
    ],
    [
      { messages: [userMessage, { role: { toString: null } }] },
      {
        message:
          "Invalid type for 'messages[1].role': expected one of 'system', 'assistant', 'user', 'function', 'tool', or 'developer', but got an object instead.",
      },
    ],
    [
      { messages: [userMessage], n: 0 },
      {
        param: 'n',
        code: 'integer_below_min_value',
        message: "Invalid 'n': integer below minimum value. Expected a value >= 1, but got 0 instead.",
      },
    ],
    [
      { messages: [userMessage], n: 129 },
      { message: "Invalid 'n': integer above maximum value. Expected a value <= 128, but got 129 instead." },
    ],
    [{ messages: [{ role: 'tool', content: '' }] }, { param: 'messages[0].tool_call_id' }],
    [
      { messages: [{ role: 'user', content: 5 }] },
      {
        param: 'messages[0].content',
        message:
          "Invalid type for 'messages[0].content': expected one of a string or array of objects, but got an integer instead.",
        code: 'invalid_type',
      },
    ],
    [
      { messages: [{ role: 'user', content: { text: 'x' } }] },
      { message: expect.stringContaining('but got an object instead.') },
    ],
    [
      { messages: [{ role: 'user', content: true }] },
      { message: expect.stringContaining('but got a boolean instead.') },
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, { id: 1 }] }] },
      {
        param: 'messages[0].content[1].type',
        message: "Missing required parameter: 'messages[0].content[1].type'.",
        code: 'missing_required_parameter',
      },
    ],
    [
      { messages: [userMessage], stream: 'yes' },
      { param: 'stream', message: "Invalid type for 'stream': expected a boolean, but got a string instead." },
    ],
  ])('refuses %j', async (body, error) => {
    const refused = await read(body);
    if (!('type' in refused)) throw new Error('the request was accepted');
    expect(openaiChat.encodeError(refused)).toMatchObject({ error: { type: 'invalid_request_error', ...error } });
  });
});
