import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import {
  allowedCommands,
  CHANGING_COMMANDS,
  createReadOnlyBench,
  readOnlyCandidates,
  runAndCompare,
  sampleOf,
} from '../../support/random/read-only-runs.ts';

describe.skipIf(process.platform !== 'linux')('a sample of the commands that run without a question', () => {
  it('does not change the disk, and a command that does is detected', async () => {
    const bench = createReadOnlyBench(temporaryDirectory());
    const commands = allowedCommands(sampleOf(readOnlyCandidates(), 30, '5eed0001'), bench.workspace);
    const { found, changing: others } = await runAndCompare(commands, bench, 4);
    expect({ others, isEnough: found > 25 }).toEqual({ others: [], isEnough: true });
    const changing = sampleOf(CHANGING_COMMANDS, 3, '5eed0001');
    expect((await runAndCompare(changing, bench)).changing).toEqual(changing);
  });
});
