import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  AbortedError,
  abortAfterGrace,
  closeQuietly,
  raceAbort,
  throwIfAborted,
  untilAborted,
} from '../../../../src/agent/async/abort.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';

const never = new Promise<never>(() => {});

it('an abort error is printed with its name', () => {
  expect(String(new AbortedError())).toBe('AbortedError: The run was stopped.');
});

describe('a wait with a signal', () => {
  const stopped = AbortSignal.abort();

  it('ends between two steps when the signal has aborted', () => {
    expect(() => throwIfAborted(stopped)).toThrow(AbortedError);
    expect(() => throwIfAborted(new AbortController().signal)).not.toThrow();
  });

  it('settles as the work does', async () => {
    const { signal } = new AbortController();
    await expect(raceAbort(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(raceAbort(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('rejects at once when the signal has aborted, whatever the work does later', async () => {
    await expect(raceAbort(never, stopped)).rejects.toBeInstanceOf(AbortedError);
    await expect(raceAbort(Promise.reject(new Error('late')), stopped)).rejects.toThrow('The run was stopped.');
  });

  it('rejects when the signal aborts', async () => {
    const controller = new AbortController();
    const waiting = raceAbort(never, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toBeInstanceOf(AbortedError);
  });

  it('leaves no listener behind', async () => {
    const { signal } = new AbortController();
    await raceAbort(Promise.resolve(), signal);
    await raceAbort(Promise.reject(new Error('no')), signal).catch(() => {});
    const delayed = abortAfterGrace(signal, createManualClock(), 10);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    delayed.dispose();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('starts the grace period at once when the signal has already aborted', async () => {
    const clock = createManualClock();
    const delayed = abortAfterGrace(stopped, clock, 10);
    await clock.advance(9);
    expect(delayed.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(delayed.signal.aborted).toBe(true);
    delayed.dispose();
  });

  it('leaves no timer behind when it is disposed of', async () => {
    const clock = createManualClock();
    const delayed = abortAfterGrace(stopped, clock, 10);
    delayed.dispose();
    await clock.advance(20);
    expect(delayed.signal.aborted).toBe(false);
    clock.assertIdle();
  });
});

describe('reading a source until a signal aborts', () => {
  async function* letters() {
    yield 'a';
    yield 'b';
    return 2;
  }

  it('yields the values of the source and returns its result', async () => {
    const reading = untilAborted(letters(), new AbortController().signal);
    expect([await reading.next(), await reading.next(), await reading.next()]).toEqual([
      { done: false, value: 'a' },
      { done: false, value: 'b' },
      { done: true, value: 2 },
    ]);
  });

  it('throws while the source waits, and closes the source', async () => {
    const controller = new AbortController();
    let closed = 0;
    const source = {
      next: () => never,
      async return() {
        closed += 1;
        return { done: true as const, value: undefined };
      },
    };
    const waiting = untilAborted(source, controller.signal).next();
    controller.abort();
    await expect(waiting).rejects.toBeInstanceOf(AbortedError);
    expect(closed).toBe(1);
  });
});

describe('closing a source quietly', () => {
  /** A source whose `return` does what `end` does, and a record of the calls of `return`. */
  function source(end?: () => Promise<never>) {
    const calls: string[] = [];
    const next = (): Promise<never> => Promise.reject(new Error('not read'));
    if (end === undefined) return { calls, iterator: { next } };
    const close = (): Promise<never> => {
      calls.push('return');
      return end();
    };
    return { calls, iterator: { next, return: close } };
  }

  it.each<[string, (() => Promise<never>) | undefined, number]>([
    ['hangs', () => new Promise<never>(() => {}), 1],
    ['fails', () => Promise.reject(new Error('late')), 1],
    [
      'throws at once',
      () => {
        throw new Error('at once');
      },
      1,
    ],
    ['cannot be closed', undefined, 0],
  ])('does not fail for a source that %s', async (_name, end, times) => {
    const { calls, iterator } = source(end);
    expect(closeQuietly(iterator)).toBeUndefined();
    // A rejection that nobody handles would fail this test.
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toHaveLength(times);
  });

  it('accepts a source that was never created', () => {
    expect(closeQuietly(undefined)).toBeUndefined();
  });
});
