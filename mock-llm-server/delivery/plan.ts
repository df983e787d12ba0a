import type { Fault } from '../scenario/fault-format.ts';
import type { Frame } from '../wire/wire.ts';

/** Bytes that are sent in one piece, `afterMs` after the piece before. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly afterMs: number;
  /** Whether it must not leave together with the piece before, however late that was. */
  readonly apart?: true;
}

/** What follows the last chunk. */
export type Ending =
  | { readonly type: 'end' }
  | { readonly type: 'reset' }
  | { readonly type: 'stall'; readonly ping: { readonly bytes: Uint8Array; readonly everyMs: number } | undefined };

/** Everything that happens to a body on its way. */
export interface DeliveryPlan {
  /** Made one by one, each time anew: a body may come byte by byte. */
  readonly chunks: Iterable<Chunk>;
  readonly ending: Ending;
}

/** A plan, and the text of all its chunks. */
export interface PlannedBody extends DeliveryPlan {
  readonly text: string;
}

/** A frame that is sent some time after the one before. */
export interface TimedFrame extends Frame {
  readonly afterMs: number;
}

const DEFAULT_PING_MS = 5000;
/** Long enough for two pieces to leave in two packets. */
const APART_MS = 1;

/**
 * Plans how frames are sent: what a fault does to their bytes, and when each piece goes. Pieces with nothing between
 * them are one. `ping` is how the protocol keeps a stream open, if it can.
 */
export function planDelivery(frames: readonly TimedFrame[], fault: Fault, ping: string | undefined): PlannedBody {
  const { sent, ending } = applyEnding(applyMalformed(frames, fault), fault, ping);
  const chunks = { [Symbol.iterator]: () => chunksOf(sent, fault) };
  return { chunks, ending, text: sent.map(({ bytes }) => bytes).join('') };
}

/** The frame before which half of the answer's pieces have been sent; where it has none, the one that finishes it. */
export function middleOf(frames: readonly Frame[]): number {
  const pieces = frames.flatMap(({ kind }, position) =>
    kind === 'reasoning' || kind === 'text' || kind === 'arguments' ? [position] : [],
  );
  const middle = pieces[Math.floor(pieces.length / 2)];
  if (middle !== undefined) return middle;
  const finish = frames.findIndex(({ kind }) => kind === 'finish');
  return finish === -1 ? Math.max(0, frames.length - 1) : finish;
}

function applyMalformed(frames: readonly TimedFrame[], fault: Fault): readonly TimedFrame[] {
  if (!fault.malformed_chunk) return frames;
  const middle = middleOf(frames);
  return frames.map((frame, position) => (position === middle ? { ...frame, bytes: breakOff(frame.bytes) } : frame));
}

/** Half of the JSON of a frame, with the line ends that follow it. */
function breakOff(bytes: string): string {
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
  const half = frames.slice(0, middleOf(frames));
  if (fault.reset) return { sent: half, ending: { type: 'reset' } };
  if (fault.stall === undefined) return { sent: frames, ending: { type: 'end' } };
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

/** The chunks of frames. Those with nothing between them are one. */
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

/** The bytes of a frame, apart where a fault asks for it. */
function* piecesOf({ kind, bytes: text, afterMs }: TimedFrame, fault: Fault): Generator<Chunk> {
  const bytes = Buffer.from(text);
  const half = fault.split_arguments && kind === 'arguments' ? bytes.length >> 1 : undefined;
  const isCut = (place: number) =>
    fault.drip !== undefined || place === half || (fault.split_utf8 === true && isLead(bytes[place - 1]));
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

/** Whether a character of more than one byte begins with it. */
function isLead(byte = 0): boolean {
  return byte >= 0b1100_0000;
}
