import type { Fault } from '../scenario/format/faults/fault-format.ts';
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
  /** Not even headers are sent: the connection is reset, or stays open without a response. */
  | { readonly type: 'no_response'; readonly text: ''; readonly ending: 'reset' | 'stall' }
  | { readonly type: 'at_once'; readonly text: string; readonly bytes?: Uint8Array | undefined }
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

/** Bytes that a protocol adds to a stream. */
export interface StreamParts {
  /** Keeps a stalled stream open; undefined if the protocol has no such frame. */
  readonly ping?: string | undefined;
  /** Encodes the error of a fault after the first `sent` frames. */
  readonly encodeFailure?: ((sent: number) => string) | undefined;
  /** The bytes of a frame, if they are not its text. */
  readonly pack?: ((frame: string) => Uint8Array) | undefined;
}

/**
 * Plans how frames are sent: the changes that a fault makes to their bytes, and the time of each chunk. A body with no
 * time between its frames is sent at once.
 */
export function planDelivery(frames: readonly TimedFrame[], fault: Fault = {}, parts: StreamParts = {}): DeliveryPlan {
  const { at = 'middle' } = fault;
  if (at === 'before_headers') return { type: 'no_response', text: '', ending: fault.reset ? 'reset' : 'stall' };
  const { sent: frameList, ending } = applyEnding(applyMalformed(frames, fault), fault, at, parts);
  const sent = fault.control_events && parts.pack === undefined ? addControlEvents(frameList) : frameList;
  let text = '';
  for (const { bytes } of sent) text += bytes;
  const isTimed = fault.drip !== undefined || fault.split_utf8 || fault.split_arguments;
  if (ending.type === 'end' && !isTimed && sent.every(({ afterMs = 0 }) => afterMs === 0)) {
    const { pack } = parts;
    return { type: 'at_once', text, bytes: pack && Buffer.concat(sent.map((frame) => pack(frame.bytes))) };
  }
  return { type: 'in_chunks', text, chunks: { [Symbol.iterator]: () => chunksOf(sent, fault, parts.pack) }, ending };
}

/** Index of the frame with the middle piece of an answer; of the finish if there are no pieces. */
export function middleOf(frames: readonly Frame[]): number {
  const pieces = pieceIndexes(frames);
  const middle = pieces[Math.floor(pieces.length / 2)];
  if (middle !== undefined) return middle;
  const finish = frames.findIndex(({ kind }) => kind === 'finish');
  return finish === -1 ? Math.max(0, frames.length - 1) : finish;
}

function pieceIndexes(frames: readonly Frame[]): number[] {
  return frames.flatMap(({ kind }, index) =>
    kind === 'reasoning' || kind === 'text' || kind === 'arguments' ? [index] : [],
  );
}

function applyMalformed(frames: readonly TimedFrame[], fault: Fault): readonly TimedFrame[] {
  if (!fault.malformed_chunk) return frames;
  const middle = middleOf(frames);
  return frames.map((frame, index) => (index === middle ? { ...frame, bytes: truncateJson(frame.bytes) } : frame));
}

/**
 * Blocks that dispatch no event in a stream of server-sent events. Clients that parse each block as JSON fail on them:
 * openai/openai-python#3833, openai/openai-go#621, stacklok/mecatl#309, caozhiyuan/copilot-api#88.
 */
const CONTROL_EVENTS = [': keep-alive\n\n', 'retry: 3000\n\n', 'id: 7\n\n', 'event: ping\ndata:\n\n'];

/** The frames with one of these blocks after each event; other streams stay as they are. */
function addControlEvents(frames: readonly TimedFrame[]): readonly TimedFrame[] {
  return frames.map((frame, index) => {
    const isEvent = /^(?:data|event|:)[\s\S]*\n\r?\n$/.test(frame.bytes);
    return isEvent ? { ...frame, bytes: `${frame.bytes}${CONTROL_EVENTS[index % CONTROL_EVENTS.length]}` } : frame;
  });
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
  at: Point,
  { ping, encodeFailure }: StreamParts,
): { readonly sent: readonly TimedFrame[]; readonly ending: Ending } {
  const { status, cut, reset, stall } = fault;
  if (status === undefined && cut === undefined && !reset && stall === undefined) {
    return { sent: frames, ending: { type: 'end' } };
  }
  const sent = frames.slice(0, indexOfPoint(frames, typeof cut === 'string' ? cut : at));
  if (cut !== undefined) return { sent, ending: { type: 'end' } };
  if (reset) return { sent, ending: { type: 'reset' } };
  if (stall === undefined) {
    const bytes = encodeFailure?.(sent.length) ?? '';
    return { sent: [...sent, { kind: 'close', bytes }], ending: { type: 'end' } };
  }
  const pings = stall === 'pings' && ping !== undefined;
  return {
    sent,
    ending: {
      type: 'stall',
      ping: pings ? { bytes: Buffer.from(ping), everyMs: fault.ping_every_ms ?? DEFAULT_PING_MS } : undefined,
    },
  };
}

type Point = Exclude<NonNullable<Fault['at']>, 'before_headers'>;

/** Number of frames before a point of a stream. `encodeReply` counts characters in pieces. */
function indexOfPoint(frames: readonly Frame[], at: Point): number {
  const isFinish = ({ kind }: Frame) => kind === 'finish';
  switch (at) {
    case 'middle':
      return middleOf(frames);
    case 'before_finish':
      return frames.findIndex(isFinish);
    case 'after_finish':
      return frames.findLastIndex(isFinish) + 1;
    case 'end':
      return frames.length;
    default: {
      const pieces = pieceIndexes(frames);
      const { pieces: count = Number.POSITIVE_INFINITY } = at;
      if (count > pieces.length || pieces.length === 0) return frames.findIndex(isFinish);
      return count === 0 ? (pieces[0] ?? 0) : (pieces[count - 1] ?? 0) + 1;
    }
  }
}

/** The chunks of frames. Frames without a delay between them are one chunk. */
function* chunksOf(frames: readonly TimedFrame[], fault: Fault, pack: StreamParts['pack']): Generator<Chunk> {
  let open: Omit<Chunk, 'bytes'> = { afterMs: 0 };
  let parts: Uint8Array[] = [];
  for (const frame of frames) {
    for (const { bytes, ...when } of piecesOf(frame, fault, pack)) {
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
function* piecesOf(
  { kind, bytes: text, afterMs = 0 }: TimedFrame,
  fault: Fault,
  pack: StreamParts['pack'],
): Generator<Chunk> {
  const bytes = pack?.(text) ?? Buffer.from(text);
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
