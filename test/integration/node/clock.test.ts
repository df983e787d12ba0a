import { systemClock } from '../../../src/node/system.ts';
import { clockContract } from '../../support/contracts/clock.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';

clockContract([
  {
    name: 'the virtual clock',
    create: () => {
      const clock = createManualClock();
      return { clock, pass: (ms) => clock.advance(ms) };
    },
  },
  {
    name: 'the system clock',
    create: () => ({ clock: systemClock, pass: (ms) => systemClock.sleep(ms, new AbortController().signal) }),
  },
]);
