import { expect, it } from 'vitest';
import { sleepAndRead } from '../../../src/terminal/sleep-and-read.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';

it('the sleep has two parts, between which Node.js reads its inputs', async () => {
  const clock = createManualClock();
  const sleeping = sleepAndRead(clock, 30, new AbortController().signal);
  expect(clock.pending).toEqual([29]);
  await clock.advance(29);
  expect(clock.pending).toEqual([1]);
  await clock.advance(1);
  await sleeping;
});

it('the sleep rejects as soon as its signal aborts', async () => {
  const stop = new AbortController();
  const sleeping = sleepAndRead(createManualClock(), 30, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(sleeping).rejects.toThrow('stopped');
});
