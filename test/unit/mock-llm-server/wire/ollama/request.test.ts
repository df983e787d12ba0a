import { describe, expect, it } from 'vitest';
import { readOllamaRequest } from '../../../../../mock-llm-server/wire/ollama/request.ts';

const read = (body: object) => {
  const request = readOllamaRequest(JSON.stringify({ model: 'm', ...body }), 'chat');
  if ('type' in request) throw new Error(request.message);
  return request;
};
const text = (value: string) => ({ type: 'text', text: value });
const result = (callId: string, content: string) => ({ type: 'tool_result', callId, content });
const called = (id: string, name: string, args = '{}') => ({ type: 'tool_call', id, name, arguments: args });

describe('readOllamaRequest', () => {
  it('reads every kind of message into a conversation', () => {
    const messages = [
      { role: 'system', content: 'be kind' },
      { role: 'developer', content: 'be brief' },
      { role: 'system', content: '' },
      { role: 'User', content: 'hi', images: ['aGk='] },
      {
        role: 'assistant',
        content: 'I look.',
        thinking: 'hm',
        tool_calls: [
          { id: 'a', function: { index: 0, name: 'x', arguments: { path: '漢字 🙂' } } },
          { function: { name: 'y' } },
        ],
      },
      { role: 'tool', content: 'of y', tool_name: 'y' },
      { role: 'tool', content: 'of x', tool_call_id: 'a' },
      { role: 'assistant', content: '' },
      { role: 'user' },
    ];
    expect(read({ messages }).conversation).toEqual({
      protocol: 'ollama',
      model: 'm',
      system: ['be kind', 'be brief'],
      messages: [
        { role: 'user', index: 3, parts: [text('hi')] },
        {
          role: 'assistant',
          index: 4,
          parts: [text('I look.'), called('a', 'x', '{"path":"漢字 🙂"}'), called('messages[4].tool_calls[1]', 'y')],
        },
        { role: 'user', index: 5, parts: [result('messages[4].tool_calls[1]', 'of y')] },
        { role: 'user', index: 6, parts: [result('a', 'of x')] },
        { role: 'assistant', index: 7, parts: [] },
        { role: 'user', index: 8, parts: [] },
      ],
      tools: [],
    });
  });

  const call = (name: string, id?: string) => ({ function: { name }, ...(id !== undefined && { id }) });
  it.each([
    ['by order when they have neither id nor name', [call('x', 'a'), call('y', 'b')], [{}, {}], ['a', 'b']],
    [
      'by name and order',
      [call('x', 'a'), call('y', 'b'), call('x', 'c')],
      [{ tool_name: 'x' }, { tool_name: 'x' }, {}],
      ['a', 'c', 'b'],
    ],
    ['by order when the name is wrong', [call('x', 'a')], [{ tool_name: 'z' }], ['a']],
    ['with no call when none is left', [], [{}, { tool_name: 'x' }, { tool_call_id: 'q' }], ['messages[1]', 'x', 'q']],
  ])('pairs results %s', (_name, calls, results, ids) => {
    const messages = [
      { role: 'assistant', tool_calls: calls },
      ...results.map((more) => ({ role: 'tool', content: '', ...more })),
    ];
    const [, ...paired] = read({ messages }).conversation.messages;
    expect(paired.map(({ parts }) => parts)).toEqual(ids.map((id) => [result(id, '')]));
  });

  it('pairs a result by name when its id is wrong, which it keeps', () => {
    const messages = [
      { role: 'assistant', tool_calls: [call('x', 'a'), call('y', 'b')] },
      { role: 'tool', content: '', tool_name: 'y', tool_call_id: 'q' },
    ];
    const [, paired] = read({ messages }).conversation.messages;
    expect(paired?.parts).toEqual([{ ...result('b', ''), statedId: 'q' }]);
  });

  it('pairs results across neighbouring answers but not with earlier ones', () => {
    const messages = [
      { role: 'assistant', tool_calls: [call('x')] },
      { role: 'assistant', tool_calls: [call('x')] },
      { role: 'tool', content: '' },
      { role: 'assistant', tool_calls: [call('y')] },
      { role: 'tool', content: '' },
    ];
    const ids = read({ messages }).conversation.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_result' ? [part.callId] : [])),
    );
    expect(ids).toEqual(['messages[0].tool_calls[0]', 'messages[3].tool_calls[0]']);
  });

  it('reads the tools', () => {
    const tools = [
      { type: 'function', function: { name: 'x', description: 'does x', parameters: { type: 'object' } } },
      { type: 'function', function: {} },
    ];
    expect(read({ tools }).conversation.tools).toEqual([
      { name: 'x', description: 'does x', input: 'json', parameters: { type: 'object' } },
      { name: '', description: '', input: 'json', parameters: {} },
    ]);
  });

  it.each<readonly [unknown, object | undefined]>([
    [undefined, undefined],
    [null, undefined],
    ['', undefined],
    ['json', {}],
    [{ type: 'object' }, { type: 'object' }],
  ])('reads the format %j', (format, schema) => {
    expect(read({ format }).conversation.outputSchema).toEqual(schema);
  });

  it.each([
    ['', 'missing request body'],
    [' ', 'missing request body'],
    ['{', /JSON/],
    ['[]', 'the request body must be a JSON object'],
    ['{}', 'model is required'],
    ['{"model":""}', 'model is required'],
    ['{"model":"m","format":"xml"}', 'invalid format: "xml"; expected "json" or a valid JSON Schema object'],
    [
      '{"model":"m","messages":[{"role":5}]}',
      'json: cannot unmarshal number into Go struct field ChatRequest.messages.role of type string',
    ],
  ])('refuses %s', (body, message) => {
    expect(readOllamaRequest(body, 'chat')).toEqual({
      type: 'error',
      status: 400,
      code: null,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });
});
