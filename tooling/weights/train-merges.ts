import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { byteLevel } from '../../mock-llm-server/weights/tokens/byte-level.ts';

// Writes the merges of `mock-llm-server weights --tokenizer words`, learned from the pages of this project:
// node tooling/weights/train-merges.ts

const ROOT = path.join(import.meta.dirname, '../..');
const OUT = path.join(ROOT, 'mock-llm-server/weights/tokens/merges.data.ts');
const COUNT = 3_600;
const PLACEHOLDER = ['$', '{'].join('');
/** The words of GPT-2, within which its tokens lie. */
const WORD = /'(?:[stmd]|re|ve|ll)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

interface Word {
  parts: string[];
  readonly count: number;
}

function countWords(files: readonly string[]): Word[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    for (const [word] of readFileSync(file, 'utf8').matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => ({ parts: [...byteLevel(word)], count }));
}

/** The most frequent pair of neighbouring parts; of several, the first in the order of their characters. */
function mostFrequentPair(words: readonly Word[]): string {
  const counts = new Map<string, number>();
  for (const { parts, count } of words) {
    for (let index = 1; index < parts.length; index++) {
      const pair = `${parts[index - 1]} ${parts[index]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + count);
    }
  }
  let best = '';
  for (const [pair, count] of counts) {
    const most = counts.get(best) ?? 0;
    // A template placeholder in a string is an error of the linter.
    const isBetter = count > most || (count === most && pair < best);
    if (isBetter && !pair.replace(' ', '').includes(PLACEHOLDER)) best = pair;
  }
  return best;
}

function applyMerge(parts: readonly string[], left: string, right: string): string[] {
  const merged: string[] = [];
  for (const part of parts) {
    if (part === right && merged.at(-1) === left) merged[merged.length - 1] = left + right;
    else merged.push(part);
  }
  return merged;
}

const pages = globSync(['README.md', 'docs/*.md', 'src/tools/definitions.data.ts', 'src/app/prompt/*.ts'], {
  cwd: ROOT,
});
const words = countWords(pages.toSorted().map((page) => path.join(ROOT, page)));
const merges: string[] = [];
while (merges.length < COUNT) {
  const pair = mostFrequentPair(words);
  const [left = '', right = ''] = pair.split(' ');
  merges.push(pair);
  for (const word of words) if (word.parts.length > 1) word.parts = applyMerge(word.parts, left, right);
}

writeFileSync(
  OUT,
  `// Written by tooling/weights/train-merges.ts.

/** The merges of a vocabulary of words, most frequent first: two tokens with a space between them, a line each. */
export const MERGES = ${JSON.stringify(merges.join('\n'))};
`,
);
