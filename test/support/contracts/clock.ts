import { expect, it } from 'vitest';
import type { Clock } from '../../../src/agent/ports/clock.ts';
import { contractSuite, type Implementation } from './implementations.ts';

/** A clock and a function that lets its time pass. */
export interface ClockSubject {
  readonly clock: Clock;
  /** Resolves when at least `ms` have passed. */
  readonly pass: (ms: number) => Promise<void>;
}

/** Runs the contract of `Clock`. */
export function clockContract(implementations: readonly Implementation<ClockSubject>[]): void {
  contractSuite('Clock', implementations, (create) => {
    const never = new AbortController().signal;

    it('returns the milliseconds since 1970, which increase', async () => {
      const { clock, pass } = create();
      const before = clock.now();
      expect(new Date(before).getUTCFullYear()).toBeGreaterThanOrEqual(2025);
      await pass(20);
      expect(clock.now() - before).toBeGreaterThanOrEqual(19);
    });

    it('wakes sleepers in the order of their deadlines, never too early', async () => {
      const { clock, pass } = create();
      const woken: { readonly name: string; readonly after: number }[] = [];
      const start = clock.now();
      const sleep = async (ms: number): Promise<void> => {
        await clock.sleep(ms, never);
        // The system's timers may fire a fraction of a millisecond before the clock reaches their time.
        const after = clock.now() - start;
        woken.push({ name: after >= ms - 1 ? `${ms}` : `${ms} too early`, after });
      };
      const sleeps = [sleep(30), sleep(0), sleep(10)];
      await pass(60);
      await Promise.all(sleeps);
      // Node wakes sleepers that are due together in any order, for example on a machine that was busy for long.
      const isBusy = woken.some(({ after }, index) => after >= ([10, 30][index] ?? Number.POSITIVE_INFINITY));
      const names = woken.map(({ name }) => name);
      expect(isBusy ? names.toSorted() : names).toEqual(['0', '10', '30']);
    });

    it('rejects with the reason of the abort, without waiting', async () => {
      const { clock } = create();
      const controller = new AbortController();
      const reason = new Error('stopped by the test');
      const sleep = clock.sleep(60_000, controller.signal);
      controller.abort(reason);
      await expect(sleep).rejects.toBe(reason);
    });

    it('rejects at once when the signal is already aborted', async () => {
      const { clock } = create();
      const reason = new Error('stopped before');
      await expect(clock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    it('ignores an abort after the sleep', async () => {
      const { clock, pass } = create();
      const controller = new AbortController();
      const sleep = clock.sleep(1, controller.signal);
      await pass(20);
      await expect(sleep).resolves.toBeUndefined();
      controller.abort();
      await expect(sleep).resolves.toBeUndefined();
    });
  });
}
