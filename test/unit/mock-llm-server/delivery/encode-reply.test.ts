import { describe, expect, it } from 'vitest';
import { durationOf, timeFrames } from '../../../../mock-llm-server/delivery/encode-reply.ts';
import type { Timing } from '../../../../mock-llm-server/scenario/format/timing-format.ts';
import type { Frame } from '../../../../mock-llm-server/wire/wire.ts';

const answer: readonly Frame['kind'][] = [
  'open',
  'control',
  'reasoning',
  'text',
  'text',
  'control',
  'arguments',
  'finish',
  'close',
];
const framesOf = (kinds: readonly Frame['kind'][]) => kinds.map((kind) => ({ kind, bytes: '' }));
const delays = (timing: Timing, kinds = answer, seed = 'abcdef01') =>
  timeFrames(framesOf(kinds), timing, seed).map(({ afterMs = 0 }) => afterMs);

describe('timeFrames', () => {
  it.each<[Timing, readonly number[]]>([
    [{}, [0, 0, 0, 0, 0, 0, 0, 0, 0]],
    [{ time_to_first_token_ms: 300 }, [0, 0, 300, 0, 0, 0, 0, 0, 0]],
    [{ time_to_first_token_ms: 300, tokens_per_second: 50 }, [0, 0, 300, 20, 20, 0, 20, 0, 0]],
    [{ tokens_per_second: 50, chunk: { by: 'characters', size: 8 } }, [0, 0, 0, 40, 40, 0, 40, 0, 0]],
    [{ piece_delay_ms: 7, chunk: { by: 'characters', size: 8 } }, [0, 0, 7, 7, 7, 0, 7, 0, 0]],
    [{ piece_delay_ms: 7, time_to_first_token_ms: 0 }, [0, 0, 0, 7, 7, 0, 7, 0, 0]],
    [{ recorded_ms: [80, 40] }, [0, 0, 80, 40, 0, 0, 0, 0, 0]],
    [{ recorded_ms: [80, 40, 20], speed: 4 }, [0, 0, 20, 10, 5, 0, 0, 0, 0]],
  ])('delays each frame by %j', (timing, expected) => {
    expect(delays(timing)).toEqual(expected);
  });

  it('delays the finish of an answer without pieces', () => {
    expect(delays({ time_to_first_token_ms: 9, tokens_per_second: 1 }, ['open', 'finish', 'finish', 'close'])).toEqual([
      0, 9, 0, 0,
    ]);
  });

  it('varies delays in the same way for the same seed', () => {
    const timing = { tokens_per_second: 10, jitter: 0.5 };
    const kinds = Array.from({ length: 200 }, () => 'text' as const);
    const [first, again, other] = ['00000001', '00000001', '00000002'].map((seed) =>
      delays(timing, kinds, seed).slice(1),
    );
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(Math.min(...(first ?? []))).toBeGreaterThanOrEqual(50);
    expect(Math.max(...(first ?? []))).toBeLessThan(150);
    expect(new Set(first).size).toBeGreaterThan(150);
  });
});

it('durationOf adds up the delays', () => {
  expect(durationOf(timeFrames(framesOf(answer), { time_to_first_token_ms: 300, tokens_per_second: 50 }, 'ab'))).toBe(
    360,
  );
});
