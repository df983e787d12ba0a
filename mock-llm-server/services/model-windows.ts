import type { ServiceName } from '../conversation/conversation.ts';

/** The windows of models whose services refuse requests that are too long, in tokens. */
const MODEL_WINDOWS: readonly (readonly [service: ServiceName, models: RegExp, window: number, source: string])[] = [
  ['openai', /^gpt-4(?:-0613)?$/, 8192, 'https://platform.openai.com/docs/models/gpt-4'],
  ['openai', /^gpt-3\.5-turbo(?!-16k)/, 16_385, 'https://platform.openai.com/docs/models/gpt-3.5-turbo'],
  ['openai', /^(?:gpt-4o|gpt-4-turbo)/, 128_000, 'https://platform.openai.com/docs/models/gpt-4o'],
  ['copilot', /^gpt-4|^claude-(?:3|sonnet-4$)/, 128_000, 'https://github.com/code-yeongyu/oh-my-openagent/issues/2356'],
  ['anthropic', /^claude-(?:3|haiku-4)/, 200_000, 'https://platform.claude.com/docs/en/about-claude/models/overview'],
  ['moonshot', /^moonshot-v1-8k/, 8192, 'https://platform.moonshot.ai/docs/pricing/chat'],
  ['moonshot', /^moonshot-v1-32k/, 32_768, 'https://platform.moonshot.ai/docs/pricing/chat'],
  ['moonshot', /^moonshot-v1-128k/, 131_072, 'https://platform.moonshot.ai/docs/pricing/chat'],
  ['dashscope', /^qwen-max/, 30_720, 'https://github.com/langgenius/dify/issues/14986'],
  ['moonshot', /^kimi-k2/, 262_144, 'https://platform.moonshot.ai/docs/pricing/chat'],
  ['deepseek', /^deepseek-v4/, 1_048_576, 'https://api-docs.deepseek.com/quick_start/pricing'],
  ['zai', /^glm-4\.[67]/, 202_752, 'https://docs.z.ai/guides/llm/glm-4.6'],
  ['mistral', /^(?:mistral-|magistral|devstral)/, 262_144, 'https://docs.mistral.ai/getting-started/models'],
  ['xai', /^grok-4(?!-?(?:fast|1|20|\.\d))/, 256_000, 'https://docs.x.ai/docs/models'],
  ['cerebras', /^(?:gpt-oss|zai-glm|qwen-3)/, 131_072, 'https://inference-docs.cerebras.ai/models/overview'],
  ['dashscope', /^qwen(?:3\.5|3-coder)?-plus/, 983_616, 'https://github.com/QwenLM/qwen-code/issues/2384'],
  ['dashscope', /^qwen3-coder-480b/, 204_800, 'https://github.com/QwenLM/qwen-code/issues/98'],
  ['groq', /^(?:llama-3\.[13]|gpt-oss)/, 131_072, 'https://console.groq.com/docs/models'],
];

/** The tokens of a request are an estimate, so that only one far beyond a window is refused. */
const MARGIN = 1.25;

/** The window of a model, if a request of this many tokens surely exceeds it. `output` is the number it reserves. */
export function exceededWindow(
  service: ServiceName | undefined,
  model: string,
  tokens: number,
  output: number,
): number | undefined {
  const name = model.replace(/^.*\//, '');
  const [, , window] = MODEL_WINDOWS.find(([owner, models]) => owner === service && models.test(name)) ?? [];
  return window !== undefined && tokens / MARGIN + output > window ? window : undefined;
}
