import { MAX_SEED } from './max-seed.ts';

/** What `--chaos` and `--seed` say. Without a seed the server chooses one and prints it. */
export interface ChaosArguments {
  readonly rate: number;
  readonly seed: number | undefined;
}

/** Reads the two options, or says what is wrong with them; nothing where there are none. */
export function readChaos(
  rate: string | undefined,
  seed: string | undefined,
): { readonly chaos: ChaosArguments | undefined } | { readonly problem: string } {
  if (rate === undefined) return seed === undefined ? { chaos: undefined } : { problem: '--seed needs --chaos' };
  if (!/^(?:0|1|0?\.\d+|1\.0+)$/.test(rate)) {
    return { problem: `--chaos must be a part of the requests from 0 to 1, like 0.1, not "${rate}"` };
  }
  if (seed === undefined) return { chaos: { rate: Number(rate), seed: undefined } };
  const number = /^\d{1,10}$/.test(seed) ? Number(seed) : Number.NaN;
  if (!(number <= MAX_SEED)) return { problem: `--seed must be a number from 0 to ${MAX_SEED}, not "${seed}"` };
  return { chaos: { rate: Number(rate), seed: number } };
}
