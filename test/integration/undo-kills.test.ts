import { describe, expect, it } from 'vitest';
import { killSessions } from '../support/undo-kills.ts';

// A sample; test/long/undo-kills.test.ts has 230 kills, and test/unit/session/undo.test.ts ends at operations in memory.
describe.skipIf(process.platform === 'win32')('a session that is killed while it writes and undoes', () => {
  it('leaves whole files, a valid log and an undo that works', async () => {
    expect((await killSessions('replace', 2, 5)).problems).toEqual([]);
  });

  it('is found out if it writes files in place', async () => {
    expect((await killSessions('in_place', 12, 5, { isControl: true })).problems).not.toEqual([]);
  });
});
