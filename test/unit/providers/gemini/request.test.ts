import { describe, expect, it } from 'vitest';
import { REASONING_EFFORTS } from '../../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../../src/agent/ports/messages.ts';
import { geminiRequest } from '../../../../src/providers/gemini/request.ts';
import { providerState } from '../../../../src/providers/provider-state.ts';

const identity = { provider: 'gemini', wire: 'gemini', model: 'gemini-3.8-flash' };
const options = { maxTokens: 100 };
const history: readonly Message[] = [
  { role: 'user', content: 'compare' },
  {
    role: 'assistant',
    content: 'Reading.',
    toolCalls: [
      { id: 'c1', name: 'read_file', arguments: '{"path": "a.png"}' },
      { id: 'c2', name: 'list_files', arguments: 'not JSON' },
    ],
    providerState: providerState(identity, [
      { call: null, thoughtSignature: 'dGV4dA==' },
      { call: 0, thoughtSignature: 'Y2FsbA==' },
      'not ours',
    ]),
  },
  {
    role: 'tool',
    toolCallId: 'c1',
    content: 'a picture',
    isError: false,
    images: [{ mediaType: 'image/png', data: 'AAAA' }],
  },
  { role: 'tool', toolCallId: 'c2', content: 'invalid', isError: true },
  { role: 'assistant', content: 'Equal.', toolCalls: [] },
  { role: 'user', content: 'thanks' },
];

function contents(messages: readonly Message[], model = identity.model): unknown {
  return geminiRequest({ system: '', messages, tools: [] }, { ...identity, model }, options)['contents'];
}

describe('the request body', () => {
  it('has the system text, the tools and the limits', () => {
    const tools = [{ name: 'now', description: 'Tells.', parameters: { type: 'object' }, effect: 'read' } as const];
    const request = { system: 'Be brief.', messages: [{ role: 'user', content: 'hello' } as const], tools };
    expect(geminiRequest(request, { ...identity, model: 'other' }, { ...options, temperature: 0.2 })).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [
        { functionDeclarations: [{ name: 'now', description: 'Tells.', parametersJsonSchema: { type: 'object' } }] },
      ],
      contents: [{ role: 'user', parts: [{ text: 'hello' }] }],
      generationConfig: { maxOutputTokens: 100, temperature: 0.2 },
    });
  });

  it('has neither system text nor tools when there are none', () => {
    const body = geminiRequest({ system: '', messages: [], tools: [] }, { ...identity, model: 'other' }, options);
    expect(body).toEqual({ contents: [], generationConfig: { maxOutputTokens: 100 } });
  });

  it('has calls with their signatures, and all results of an answer in one turn', () => {
    expect(contents(history)).toEqual([
      { role: 'user', parts: [{ text: 'compare' }] },
      {
        role: 'model',
        parts: [
          { text: 'Reading.' },
          { text: '', thoughtSignature: 'dGV4dA==' },
          { functionCall: { id: 'c1', name: 'read_file', args: { path: 'a.png' } }, thoughtSignature: 'Y2FsbA==' },
          { functionCall: { id: 'c2', name: 'list_files', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c1', name: 'read_file', response: { output: 'a picture' } } },
          { functionResponse: { id: 'c2', name: 'list_files', response: { error: 'invalid' } } },
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        ],
      },
      { role: 'model', parts: [{ text: 'Equal.' }] },
      { role: 'user', parts: [{ text: 'thanks' }] },
    ]);
  });

  it.each([
    ['gemini-3.8-pro', 'skip_thought_signature_validator'],
    ['other', 'skip_thought_signature_validator'],
    ['gemini-2.5-flash', undefined],
  ])('has no signature of another model for %s', (model, thoughtSignature) => {
    const functionCall = { id: 'c1', name: 'read_file', args: { path: 'a.png' } };
    expect(contents(history.slice(1, 2), model)).toMatchObject([
      {
        parts: [
          { text: 'Reading.' },
          thoughtSignature === undefined ? { functionCall } : { functionCall, thoughtSignature },
          {},
        ],
      },
    ]);
    expect(JSON.stringify(contents(history, model))).not.toContain('Y2FsbA==');
  });

  it('has calls without a text', () => {
    const calls = { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'now', arguments: '{}' }] } as const;
    expect(contents([calls], 'gemini-2.5-flash')).toEqual([
      { role: 'model', parts: [{ functionCall: { id: 'c', name: 'now', args: {} } }] },
    ]);
  });

  it('has the results at the end of a history, and those without a call under their id', () => {
    expect(contents(history.slice(3, 4))).toEqual([
      { role: 'user', parts: [{ functionResponse: { id: 'c2', name: 'c2', response: { error: 'invalid' } } }] },
    ]);
  });

  it('begins with the bytes of the request before', () => {
    // Both results of an answer arrive before the next request.
    const lengths = [1, 4, 5, 6];
    const texts = lengths.map((length) => JSON.stringify(contents(history.slice(0, length))).slice(0, -1));
    for (const [index, text] of texts.entries()) expect(text.startsWith(texts[index - 1] ?? '')).toBe(true);
  });

  it.each([
    [
      'gemini-2.5-flash',
      [{ thinkingBudget: 0 }, { thinkingBudget: 1_024 }, { thinkingBudget: 8_192 }, { thinkingBudget: 24_576 }],
    ],
    ['gemini-2.5-pro', [{ thinkingBudget: 128 }, {}, {}, {}]],
    [
      'gemini-3.8-flash',
      [{ thinkingLevel: 'minimal' }, { thinkingLevel: 'low' }, { thinkingLevel: 'medium' }, { thinkingLevel: 'high' }],
    ],
    ['models/gemini-3.8-pro', [{ thinkingLevel: 'low' }, {}, {}, {}]],
  ])('maps the reasoning effort for %s', (model, expected) => {
    const request = { system: '', messages: [], tools: [] };
    const config = (reasoningEffort?: (typeof REASONING_EFFORTS)[number]) =>
      geminiRequest(request, { ...identity, model }, { ...options, reasoningEffort })['generationConfig'];
    expect(REASONING_EFFORTS.map(config)).toMatchObject(
      expected.map((thinking) => {
        const isOff = 'thinkingBudget' in thinking && thinking.thinkingBudget === 0;
        return { thinkingConfig: { ...(isOff ? {} : { includeThoughts: true }), ...thinking } };
      }),
    );
    expect(config()).toMatchObject({ thinkingConfig: { includeThoughts: true } });
  });

  it('asks a model whose thinking is off for no thoughts', () => {
    const request = { system: '', messages: [], tools: [] };
    const body = geminiRequest(
      request,
      { ...identity, model: 'gemini-2.5-flash' },
      { ...options, reasoningEffort: 'none' },
    );
    expect(body).toHaveProperty('generationConfig.thinkingConfig', { thinkingBudget: 0 });
  });

  it('has no settings for the thinking of a model that does not think', () => {
    const request = { system: '', messages: [], tools: [] };
    const body = geminiRequest(
      request,
      { ...identity, model: 'gemini-2.0-flash' },
      { ...options, reasoningEffort: 'high' },
    );
    expect(body['generationConfig']).toEqual({ maxOutputTokens: 100 });
  });
});
