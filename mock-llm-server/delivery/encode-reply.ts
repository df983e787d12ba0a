import type { Reply } from '../conversation/conversation.ts';
import type { Fault } from '../scenario/format/faults/fault-format.ts';
import type { Timing } from '../scenario/format/timing-format.ts';
import { nativeBody, nativeFor, nativeFrames } from '../wire/native/play-native.ts';
import { type SplitPieces, splitIntoWords, splitterOf, tokensPerPiece } from '../wire/pieces.ts';
import type { Frame, ReadRequest, Wire } from '../wire/wire.ts';
import { faultHeaders, seededRandom } from './faults.ts';
import type { TimedFrame } from './plan.ts';

/** The fault and the timing of a reply. */
export interface SendOptions {
  readonly fault: Fault | undefined;
  readonly timing: Timing | undefined;
}

/** An encoded reply with its fault, whose point is given in pieces even if the scenario counts characters. */
export interface EncodedReply {
  readonly frames: readonly TimedFrame[];
  readonly fault: Fault | undefined;
}

/** Encodes a reply: as the frames of a stream, or as one JSON body. */
export function encodeReply(read: ReadRequest, reply: Reply, { fault, timing }: SendOptions): EncodedReply {
  const split = splitterFor({ fault, timing });
  const native = nativeFor(read, reply);
  if (!read.stream) {
    const body = JSON.stringify(native?.body ? nativeBody(read, reply, native.body) : read.encode(reply));
    if (fault === undefined && timing === undefined) return { frames: [{ kind: 'open', bytes: body }], fault };
    const duration = timing === undefined ? 0 : durationOf(timeFrames(read.frames(reply, split), timing, reply.digest));
    return { frames: halvesOf(body, duration), fault };
  }
  const characters = typeof fault?.at === 'object' ? fault.at.characters : undefined;
  const counted = characters === undefined ? undefined : splitAfter(characters, split);
  const pieces = counted?.split ?? split;
  const frames = native?.events ? nativeFrames(read, reply, native.events, pieces) : read.frames(reply, pieces);
  return {
    frames: timing === undefined ? frames : timeFrames(frames, timing, reply.digest),
    fault: counted === undefined ? fault : { ...fault, at: { pieces: counted.pieces() } },
  };
}

/** A splitter with a piece that ends after `characters` characters of a reply, and the number of pieces up to there. */
function splitAfter(characters: number, split = splitIntoWords) {
  let left = characters;
  let count = 0;
  const splitCounted: SplitPieces = (text, kind) =>
    split(text, kind).flatMap((piece) => {
      const all = [...piece];
      const before = all.slice(0, left);
      left -= before.length;
      if (before.length > 0) count++;
      const parts = [before, all.slice(before.length)].filter((part) => part.length > 0);
      return parts.map((part) => part.join(''));
    });
  // A point beyond the end of the texts has no number: the protocol may send calls as a whole after them.
  return { split: splitCounted, pieces: () => (left > 0 ? undefined : count) };
}

/** `headers`, and those that describe the body of a reply. */
export function replyHeaders(
  headers: Readonly<Record<string, string>>,
  wire: Wire,
  read: ReadRequest,
  fault: Fault | undefined,
): Readonly<Record<string, string>> {
  const own = fault?.headers && faultHeaders(fault);
  if (!read.stream) return { ...headers, 'content-type': fault?.content_type ?? 'application/json', ...own };
  const type = fault?.content_type ?? read.streamType ?? wire.streamType;
  return { ...headers, 'content-type': type, 'cache-control': 'no-cache', ...own };
}

/** The keep-alive frame of a stream; undefined if the protocol has none. */
export function keepAliveOf(wire: Wire, read: ReadRequest): string | undefined {
  if (!read.stream || !(read.streamType ?? wire.streamType).startsWith('text/event-stream')) return undefined;
  return wire.protocol === 'anthropic-messages' ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': keep-alive\n\n';
}

/** A JSON body as two frames, so that a fault can cut or break it in the middle as it does a stream. */
function halvesOf(body: string, afterMs: number): TimedFrame[] {
  const middle = body.length >> 1;
  const half = /^[\uDC00-\uDFFF]/.test(body.slice(middle, middle + 1)) ? middle + 1 : middle;
  return [
    { kind: 'open', bytes: body.slice(0, half), afterMs },
    { kind: 'finish', bytes: body.slice(half) },
  ];
}

/** With `split_arguments` each piece is one character, so that escape sequences are split, too. */
function splitterFor({ fault, timing }: SendOptions): SplitPieces | undefined {
  if (!fault?.split_arguments) return timing?.chunk && splitterOf(timing.chunk);
  const split = splitterOf(timing?.chunk);
  return (text, kind) => (kind === 'arguments' ? [...text] : split(text, kind));
}

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
