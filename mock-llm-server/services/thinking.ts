import type { JsonObject, Protocol, ReasoningField, Reply, ServiceName } from '../conversation/conversation.ts';
import { objectOf } from './raw.ts';

/**
 * Treatment of a model's reasoning: its text is `shown`, only its traces are (`hidden`: signatures, ids, token counts),
 * or the model does not reason (`off`).
 */
export type Thinking = 'shown' | 'hidden' | 'off';

/** The reasoning that a request of a protocol asks for. */
interface ThinkingSwitch {
  /** Reads the switch of the protocol. */
  readonly read: (body: JsonObject, model: string) => Thinking;
  readonly source: string;
}

/** Models that think unless they are told not to: https://platform.claude.com/docs/en/build-with-claude/thinking */
const THINKS_BY_DEFAULT = /^claude-(?:(?:opus|sonnet|haiku)-(?:5-[5-9]|[6-9])|fable|mythos)/;
/** Models that omit the text of their thinking unless a request asks for it: claude-code#49268 */
const OMITS_BY_DEFAULT = /^claude-(?:opus-4-[7-9]|(?:opus|sonnet|haiku)-[5-9]|fable|mythos)/;

const SWITCHES: Readonly<Record<Protocol, ThinkingSwitch>> = {
  'anthropic-messages': {
    source: 'https://platform.claude.com/docs/en/build-with-claude/thinking',
    read(body, model) {
      const { type, display } = objectOf(body['thinking']);
      // At Amazon, a region and the maker precede the name.
      const name = model.replace(/^.*\banthropic\./, '');
      if (type === undefined) return THINKS_BY_DEFAULT.test(name) ? 'hidden' : 'off';
      if (type === 'disabled') return 'off';
      if (display === undefined) return OMITS_BY_DEFAULT.test(name) ? 'hidden' : 'shown';
      return display === 'omitted' ? 'hidden' : 'shown';
    },
  },
  'bedrock-converse': {
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/inference-reasoning.html',
    read(body, model) {
      const fields = objectOf(body['additionalModelRequestFields']);
      const { thinking, reasoning_config: older = thinking } = fields;
      if (/\banthropic\./.test(model)) return SWITCHES['anthropic-messages'].read({ thinking: older }, model);
      const { type } = objectOf(fields['reasoningConfig']);
      // Amazon's own models think if they are asked, those of other makers always do.
      const isOff = type === 'disabled' || (type === undefined && /\bamazon\./.test(model));
      return isOff ? 'off' : 'shown';
    },
  },
  'openai-responses': {
    source: 'https://platform.openai.com/docs/guides/reasoning#reasoning-summaries',
    read(body) {
      const { effort, summary, generate_summary: older } = objectOf(body['reasoning']);
      if (effort === 'none') return 'off';
      return isSet(summary) || isSet(older) ? 'shown' : 'hidden';
    },
  },
  gemini: {
    source: 'https://ai.google.dev/gemini-api/docs/thinking',
    read(body) {
      const config = objectOf(body['generationConfig'] ?? body['generation_config']);
      const thinking = objectOf(config['thinkingConfig'] ?? config['thinking_config']);
      if ((thinking['thinkingBudget'] ?? thinking['thinking_budget']) === 0) return 'off';
      return (thinking['includeThoughts'] ?? thinking['include_thoughts']) === true ? 'shown' : 'hidden';
    },
  },
  'gemini-interactions': {
    source: 'https://ai.google.dev/gemini-api/docs/interactions',
    read(body) {
      const { thinking_summaries: summaries, thinking_level: level } = objectOf(body['generation_config']);
      if (level === 'minimal') return 'off';
      return isSet(summaries) ? 'shown' : 'hidden';
    },
  },
  ollama: {
    source: 'https://docs.ollama.com/capabilities/thinking',
    read: ({ think }) => (think === false ? 'off' : 'shown'),
  },
  // Each switch belongs to some of the services that have the protocol.
  'openai-chat': {
    source: 'https://openrouter.ai/docs/use-cases/reasoning-tokens',
    read(body) {
      const { enabled, effort, exclude } = objectOf(body['reasoning']);
      const template = objectOf(body['chat_template_kwargs']);
      const isOff =
        // DeepSeek, Moonshot, Z.ai
        objectOf(body['thinking'])['type'] === 'disabled' ||
        // Alibaba Cloud Model Studio
        body['enable_thinking'] === false ||
        // vLLM, SGLang, llama.cpp
        template['enable_thinking'] === false ||
        template['thinking'] === false ||
        // OpenRouter
        enabled === false ||
        effort === 'none' ||
        // OpenAI, xAI
        body['reasoning_effort'] === 'none';
      if (isOff) return 'off';
      // OpenRouter and Groq leave out the text, Groq and Cerebras with `hidden`.
      const isHidden = exclude === true || body['include_reasoning'] === false || body['reasoning_format'] === 'hidden';
      return isHidden ? 'hidden' : 'shown';
    },
  },
};

/** A setting that is neither absent, null nor `none`. */
function isSet(value: unknown): boolean {
  return typeof value === 'string' && value !== 'none';
}

/** The reasoning that a request asks for, by the switch of its protocol. Pure. */
export function readThinking(protocol: Protocol, body: unknown, model: string): Thinking {
  return SWITCHES[protocol].read(objectOf(body), model);
}

/** The field of a chat completion with the reasoning, by service; `none`: the service never sends its text. */
const CHAT_FIELDS: Partial<Readonly<Record<ServiceName, ReasoningField | 'none'>>> = {
  // https://platform.openai.com/docs/guides/reasoning: only its tokens are counted.
  openai: 'none',
  azure: 'none',
  // https://openrouter.ai/docs/use-cases/reasoning-tokens
  openrouter: 'reasoning_details',
  // https://console.groq.com/docs/reasoning
  groq: 'reasoning',
  // https://inference-docs.cerebras.ai/capabilities/reasoning
  cerebras: 'reasoning',
  // https://docs.together.ai/docs/deepseek-faqs
  together: 'reasoning',
  // https://docs.ollama.com/openai
  ollama: 'reasoning',
  // https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
  vllm: 'reasoning',
  'vllm-without-parser': 'reasoning',
};

/** The reply with its reasoning in the form of the service, as far as the request asks for it. */
export function formReasoning(reply: Reply, thinking: Thinking, service: ServiceName | undefined): Reply {
  if (reply.reasoning === undefined) return reply;
  const field = (service && CHAT_FIELDS[service]) ?? 'reasoning_content';
  if (thinking === 'shown' && field !== 'none') {
    return field === 'reasoning_content' ? reply : { ...reply, reasoningField: field };
  }
  // The recorded form has the text.
  const { native: _, ...rest } = reply;
  return { ...rest, hidesReasoning: true };
}
