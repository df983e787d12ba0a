import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { LONG } from '../../support/random/property.ts';
import {
  allowedCommands,
  CHANGING_COMMANDS,
  createReadOnlyBench,
  readOnlyCandidates,
  runAndCompare,
  sampleOf,
} from '../../support/random/read-only-runs.ts';

const CORPUS = readFileSync(path.join(import.meta.dirname, '../../support/commands/read-only.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('␤', '\n'));

/** All of the values in the long tests, otherwise some of them. */
const some = <Value>(values: readonly Value[], count: number) => (LONG ? values : sampleOf(values, count, '5eed0001'));

describe.skipIf(process.platform !== 'linux')('the commands that run without a question', () => {
  it.each(LONG && process.getuid?.() === 0 ? [false, true] : [false])(
    'do not change the disk (as a user without privileges: %s), and one that does is detected',
    async (asNobody) => {
      const bench = createReadOnlyBench(temporaryDirectory(), asNobody);
      const allowed = allowedCommands(some(readOnlyCandidates(), 30), bench.workspace);
      const { found, changing: others } = await runAndCompare([...(LONG ? CORPUS : []), ...allowed], bench, 4);
      expect({ others, isEnough: found > (LONG ? 2_000 : 25) }).toEqual({ others: [], isEnough: true });
      if (asNobody) return;
      const changing = some(CHANGING_COMMANDS, 3);
      expect((await runAndCompare(changing, bench)).changing).toEqual(changing);
    },
  );
});
