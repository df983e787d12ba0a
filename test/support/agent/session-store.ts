import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import { computeDigest } from '../../../src/node/system.ts';
import type { Processes } from '../../../src/session/log/processes.ts';
import { SessionStore, type StoreOptions } from '../../../src/session/session-store.ts';
import { createManualClock } from '../fakes/manual-clock.ts';

/** Processes of which only this one, with the id 1, and those in `others` run, by id with their start. */
export function fakeProcesses(others: Readonly<Record<number, string>> = {}, pid = 1): Processes {
  const running: Readonly<Record<number, string>> = { [pid]: 'start', ...others };
  return {
    self: async () => ({ pid, started: 'start', host: 'here' }),
    startOf: async (other) => running[other],
  };
}

/** A store in `/sessions` with deterministic names and ids. */
export function createTestStore(fileSystem: FileSystem, options: Partial<StoreOptions> = {}): SessionStore {
  let ids = 0;
  let names = 0;
  return new SessionStore({
    fileSystem,
    processes: fakeProcesses(),
    clock: createManualClock(),
    digest: computeDigest,
    directory: '/sessions',
    temporaryDirectory: '/tmp',
    autoSave: true,
    random: () => (++names % 0x10000) / 0x10000,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    redact: (text) => text,
    ...options,
  });
}
