import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { anthropicRequest } from '../../../src/providers/anthropic-messages/request.ts';
import { geminiRequest } from '../../../src/providers/gemini/request.ts';
import { ollamaRequest } from '../../../src/providers/ollama-chat/request.ts';
import { openAiRequest } from '../../../src/providers/openai-chat/request.ts';
import { responsesRequest } from '../../../src/providers/openai-responses/request.ts';

const IMAGE = { mediaType: 'image/png', data: 'AA' } as const;
const MESSAGES: readonly Message[] = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'Hi.', toolCalls: [] },
  { role: 'user', content: '@file:a.md\none', reminder: true, file: 'a.md' },
  { role: 'user', content: '@file:a.png', reminder: true, file: 'a.png', images: [IMAGE] },
  { role: 'user', content: 'compare' },
];
const REQUEST = { system: 'Be brief.', messages: MESSAGES, tools: [] };
const OPTIONS = { model: 'm', maxTokens: 100 };
const IDENTITY = { provider: 'p', wire: 'w', model: 'm' };

describe('a file that the user named', () => {
  it('is a system message at its place, and a picture a message of the user: chat completions', () => {
    expect(openAiRequest(REQUEST, IDENTITY, OPTIONS).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'system', content: '@file:a.md\none' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '@file:a.png' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          { type: 'text', text: 'compare' },
        ],
      },
    ]);
  });

  it('is a system message: responses', () => {
    expect(responsesRequest(REQUEST, IDENTITY, OPTIONS).input.slice(2)).toEqual([
      { type: 'message', role: 'system', content: '@file:a.md\none' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: '@file:a.png' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'auto' },
          { type: 'input_text', text: 'compare' },
        ],
      },
    ]);
  });

  it('is a system message: Ollama', () => {
    const traits = { numCtx: 4_096, thinking: 'none', seesImages: true } as const;
    expect(ollamaRequest(REQUEST, OPTIONS, traits)['messages']).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'system', content: '@file:a.md\none' },
      { role: 'user', content: '@file:a.png', images: ['AA'] },
      { role: 'user', content: 'compare' },
    ]);
  });

  it('is a block of the message of the user: Anthropic', () => {
    expect(anthropicRequest(REQUEST, IDENTITY, OPTIONS).messages.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: '@file:a.md\none' },
        { type: 'text', text: '@file:a.png' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
        { type: 'text', text: 'compare', cache_control: { type: 'ephemeral' } },
      ],
    });
  });

  it('is a message of the user: Gemini', () => {
    expect(geminiRequest(REQUEST, IDENTITY, OPTIONS)['contents']).toMatchObject([
      { role: 'user' },
      { role: 'model' },
      { role: 'user', parts: [{ text: '@file:a.md\none' }] },
      { role: 'user', parts: [{ text: '@file:a.png' }, { inlineData: { mimeType: 'image/png', data: 'AA' } }] },
      { role: 'user', parts: [{ text: 'compare' }] },
    ]);
  });
});
