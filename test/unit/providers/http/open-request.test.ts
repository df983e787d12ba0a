import { expect, it } from 'vitest';
import { watchSilence } from '../../../../src/providers/http/open-request.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';

it('calls the listener once when the time has passed', async () => {
  const clock = createManualClock();
  let calls = 0;
  const watch = watchSilence(clock, 100, () => {
    calls += 1;
  });
  await clock.advance(99);
  expect([calls, watch.expired]).toEqual([0, false]);
  await clock.advance(1);
  await clock.advance(1_000);
  expect([calls, watch.expired]).toEqual([1, true]);
  clock.assertIdle();
});

it('waits from the last restart, with one timer', async () => {
  const clock = createManualClock();
  const watch = watchSilence(clock, 100, () => {});
  for (let round = 0; round < 10; round += 1) {
    await clock.advance(50);
    watch.restart();
  }
  expect(clock.pending).toHaveLength(1);
  await clock.advance(99);
  expect(watch.expired).toBe(false);
  await clock.advance(1);
  expect(watch.expired).toBe(true);
});

it('leaves no timer after dispose', async () => {
  const clock = createManualClock();
  let calls = 0;
  const watch = watchSilence(clock, 100, () => {
    calls += 1;
  });
  watch.dispose();
  clock.assertIdle();
  await clock.advance(1_000);
  expect(calls).toBe(0);
});
