import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../mock-llm-server/delivery/clock.ts';

const LONGEST = 2 ** 31 - 1;

describe('systemClock', () => {
  it('sleeps, and rejects when its signal aborts', async () => {
    const { signal } = new AbortController();
    const start = systemClock.now();
    await systemClock.sleep(5, signal);
    expect(systemClock.now() - start).toBeGreaterThan(3);
    await expect(systemClock.sleep(LONGEST * 3, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('splits a sleep that is too long for a timer', async () => {
    const controller = new AbortController();
    let isOver = false;
    const sleep = systemClock.sleep(LONGEST * 3, controller.signal).then(() => {
      isOver = true;
    });
    // A timer of Node would fire after 1 ms.
    await systemClock.sleep(20, new AbortController().signal);
    expect(isOver).toBe(false);
    controller.abort();
    await expect(sleep).rejects.toMatchObject({ name: 'AbortError' });
  });
});
