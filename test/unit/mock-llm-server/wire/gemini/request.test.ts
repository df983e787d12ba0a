import { describe, expect, it } from 'vitest';
import { lintGeminiRequest } from '../../../../../mock-llm-server/wire/gemini/gemini.ts';
import { readGeminiRequest } from '../../../../../mock-llm-server/wire/gemini/request.ts';

const read = (body: unknown, model = 'gemini-x') => {
  const request = readGeminiRequest(model, JSON.stringify(body));
  if ('type' in request) throw new Error(request.message);
  return request;
};
const lint = (contents: readonly object[], model = 'mock-model') =>
  lintGeminiRequest(model, read({ contents }).contents);
const hello = { role: 'user', parts: [{ text: 'hi' }] };
const text = (value: string) => ({ type: 'text', text: value });
const result = (callId: string, content: string) => ({ type: 'tool_result', callId, content });
const called = (id: string, name: string, args = '{}') => ({ type: 'tool_call', id, name, arguments: args });

describe('readGeminiRequest', () => {
  it('reads every kind of content into a conversation', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'one' }, { inlineData: { mimeType: 'image/png', data: '' } }, { text: 'two' }] },
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true, thoughtSignature: 'c2ln' },
          { text: 'I look.' },
          { functionCall: { id: 'a', name: 'x', args: { some_path: '漢字 🙂' } }, thoughtSignature: 'c2ln' },
          { functionCall: { id: 'b', name: 'y' } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'b', name: 'y', response: { output: 'of b' } } },
          { functionResponse: { id: 'a', name: 'x', response: { n: 1 } } },
          { text: 'beside' },
        ],
      },
      { parts: [{ text: 'no role' }] },
    ];
    expect(read({ contents, safetySettings: [], unknown: {} }).conversation).toEqual({
      protocol: 'gemini',
      model: 'gemini-x',
      system: [],
      messages: [
        { role: 'user', index: 0, parts: [text('one'), text('two')] },
        {
          role: 'assistant',
          index: 1,
          parts: [text('I look.'), called('a', 'x', '{"some_path":"漢字 🙂"}'), called('b', 'y')],
        },
        { role: 'user', index: 2, parts: [result('b', 'of b'), result('a', '{"n":1}'), text('beside')] },
        { role: 'user', index: 3, parts: [text('no role')] },
      ],
      tools: [],
    });
  });

  it('reads snake case and single values like camel case and lists', () => {
    const camel = {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      systemInstruction: { parts: [{ text: 'be kind' }] },
      tools: [{ functionDeclarations: [{ name: 'x', parametersJsonSchema: { type: 'object' } }] }],
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: { type: 'array' } },
    };
    const snake = {
      contents: { role: 'user', parts: { text: 'hi' } },
      system_instruction: { role: 'system', parts: { text: 'be kind' } },
      tools: { function_declarations: { name: 'x', parameters_json_schema: { type: 'object' } } },
      generation_config: { response_mime_type: 'application/json', response_json_schema: { type: 'array' } },
    };
    expect({ ...read(snake), json: undefined }).toEqual({ ...read(camel), json: undefined });
    // llmrb/llm, cassettes/gemini/images/successful_edit: the API answered a list of parts within the list.
    const nested = { ...camel, contents: [{ role: 'user', parts: [[{ text: 'hi' }]] }] };
    expect({ ...read(nested), json: undefined }).toEqual({ ...read(camel), json: undefined });
    expect(read(camel).conversation).toMatchObject({
      system: ['be kind'],
      tools: [{ name: 'x', description: '', input: 'json', parameters: { type: 'object' } }],
      outputSchema: { type: 'array' },
    });
  });

  it.each<readonly [string, object, object | undefined]>([
    ['none', {}, undefined],
    ['a type alone', { responseMimeType: 'application/json' }, {}],
    ['text', { responseMimeType: 'text/plain' }, undefined],
    ['a schema of Google', { responseSchema: { type: 'OBJECT' } }, { type: 'object' }],
    ['JSON Schema', { responseJsonSchema: { type: 'OBJECT', enum: ['A'] } }, { type: 'object', enum: ['A'] }],
    ['a format', { responseFormat: { text: { schema: { type: 'string' } } } }, { type: 'string' }],
    ['a format without a schema', { responseFormat: { text: { mimeType: 'application/json' } } }, {}],
  ])('reads the output schema: %s', (_name, generationConfig, schema) => {
    expect(read({ contents: [hello], generationConfig }).conversation.outputSchema).toEqual(schema);
  });

  it('reads the tools of every group, with schemas of both dialects', () => {
    const tools = [
      { functionDeclarations: [{ name: 'x', description: 'does x', parameters: { type: 'OBJECT' } }, { name: 'y' }] },
      { googleSearch: {} },
      { functionDeclarations: [{ name: 'z', parametersJsonSchema: { type: 'object' } }] },
    ];
    expect(read({ contents: [hello], tools }).conversation.tools).toEqual([
      { name: 'x', description: 'does x', input: 'json', parameters: { type: 'object' } },
      { name: 'y', description: '', input: 'json', parameters: {} },
      { name: 'z', description: '', input: 'json', parameters: { type: 'object' } },
    ]);
  });

  const call = (name: string, id?: string) => ({ functionCall: { name, ...(id !== undefined && { id }) } });
  const answer = (name: string, output: string, id?: string) => ({
    functionResponse: { name, response: { output }, ...(id !== undefined && { id }) },
  });
  it.each([
    [
      'by name and order',
      [call('x'), call('y'), call('x')],
      [answer('x', '1'), answer('x', '2'), answer('y', '3')],
      ['contents[0].parts[0]', 'contents[0].parts[2]', 'contents[0].parts[1]'],
    ],
    [
      'by name when the client invented the ids',
      [call('x'), call('x')],
      [answer('x', '1', 'p'), answer('x', '2', 'q')],
      [0, 1],
    ],
    ['by name when only the calls have ids', [call('x', 'a')], [answer('x', '1')], ['a']],
    ['by name when the id is wrong', [call('x', 'a')], [answer('x', '1', 'b')], ['a']],
    [
      'with two calls although the results share an id',
      [call('x', 'a'), call('x', 'b')],
      [answer('x', '1', 'a'), answer('x', '2', 'a')],
      ['a', 'b'],
    ],
    [
      'with no call when all calls have results',
      [call('x', 'a')],
      [answer('x', '1', 'a'), answer('x', '2', 'b')],
      ['a', 'b'],
    ],
    // docker/docker-agent, e2e/testdata/cassettes/TestExec_Gemini_ToolCall.yaml.
    ['in order when the name is wrong', [call('x', 'a')], [answer('call_1338bc52', '1')], ['a']],
    [
      'with no call when there is one more',
      [call('x')],
      [answer('x', '1'), answer('y', '2')],
      [0, 'contents[1].parts[1]'],
    ],
  ])('pairs results %s', (_name, calls, results, ids) => {
    const contents = [
      { role: 'model', parts: calls },
      { role: 'function', parts: results },
    ];
    const [, message] = read({ contents }).conversation.messages;
    expect(message?.parts.map((part) => (part.type === 'tool_result' ? part.callId : part))).toEqual(
      ids.map((id) => (typeof id === 'number' ? `contents[0].parts[${id}]` : id)),
    );
  });

  it('pairs results across neighbouring contents but not across answers', () => {
    const contents = [
      { role: 'model', parts: [call('x')] },
      { role: 'model', parts: [call('x')] },
      { role: 'user', parts: [answer('x', '1')] },
      { role: 'user', parts: [answer('x', '2')] },
      { role: 'model', parts: [call('x')] },
      { role: 'user', parts: [answer('x', '3')] },
    ];
    const ids = read({ contents }).conversation.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_result' ? [part.callId] : [])),
    );
    expect(ids).toEqual(['contents[0].parts[0]', 'contents[1].parts[0]', 'contents[4].parts[0]']);
  });

  it.each<readonly [object | null, string, boolean]>([
    [{ output: 'o', error: 'e' }, 'o', false],
    [{ error: 'e' }, 'e', true],
    [{ error: { code: 2 } }, '{"code":2}', true],
    [{ error: '', a: 1 }, '', false],
    [{ result: 'r' }, 'r', false],
    [{ name: 'x', content: 'c' }, 'c', false],
    [{ output: { a: 1 } }, '{"a":1}', false],
    [{ a: 1 }, '{"a":1}', false],
    [null, '{}', false],
  ])('reads the result %j', (response, content, isError) => {
    const contents = [{ role: 'user', parts: [{ functionResponse: { name: 'x', response } }] }];
    expect(read({ contents }).conversation.messages[0]?.parts).toEqual([
      { ...result('contents[0].parts[0]', content), ...(isError && { isError }) },
    ]);
  });

  it.each([
    [[], 'Invalid JSON payload received. The body must be a JSON object.', undefined],
    [{}, '* GenerateContentRequest.contents: contents is not specified\n', 'contents'],
    [
      { contents: 'x' },
      "Invalid value at 'contents[0]': Invalid input: expected object, received string",
      'contents[0]',
    ],
    [
      { contents: [{ role: 'robot', parts: [] }] },
      "Invalid value at 'contents[0].role': Please use a valid role: user, model.",
      'contents[0].role',
    ],
    [
      { contents: [{ parts: [{ functionCall: { name: 'x', args: [] } }] }] },
      "Invalid value at 'contents[0].parts[0].functionCall.args': Invalid input: expected record, received array",
      'contents[0].parts[0].functionCall.args',
    ],
  ])('refuses %j', (body, message, param) => {
    const refused = readGeminiRequest('m', JSON.stringify(body));
    expect(refused).toEqual({
      type: 'error',
      status: 400,
      code: null,
      message,
      ...(param !== undefined && { param }),
    });
  });

  it('refuses a body that is not JSON', () => {
    expect(readGeminiRequest('m', '{')).toMatchObject({
      message: expect.stringMatching(/^Invalid JSON payload received\. /),
    });
  });

  it.each([
    ['of the first call of an answer', [hello, { role: 'model', parts: [call('x')] }], 'default_api:x` , position 2'],
    [
      'of a later answer',
      [
        hello,
        { role: 'model', parts: [{ ...call('x'), thought_signature: 's' }] },
        { role: 'user', parts: [answer('x', '')] },
        { role: 'model', parts: [call('y')] },
      ],
      'default_api:y` , position 4',
    ],
    [
      'only of the second call',
      [hello, { role: 'model', parts: [{ ...call('x'), thoughtSignature: 's' }, call('y')] }],
      undefined,
    ],
    [
      'only of the second of two neighbouring answers',
      [
        hello,
        { role: 'model', parts: [{ ...call('x'), thoughtSignature: 's' }] },
        { role: 'model', parts: [call('y')] },
      ],
      undefined,
    ],
    ['of an earlier run', [hello, { role: 'model', parts: [call('x')] }, hello], undefined],
    ['of a text', [hello, { role: 'model', parts: [{ text: 'x' }] }], undefined],
  ])('checks for a missing signature %s', (_name, contents, message) => {
    const messages = lint(contents, 'gemini-3-pro').map((fault) => fault.message);
    expect(messages).toEqual(message === undefined ? [] : [expect.stringContaining(message)]);
    expect(lint(contents, 'gemini-2.5-pro')).toEqual([]);
    expect(lint(contents)).toEqual([]);
  });

  it('finds contents without parts', () => {
    expect(lint([hello, { role: 'model' }])).toEqual([
      {
        type: 'error',
        status: 400,
        code: null,
        message: '* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.\n',
        param: 'contents[1].parts',
      },
    ]);
  });

  it('reads a whole request inside a request to count tokens', () => {
    const whole = { contents: [hello], systemInstruction: { parts: [{ text: 'be kind' }] } };
    for (const key of ['generateContentRequest', 'generate_content_request']) {
      expect(read({ [key]: whole })).toMatchObject({ ...read(whole), json: { [key]: whole } });
    }
  });
});
