import type { MarkupName } from '../weights/markups/markups.ts';
import { TOOLS_DIALECTS, type ToolsDialect } from '../weights/script/tools-dialects.ts';
import { TOKENIZERS, type TokenizerName } from '../weights/tokens/tokenizers.ts';
import { oneOf, parseNumber, parseOptions } from './parse-options.ts';

export interface WeightsCommand {
  readonly type: 'weights';
  readonly scenarios: readonly string[];
  readonly out: string;
  readonly markup: MarkupName;
  readonly dialect: ToolsDialect;
  readonly tokenizer: TokenizerName;
  /** Size of the context window in tokens. */
  readonly context: number;
  /** Leaves out the parts of the scenarios that a model cannot play. */
  readonly partial: boolean;
}

const MIN_CONTEXT = 256;
const MAX_CONTEXT = 1_048_576;

/** The part of the help about `weights`. */
export const WEIGHTS_HELP = `weights compiles scenarios to a model that llama.cpp, Ollama, vLLM and other
servers load: docs/real-servers.md. Options:
  --out DIRECTORY      directory of the model
  --markup NAME        form of reasoning and calls: hermes (default), llama3,
                       qwen3-coder, mistral, deepseek or gpt-oss
  --tools-dialect NAME agent whose tools carry out intents: ybs (default) or
                       claude
  --context N          size of the context window in tokens (default 32768)
  --tokenizer NAME     bytes (default) makes the smaller model; words counts
                       prompts about as the tokenizer of a real model
  --partial            leave out, and list, what a model cannot play
Exit codes: 0 written, 1 the model could not be written, 2 wrong usage, an
invalid scenario file, or one that a model cannot play.
`;

const OPTIONS = {
  out: { type: 'string' },
  markup: { type: 'string', default: 'hermes' },
  'tools-dialect': { type: 'string', default: 'ybs' },
  context: { type: 'string', default: '32768' },
  tokenizer: { type: 'string', default: 'bytes' },
  partial: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const MARKUP_NAMES: readonly MarkupName[] = ['hermes', 'llama3', 'qwen3-coder', 'mistral', 'deepseek', 'gpt-oss'];

/** Parses the arguments of `weights`. Rejects with an error for the user. */
export async function parseWeights(args: readonly string[]): Promise<WeightsCommand | { readonly type: 'help' }> {
  const { values, positionals: scenarios } = await parseOptions(args, OPTIONS);
  if (values.help) return { type: 'help' };
  const { out, partial = false } = values;
  if (scenarios.length === 0) throw new Error('weights needs at least one scenario file or story directory');
  if (!out) throw new Error('weights needs the directory of the model: --out model');
  const markup = oneOf('--markup', MARKUP_NAMES, values.markup);
  const dialect = oneOf('--tools-dialect', TOOLS_DIALECTS, values['tools-dialect']);
  const tokenizer = oneOf('--tokenizer', TOKENIZERS, values.tokenizer);
  const context = parseNumber('--context', values.context, MAX_CONTEXT, MIN_CONTEXT);
  return { type: 'weights', scenarios, out, markup, dialect, tokenizer, context, partial };
}
