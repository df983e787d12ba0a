import { expect, it } from 'vitest';
import { killRecorders } from '../support/recorder-kills.ts';

// A sample; test/long/command-kills.test.ts has 200 kills.
it('leaves no half story when the recorder is killed while it records, writes or shuts down', async () => {
  const { problems } = await killRecorders(4, 5);
  expect(problems).toEqual([]);
});
