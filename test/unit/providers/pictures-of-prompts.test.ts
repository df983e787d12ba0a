import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { anthropicRequest } from '../../../src/providers/anthropic-messages/request.ts';
import { geminiRequest } from '../../../src/providers/gemini/request.ts';
import { ollamaRequest } from '../../../src/providers/ollama-chat/request.ts';
import { openAiRequest } from '../../../src/providers/openai-chat/request.ts';
import { responsesRequest } from '../../../src/providers/openai-responses/request.ts';
import { withoutNativeTools } from '../../../src/providers/xnl/request.ts';

const PROMPT: Message = { role: 'user', content: 'what?', images: [{ mediaType: 'image/png', data: 'AAAA' }] };
const REQUEST = { system: '', messages: [PROMPT], tools: [] };
const URL = 'data:image/png;base64,AAAA';
const identity = (wire: string) => ({ provider: 'mock', wire, model: 'm' });
const options = { model: 'm', maxTokens: 10, temperature: undefined, reasoningEffort: undefined };
const ollama = (seesImages: boolean) =>
  ollamaRequest(REQUEST, options, { numCtx: 1, thinking: 'none', seesImages })['messages'];

describe('a prompt with a picture', () => {
  it.each([
    [
      'anthropic-messages',
      anthropicRequest(REQUEST, identity('anthropic-messages'), options).messages,
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'what?' },
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
              cache_control: { type: 'ephemeral' },
            },
          ],
        },
      ],
    ],
    [
      'openai-chat',
      openAiRequest(REQUEST, identity('openai-chat'), options).messages.slice(1),
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'what?' },
            { type: 'image_url', image_url: { url: URL } },
          ],
        },
      ],
    ],
    [
      'openai-responses',
      responsesRequest(REQUEST, identity('openai-responses'), options).input,
      [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'what?' },
            { type: 'input_image', image_url: URL, detail: 'auto' },
          ],
        },
      ],
    ],
    [
      'gemini',
      geminiRequest(REQUEST, identity('gemini'), options)['contents'],
      [{ role: 'user', parts: [{ text: 'what?' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }],
    ],
    [
      'ollama-chat with eyes',
      ollama(true),
      [
        { role: 'system', content: '' },
        { role: 'user', content: 'what?', images: ['AAAA'] },
      ],
    ],
    [
      'ollama-chat without eyes',
      ollama(false),
      [
        { role: 'system', content: '' },
        { role: 'user', content: 'what?\n[image/png: this model cannot see images]' },
      ],
    ],
    ['xnl, which leaves it to the wire', withoutNativeTools(REQUEST, identity('openai-chat')).messages, [PROMPT]],
  ])('reaches the model over %s', (_wire, sent, expected) => {
    expect(sent).toEqual(expected);
  });
});
