import { describe, expect, it } from 'vitest';
import { systemClock } from '../../mock-llm-server/delivery/clock.ts';

const LONGEST = 2 ** 31 - 1;

describe('systemClock', () => {
  it('waits, and stops as soon as nobody wants it', async () => {
    const { signal } = new AbortController();
    const start = systemClock.now();
    await systemClock.sleep(5, signal);
    expect(systemClock.now() - start).toBeGreaterThan(3);
    await expect(systemClock.sleep(LONGEST * 3, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('takes a wait that is too long for a timer apart', async () => {
    const gone = new AbortController();
    let over = false;
    const sleep = systemClock.sleep(LONGEST * 3, gone.signal).then(() => {
      over = true;
    });
    // Node's own timers would be over after 1 ms.
    await systemClock.sleep(20, new AbortController().signal);
    expect(over).toBe(false);
    gone.abort();
    await expect(sleep).rejects.toMatchObject({ name: 'AbortError' });
  });
});
