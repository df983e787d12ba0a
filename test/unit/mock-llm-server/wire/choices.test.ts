import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { askedAbout } from '../ask-protocols.ts';

const calling = { content: 'I read.', tool_calls: [{ name: 'read' }, { name: 'write' }] };
const both = [expect.objectContaining({ name: 'read' }), expect.objectContaining({ name: 'write' })];

/** `ToolChoice` of Gemini: `FunctionCallingConfig` of @google/genai. */
const gemini = (mode: string, ...allowedFunctionNames: readonly string[]) => ({
  toolConfig: { functionCallingConfig: { mode, ...(allowedFunctionNames.length > 0 && { allowedFunctionNames }) } },
});
const chosen = (name: string) => ({ type: 'function', function: { name } });

/** Sources: `ChatCompletionToolChoiceOption` and `ToolChoiceParam` of openai-openapi; `ToolChoice` of @anthropic-ai/sdk. */
const NONE: readonly (readonly [Protocol, object])[] = [
  ['openai-chat', { tool_choice: 'none' }],
  ['openai-responses', { tool_choice: 'none' }],
  ['anthropic-messages', { tool_choice: { type: 'none' } }],
  ['gemini', gemini('NONE')],
  ['gemini', { tool_config: { function_calling_config: { mode: 'NONE' } } }],
];
const REQUIRED: readonly (readonly [Protocol, object])[] = [
  ['openai-chat', { tool_choice: 'required' }],
  [
    'openai-chat',
    { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [chosen('x')] } } },
  ],
  ['openai-responses', { tool_choice: 'required' }],
  ['openai-responses', { tool_choice: { type: 'shell' } }],
  ['anthropic-messages', { tool_choice: { type: 'any' } }],
  ['gemini', gemini('ANY')],
];
const NAMED: readonly (readonly [Protocol, object])[] = [
  ['openai-chat', { tool_choice: chosen('read') }],
  ['openai-chat', { tool_choice: { type: 'custom', custom: { name: 'read' } } }],
  ['openai-chat', { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [chosen('read')] } } }],
  ['openai-responses', { tool_choice: { type: 'function', name: 'read' } }],
  [
    'openai-responses',
    { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'read' }] } },
  ],
  ['anthropic-messages', { tool_choice: { type: 'tool', name: 'read' } }],
  ['gemini', gemini('ANY', 'read')],
  ['gemini', gemini('VALIDATED', 'read')],
  // A single value can replace a list (JSON mapping of Google's APIs).
  ['gemini', { tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: 'read' } } }],
];
const FREE: readonly (readonly [Protocol, object])[] = [
  ['openai-chat', { tool_choice: 'auto' }],
  ['openai-chat', { tool_choice: null }],
  ['openai-responses', { tool_choice: { type: 'file_search' } }],
  ['openai-responses', { tool_choice: 'sometimes' }],
  ['anthropic-messages', { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
  ['gemini', gemini('AUTO')],
];

const streams = [false, true];
const rows = (table: readonly (readonly [Protocol, object])[]) =>
  table.flatMap((row) => streams.map((stream) => [...row, stream] as const));

/** The requests choose tools that they do not offer, which services refuse. */
const UNCHECKED = { lint: 'off' } as const;

describe('a tool choice', () => {
  it.each(rows(NONE))('of %s, %j, that forbids calls removes those of the step', async (protocol, fields, stream) => {
    const { ask, journal, lines } = askedAbout(calling, UNCHECKED);
    const { text, calls, end } = await ask(protocol, stream, { ...fields });
    const stop = await askedAbout({ content: 'I read.' }, UNCHECKED).ask(protocol, stream);
    expect({ text, calls, end }).toEqual({ text: 'I read.', calls: [], end: stop.end });
    const note = expect.stringMatching(
      /^(tool_choice|functionCallingConfig) .*: the calls of read, write are left out$/,
    );
    expect(journal.entries).toMatchObject([{ notes: [note] }]);
    expect(lines).toEqual([expect.stringContaining('the calls of read, write are left out')]);
  });

  it.each(rows(NONE))('of %s, %j, leaves an empty answer of calls alone', async (protocol, fields, stream) => {
    const { ask } = askedAbout({ tool_calls: [{ name: 'read' }] }, UNCHECKED);
    expect(await ask(protocol, stream, { ...fields })).toMatchObject({ text: '', calls: [] });
  });

  it.each(rows(REQUIRED))('of %s, %j, notes an answer without calls', async (protocol, fields, stream) => {
    const { ask, journal } = askedAbout({ content: 'No call.' }, UNCHECKED);
    expect(await ask(protocol, stream, { ...fields })).toMatchObject({ text: 'No call.', calls: [] });
    const note = expect.stringMatching(/: a provider would call a tool, the answer calls none$/);
    expect(journal.entries[0]?.notes).toEqual([note]);
  });

  it.each(rows(NAMED))('of %s, %j, notes a call of another tool', async (protocol, fields, stream) => {
    const { ask, journal } = askedAbout(calling, UNCHECKED);
    expect((await ask(protocol, stream, { ...fields })).calls).toEqual(both);
    expect(journal.entries[0]?.notes).toEqual([expect.stringMatching(/: a provider would not call write$/)]);
  });

  it.each(rows(FREE))('of %s, %j, changes nothing', async (protocol, fields, stream) => {
    const { ask, journal } = askedAbout(calling, UNCHECKED);
    expect((await ask(protocol, stream, { ...fields })).calls).toEqual(both);
    expect(journal.entries[0]?.notes).toBeUndefined();
  });

  // Measured at api.openai.com in vllm-project/vllm#25054: `stop` for a named tool, `tool_calls` for a required one, in
  // streams and without.
  it.each([
    [chosen('read'), 'stop'],
    [{ type: 'custom', custom: { name: 'read' } }, 'stop'],
    ['required', 'tool_calls'],
    ['auto', 'tool_calls'],
  ])('%j ends an answer of Chat Completions with %s', async (choice, reason) => {
    const { ask } = askedAbout({ tool_calls: [{ name: 'read' }] }, UNCHECKED);
    for (const stream of streams) {
      expect(await ask('openai-chat', stream, { tool_choice: choice })).toMatchObject({ end: reason });
    }
  });

  it('leaves what it removes out of the limit of tokens', async () => {
    const { ask, journal } = askedAbout(
      { content: 'Hi.', tool_calls: [{ name: 'read', arguments: { path: 'abc' } }] },
      UNCHECKED,
    );
    await ask('openai-chat', false, { tool_choice: 'none', max_tokens: 1 });
    expect(journal.entries[0]?.notes).toEqual([expect.stringContaining('left out')]);
  });
});

describe('a response whose calls were left out', () => {
  it.each([
    ['by the tool choice', { tool_choice: 'none' }],
    ['by a limit', { max_output_tokens: 1 }],
  ])('%s awaits no results of them from a request that goes on from it', async (_how, fields) => {
    const { ask } = askedAbout({ content: 'I read.', tool_calls: [{ name: 'read' }, { name: 'read' }] }, UNCHECKED);
    const first = await ask('openai-responses', false, fields);
    expect(first.calls).toEqual([]);
    const next = await ask('openai-responses', false, { previous_response_id: first.objects[0]?.['id'] });
    expect(next.calls).toHaveLength(2);
  });
});

describe('several choices', () => {
  it('of Chat Completions have the same content and count the tokens of all', async () => {
    const { ask } = askedAbout({ content: 'One two.', tool_calls: [{ name: 'read' }] }, UNCHECKED);
    const single = await ask('openai-chat', false);
    const { objects, usage } = await ask('openai-chat', false, { n: 3 });
    const [choice] = z.array(z.looseObject({})).parse(single.objects[0]?.['choices']);
    expect(objects[0]?.['choices']).toEqual([0, 1, 2].map((index) => ({ ...choice, index })));
    expect(usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 3 * 4, total_tokens: 5 + 3 * 4 });
  });

  it('of Chat Completions take turns in a stream', async () => {
    const { ask } = askedAbout({ content: 'One two.' }, UNCHECKED);
    const { objects, usage } = await ask('openai-chat', true, { n: 2 });
    const ChunkSchema = z.object({
      choices: z.array(z.object({ index: z.number(), finish_reason: z.string().nullable() })),
    });
    const chunks = objects.map((object) => ChunkSchema.parse(object).choices);
    expect(chunks.flatMap((choices) => choices.map(({ index }) => index))).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
    expect(chunks.slice(-3)).toMatchObject([[{ finish_reason: 'stop' }], [{ finish_reason: 'stop' }], []]);
    expect(usage).toMatchObject({ completion_tokens: 2 * 2 });
  });

  it.each(streams)('of Gemini have the same content and count the tokens of all, streamed: %s', async (stream) => {
    const { ask } = askedAbout({ reasoning: 'Hm?', content: 'One two.' }, UNCHECKED);
    const { objects, usage, text } = await ask('gemini', stream, { generationConfig: { candidateCount: 2 } });
    for (const { candidates } of objects) {
      const [first, second] = z.array(z.looseObject({})).parse(candidates);
      expect(second).toEqual({ ...first, index: 1 });
    }
    expect(text).toBe('One two.');
    expect(usage).toMatchObject({ candidatesTokenCount: 4, thoughtsTokenCount: 2, totalTokenCount: 11 });
  });

  // The API: "Invalid 'n': integer above maximum value. Expected a value <= 128".
  it.each([0, 129, 1.5])('cannot be %d', async (n) => {
    const { ask } = askedAbout({ content: 'Never.' }, UNCHECKED);
    await expect(ask('openai-chat', false, { n })).rejects.toThrow(/^400 .*'n'/);
  });

  it('of Gemini can be zero, which means one, but not more than eight', async () => {
    const { ask } = askedAbout({ content: 'One.' }, UNCHECKED);
    const { objects } = await ask('gemini', false, { generationConfig: { candidateCount: 0 } });
    expect(objects[0]?.['candidates']).toHaveLength(1);
    const many = ask('gemini', false, { generationConfig: { candidateCount: 9 } });
    await expect(many).rejects.toThrow(/^400 .*candidateCount/);
  });
});
