import { describe, expect, it } from 'vitest';
import { PROTOCOLS, type Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { askedAbout } from '../ask-protocols.ts';

const cases = PROTOCOLS.flatMap((protocol) => [false, true].map((stream) => [protocol, stream] as const));

/** The fields that limit an answer to a number of tokens. */
const LENGTHS: readonly (readonly [Protocol, string, (tokens: number) => object])[] = [
  ['openai-chat', 'max_tokens', (tokens) => ({ max_tokens: tokens })],
  ['openai-chat', 'max_completion_tokens', (tokens) => ({ max_completion_tokens: tokens })],
  ['openai-responses', 'max_output_tokens', (tokens) => ({ max_output_tokens: tokens })],
  ['anthropic-messages', 'max_tokens', (tokens) => ({ max_tokens: tokens })],
  ['bedrock-converse', 'maxTokens', (tokens) => ({ inferenceConfig: { maxTokens: tokens } })],
  ['gemini', 'maxOutputTokens', (tokens) => ({ generationConfig: { maxOutputTokens: tokens } })],
  ['gemini', 'maxOutputTokens', (tokens) => ({ generation_config: { max_output_tokens: String(tokens) } })],
  ['gemini-interactions', 'max_output_tokens', (tokens) => ({ generation_config: { max_output_tokens: tokens } })],
  ['ollama', 'num_predict', (tokens) => ({ options: { num_predict: tokens } })],
];

/** The reasons for the end of a cut answer; sources in finish-and-usage.test.ts. */
const LENGTH_ENDS: Readonly<Record<Protocol, unknown>> = {
  'openai-chat': 'length',
  'openai-responses': expect.arrayContaining(['incomplete', 'max_output_tokens']),
  'anthropic-messages': ['max_tokens', null, null],
  'bedrock-converse': 'max_tokens',
  gemini: 'MAX_TOKENS',
  'gemini-interactions': 'incomplete',
  ollama: 'length',
};

/** The tokens of an answer in its usage, reasoning included. */
const TOKENS: Readonly<Record<Protocol, (tokens: number, reasoning: number) => object>> = {
  'openai-chat': (completion_tokens, reasoning_tokens) => ({
    completion_tokens,
    completion_tokens_details: { reasoning_tokens },
  }),
  'openai-responses': (output_tokens, reasoning_tokens) => ({
    output_tokens,
    output_tokens_details: { reasoning_tokens },
  }),
  'anthropic-messages': (output_tokens) => ({ output_tokens }),
  'bedrock-converse': (outputTokens) => ({ outputTokens }),
  gemini: (tokens, thoughts) => ({
    candidatesTokenCount: tokens - thoughts,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
  }),
  'gemini-interactions': (tokens, thoughts) => ({
    total_output_tokens: tokens - thoughts,
    total_thought_tokens: thoughts,
  }),
  ollama: (eval_count) => ({ eval_count }),
};

describe('a limit of tokens', () => {
  const lengths = LENGTHS.flatMap((row) => [false, true].map((stream) => [...row, stream] as const));

  it.each(lengths)('of %s in %s cuts the answer and is noted', async (protocol, name, fields, stream) => {
    const { ask, journal, lines } = askedAbout({ reasoning: 'Think: 1', content: 'Grüße an die ganze Welt.' });
    const answer = await ask(protocol, stream, { ...fields(5) });
    expect(answer).toMatchObject({ reasoning: 'Think: 1', text: 'Grüße an d', end: LENGTH_ENDS[protocol] });
    expect(answer.usage).toMatchObject(TOKENS[protocol](5, 2));
    const note = `cut at ${name} 5: 5 of 9 tokens are sent`;
    expect(journal.entries).toMatchObject([{ notes: [note], status: 200 }]);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`200 only step 0 \\(${note}\\)$`))]);
  });

  it.each(lengths)('of %s in %s changes nothing in an answer within it', async (protocol, _name, fields, stream) => {
    const { ask, journal } = askedAbout({ content: 'Twelve bytes' });
    const { objects } = await ask(protocol, stream, { ...fields(3) });
    const unlimited = await askedAbout({ content: 'Twelve bytes' }).ask(protocol, stream);
    // Responses repeats the field.
    const expected = JSON.stringify(unlimited.objects).replaceAll('"max_output_tokens":null', '"max_output_tokens":3');
    expect(JSON.stringify(objects)).toBe(expected);
    expect(journal.entries[0]?.notes).toBeUndefined();
  });

  it.each(cases)('cuts the arguments of the last call: %s, streamed: %s', async (protocol, stream) => {
    const call = (path: string) => ({ name: 'read', arguments: { path } });
    const { ask } = askedAbout({ tool_calls: [call('a.txt'), call('b.txt'), call('c.txt')] });
    const fields = LENGTHS.findLast(([name]) => name === protocol)?.[2](10) ?? {};
    const { calls, text, end } = await ask(protocol, stream, { ...fields });
    // The first call takes 20 of 40 bytes, the name of the second one 4.
    const whole = { name: 'read', arguments: '{"path":"a.txt"}' };
    const cut = { name: 'read', arguments: '{"path":"b.txt"}'.slice(0, 16) };
    expect(cut.arguments).toHaveLength(16);
    expect(calls).toEqual([whole, cut]);
    expect([text, end]).toEqual(['', LENGTH_ENDS[protocol]]);
    const shorter = LENGTHS.findLast(([name]) => name === protocol)?.[2](8) ?? {};
    const second = await ask(protocol, stream, { ...shorter });
    // Anthropic's plain body has the fields up to the cut; Gemini leaves the call out, Ollama writes it into the text.
    const isObject = ['anthropic-messages', 'bedrock-converse', 'gemini-interactions'].includes(protocol);
    const partial = isObject && !stream ? '{}' : '{"path":';
    const isSent = protocol !== 'gemini' && protocol !== 'ollama';
    expect(second.calls).toEqual([whole, ...(isSent ? [{ name: 'read', arguments: partial }] : [])]);
    expect(second.text).toBe(protocol === 'ollama' ? '{"name": "read", "arguments": {"path":' : '');
  });

  // A client would run the call without arguments: no provider sends one as whole that the limit cut.
  it.each(cases)('sends no whole call for one that ends after its name: %s, streamed: %s', async (protocol, stream) => {
    const { ask } = askedAbout({ tool_calls: [{ name: 'read', arguments: { path: 'a.txt' } }] });
    const fields = LENGTHS.findLast(([name]) => name === protocol)?.[2](1) ?? {};
    const { calls, text } = await ask(protocol, stream, { ...fields });
    const isSent = protocol !== 'gemini' && protocol !== 'ollama';
    const isObject = ['anthropic-messages', 'bedrock-converse', 'gemini-interactions'].includes(protocol);
    const nothing = isObject && !stream ? '{}' : '';
    expect(calls).toEqual(isSent ? [{ name: 'read', arguments: nothing }] : []);
    expect(text).toBe(protocol === 'ollama' ? '{"name": "read", "arguments": ' : '');
  });

  it.each([false, true])('of Ollama leaves out reasoning that is not sent, streamed: %s', async (stream) => {
    const { ask } = askedAbout({ reasoning: 'x'.repeat(100), content: 'Yes.' });
    const answer = await ask('ollama', stream, { think: false, options: { num_predict: 1 } });
    expect(answer).toMatchObject({ reasoning: '', text: 'Yes.', end: 'stop', usage: { eval_count: 1 } });
  });

  it.each(cases)('can be used up by the reasoning: %s, streamed: %s', async (protocol, stream) => {
    const { ask } = askedAbout({ reasoning: 'x'.repeat(100), content: 'Yes.' });
    const fields = LENGTHS.findLast(([name]) => name === protocol)?.[2](3) ?? {};
    const answer = await ask(protocol, stream, { ...fields });
    expect(answer).toMatchObject({ reasoning: 'x'.repeat(12), text: '', calls: [] });
    expect(answer.usage).toMatchObject(TOKENS[protocol](3, 3));
  });

  it('has its first name in Chat Completions, which has two', async () => {
    const { ask, journal } = askedAbout({ content: 'x'.repeat(100) });
    await ask('openai-chat', false, { max_tokens: 9, max_completion_tokens: 2 });
    expect(journal.entries[0]?.notes).toEqual(['cut at max_completion_tokens 2: 2 of 25 tokens are sent']);
  });

  it.each([-1, -2, 0])('of Ollama is none if it is %i', async (tokens) => {
    const { ask } = askedAbout({ content: 'All of it.' });
    expect(await ask('ollama', false, { options: { num_predict: tokens } })).toMatchObject({ text: 'All of it.' });
  });

  it('applies to answers of no scenario, too', async () => {
    const { ask, journal } = askedAbout({ content: 'never' });
    const { text } = await ask('openai-chat', false, { max_tokens: 1 }, 'Summarize this conversation: we talked.');
    expect(text).toBe('Summ');
    expect(journal.entries).toMatchObject([
      { auxiliary: 'summary', notes: [expect.stringContaining('cut at max_tokens 1')] },
    ]);
  });

  it('is ignored by a server with that option', async () => {
    const { ask, journal } = askedAbout({ content: 'All of it. END. Really.' }, { limits: 'ignore' });
    const answer = await ask('openai-chat', true, { max_tokens: 1, stop: 'END' });
    expect(answer).toMatchObject({ text: 'All of it. END. Really.', end: 'stop' });
    expect(journal.entries[0]?.notes).toBeUndefined();
  });
});

describe('a stop sequence', () => {
  // OpenAI: "the returned text will not contain the stop sequence"; Anthropic names it in `stop_sequence` (`Message` of
  // @anthropic-ai/sdk); Gemini and Ollama end as usual.
  const STOPS: readonly (readonly [Protocol, object, unknown])[] = [
    ['openai-chat', { stop: ' END' }, 'stop'],
    ['openai-chat', { stop: ['never', ' END'] }, 'stop'],
    ['anthropic-messages', { stop_sequences: ['never', ' END'] }, ['stop_sequence', ' END', null]],
    ['gemini', { generationConfig: { stopSequences: [' END'] } }, 'STOP'],
    ['gemini', { generation_config: { stop_sequences: [' END'] } }, 'STOP'],
    ['gemini', { generationConfig: { stopSequences: ' END' } }, 'STOP'],
    ['ollama', { options: { stop: [' END'] } }, 'stop'],
  ];
  const stops = STOPS.flatMap((row) => [false, true].map((stream) => [...row, stream] as const));

  it.each(stops)('of %s, %j, ends the answer before it', async (protocol, fields, end, stream) => {
    const response = { content: 'One. END Two.', tool_calls: [{ name: 'read' }] };
    const { ask, journal } = askedAbout(response);
    const answer = await ask(protocol, stream, { ...fields });
    expect(answer).toMatchObject({ text: 'One.', calls: [], end });
    expect(answer.usage).toMatchObject(TOKENS[protocol](1, 0));
    expect(journal.entries[0]?.notes).toEqual([expect.stringMatching(/^ended at stop\w* " END"$/)]);
  });

  it('is no part of the other protocols', async () => {
    const { ask } = askedAbout({ content: 'One. END Two.' });
    expect(await ask('openai-responses', false, { stop: ' END' })).toMatchObject({ text: 'One. END Two.' });
  });

  it.each(['', '\ud83d'])('that is no character is ignored: %j', async (stop) => {
    const { ask } = askedAbout({ content: 'One 🙂 two.' });
    expect(await ask('openai-chat', false, { stop })).toMatchObject({ text: 'One 🙂 two.', end: 'stop' });
  });
});
