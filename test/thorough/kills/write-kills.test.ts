import { expect, it } from 'vitest';
import { killWritersAtOperations } from '../../support/kills/write-kills.ts';

// The long tests kill at every operation and 200 times.
it.skipIf(process.platform === 'win32')(
  'a killed write leaves the old file or the new one, and temporary files only until the next write',
  async () => {
    expect(await killWritersAtOperations('replace', [5, 9])).toEqual({ killed: 2, leftovers: 2, problems: [] });
  },
);

it.skipIf(process.platform === 'win32')('a write in place leaves a mixed file, as a control', async () => {
  const { problems } = await killWritersAtOperations('in_place', [2]);
  expect(problems).toEqual(['operation 2: 100000 bytes, not of one version']);
});
