import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { askedAbout } from '../ask-protocols.ts';

type Fields = Readonly<Record<string, unknown>>;

const schemaOf = (...keys: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
  required: keys,
});
const weather = { name: 'get_weather', description: 'Weather.', schema: schemaOf('city') };
const person = { name: 'Person', description: 'A person.', schema: schemaOf('name', 'job') };
const finish = { name: 'final_answer', description: 'The answer.', schema: schemaOf('answer') };
const write = { name: 'write_file', description: 'Write a file.', schema: schemaOf('path', 'content') };
const report = { name: 'emit', description: 'Ends the work.', schema: schemaOf('report') };
type Tool = typeof weather;

/** The tools and the rule of a request, as the official clients write them. `name`: the one tool that must be called. */
const FORCED: Readonly<Record<Exclude<Protocol, 'ollama'>, (tools: readonly Tool[], name?: string) => Fields>> = {
  'openai-chat': (tools, name) => ({
    tools: tools.map(({ schema, ...tool }) => ({ type: 'function', function: { ...tool, parameters: schema } })),
    tool_choice: name === undefined ? 'required' : { type: 'function', function: { name } },
  }),
  'openai-responses': (tools, name) => ({
    tools: tools.map(({ schema, ...tool }) => ({ type: 'function', ...tool, parameters: schema })),
    tool_choice: name === undefined ? 'required' : { type: 'function', name },
  }),
  'anthropic-messages': (tools, name) => ({
    tools: tools.map(({ schema, ...tool }) => ({ ...tool, input_schema: schema })),
    tool_choice: name === undefined ? { type: 'any' } : { type: 'tool', name },
  }),
  'bedrock-converse': (tools, name) => ({
    toolConfig: {
      tools: tools.map(({ schema, ...tool }) => ({ toolSpec: { ...tool, inputSchema: { json: schema } } })),
      toolChoice: name === undefined ? { any: {} } : { tool: { name } },
    },
  }),
  'gemini-interactions': (tools, name) => ({
    tools: tools.map(({ schema, ...tool }) => ({ type: 'function', ...tool, parameters: schema })),
    generation_config: {
      tool_choice: name === undefined ? 'any' : { allowed_tools: { mode: 'any', tools: [name] } },
    },
  }),
  gemini: (tools, name) => ({
    tools: [{ functionDeclarations: tools.map(({ schema, ...tool }) => ({ ...tool, parametersJsonSchema: schema })) }],
    toolConfig: {
      functionCallingConfig: { mode: 'ANY', ...(name !== undefined && { allowedFunctionNames: [name] }) },
    },
  }),
};

const protocols = [
  'gemini-interactions',
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'bedrock-converse',
  'gemini',
] as const;
const each = protocols.flatMap((protocol) => [false, true].map((stream) => [protocol, stream] as const));
const argumentsOf = (call: { readonly arguments: string } | undefined): unknown =>
  JSON.parse(call?.arguments ?? 'null');

describe.each(each)('a request of %s (stream %s) that requires a call', (protocol, stream) => {
  const forced = FORCED[protocol];

  it('gets a JSON object of a step as the arguments of the named tool', async () => {
    const { ask } = askedAbout({ content: '{"name": "Ada", "job": "engineer"}' });
    const { text, calls } = await ask(protocol, stream, forced([weather, person], 'Person'));
    expect([text, calls.map(({ name }) => name), argumentsOf(calls[0])]).toEqual([
      '',
      ['Person'],
      { name: 'Ada', job: 'engineer' },
    ]);
  });

  it('gets it as those of the first tool that takes them', async () => {
    const { ask } = askedAbout({ content: '{"name": "Ada", "job": "engineer"}' });
    const { calls } = await ask(protocol, stream, forced([weather, person]));
    expect(calls).toMatchObject([{ name: 'Person' }]);
  });

  it('gets a text as the answer of a tool that ends the work', async () => {
    const { ask } = askedAbout({ content: 'It is sunny.' });
    const { calls } = await ask(protocol, stream, forced([weather, finish]));
    expect([calls[0]?.name, argumentsOf(calls[0])]).toEqual(['final_answer', { answer: 'It is sunny.' }]);
    const { calls: named } = await ask(protocol, stream, forced([weather, report], 'emit'));
    expect([named[0]?.name, argumentsOf(named[0])]).toEqual(['emit', { report: 'It is sunny.' }]);
  });

  it('gets an instance of the schema without a scenario', async () => {
    const { ask } = askedAbout({ content: 'x' });
    const { calls } = await ask(protocol, stream, forced([person]), 'Who is it?');
    expect([calls[0]?.name, argumentsOf(calls[0])]).toEqual(['Person', { name: 'Who is it', job: 'Who is it' }]);
  });

  it('gets an intent as a call of the tool that can carry it out', async () => {
    const { ask } = askedAbout({ tool_calls: [{ intent: 'write_file', path: 'a.txt', content: 'hi' }] });
    const { calls } = await ask(protocol, stream, forced([weather, write]));
    expect([calls.map(({ name }) => name), argumentsOf(calls[0])]).toEqual([
      ['write_file'],
      { path: 'a.txt', content: 'hi' },
    ]);
    await expect(ask(protocol, stream, forced([weather]))).rejects.toThrow(/^400 .*the client offers get_weather/);
  });

  it('is refused with the way to write the step for any other text', async () => {
    const { ask } = askedAbout({ content: 'It is sunny.' });
    await expect(ask(protocol, stream, forced([weather], 'get_weather'))).rejects.toThrow(
      /^400 .*Step 0 of scenario .*only.* is text, but the request requires a call of get_weather/,
    );
  });
});

describe('an answer to a request that requires a call', () => {
  const fields = FORCED['openai-chat'];

  it.each([
    ['refuses', { content: 'No.', finish: 'refusal' }],
    ['is cut', { content: 'It i', finish: 'length' }],
  ])('stays text if its step says that it %s', async (_what, response) => {
    const { ask } = askedAbout(response);
    expect((await ask('openai-chat', false, fields([weather]))).calls).toEqual([]);
  });

  it('is the text of a tool with free text as its input', async () => {
    const { ask } = askedAbout({ content: 'SELECT 1' });
    const tools = [{ type: 'custom', name: 'sql', description: 'Runs SQL.' }];
    const { objects } = await ask('openai-responses', false, { tools, tool_choice: 'required' });
    expect(objects).toMatchObject([{ output: [{ type: 'custom_tool_call', name: 'sql', input: 'SELECT 1' }] }]);
  });

  // Instructor and pydantic-ai offer a list as `{"tasks": […]}` and a number as `{"response": 3}`.
  it.each([
    ['["a", "b"]', { type: 'array', items: { type: 'string' } }, ['a', 'b']],
    ['3', { type: 'integer' }, 3],
    ['null', { type: 'null' }, null],
  ])('wraps %s into the only argument of the tool', async (content, schema, value) => {
    const { ask } = askedAbout({ content });
    const parameters = { type: 'object', properties: { tasks: schema }, required: ['tasks'] };
    const tools = [{ type: 'function', function: { name: 'answer', parameters } }];
    const { calls } = await ask('openai-chat', false, { tools, tool_choice: 'required' });
    expect(argumentsOf(calls[0])).toEqual({ tasks: value });
  });

  it.each([
    ['3', [weather]],
    ['[1]', [weather, person]],
    ['{"town": "Rome"}', [weather, person]],
  ])('is refused if %s fits none of the tools', async (content, tools) => {
    const { ask } = askedAbout({ content });
    await expect(ask('openai-chat', false, fields(tools))).rejects.toThrow('requires a call of');
  });

  it('can come from the default response, and is refused if that is text', async () => {
    const ask = async (content: string, tools: readonly Tool[]) => {
      const scenarios = scenarioSet({
        scenarios: [{ name: 'other', trigger: 'other', steps: [{ response: { content: 'x' } }] }],
        default_response: { content },
      });
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi.' }], ...fields(tools) });
      const answer = await createMockServer({ scenarios }).request('/v1/chat/completions', { method: 'POST', body });
      return [answer.status, await answer.text()] as const;
    };
    expect(await ask('{"city": "Rome"}', [weather, person])).toEqual([200, expect.stringContaining('get_weather')]);
    expect(await ask('Rome', [weather, person])).toEqual([
      400,
      expect.stringContaining('The default_response is text'),
    ]);
    expect(await ask('Rome', [weather])).toEqual([200, expect.stringContaining('get_weather')]);
  });

  it('is a miss without a scenario if several tools could be called', async () => {
    const { ask } = askedAbout({ content: 'x' });
    await expect(ask('openai-chat', false, fields([weather, person]), 'Who?')).rejects.toThrow('No scenario matches');
  });
});
