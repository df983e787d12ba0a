import { describe, expect, it } from 'vitest';
import { killSessionAtWrite } from '../../support/kills/undo-kills.ts';

// test/long/kills/undo-kills.test.ts kills at random points; undo-crashes.test.ts ends at operations in memory.
describe.skipIf(process.platform === 'win32')('a session that is killed in the middle of a write', () => {
  it('leaves complete files, a valid log and an undo that works', async () => {
    // The second write of a file, which is kept before it, too.
    expect(await killSessionAtWrite('replace', 5)).toEqual({ open: 1, problems: [] });
  });

  it('is detected if it writes files in place', async () => {
    const { problems } = await killSessionAtWrite('in_place', 2);
    expect(problems).toEqual(expect.arrayContaining(['write 2: known is mixed']));
  });
});
