import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../mock-llm-server/delivery/clock.ts';

const never = new AbortController().signal;

describe('the virtual clock', () => {
  it('does not advance by itself', () => {
    const clock = createVirtualClock(1_000);
    expect([clock.now(), clock.now()]).toEqual([1_000, 1_000]);
  });

  it('wakes each sleep at its due time', async () => {
    const clock = createVirtualClock(0);
    const seen: number[] = [];
    for (const ms of [50, 10]) void clock.sleep(ms, never).then(() => seen.push(clock.now()));
    await clock.advance(49);
    expect(seen).toEqual([10]);
    expect(clock.pending).toEqual([1]);
    await clock.advance(1);
    expect(seen).toEqual([10, 50]);
    expect(clock.now()).toBe(50);
  });

  it('includes sleeps that begin while it advances', async () => {
    const clock = createVirtualClock(0);
    const seen: number[] = [];
    void (async () => {
      for (let round = 0; round < 3; round += 1) {
        await clock.sleep(10, never);
        seen.push(clock.now());
      }
    })();
    await clock.advance(100);
    expect(seen).toEqual([10, 20, 30]);
    expect(clock.now()).toBe(100);
  });

  it('reports when enough sleeps are pending', async () => {
    const clock = createVirtualClock(0);
    let asleep = false;
    const waiting = clock.untilSleeping(2).then(() => {
      asleep = true;
    });
    void clock.sleep(1, never);
    await clock.advance(0);
    expect(asleep).toBe(false);
    void clock.sleep(2, never);
    await waiting;
    await clock.untilSleeping();
    expect(asleep).toBe(true);
  });

  it('names the pending sleeps, without aborted ones', async () => {
    const clock = createVirtualClock(0);
    const controller = new AbortController();
    clock.assertIdle();
    const sleep = clock.sleep(25, controller.signal);
    expect(() => clock.assertIdle()).toThrow('the clock has pending sleeps: 25 ms');
    controller.abort();
    await expect(sleep).rejects.toBe(controller.signal.reason);
    clock.assertIdle();
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d ms', async (ms) => {
    const clock = createVirtualClock(0);
    await expect(clock.sleep(ms, never)).rejects.toThrow(`sleep was called with ${ms}`);
    await expect(clock.advance(ms)).rejects.toThrow(`advance was called with ${ms}`);
  });
});
