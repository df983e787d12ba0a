import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/agent/ports/clock.ts';
import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import type { SessionRecord } from '../../../src/session/session-record.ts';
import { createTestStore, fakeProcesses } from '../../support/agent/session-store.ts';
import { filesIn, playRun, undo } from '../../support/agent/write-runs.ts';
import { crashAt } from '../../support/fakes/crashing-file-system.ts';
import { createMemoryFileSystem, type MemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const FIRST = 'session-20261120-090000-0001';

// Nobody else writes a lock here, so that there is nothing to wait for.
const CLOCK: Clock = { now: () => Date.UTC(2026, 10, 20, 9), sleep: async () => {} };

/** Two runs in a process that ends at a chosen operation of the disk, perhaps in the middle of an undo. */
async function crashingSession(fileSystem: FileSystem): Promise<void> {
  const record = await createTestStore(fileSystem, { clock: CLOCK }).create();
  await playRun(record, fileSystem, { path: '/w/a', content: 'two' });
  await playRun(record, fileSystem, { path: '/w/a', content: 'three' }, { path: '/w/d/new', content: 'new' });
  await undo(record);
  await undo(record, 4);
  await record.close();
}

describe('a process that ends at any operation of the disk', () => {
  /** Lets it end at the operations; in the next process, undoes everything. Returns the problems, at most about `max`. */
  const endEverywhere = async (
    breaks: (fileSystem: FileSystem) => FileSystem = (intact) => intact,
    max = Number.POSITIVE_INFINITY,
  ) => {
    const problems: string[] = [];
    const start = (): MemoryFileSystem => createMemoryFileSystem({ '/w/a': 'one' });
    const counted = crashAt(Number.POSITIVE_INFINITY, start());
    await crashingSession(breaks(counted.fileSystem));
    for (let crashing = 1; crashing <= counted.operations() && problems.length <= max; crashing += 1) {
      const memory = start();
      await crashingSession(breaks(crashAt(crashing, memory).fileSystem)).catch(() => {});
      const left = filesIn(memory).filter((row) => !row.includes('.ybs-'));
      for (const row of left) {
        if (!['a: one', 'a: two', 'a: three', 'd/', 'd/new: new'].includes(row)) problems.push(`${crashing}: ${row}`);
      }
      const record = await openAgain(memory).catch(() => undefined);
      if (record === undefined) continue;
      if (record.restored?.damage.length !== 0) problems.push(`${crashing}: damaged`);
      if ((await record.writes.checkpoints()).length > 0) {
        try {
          await undo(record, 1);
        } catch (error) {
          problems.push(`${crashing}: ${error}`);
        }
      }
      const after = filesIn(memory).filter((row) => !row.includes('.ybs-'));
      if (after.join() !== 'a: one' && after.join() !== 'a: one,d/')
        problems.push(`${crashing}: ${after.join()} after`);
    }
    return { problems, operations: counted.operations() };
  };

  const openAgain = async ({ fileSystem }: MemoryFileSystem): Promise<SessionRecord> =>
    createTestStore(fileSystem, { processes: fakeProcesses({}, 2), clock: CLOCK }).open(FIRST);

  it('leaves no mixed file, a valid log and an undo that works', async () => {
    const { problems, operations } = await endEverywhere();
    expect(problems).toEqual([]);
    expect(operations).toBeGreaterThan(60);
  });

  it('is detected if a file is written in place', async () => {
    const breaks = (fileSystem: FileSystem): FileSystem => ({
      ...fileSystem,
      async replaceFile(directory, name, bytes) {
        await fileSystem.removeFile(`${directory}/${name}`);
        await fileSystem.createDirectory(directory);
        await fileSystem.createFile(`${directory}/${name}`, bytes);
      },
    });
    const { problems } = await endEverywhere(breaks, 5);
    expect(problems.length).toBeGreaterThan(5);
  });
});
