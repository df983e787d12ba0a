import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../../mock-llm-server/conversation/ids.ts';
import {
  chaosFault,
  createFaultChooser,
  createKeyCounter,
  describeFault,
} from '../../../../mock-llm-server/delivery/faults.ts';
import { FaultSchema } from '../../../../mock-llm-server/scenario/format/fault-format.ts';

const key = (digest: string, testId?: string) => ({ digest, testId });
const digests = Array.from({ length: 1000 }, (_, index) => digestOf(String(index)));

describe('createFaultChooser', () => {
  it('applies a fault always, or `times` times to each request of each test', () => {
    const choose = createFaultChooser();
    const once = { status: 429, times: 2 } as const;
    const seen = [
      [key('a'), key('a'), key('a'), key('b'), key('a', 't'), key('a', 't'), key('a', 't')].map((request) =>
        choose(once, request),
      ),
      [key('c'), key('c'), key('c')].map((request) => choose({ reset: true }, request)),
    ].map((faults) => faults.map((fault) => fault !== undefined));
    expect(seen).toEqual([
      [true, true, false, true, true, true, false],
      [true, true, true],
    ]);
    expect(choose(undefined, key('a'))).toBeUndefined();
  });

  it('prefers the fault of a step to chaos', () => {
    const choose = createFaultChooser({ rate: 1, seed: 1 });
    expect(choose({ reset: true }, key('00'))).toEqual({ fault: { reset: true }, origin: 'step' });
    expect(choose(undefined, key('01'))).toMatchObject({ origin: 'chaos', fault: { times: 1 } });
    expect(choose(undefined, key('01'))).toBeUndefined();
  });
});

describe('chaosFault', () => {
  const chosen = (rate: number, seed: number) => digests.map((digest) => chaosFault({ rate, seed }, digest));
  const hits = (rate: number, seed: number) => chosen(rate, seed).filter((fault) => fault !== undefined).length;

  it.each([
    [0, 0, 0],
    [0.1, 70, 130],
    [1, 1000, 1000],
  ])('hits a part of %f of the requests', (rate, atLeast, atMost) => {
    expect(hits(rate, 7)).toBeGreaterThanOrEqual(atLeast);
    expect(hits(rate, 7)).toBeLessThanOrEqual(atMost);
  });

  it('fails the same requests in the same way for the same seed', () => {
    expect(chosen(0.5, 7)).toEqual(chosen(0.5, 7));
    expect(chosen(0.5, 7)).not.toEqual(chosen(0.5, 8));
  });

  it('uses each of its faults, all of which the scenario format allows', () => {
    const kinds = new Set(chosen(1, 7).map((fault) => JSON.stringify(fault)));
    expect(kinds.size).toBe(8);
    for (const fault of kinds) expect(FaultSchema.safeParse(JSON.parse(fault)).success).toBe(true);
  });
});

it('describeFault returns a short text', () => {
  expect([
    describeFault({ fault: { status: 429, retry_after: 0.1, times: 1 }, origin: 'chaos' }),
    describeFault({ fault: { reset: true, at: { pieces: 3 } }, origin: 'step' }),
  ]).toEqual(['chaos status 429, retry_after 0.1, times 1', 'fault reset, at {"pieces":3}']);
});

it('createKeyCounter forgets the least recent key', () => {
  const countEarlier = createKeyCounter(2);
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(countEarlier)).toEqual([0, 0, 1, 0, 2, 0]);
});
