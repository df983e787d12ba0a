import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../mock-llm-server/delivery/clock.ts';
import { systemClock } from '../../../../mock-llm-server/delivery/clock.ts';
import { sendChunks } from '../../../../mock-llm-server/delivery/deliver.ts';
import type { Chunk, Ending } from '../../../../mock-llm-server/delivery/plan.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';

const chunk = (text: string, afterMs = 0): Chunk => ({ bytes: Buffer.from(text), afterMs });
const plan = (chunks: readonly Chunk[], ending: Ending = { type: 'end' }) => ({ chunks, ending });

function start(
  { chunks, ending }: ReturnType<typeof plan>,
  reset?: () => void,
  clock: Clock = createManualClock(),
  signal = CONNECTED,
) {
  const reader = sendChunks(chunks, ending, { clock, reset, signal }).getReader();
  const read = async () => {
    const { done, value } = await reader.read();
    return done ? 'the end' : Buffer.from(value).toString();
  };
  return { reader, read };
}

/** Signal of a client that never disconnects. */
const CONNECTED = new AbortController().signal;

describe('sendChunks', () => {
  it('sends chunks when they are due, counted from the start', async () => {
    const clock = createManualClock();
    const { read } = start(plan([chunk('a'), chunk('b', 30), chunk('c', 20)]), undefined, clock);
    expect(await read()).toBe('a');
    const second = read();
    await clock.untilSleeping();
    expect(clock.pending).toEqual([30]);
    await clock.advance(45);
    expect(await second).toBe('b');
    const third = read();
    await clock.untilSleeping();
    expect(clock.pending).toEqual([5]);
    await clock.advance(5);
    expect([await third, await read()]).toEqual(['c', 'the end']);
    clock.assertIdle();
  });

  it('keeps chunks that must stay apart so, even when it is late', async () => {
    const clock = createManualClock();
    const { read } = start(plan([chunk('a'), { ...chunk('b', 1), apart: true }, chunk('c', 1)]), undefined, clock);
    expect(await read()).toBe('a');
    await clock.advance(100);
    const second = read();
    await clock.untilSleeping();
    expect(clock.pending).toEqual([1]);
    await clock.advance(1);
    expect(await second).toBe('b');
    const third = read();
    await clock.untilSleeping();
    expect(clock.pending).toEqual([1]);
    await clock.advance(1);
    expect(await third).toBe('c');
    clock.assertIdle();
  });

  it('fails without a connection to reset', async () => {
    const { read } = start(plan([chunk('a')], { type: 'reset' }));
    expect(await read()).toBe('a');
    await expect(read()).rejects.toThrow('The connection was reset.');
  });

  it('fails when the clock fails', async () => {
    const clock: Clock = { now: () => 0, sleep: () => Promise.reject(new Error('no time')) };
    await expect(start(plan([chunk('a', 1)]), undefined, clock).read()).rejects.toThrow('no time');
  });
});

describe('systemClock', () => {
  it('advances, and ends a sleep when its signal aborts', async () => {
    const before = systemClock.now();
    await systemClock.sleep(0, new AbortController().signal);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
    await expect(systemClock.sleep(60_000, AbortSignal.abort())).rejects.toThrow();
  });
});
