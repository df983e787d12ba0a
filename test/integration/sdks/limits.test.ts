import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const content = 'One two three. END of the text.';
const call = { name: 'write_file', arguments: { path: 'a.txt', content: 'one two three' } };
const served = serveScenarios([
  { name: 'text', trigger: 'tell me', steps: [{ response: { content } }] },
  { name: 'call', trigger: 'write it', steps: [{ response: { tool_calls: [call] } }] },
  { name: 'refusal', trigger: 'be bad', steps: [{ response: { content: 'No, never.', finish: 'refusal' } }] },
]);

const user = (text: string) => [{ role: 'user' as const, content: text }];
const openai = () => new OpenAI({ apiKey: 'unused', baseURL: `${served.url}/v1` });
const anthropic = () => new Anthropic({ apiKey: 'unused', baseURL: served.url });
const google = () => new GoogleGenAI({ apiKey: 'unused', httpOptions: { baseUrl: served.url } });
const ollama = () => new Ollama({ host: served.url });

describe('the official client of', () => {
  it('Chat Completions reads the end of a truncated, a stopped and a refused answer', async () => {
    const model = 'm';
    const cut = await openai().chat.completions.create({ model, messages: user('tell me'), max_completion_tokens: 2 });
    expect(cut.choices).toMatchObject([{ finish_reason: 'length', message: { content: 'One two ' } }]);
    expect(cut.usage?.completion_tokens).toBe(2);
    const stopped = openai().chat.completions.stream({ model, messages: user('tell me'), stop: [' END'] });
    const [choice] = (await stopped.finalChatCompletion()).choices;
    expect(choice).toMatchObject({ finish_reason: 'stop', message: { content: 'One two three.' } });
    const refused = openai().chat.completions.stream({ model, messages: user('be bad') });
    expect((await refused.finalChatCompletion()).choices[0]?.message).toMatchObject({
      content: null,
      refusal: 'No, never.',
    });
  });

  it('Chat Completions collects several choices of a stream', async () => {
    const stream = openai().chat.completions.stream({ model: 'm', messages: user('tell me'), n: 2 });
    const { choices } = await stream.finalChatCompletion();
    expect(choices.map(({ index, message }) => [index, message.content])).toEqual([
      [0, content],
      [1, content],
    ]);
  });

  it('Responses reads the end of a truncated and a refused answer', async () => {
    const cut = openai().responses.stream({ model: 'm', input: 'tell me', max_output_tokens: 2 });
    expect(await cut.finalResponse()).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output_text: 'One two ',
    });
    const refused = await openai().responses.stream({ model: 'm', input: 'be bad' }).finalResponse();
    expect(refused.output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'No, never.' }] }]);
  });

  it('Anthropic reads the end of a truncated, a stopped and a refused answer', async () => {
    const ask = (text: string, more: object = {}) => ({ model: 'm', max_tokens: 99, messages: user(text), ...more });
    const cut = await anthropic()
      .messages.stream(ask('tell me', { max_tokens: 2 }))
      .finalMessage();
    expect(cut).toMatchObject({
      stop_reason: 'max_tokens',
      content: [{ text: 'One two ' }],
      usage: { output_tokens: 2 },
    });
    const stopped = await anthropic().messages.create(ask('tell me', { stop_sequences: [' END'] }));
    expect(stopped).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: ' END' });
    const refused = await anthropic().messages.stream(ask('be bad')).finalMessage();
    expect(refused).toMatchObject({ stop_reason: 'refusal', content: [{ text: 'No, never.' }] });
  });

  it('Anthropic reads a truncated call equally, streamed or not', async () => {
    const request = { model: 'm', max_tokens: 14, messages: user('write it') };
    const streamed = await anthropic().messages.stream(request).finalMessage();
    const { content: plain } = await anthropic().messages.create(request);
    expect(plain).toMatchObject([{ type: 'tool_use', input: { path: 'a.txt', content: expect.any(String) } }]);
    expect(streamed.content).toEqual(plain);
  });

  it('Gemini reads the end of a truncated answer, and its candidates', async () => {
    const request = { model: 'm', contents: 'tell me', config: { maxOutputTokens: 2, candidateCount: 2 } };
    const { candidates } = await google().models.generateContent(request);
    expect(candidates).toMatchObject([
      { finishReason: 'MAX_TOKENS', index: 0, content: { parts: [{ text: 'One two ' }] } },
      { finishReason: 'MAX_TOKENS', index: 1 },
    ]);
    const counts: unknown[] = [];
    for await (const chunk of await google().models.generateContentStream({ model: 'm', contents: 'be bad' })) {
      counts.push([chunk.usageMetadata?.candidatesTokenCount, chunk.candidates?.[0]?.finishReason]);
    }
    expect(counts).toEqual([
      [1, undefined],
      [3, undefined],
      [3, 'SAFETY'],
    ]);
  });

  it('Ollama reads the end of a truncated answer', async () => {
    const request = { model: 'm', messages: user('tell me'), options: { num_predict: 2 } };
    const answer = await ollama().chat(request);
    expect(answer).toMatchObject({ done_reason: 'length', eval_count: 2, message: { content: 'One two ' } });
  });
});
