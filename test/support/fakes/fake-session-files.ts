import type { SessionFiles } from '../../../src/session/session-files.ts';

/** Session files in memory. A call whose output is stored twice with different texts is an error. */
export interface FakeSessionFiles extends SessionFiles {
  /** The stored texts, by path. */
  readonly saved: ReadonlyMap<string, string>;
}

/** Creates session files in memory. */
export function createFakeSessionFiles(outputDirectory = '/out'): FakeSessionFiles {
  const saved = new Map<string, string>();
  return {
    outputDirectory,
    saved,
    async saveOutput(callId, text) {
      const file = `${outputDirectory}/${callId}.txt`;
      const before = saved.get(file);
      if (before !== undefined && before !== text) throw new Error(`${file} was stored before with another text`);
      saved.set(file, text);
      return file;
    },
  };
}
