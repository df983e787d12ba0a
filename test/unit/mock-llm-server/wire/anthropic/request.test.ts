import { describe, expect, it } from 'vitest';
import { type AnthropicRequest, readAnthropicRequest } from '../../../../../mock-llm-server/wire/anthropic/request.ts';

const minimal = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };
const text = (value: string) => ({ type: 'text', text: value });

function read(body: object): AnthropicRequest {
  const request = readAnthropicRequest(JSON.stringify(body));
  if ('type' in request) throw new Error(request.message);
  return request;
}

const parts = (content: unknown, role = 'user') =>
  read({ ...minimal, messages: [{ role, content }] }).conversation.messages[0]?.parts;

describe('readAnthropicRequest', () => {
  it('reads every kind of message into a conversation', () => {
    const body = {
      model: 'claude-x',
      max_tokens: 10,
      stream: true,
      system: [{ ...text('be kind'), cache_control: { type: 'ephemeral' } }, text('and brief')],
      messages: [
        { role: 'user', content: 'one' },
        {
          role: 'user',
          content: [text('two'), { type: 'image', source: { type: 'base64', data: '' } }, text('three')],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'redacted_thinking', data: 'x' },
            text('I look.'),
            { type: 'tool_use', id: 'a', name: 'x', input: { p: [1] } },
            { type: 'server_tool_use', id: 'srv', name: 'web_search', input: {} },
            { type: 'web_search_tool_result', tool_use_id: 'srv', content: [] },
          ],
        },
        { role: 'system', content: 'mid-conversation' },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: [text('o'), { type: 'image' }, text('k')] },
            text('<reminder>'),
          ],
        },
      ],
      betas: ['unknown'],
      context_management: { edits: [] },
      thinking: { type: 'adaptive', display: 'summarized' },
      metadata: { user_id: 'u' },
    };
    expect(read(body)).toMatchObject({
      body: { stream: true },
      conversation: {
        protocol: 'anthropic-messages',
        model: 'claude-x',
        system: ['be kind', 'and brief', 'mid-conversation'],
        tools: [],
        messages: [
          { role: 'user', index: 0, parts: [text('one')] },
          { role: 'user', index: 1, parts: [text('two'), text('three')] },
          {
            role: 'assistant',
            index: 2,
            parts: [text('I look.'), { type: 'tool_call', id: 'a', name: 'x', arguments: '{"p":[1]}' }],
          },
          { role: 'user', index: 4, parts: [{ type: 'tool_result', callId: 'a', content: 'ok' }, text('<reminder>')] },
        ],
      },
    });
  });

  it.each([
    ['a string', { content: 'ok' }, 'ok'],
    ['blocks', { content: [text('o'), text('k')] }, 'ok'],
    ['no content', {}, ''],
    ['is_error false', { content: 'ok', is_error: false }, 'ok'],
    ['a number', { content: 5 }, ''],
    ['an image alone', { content: [{ type: 'image', source: {} }] }, ''],
    ['a document', { content: [{ type: 'document', source: { type: 'text', data: 'x' } }, text('ok')] }, 'ok'],
  ])('reads a result with %s', (_name, fields, content) => {
    const result = { type: 'tool_result', tool_use_id: 'a', ...fields };
    expect(parts([result])).toEqual([{ type: 'tool_result', callId: 'a', content }]);
  });

  it('marks the result of a failed call', () => {
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'no such file', is_error: true };
    const expected = { type: 'tool_result', callId: 'a', content: 'no such file', isError: true };
    expect(parts([result])).toEqual([expected]);
  });

  it('reads a call without input as one with no arguments', () => {
    const call = { type: 'tool_use', id: 'a', name: 'x' };
    expect(parts([call], 'assistant')).toEqual([{ type: 'tool_call', id: 'a', name: 'x', arguments: '{}' }]);
  });

  it('ignores blocks of unknown types, whatever their names', () => {
    expect(parts([{ type: 'constructor' }, { type: '__proto__' }, text('x')])).toEqual([text('x')]);
  });

  it('does not read documents and search results as texts of the user', () => {
    const document = { type: 'document', title: 't', source: { type: 'text', data: 'x' } };
    expect(parts([document, { type: 'search_result', content: [text('x')] }])).toEqual([]);
  });

  const schema = { type: 'object', properties: { p: { type: 'string' } } };
  it.each<readonly [string, object, readonly object[]]>([
    [
      'a custom tool',
      { name: 'x', description: 'd', input_schema: schema, defer_loading: true },
      [{ name: 'x', description: 'd', input: 'json', parameters: schema }],
    ],
    [
      'a tool of type custom',
      { type: 'custom', name: 'x', input_schema: schema },
      [{ name: 'x', description: '', input: 'json', parameters: schema }],
    ],
    ['a tool without a schema', { name: 'x' }, [{ name: 'x', description: '', input: 'json', parameters: {} }]],
    [
      'a tool of Anthropic that the client runs',
      { type: 'bash_20250124', name: 'bash' },
      [{ name: 'bash', input: 'json' }],
    ],
    ['a tool that the API runs', { type: 'web_search_20260318', name: 'web_search', max_uses: 5 }, []],
    ['a toolset without a name', { type: 'mcp_toolset', mcp_server_name: 's' }, []],
  ])('reads %s', (_name, tool, offered) => {
    expect(read({ ...minimal, tools: [tool] }).conversation.tools).toEqual(offered);
  });

  it.each<readonly [string, object, object | undefined]>([
    ['no format', {}, undefined],
    ['output_config', { output_config: { format: { type: 'json_schema', schema } } }, schema],
    ['output_config with an effort only', { output_config: { effort: 'low' } }, undefined],
    ['the older output_format', { output_format: { type: 'json_schema', schema } }, schema],
    ['a format without a schema', { output_format: { type: 'json_schema' } }, {}],
    ['another format', { output_format: { type: 'text' } }, undefined],
  ])('reads the output schema from %s', (_name, fields, found) => {
    expect(read({ ...minimal, ...fields }).conversation.outputSchema).toEqual(found);
  });

  it('accepts a request without a model', () => {
    expect(read({ messages: minimal.messages }).conversation).toMatchObject({ model: 'mock-model', system: [] });
  });

  const message = (fields: object) => ({ ...minimal, messages: [{ role: 'user', content: 'hi' }, fields] });
  it.each<readonly [unknown, string]>([
    [[], 'The request body must be a JSON object.'],
    [null, 'The request body must be a JSON object.'],
    [{ model: 'm', max_tokens: 1 }, 'messages: Field required'],
    [{ ...minimal, messages: [] }, 'messages: at least one message is required'],
    [{ ...minimal, max_tokens: 'x' }, 'max_tokens: Input should be a valid integer'],
    [
      message({ role: 'robot', content: '' }),
      'messages: Unexpected role "robot". Allowed roles are "user" or "assistant"',
    ],
    [message({ role: 'user' }), 'messages.1.content: Field required'],
    [message({ role: 'user', content: [{ type: 'text' }] }), 'messages.1.content.0.text.text: Field required'],
    [message({ role: 'user', content: [{}] }), 'messages.1.content.0.type: Field required'],
    [
      message({ role: 'user', content: [text('x'), { type: 'tool_result' }] }),
      'messages.1.content.1.tool_result.tool_use_id: Field required',
    ],
    [
      message({ role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] }),
      'messages.1.content.0.tool_use.name: Field required',
    ],
    [
      message({ role: 'assistant', content: [{ type: 'thinking', signature: '' }] }),
      'messages.1.content.0.thinking.thinking: Field required',
    ],
  ])('refuses %j', (body, error) => {
    expect(readAnthropicRequest(JSON.stringify(body))).toMatchObject({ type: 'error', status: 400, message: error });
  });

  it('refuses a body that is not JSON and names the reason', () => {
    expect(readAnthropicRequest('{')).toMatchObject({
      message: expect.stringMatching(/^The request body is not valid JSON: ./),
    });
  });

  it.each([
    ['create', { ...minimal, thread: { type: 'create' } }],
    [
      'continue',
      { model: 'm', max_tokens: 1, messages: [], thread: { type: 'continue', previous_message_id: 'msg_1' } },
    ],
  ])('refuses a thread (%s) so that clients send the whole conversation', (_name, body) => {
    expect(readAnthropicRequest(JSON.stringify(body))).toMatchObject({
      status: 400,
      code: 'thread_unsupported_request',
      param: 'thread',
    });
  });

  it('accepts a thread of null', () => {
    expect(read({ ...minimal, thread: null }).conversation.messages).toHaveLength(1);
  });
});
