import { describe, expect, it } from 'vitest';
import { PROTOCOLS, type Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { readThinking, type Thinking } from '../../../../mock-llm-server/services/thinking.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { askedAbout, REASONING_FIELDS } from '../ask-protocols.ts';

const OPUS = 'claude-opus-4-6';

const rows: readonly (readonly [Protocol, string, object, Thinking])[] = [
  ['anthropic-messages', OPUS, {}, 'off'],
  ['anthropic-messages', OPUS, { thinking: { type: 'disabled' } }, 'off'],
  ['anthropic-messages', OPUS, { thinking: { type: 'enabled', budget_tokens: 1024 } }, 'shown'],
  ['anthropic-messages', OPUS, { thinking: { type: 'adaptive' } }, 'shown'],
  ['anthropic-messages', OPUS, { thinking: { type: 'adaptive', display: 'omitted' } }, 'hidden'],
  // anthropics/claude-code#49268
  ['anthropic-messages', 'claude-opus-4-7', { thinking: { type: 'adaptive' } }, 'hidden'],
  ['anthropic-messages', 'claude-opus-4-7', { thinking: { type: 'adaptive', display: 'summarized' } }, 'shown'],
  ['anthropic-messages', 'claude-opus-4-7', {}, 'off'],
  // https://platform.claude.com/docs/en/build-with-claude/thinking
  ['anthropic-messages', 'claude-sonnet-5-5', {}, 'hidden'],
  ['anthropic-messages', 'claude-sonnet-5-5', { thinking: { type: 'disabled' } }, 'off'],
  ['anthropic-messages', 'm', {}, 'off'],
  // https://docs.aws.amazon.com/bedrock/latest/userguide/inference-reasoning.html
  ['bedrock-converse', `us.anthropic.${OPUS}-v1:0`, {}, 'off'],
  [
    'bedrock-converse',
    `us.anthropic.${OPUS}-v1:0`,
    { additionalModelRequestFields: { thinking: { type: 'enabled' } } },
    'shown',
  ],
  [
    'bedrock-converse',
    `anthropic.${OPUS}-v1:0`,
    { additionalModelRequestFields: { reasoning_config: { type: 'enabled' } } },
    'shown',
  ],
  [
    'bedrock-converse',
    'us.anthropic.claude-opus-4-7',
    { additionalModelRequestFields: { thinking: { type: 'adaptive' } } },
    'hidden',
  ],
  ['bedrock-converse', 'us.amazon.nova-2-lite-v1:0', {}, 'off'],
  [
    'bedrock-converse',
    'us.amazon.nova-2-lite-v1:0',
    { additionalModelRequestFields: { reasoningConfig: { type: 'enabled' } } },
    'shown',
  ],
  ['bedrock-converse', 'openai.gpt-oss-20b-1:0', {}, 'shown'],
  ['bedrock-converse', 'm', { additionalModelRequestFields: { reasoningConfig: { type: 'disabled' } } }, 'off'],
  ['anthropic-messages', 'us.anthropic.claude-sonnet-5-5-v1:0', {}, 'hidden'],
  // https://platform.openai.com/docs/guides/reasoning
  ['openai-responses', 'gpt-5', {}, 'hidden'],
  ['openai-responses', 'gpt-5', { reasoning: { effort: 'high' } }, 'hidden'],
  ['openai-responses', 'gpt-5', { reasoning: { effort: 'high', summary: 'auto' } }, 'shown'],
  ['openai-responses', 'gpt-5', { reasoning: { generate_summary: 'concise' } }, 'shown'],
  ['openai-responses', 'gpt-5', { reasoning: { summary: null } }, 'hidden'],
  ['openai-responses', 'gpt-5', { reasoning: { effort: 'none', summary: 'auto' } }, 'off'],
  // https://ai.google.dev/gemini-api/docs/thinking
  ['gemini', 'gemini-3', {}, 'hidden'],
  ['gemini', 'gemini-3', { generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } }, 'hidden'],
  ['gemini', 'gemini-3', { generationConfig: { thinkingConfig: { includeThoughts: true } } }, 'shown'],
  ['gemini', 'gemini-3', { generation_config: { thinking_config: { include_thoughts: true } } }, 'shown'],
  ['gemini', 'gemini-3', { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 0 } } }, 'off'],
  ['gemini', 'gemini-3', { generationConfig: { thinking_config: { thinking_budget: 0 } } }, 'off'],
  // https://ai.google.dev/gemini-api/docs/interactions
  ['gemini-interactions', 'gemini-3', {}, 'hidden'],
  ['gemini-interactions', 'gemini-3', { generation_config: { thinking_summaries: 'none' } }, 'hidden'],
  ['gemini-interactions', 'gemini-3', { generation_config: { thinking_summaries: 'auto' } }, 'shown'],
  ['gemini-interactions', 'gemini-3', { generation_config: { thinking_level: 'minimal' } }, 'off'],
  // https://docs.ollama.com/capabilities/thinking
  ['ollama', 'qwen3', {}, 'shown'],
  ['ollama', 'qwen3', { think: true }, 'shown'],
  ['ollama', 'gpt-oss', { think: 'high' }, 'shown'],
  ['ollama', 'qwen3', { think: false }, 'off'],
  ['openai-chat', 'm', {}, 'shown'],
  ['openai-chat', 'deepseek-v4', { thinking: { type: 'enabled' } }, 'shown'],
  ['openai-chat', 'deepseek-v4', { thinking: { type: 'disabled' } }, 'off'],
  ['openai-chat', 'qwen3', { enable_thinking: false }, 'off'],
  ['openai-chat', 'qwen3', { enable_thinking: true }, 'shown'],
  ['openai-chat', 'qwen3', { chat_template_kwargs: { enable_thinking: false } }, 'off'],
  ['openai-chat', 'deepseek', { chat_template_kwargs: { thinking: false } }, 'off'],
  ['openai-chat', 'm', { reasoning: { enabled: false } }, 'off'],
  ['openai-chat', 'm', { reasoning: { effort: 'none' } }, 'off'],
  ['openai-chat', 'm', { reasoning: { effort: 'high' } }, 'shown'],
  ['openai-chat', 'm', { reasoning: { exclude: true } }, 'hidden'],
  ['openai-chat', 'm', { include_reasoning: false }, 'hidden'],
  ['openai-chat', 'm', { reasoning_format: 'hidden' }, 'hidden'],
  ['openai-chat', 'm', { reasoning_effort: 'none' }, 'off'],
];

describe('readThinking', () => {
  it.each(rows)('reads the switch of %s, %s: %j', (protocol, model, body, expected) => {
    expect(readThinking(protocol, body, model)).toBe(expected);
  });
});

const OFF: Readonly<Record<Protocol, Readonly<Record<string, unknown>>>> = {
  'openai-chat': { reasoning_effort: 'none' },
  'openai-responses': { reasoning: { effort: 'none' } },
  'anthropic-messages': { thinking: { type: 'disabled' } },
  'bedrock-converse': { additionalModelRequestFields: { reasoningConfig: { type: 'disabled' } } },
  gemini: { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
  'gemini-interactions': { generation_config: { thinking_level: 'minimal' } },
  ollama: { think: false },
};
const HIDDEN: Partial<typeof OFF> = {
  'openai-chat': { reasoning: { exclude: true } },
  'openai-responses': { reasoning: { effort: 'high' } },
  'anthropic-messages': { thinking: { type: 'adaptive', display: 'omitted' } },
  gemini: { generationConfig: { thinkingConfig: { includeThoughts: false } } },
  'gemini-interactions': { generation_config: { thinking_summaries: 'none' } },
};

describe('reasoning', () => {
  const cases = PROTOCOLS.flatMap((protocol) => [false, true].map((stream) => [protocol, stream] as const));
  const asked = () => askedAbout({ reasoning: 'Think hard.', content: 'Yes.' });

  it.each(cases)('is sent over %s where it is asked for, streamed: %s', async (protocol, stream) => {
    const answer = await asked().ask(protocol, stream, REASONING_FIELDS[protocol]);
    expect(answer).toMatchObject({ reasoning: 'Think hard.', text: 'Yes.' });
  });

  it.each(cases)('is absent over %s where it is turned off, streamed: %s', async (protocol, stream) => {
    const { objects, text } = await asked().ask(protocol, stream, OFF[protocol]);
    expect(text).toBe('Yes.');
    expect(JSON.stringify(objects)).not.toMatch(/Think|"type":"(?:thinking|reasoning)"|thoughtsTokenCount/);
  });

  it.each(cases.filter(([protocol]) => HIDDEN[protocol]))(
    'leaves only its traces over %s where its text is not asked for, streamed: %s',
    async (protocol, stream) => {
      const { objects, text, reasoning } = await asked().ask(protocol, stream, HIDDEN[protocol]);
      expect([text, reasoning]).toEqual(['Yes.', '']);
      const traces = {
        'openai-chat': /"reasoning_tokens":3/,
        'openai-responses': /"type":"reasoning","summary":\[\]/,
        'anthropic-messages': /"signature":"bW9ja2Vk/,
        'bedrock-converse': /./,
        gemini: /"thoughtsTokenCount":3/,
        'gemini-interactions': /"total_thought_tokens":3/,
        ollama: /./,
      };
      expect(JSON.stringify(objects)).toMatch(traces[protocol]);
    },
  );
});

describe('the field of a chat completion with reasoning', () => {
  const scenarios = scenarioSet({
    scenarios: [{ name: 's', trigger: 'go', steps: [{ response: { reasoning: 'Think hard.', content: 'Yes.' } }] }],
  });
  const post = async (service: string, stream: boolean) => {
    const body = { model: 'm', stream, messages: [{ role: 'user', content: 'go' }] };
    const path = service === '' ? '/v1/chat/completions' : `/as/${service}/v1/chat/completions`;
    return (await createMockServer({ scenarios }).request(path, { method: 'POST', body: JSON.stringify(body) })).text();
  };
  const details = (text: string) =>
    `"reasoning":"${text}","reasoning_details":[{"type":"reasoning.text","text":"${text}"`;

  it.each([
    ['', '"reasoning_content":"Think hard."', '"reasoning_content":"Think'],
    ['deepseek', '"reasoning_content":"Think hard."', '"reasoning_content":"Think'],
    ['openrouter', details('Think hard.'), details('Think')],
    ['groq', '"reasoning":"Think hard."', '"reasoning":"Think'],
    ['vllm', '"reasoning":"Think hard."', '"reasoning":"Think'],
  ])('is that of the service: %s', async (service, whole, piece) => {
    expect(await post(service, false)).toContain(whole);
    expect(await post(service, true)).toContain(piece);
  });

  it.each(['openai', 'azure'])('is absent at %s', async (service) => {
    expect(await post(service, false)).not.toContain('Think');
    expect(await post(service, true)).not.toContain('Think');
  });
});
