import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src/agent/ports/json.ts';
import type { AssistantMessage } from '../../../../src/agent/ports/messages.ts';
import { createChatReader } from '../../../../src/providers/openai-chat/chunks.ts';
import { createMessageState } from '../../../../src/providers/openai-chat/message-state.ts';
import { openAiRequest } from '../../../../src/providers/openai-chat/request.ts';
import { providerState } from '../../../../src/providers/provider-state.ts';
import { rulesFor } from '../../../../src/providers/service/services.ts';

const identity = { provider: 'acme', wire: 'openai-chat', model: 'm' };

/** The state of an answer with these deltas. */
async function stateOf(...deltas: readonly object[]): Promise<readonly JsonValue[]> {
  const reader = createChatReader(identity, (text) => text);
  const chunks = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: 'tool_calls' }];
  for (const choice of chunks) await reader.read({ choices: [choice] });
  return reader.end(false).flatMap((event) => (event.type === 'provider_state' ? event.state.items : []));
}

/** The answer as it goes back to a model at this host. */
function returned(items: readonly JsonValue[], host = 'localhost', model = 'm') {
  const toolCalls = ['a', 'b'].map((id) => ({ id, name: 'read_file', arguments: '{}' }));
  const answer: AssistantMessage = {
    role: 'assistant',
    content: 'Hm.',
    toolCalls,
    providerState: providerState(identity, items),
  };
  const rules = rulesFor('openai-chat', `https://${host}/v1`, model);
  const form = () => ({ rules, maxTokens: 1 });
  const other = { ...identity, model };
  return openAiRequest({ system: '', messages: [answer], tools: [] }, other, { maxTokens: 1, form }).messages[1];
}

const call = (id: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'read_file', arguments: '{}' },
  ...more,
});
const PLAIN = { role: 'assistant', content: 'Hm.', tool_calls: [call('a'), call('b')] };
const thought = { google: { thought_signature: 'CtkB' } };

describe('the state of a chat message', () => {
  it.each<readonly [name: string, source: string, deltas: readonly object[], fields: object]>([
    [
      'DeepSeek, llama.cpp: reasoning_content',
      'https://api-docs.deepseek.com/guides/thinking_mode',
      [{ reasoning_content: 'Let me' }, { reasoning_content: ' see.' }],
      { reasoning_content: 'Let me see.' },
    ],
    [
      'Moonshot: empty reasoning_content',
      'https://github.com/MoonshotAI/kimi-cli/pull/2498',
      [{ reasoning_content: '' }],
      { reasoning_content: '' },
    ],
    [
      'Ollama, vLLM: reasoning',
      'https://docs.vllm.ai/en/latest/features/reasoning_outputs/',
      [{ reasoning: 'a' }, { reasoning: 'b' }],
      { reasoning: 'ab' },
    ],
    [
      'one reasoning under two names',
      'https://docs.vllm.ai/en/latest/features/reasoning_outputs/',
      [{ reasoning: 'a', reasoning_content: 'a' }],
      { reasoning_content: 'a' },
    ],
    [
      'Copilot',
      'https://github.com/anomalyco/opencode/pull/8766',
      [{ reasoning_text: 'a' }, { reasoning_text: 'b' }, { reasoning_opaque: 'x1' }, { reasoning_opaque: 'x2' }],
      { reasoning_text: 'ab', reasoning_opaque: 'x2' },
    ],
    [
      'OpenRouter: pieces of reasoning_details',
      'https://openrouter.ai/docs/use-cases/reasoning-tokens',
      [
        {
          reasoning: 'ab',
          reasoning_details: [
            { type: 'reasoning.text', text: 'a', index: 0, format: 'anthropic-claude-v1', signature: null },
          ],
        },
        { reasoning_details: [{ type: 'reasoning.text', text: 'b', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.text', signature: 'sig', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'enc', id: 'rs_1', index: 1 }] },
      ],
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'ab', index: 0, format: 'anthropic-claude-v1', signature: 'sig' },
          { type: 'reasoning.encrypted', data: 'enc', id: 'rs_1', index: 1 },
        ],
      },
    ],
    [
      'LiteLLM: thinking_blocks, and another one after a signature',
      'https://docs.litellm.ai/docs/reasoning_content',
      [
        {
          reasoning_content: 'ab',
          thinking_blocks: [{ type: 'thinking', thinking: 'a' }],
          provider_specific_fields: null,
        },
        { thinking_blocks: [{ type: 'thinking', thinking: 'b', signature: 'sig' }] },
        { thinking_blocks: [{ type: 'thinking', thinking: 'c' }] },
      ],
      {
        reasoning_content: 'ab',
        thinking_blocks: [
          { type: 'thinking', thinking: 'ab', signature: 'sig' },
          { type: 'thinking', thinking: 'c' },
        ],
      },
    ],
    [
      'LiteLLM: provider_specific_fields in pieces',
      'https://docs.litellm.ai/docs/providers/gemini',
      [
        { provider_specific_fields: { thought_signatures: ['a'] } },
        { provider_specific_fields: { thought_signatures: ['b'], kind: 1 } },
      ],
      { provider_specific_fields: { thought_signatures: ['a', 'b'], kind: 1 } },
    ],
    [
      'Google: a signature of the text',
      'https://ai.google.dev/gemini-api/docs/thought-signatures',
      [{ extra_content: thought }],
      { extra_content: thought },
    ],
  ])('goes back as it came: %s', async (_name, source, deltas, fields) => {
    expect(source).toMatch(/^https:\/\//);
    expect(returned(await stateOf(...deltas))).toEqual({ ...PLAIN, ...fields });
  });

  it('goes back with the call that it came with', async () => {
    const items = await stateOf(
      { tool_calls: [{ index: 0, ...call('a') }] },
      {
        tool_calls: [
          {
            index: 1,
            id: 'b',
            type: 'function',
            function: { name: 'read_file', arguments: '', thought_signature: 'y' },
            extra_content: thought,
          },
        ],
      },
      {
        tool_calls: [{ index: 1, function: { arguments: '{}' }, provider_specific_fields: { thought_signature: 'x' } }],
      },
    );
    expect(returned(items)).toEqual({
      ...PLAIN,
      tool_calls: [
        call('a'),
        {
          ...call('b', { extra_content: thought, provider_specific_fields: { thought_signature: 'x' } }),
          function: { name: 'read_file', arguments: '{}', thought_signature: 'y' },
        },
      ],
    });
  });

  it('belongs to calls in their order of arrival, also if the id of a call comes late', async () => {
    const items = await stateOf(
      { tool_calls: [{ index: 3, function: { name: 'read_file', arguments: '' } }] },
      { tool_calls: [{ index: 3, id: 'a', extra_content: thought }] },
      { tool_calls: [{ index: 1, id: 'b', function: { name: 'read_file', arguments: '{}' } }] },
    );
    expect(returned(items)).toEqual({ ...PLAIN, tool_calls: [call('a', { extra_content: thought }), call('b')] });
  });

  it('is a list of parts where a string cannot hold them', () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'Hm.' },
    ];
    expect(returned([{ type: 'message_fields', fields: { content: parts } }], 'api.mistral.ai')).toEqual({
      ...PLAIN,
      content: parts,
    });
  });

  it('is collected from the pieces of such a list, and not from text alone', () => {
    const state = createMessageState();
    state.addMessage({ content: [{ type: 'thinking', thinking: 'a' }] });
    state.addMessage({ content: [{ type: 'thinking', thinking: 'b' }, 'text'] });
    const content = [{ type: 'thinking', thinking: 'ab' }, 'text'];
    expect(state.items()).toEqual([{ type: 'message_fields', fields: { content } }]);
    const plain = createMessageState();
    plain.addMessage({ content: [{ type: 'text', text: 'a' }] });
    plain.addCall(0, { index: 0 });
    expect(plain.items()).toEqual([]);
  });

  it('ignores items of another form', () => {
    expect(returned([{ type: 'thinking' }])).toEqual(PLAIN);
  });

  it('ignores a text in the place of fields of a function', () => {
    expect(returned([{ type: 'call_fields', call: 0, fields: { function: 'x' } }])).toEqual(PLAIN);
  });

  it('is nothing in an answer that has none', async () => {
    expect(await stateOf({ content: 'Hm.' }, { tool_calls: [{ index: 0, ...call('a') }] })).toEqual([]);
  });

  const items = [
    { type: 'message_fields', fields: { reasoning_content: 'a', reasoning: 'b' } },
    { type: 'call_fields', call: 0, fields: { extra_content: thought } },
  ];
  it.each<readonly [host: string, sent: object]>([
    ['api.groq.com', { ...PLAIN, reasoning: 'b' }],
    ['api.cerebras.ai', { ...PLAIN, reasoning: 'b' }],
    ['api.mistral.ai', PLAIN],
    ['api.openai.com', PLAIN],
    [
      'api.deepseek.com',
      { ...PLAIN, tool_calls: [call('a', { extra_content: thought }), call('b')], reasoning_content: 'a' },
    ],
  ])('goes back to %s as far as the service takes it', (host, sent) => {
    expect(returned(items, host)).toEqual(sent);
  });

  it.each([
    ['DeepSeek', 'api.deepseek.com', ''],
    ['Moonshot', 'api.moonshot.ai', ' '],
  ])('has a stand-in for reasoning where %s requires one, also for answers of another model', (_name, host, stand) => {
    expect(returned([], host)).toEqual({ ...PLAIN, reasoning_content: stand });
    expect(returned(items, host, 'other')).toEqual({ ...PLAIN, reasoning_content: stand });
    const empty = [{ type: 'message_fields', fields: { reasoning_content: '' } }];
    expect(returned(empty, host)).toEqual({ ...PLAIN, reasoning_content: stand });
  });

  it('goes back to the model that made it only', () => {
    expect(returned(items, 'localhost', 'other')).toEqual(PLAIN);
  });
});
