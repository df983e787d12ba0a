import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/processes/temporary-directory.ts';
import {
  allowedCommands,
  CHANGING_COMMANDS,
  createReadOnlyBench,
  readOnlyCandidates,
  runAndCompare,
} from '../support/random/read-only-runs.ts';

const CORPUS = readFileSync(path.join(import.meta.dirname, '../support/commands/read-only.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('␤', '\n'));

describe.skipIf(process.platform !== 'linux')('every command that runs without a question', () => {
  const users = process.getuid?.() === 0 ? [false, true] : [false];

  it.each(users)('does not change the disk (as a user without privileges: %s)', async (asNobody) => {
    const bench = createReadOnlyBench(temporaryDirectory(), asNobody);
    const commands = [...CORPUS, ...allowedCommands(readOnlyCandidates(), bench.workspace)];
    const { ran, found, changing } = await runAndCompare(commands, bench, 8);
    console.log(
      `${ran} commands ran, ${found} of them with a program of this machine, ${changing.length} changed something`,
    );
    expect(changing).toEqual([]);
    expect(found).toBeGreaterThan(2_000);
  });

  it('is detected if it changes something', async () => {
    const bench = createReadOnlyBench(temporaryDirectory());
    expect((await runAndCompare(CHANGING_COMMANDS, bench)).changing).toEqual(CHANGING_COMMANDS);
  });
});
