import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { cutPrompt, splitTool } from '../../../../mock-llm-server/drift/prompt-parts.ts';
import { readSampling } from '../../../../mock-llm-server/drift/sampling.ts';

const conversation: Conversation = {
  protocol: 'openai-chat',
  model: 'mock',
  system: ['You are an agent.', 'Be brief.'],
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file.\n\nOnly text.',
      input: 'json',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
    },
    { name: 'patch', namespace: 'functions', input: 'text' },
  ],
  messages: [
    { role: 'user', index: 1, parts: [{ type: 'text', text: 'Fix it' }] },
    {
      role: 'assistant',
      index: 2,
      parts: [
        { type: 'text', text: 'Reading.' },
        { type: 'tool_call', id: 'call_1', name: 'read_file', arguments: '{"path":"a"}' },
        { type: 'tool_call', id: 'call_2', name: 'read_file', arguments: '{"path":"b"}' },
      ],
    },
    { role: 'user', index: 3, parts: [{ type: 'tool_result', callId: 'call_1', content: 'one' }] },
    {
      role: 'user',
      index: 4,
      parts: [
        { type: 'tool_result', callId: 'call_2', content: 'two' },
        { type: 'text', text: 'Hurry' },
      ],
    },
  ],
};

describe('cutPrompt', () => {
  it('cuts a prompt into named parts', () => {
    const parts = cutPrompt(conversation, { temperature: 0 });
    expect(parts.map(({ kind, name, text }) => [kind, name, text])).toEqual([
      ['system', 'system', 'You are an agent.\n\nBe brief.'],
      [
        'tool',
        'tool read_file',
        'Reads a file.\n\nOnly text.\n\n{\n  "properties": {\n    "path": {\n      "type": "string"\n    }\n  },\n  "type": "object"\n}',
      ],
      ['tool', 'tool functions.patch', '\n\n(plain text)'],
      ['sampling', 'sampling', '{\n  "temperature": 0\n}'],
      ['user', 'user 1', 'Fix it'],
      ['assistant', 'assistant 1', 'Reading.\n→ read_file {"path":"a"}\n→ read_file {"path":"b"}'],
      ['tool_result', 'tool result 1', 'one'],
      ['tool_result', 'tool result 2', 'two'],
      ['user', 'user 2', 'Hurry'],
    ]);
  });

  it('leaves out what a request does not have', () => {
    expect(cutPrompt({ ...conversation, system: [], tools: [], messages: [] })).toEqual([]);
  });

  it('gives each of several tools with one name its own part', () => {
    const [tool] = conversation.tools;
    const parts = cutPrompt({ ...conversation, system: [], messages: [], tools: tool ? [tool, tool] : [] });
    expect(parts.map(({ name }) => name)).toEqual(['tool read_file', 'tool read_file (2)']);
  });

  it('counts results that the client sends as texts of the user as results', () => {
    const parts = cutPrompt({
      ...conversation,
      tools: [],
      system: [],
      messages: [
        { role: 'user', index: 0, parts: [{ type: 'text', text: 'Fix it' }] },
        { role: 'assistant', index: 1, parts: [{ type: 'text', text: 'Calling.' }] },
        { role: 'user', index: 2, parts: [{ type: 'text', text: '<tool_resp id="a">\nnine\n</tool_resp>' }] },
      ],
    });
    expect(parts.map(({ name, text }) => [name, text])).toEqual([
      ['user 1', 'Fix it'],
      ['assistant 1', 'Calling.'],
      ['tool result 1', 'nine'],
    ]);
  });

  it('adds the schema of the answer to the settings', () => {
    const parts = cutPrompt({
      ...conversation,
      system: [],
      tools: [],
      messages: [],
      outputSchema: { type: 'object' },
      outputName: 'title',
    });
    expect(parts.map(({ text }) => JSON.parse(text))).toEqual([
      { output_name: 'title', output_schema: { type: 'object' } },
    ]);
  });

  it('takes the digest of the normalized text', () => {
    const one = cutPrompt({ ...conversation, system: ['It is 9:15.'] }, {}, (text) =>
      text.replace(/\d+:\d+/, '<time>'),
    );
    const other = cutPrompt({ ...conversation, system: ['It is 9:16.'] }, {}, (text) =>
      text.replace(/\d+:\d+/, '<time>'),
    );
    expect(one).toEqual(other);
    expect(one[0]?.digest).toMatch(/^[0-9a-f]{32}$/);
    expect(one[0]?.digest).not.toBe(cutPrompt(conversation)[0]?.digest);
  });
});

describe('splitTool', () => {
  it.each([
    ['Reads.\n{\nnot a schema\n\n{\n  "a": {}\n}', 'Reads.\n{\nnot a schema', '{\n  "a": {}\n}'],
    ['\n\n{}', '', '{}'],
    ['Patches.\n\n(plain text)', 'Patches.', '(plain text)'],
  ])('finds the schema of %j', (text, description, schema) => {
    expect(splitTool(text)).toEqual({ description, schema });
  });
});

describe('readSampling', () => {
  it.each([
    [
      'Chat',
      { temperature: 0.2, max_completion_tokens: 9, messages: [], model: 'm' },
      { temperature: 0.2, max_tokens: 9 },
    ],
    [
      'Messages',
      { max_tokens: 9, stop_sequences: ['x'], thinking: { type: 'enabled' } },
      { max_tokens: 9, stop: ['x'], thinking: { type: 'enabled' } },
    ],
    [
      'Responses',
      {
        max_output_tokens: 9,
        reasoning: { effort: 'low' },
        text: { verbosity: 'low', format: { type: 'json_schema', schema: {} } },
      },
      { max_tokens: 9, reasoning: { effort: 'low' }, verbosity: 'low' },
    ],
    ['Gemini', { generationConfig: { maxOutputTokens: 9, topK: 3 } }, { max_tokens: 9, top_k: 3 }],
    [
      'Ollama',
      { options: { num_predict: 9, num_ctx: 4096 }, format: 'json' },
      { max_tokens: 9, num_ctx: 4096, response_format: 'json' },
    ],
    ['a null', { temperature: null }, {}],
    ['a schema', { response_format: { type: 'json_schema', json_schema: {} } }, {}],
    ['a list', [], {}],
  ])('reads the settings of %s', (_name, body, settings) => {
    expect(readSampling(body)).toEqual(settings);
  });

  it('gives equal settings in the order of their names', () => {
    expect(Object.keys(readSampling({ top_p: 1, seed: 2 }))).toEqual(['seed', 'top_p']);
  });
});
