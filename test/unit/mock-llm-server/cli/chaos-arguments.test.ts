import { expect, it } from 'vitest';
import { readChaos } from '../../../../mock-llm-server/cli/arguments.ts';

const rateProblem = (rate: string) => ({
  problem: `--chaos must be a part of the requests from 0 to 1, like 0.1, not "${rate}"`,
});
const seedProblem = (seed: string) => ({ problem: `--seed must be a number from 0 to 4294967295, not "${seed}"` });

it.each<[string | undefined, string | undefined, ReturnType<typeof readChaos>]>([
  [undefined, undefined, { chaos: undefined }],
  ['0.1', '7', { chaos: { rate: 0.1, seed: 7 } }],
  ['.5', undefined, { chaos: { rate: 0.5, seed: undefined } }],
  ['1', '0', { chaos: { rate: 1, seed: 0 } }],
  ['0', '4294967295', { chaos: { rate: 0, seed: 4294967295 } }],
  [undefined, '7', { problem: '--seed needs --chaos' }],
  ['1.5', undefined, rateProblem('1.5')],
  ['10%', undefined, rateProblem('10%')],
  ['', undefined, rateProblem('')],
  ['0.1', '4294967296', seedProblem('4294967296')],
  ['0.1', 'x', seedProblem('x')],
])('--chaos %s --seed %s', (rate, seed, expected) => {
  expect(readChaos(rate, seed)).toEqual(expected);
});
