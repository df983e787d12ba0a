import { describe, expect, it } from 'vitest';
import { killWriters, killWritersAtOperations } from '../../support/kills/write-kills.ts';

const KILLS = 200;

describe.skipIf(process.platform === 'win32')('a killed write', () => {
  it('before every operation leaves the old file or the new one', async () => {
    const report = await killWritersAtOperations('replace');
    expect(report.problems).toEqual([]);
    expect(report.killed).toBeGreaterThan(10);
    expect(report.leftovers).toBeGreaterThan(4);
  });

  it(`at ${KILLS} random points leaves one complete version`, async () => {
    const report = await killWriters('replace', KILLS, 11);
    console.info(JSON.stringify(report));
    expect(report).toMatchObject({ killed: KILLS, problems: [] });
    expect(report.leftovers).toBeGreaterThan(KILLS / 20);
  });

  it('in place leaves mixed files, as a control', async () => {
    const { problems } = await killWriters('in_place', KILLS, 11);
    expect(problems.length).toBeGreaterThan(0);
  });
});
