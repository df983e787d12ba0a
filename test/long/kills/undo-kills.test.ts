import { describe, expect, it } from 'vitest';
import { killSessions } from '../../support/kills/undo-kills.ts';

describe.skipIf(process.platform === 'win32')('a session that is killed while it writes and undoes', () => {
  it('leaves complete files, a valid log and an undo that works when it is killed at 200 random points', async () => {
    const { open, problems } = await killSessions('replace', 200, 17);
    console.log(`kills in the middle of a write: ${open} of 200`);
    expect(problems).toEqual([]);
    // Otherwise the kills met no write.
    expect(open).toBeGreaterThan(20);
  });

  it('is detected if it writes files in place', async () => {
    expect((await killSessions('in_place', 30, 17)).problems.length).toBeGreaterThan(3);
  });
});
