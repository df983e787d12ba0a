import type { Fault } from '../scenario/fault-format.ts';
import type { Frame } from '../wire/wire.ts';

/** Bytes that are sent together, `afterMs` after the previous chunk. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly afterMs: number;
  /** True if the chunk must not be sent together with the previous one, even if that one was late. */
  readonly apart?: true;
}

/** The end of a body, after its last chunk. */
export type Ending =
  | { readonly type: 'end' }
  | { readonly type: 'reset' }
  | { readonly type: 'stall'; readonly ping: { readonly bytes: Uint8Array; readonly everyMs: number } | undefined };

/** The delivery of a body. `text` is the whole body without the pings of a stall. */
export type DeliveryPlan =
  | { readonly type: 'at_once'; readonly text: string }
  | {
      readonly type: 'in_chunks';
      readonly text: string;
      /** Each iteration creates them one by one, because a body may be sent byte by byte. */
      readonly chunks: Iterable<Chunk>;
      readonly ending: Ending;
    };

/** A frame and its delay after the previous one, 0 by default. */
export interface TimedFrame extends Frame {
  readonly afterMs?: number;
}

const DEFAULT_PING_MS = 5000;
/** A delay that lets two chunks leave in two packets. */
const APART_MS = 1;

/**
 * Plans how frames are sent: the changes that a fault makes to their bytes, and the time of each chunk. A body with no
 * time between its frames is sent at once. `ping` keeps a stalled stream open.
 */
export function planDelivery(frames: readonly TimedFrame[], fault: Fault = {}, ping?: string): DeliveryPlan {
  const { sent, ending } = applyEnding(applyMalformed(frames, fault), fault, ping);
  let text = '';
  for (const { bytes } of sent) text += bytes;
  const isTimed = fault.drip !== undefined || fault.split_utf8 || fault.split_arguments;
  if (ending.type === 'end' && !isTimed && sent.every(({ afterMs = 0 }) => afterMs === 0)) {
    return { type: 'at_once', text };
  }
  return { type: 'in_chunks', text, chunks: { [Symbol.iterator]: () => chunksOf(sent, fault) }, ending };
}

/** Index of the frame with the middle piece of an answer; of the finish if there are no pieces. */
export function middleOf(frames: readonly Frame[]): number {
  const pieces = frames.flatMap(({ kind }, index) =>
    kind === 'reasoning' || kind === 'text' || kind === 'arguments' ? [index] : [],
  );
  const middle = pieces[Math.floor(pieces.length / 2)];
  if (middle !== undefined) return middle;
  const finish = frames.findIndex(({ kind }) => kind === 'finish');
  return finish === -1 ? Math.max(0, frames.length - 1) : finish;
}

function applyMalformed(frames: readonly TimedFrame[], fault: Fault): readonly TimedFrame[] {
  if (!fault.malformed_chunk) return frames;
  const middle = middleOf(frames);
  return frames.map((frame, index) => (index === middle ? { ...frame, bytes: truncateJson(frame.bytes) } : frame));
}

/** A frame with only the first half of its JSON; its line breaks stay. */
function truncateJson(bytes: string): string {
  const start = Math.max(0, bytes.indexOf('{'));
  const end = bytes.trimEnd().length;
  return bytes.slice(0, start + Math.ceil((end - start) / 2)) + bytes.slice(end);
}

function applyEnding(
  frames: readonly TimedFrame[],
  fault: Fault,
  ping: string | undefined,
): { readonly sent: readonly TimedFrame[]; readonly ending: Ending } {
  if (fault.cut !== undefined) return { sent: cutFrames(frames, fault.cut), ending: { type: 'end' } };
  if (!fault.reset && fault.stall === undefined) return { sent: frames, ending: { type: 'end' } };
  const half = frames.slice(0, middleOf(frames));
  if (fault.reset) return { sent: half, ending: { type: 'reset' } };
  const pings = fault.stall === 'pings' && ping !== undefined;
  return {
    sent: half,
    ending: {
      type: 'stall',
      ping: pings ? { bytes: Buffer.from(ping), everyMs: fault.ping_every_ms ?? DEFAULT_PING_MS } : undefined,
    },
  };
}

function cutFrames(frames: readonly TimedFrame[], where: NonNullable<Fault['cut']>): readonly TimedFrame[] {
  const isFinish = ({ kind }: Frame) => kind === 'finish';
  if (where === 'after_finish') return frames.slice(0, frames.findLastIndex(isFinish) + 1);
  return frames.slice(0, frames.findIndex(isFinish));
}

/** The chunks of frames. Frames without a delay between them are one chunk. */
function* chunksOf(frames: readonly TimedFrame[], fault: Fault): Generator<Chunk> {
  let open: Omit<Chunk, 'bytes'> = { afterMs: 0 };
  let parts: Uint8Array[] = [];
  for (const frame of frames) {
    for (const { bytes, ...when } of piecesOf(frame, fault)) {
      if (parts.length > 0 && when.afterMs > 0) {
        yield { bytes: Buffer.concat(parts), ...open };
        parts = [];
      }
      if (parts.length === 0) open = when;
      parts.push(bytes);
    }
  }
  if (parts.length > 0) yield { bytes: Buffer.concat(parts), ...open };
}

/** The bytes of a frame, split as the fault demands. */
function* piecesOf({ kind, bytes: text, afterMs = 0 }: TimedFrame, fault: Fault): Generator<Chunk> {
  const bytes = Buffer.from(text);
  const half = fault.split_arguments && kind === 'arguments' ? bytes.length >> 1 : undefined;
  const isCut = (index: number) =>
    fault.drip !== undefined || index === half || (fault.split_utf8 === true && isLeadByte(bytes[index - 1]));
  const gap = fault.drip ?? APART_MS;
  let start = 0;
  for (let end = 1; end < bytes.length; end++) {
    if (!isCut(end)) continue;
    yield chunkFrom(start, end);
    start = end;
  }
  yield chunkFrom(start, bytes.length);

  function chunkFrom(from: number, to: number): Chunk {
    const piece = bytes.subarray(from, to);
    return from === 0
      ? { bytes: piece, afterMs: afterMs + (fault.drip ?? 0) }
      : { bytes: piece, afterMs: gap, apart: true };
  }
}

/** True for the first byte of a multi-byte character. */
function isLeadByte(byte = 0): boolean {
  return byte >= 0b1100_0000;
}
