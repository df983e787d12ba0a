import type { Wire } from '../wires.ts';
import { type ServiceRules, WIRE_RULES } from './service-rules.ts';

/** A service, or models that demand the same wherever they run. */
export interface Service {
  readonly name: string;
  /** The host of its address, at the end of the name; absent: known by its models alone. */
  readonly host?: RegExp;
  /** The names of its models, without a prefix; they count where the host is not known. */
  readonly models?: RegExp;
  /** The wires that the rules are for; absent: all. */
  readonly wires?: readonly Wire[];
  readonly rules: Partial<ServiceRules>;
  /** A document or a public report that says so. */
  readonly source: string;
}

const CHAT: readonly Wire[] = ['openai-chat'];

/**
 * The services that differ from the rules of their wire, the most particular ones first. All rows for the host apply, an
 * earlier one before a later one; only if there is none, the rows for the model do.
 */
export const SERVICES: readonly Service[] = [
  {
    name: 'OpenAI',
    host: /(^|\.)api\.openai\.com$/,
    rules: { limitName: 'max_completion_tokens', returned: [], maxTools: 128 },
    wires: CHAT,
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
  },
  {
    name: 'OpenAI',
    host: /(^|\.)api\.openai\.com$/,
    rules: { maxTools: 128, returnsSummaries: false },
    wires: ['openai-responses'],
    source: 'https://platform.openai.com/docs/guides/reasoning',
  },
  {
    name: 'models of OpenAI that reason',
    models: /^(?:o\d|gpt-(?:[5-9]|\d\d))/i,
    rules: { limitName: 'max_completion_tokens' },
    wires: CHAT,
    source: 'https://github.com/langgenius/dify/issues/24307',
  },
  {
    name: 'Azure OpenAI',
    host: /\.(openai\.azure|cognitiveservices\.azure|services\.ai\.azure)\.com$/,
    rules: { limitName: 'max_completion_tokens', returned: [], maxTools: 128 },
    wires: CHAT,
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/how-to/reasoning',
  },
  {
    name: 'Azure OpenAI',
    host: /\.(openai\.azure|cognitiveservices\.azure|services\.ai\.azure)\.com$/,
    rules: { maxTools: 128, returnsSummaries: false },
    wires: ['openai-responses'],
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses',
  },
  {
    name: 'GitHub Copilot',
    host: /(^|\.)githubcopilot\.com$/,
    rules: { limitName: 'max_completion_tokens', maxTools: 128, returnsSummaries: false },
    source: 'https://github.com/github/copilot-cli/issues/4337',
  },
  {
    name: 'Groq',
    host: /(^|\.)groq\.com$/,
    rules: { returned: ['reasoning'], maxTools: 128 },
    wires: CHAT,
    source: 'https://console.groq.com/docs/reasoning',
  },
  {
    name: 'Cerebras',
    host: /(^|\.)cerebras\.ai$/,
    rules: { returned: ['reasoning'] },
    wires: CHAT,
    source: 'https://github.com/QwenLM/qwen-code/issues/11045',
  },
  {
    name: 'Mistral',
    host: /(^|\.)mistral\.ai$/,
    models: /^(mistral|ministral|mixtral|magistral|devstral|codestral|pixtral|voxtral|labs-(dev|mi|ma))/i,
    rules: { callIds: 'nine', order: 'bridged', files: 'user', returned: ['content'] },
    wires: CHAT,
    source: 'https://github.com/BerriAI/litellm/issues/17761',
  },
  {
    name: 'xAI',
    host: /(^|\.)x\.ai$/,
    models: /^grok/i,
    rules: { emptyContent: 'blank' },
    wires: CHAT,
    source: 'https://github.com/langchain-ai/langchain/issues/34140',
  },
  {
    name: 'Moonshot',
    host: /(^|\.)(moonshot\.(ai|cn)|kimi\.com)$/,
    models: /^(kimi|moonshot)/i,
    // An empty string counts as missing.
    rules: { missingReasoning: ' ', schema: 'moonshot' },
    wires: CHAT,
    source: 'https://github.com/continuedev/continue/pull/11806',
  },
  {
    name: 'DeepSeek',
    host: /(^|\.)deepseek\.com$/,
    models: /^deepseek/i,
    rules: { missingReasoning: '' },
    wires: CHAT,
    source: 'https://api-docs.deepseek.com/guides/thinking_mode',
  },
  {
    name: 'Vertex AI',
    host: /(^|[.-])aiplatform\.googleapis\.com$/,
    rules: { sendsCallIds: false },
    wires: ['gemini'],
    source: 'https://github.com/looplj/axonhub/issues/874',
  },
  {
    name: 'Gemini',
    host: /(^|\.)googleapis\.com$/,
    models: /^gemini/i,
    rules: { namesResults: true },
    wires: CHAT,
    source: 'https://github.com/pydantic/pydantic-ai/issues/1879',
  },
  {
    name: 'Gemini',
    host: /(^|\.)googleapis\.com$/,
    models: /^gemini/i,
    rules: { schema: 'gemini' },
    source: 'https://ai.google.dev/api/caching#Schema',
  },
];

export function rulesFor(wire: Wire, endpoint: string, model: string): ServiceRules {
  const { hostname } = new URL(endpoint);
  const onWire = SERVICES.filter(({ wires }) => wires?.includes(wire) ?? true);
  const atHost = onWire.filter(({ host }) => host?.test(hostname) === true);
  const known = SERVICES.some(({ host }) => host?.test(hostname) === true);
  const name = model.replace(/^.*\//, '');
  const rows = known ? atHost : onWire.filter(({ models }) => models?.test(name) === true);
  return Object.assign({}, WIRE_RULES[wire], ...rows.toReversed().map(({ rules }) => rules));
}
