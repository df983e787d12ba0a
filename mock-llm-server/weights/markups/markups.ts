import { DEEPSEEK, GPT_OSS, HERMES, LLAMA3, MISTRAL, QWEN3_CODER } from './forms.ts';
import type { Markup } from './markup.ts';

export const MARKUPS = {
  hermes: HERMES,
  llama3: LLAMA3,
  'qwen3-coder': QWEN3_CODER,
  mistral: MISTRAL,
  deepseek: DEEPSEEK,
  'gpt-oss': GPT_OSS,
} as const satisfies Readonly<Record<string, Markup>>;

export type MarkupName = keyof typeof MARKUPS;
