import type { Timing } from '../scenario/format/timing-format.ts';
import { tokensPerPiece } from '../wire/pieces.ts';
import type { Frame } from '../wire/wire.ts';
import { seededRandom } from './choose-fault.ts';
import type { TimedFrame } from './plan.ts';

const MILLISECONDS = 1000;

/**
 * Gives each frame its delay: the time to the first token for the first piece, the time of its tokens or a fixed one
 * for each later piece, and none for other frames. Jitter derives from `seed`, a digest.
 */
export function timeFrames(frames: readonly Frame[], timing: Timing, seed: string): TimedFrame[] {
  const random = seededRandom(seed);
  const jitter = timing.jitter ?? 0;
  let piece = 0;
  return frames.map((frame, index) => {
    if (!isPiece(frame, frames, index, piece)) return { ...frame, afterMs: 0 };
    const delay = delayOf(piece, timing);
    piece++;
    return { ...frame, afterMs: delay * (1 + jitter * (2 * random() - 1)) };
  });
}

/** Time until the last frame, in milliseconds. */
export function durationOf(frames: readonly TimedFrame[]): number {
  return frames.reduce((sum, { afterMs = 0 }) => sum + afterMs, 0);
}

/** In an answer without pieces, the finish counts as the first piece. */
function isPiece({ kind }: Frame, frames: readonly Frame[], index: number, before: number): boolean {
  if (kind === 'reasoning' || kind === 'text' || kind === 'arguments') return true;
  return before === 0 && frames.findIndex((frame) => frame.kind === 'finish') === index;
}

function delayOf(piece: number, timing: Timing): number {
  const { recorded_ms: recorded, speed = 1, tokens_per_second: rate, piece_delay_ms: fixed = 0 } = timing;
  if (recorded !== undefined) return (recorded[piece] ?? 0) / speed;
  if (piece === 0) return timing.time_to_first_token_ms ?? fixed;
  return rate === undefined ? fixed : (tokensPerPiece(timing.chunk) * MILLISECONDS) / rate;
}
