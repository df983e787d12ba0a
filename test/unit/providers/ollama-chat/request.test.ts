import { describe, expect, it } from 'vitest';
import { REASONING_EFFORTS } from '../../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../../src/agent/ports/messages.ts';
import { type ModelTraits, ollamaRequest } from '../../../../src/providers/ollama-chat/request.ts';

const options = { model: 'qwen3:14b', maxTokens: 100 };
const traits: ModelTraits = { numCtx: 32_000, thinking: 'none', seesImages: true };
const history: readonly Message[] = [
  { role: 'user', content: 'compare' },
  {
    role: 'assistant',
    content: 'Reading.',
    reasoning: 'Two files.',
    toolCalls: [
      { id: 'call_1', name: 'read_file', arguments: '{"path": "a.png"}' },
      { id: 'call_2', name: 'list_files', arguments: 'not JSON' },
    ],
  },
  {
    role: 'tool',
    toolCallId: 'call_1',
    content: 'a picture',
    isError: false,
    images: [{ mediaType: 'image/png', data: 'AAAA' }],
  },
  { role: 'tool', toolCallId: 'call_2', content: 'invalid', isError: true },
  { role: 'assistant', content: 'Equal.', toolCalls: [] },
];

function messagesOf(messages: readonly Message[], changed: Partial<ModelTraits> = {}): unknown {
  const body = ollamaRequest({ system: 'Be brief.', messages, tools: [] }, options, { ...traits, ...changed });
  return body['messages'];
}

describe('the request body', () => {
  it('has the window, the limits and the tools, and lets nothing be dropped', () => {
    const tools = [{ name: 'now', description: 'Tells.', parameters: { type: 'object' }, effect: 'read' } as const];
    const request = { system: 'Be brief.', messages: [{ role: 'user', content: 'hello' } as const], tools };
    expect(ollamaRequest(request, { ...options, temperature: 0.2 }, traits)).toEqual({
      model: 'qwen3:14b',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ],
      tools: [{ type: 'function', function: { name: 'now', description: 'Tells.', parameters: { type: 'object' } } }],
      truncate: false,
      shift: false,
      stream: true,
      options: { num_ctx: 32_000, num_predict: 100, temperature: 0.2 },
    });
  });

  it('has neither tools nor a temperature when there are none', () => {
    const body = ollamaRequest({ system: '', messages: [], tools: [] }, options, traits);
    expect(body).not.toHaveProperty('tools');
    expect(body['options']).toEqual({ num_ctx: 32_000, num_predict: 100 });
  });

  it('has calls, their results and pictures', () => {
    expect(messagesOf(history)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'compare' },
      {
        role: 'assistant',
        content: 'Reading.',
        thinking: 'Two files.',
        tool_calls: [
          { id: 'call_1', function: { index: 0, name: 'read_file', arguments: { path: 'a.png' } } },
          { id: 'call_2', function: { index: 1, name: 'list_files', arguments: {} } },
        ],
      },
      { role: 'tool', content: 'a picture', tool_name: 'read_file', tool_call_id: 'call_1', images: ['AAAA'] },
      { role: 'tool', content: 'invalid', tool_name: 'list_files', tool_call_id: 'call_2' },
      { role: 'assistant', content: 'Equal.' },
    ]);
  });

  it('has no reasoning of a model on another wire', () => {
    const providerState = { model: 'anthropic/anthropic-messages/claude', items: [{ type: 'thinking' }] };
    const message = { role: 'assistant', content: 'a', reasoning: 'Two.', toolCalls: [], providerState } as const;
    expect(messagesOf([message])).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: 'a' },
    ]);
  });

  it('says in words where a picture was, when the model sees none', () => {
    expect(messagesOf(history.slice(2, 3), { seesImages: false })).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'tool', content: 'a picture\n[image/png: this model cannot see images]', tool_call_id: 'call_1' },
    ]);
  });

  it('begins with the bytes of the request before', () => {
    const texts = history.map((_, index) => JSON.stringify(messagesOf(history.slice(0, index + 1))).slice(0, -1));
    for (const [index, text] of texts.entries()) expect(text.startsWith(texts[index - 1] ?? '')).toBe(true);
  });

  it.each([
    ['none', [undefined, undefined, undefined, undefined]],
    ['switch', [false, true, true, true]],
    ['levels', ['low', 'low', 'medium', 'high']],
  ] as const)('maps the reasoning effort for a model with thinking: %s', (thinking, expected) => {
    const request = { system: '', messages: [], tools: [] };
    const body = (reasoningEffort?: (typeof REASONING_EFFORTS)[number]) =>
      ollamaRequest(request, { ...options, reasoningEffort }, { ...traits, thinking });
    expect(REASONING_EFFORTS.map((effort) => body(effort)['think'])).toEqual(expected);
    expect(body()).not.toHaveProperty('think');
  });
});
