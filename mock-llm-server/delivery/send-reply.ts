import { ServerResponse } from 'node:http';
import type { Protocol, Reply } from '../conversation/conversation.ts';
import type { Fault } from '../scenario/fault-format.ts';
import type { Timing } from '../scenario/timing-format.ts';
import { type SplitPieces, splitterOf } from '../wire/pieces.ts';
import type { Frame, ReadRequest, Wire } from '../wire/wire.ts';
import { breakReply } from './break-reply.ts';
import { type DeliveryPorts, deliver } from './deliver.ts';
import { type Chunk, type DeliveryPlan, planDelivery, type TimedFrame } from './plan.ts';
import { durationOf, timeFrames } from './timing.ts';

/** An answer, how it is asked for, and what a step says about how it is sent. */
export interface ReplyToSend {
  readonly wire: Wire;
  readonly read: ReadRequest;
  readonly reply: Reply;
  /** Of every answer to this request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fault: Fault | undefined;
  readonly timing: Timing | undefined;
}

const JSON_TYPE = 'application/json';

/** A response, and all that its body will hold. It rejects when the client goes before its headers are due. */
export interface SentReply {
  readonly response: Promise<Response>;
  readonly served: string;
}

/** The body of an answer that nothing delays or breaks: one text that is there at once. */
export function encodeWhole(read: ReadRequest, reply: Reply): string {
  if (!read.stream) return JSON.stringify(read.encode(reply));
  let whole = '';
  for (const { bytes } of read.frames(reply)) whole += bytes;
  return whole;
}

/** The response that carries a late or broken answer. */
export function sendReply(send: ReplyToSend, ports: DeliveryPorts): SentReply {
  const { wire, read, fault = {} } = send;
  const headers = replyHeaders(wire, read, send.headers, fault);
  const { frames, ping } = prepareFrames(send, fault);
  const { text: served, ...plan } = planDelivery(frames, fault, ping);
  return { response: read.stream ? streamNow(plan, headers, ports) : respondWhenDue(plan, headers, ports), served };
}

async function streamNow(plan: DeliveryPlan, headers: Record<string, string>, ports: DeliveryPorts): Promise<Response> {
  // Stated, so that the HTTP adapter sends the headers before it waits for the first chunk.
  return new Response(deliver(plan, ports), { headers: { ...headers, 'transfer-encoding': 'chunked' } });
}

/** The headers of an answer in one piece come with the piece: a client that waits for them times out as it should. */
async function respondWhenDue(
  { chunks, ending }: DeliveryPlan,
  headers: Record<string, string>,
  ports: DeliveryPorts,
): Promise<Response> {
  const [first] = chunks;
  if (first !== undefined && first.afterMs > 0) await ports.clock.sleep(first.afterMs, ports.signal);
  return streamNow({ chunks: startingNow(chunks), ending }, headers, ports);
}

function* startingNow(chunks: Iterable<Chunk>): Generator<Chunk> {
  let isFirst = true;
  for (const chunk of chunks) {
    yield isFirst ? { ...chunk, afterMs: 0 } : chunk;
    isFirst = false;
  }
}

function streamTypeOf(wire: Wire, read: ReadRequest): string {
  return read.streamType ?? wire.streamType;
}

/** The headers of an answer. `headers` are those of every answer to this request. */
export function replyHeaders(
  wire: Wire,
  read: ReadRequest,
  headers: Readonly<Record<string, string>>,
  fault: Fault = {},
): Record<string, string> {
  const type = fault.content_type ?? (read.stream ? streamTypeOf(wire, read) : JSON_TYPE);
  return { ...headers, 'content-type': type, ...(read.stream && { 'cache-control': 'no-cache' }) };
}

function prepareFrames(
  { wire, read, reply: intended, timing = {} }: ReplyToSend,
  fault: Fault,
): { readonly frames: readonly TimedFrame[]; readonly ping: string | undefined } {
  const reply = breakReply(intended, fault);
  const pieces = timeFrames(read.frames(reply, splitterFor(fault, timing)), timing, reply.digest);
  if (!read.stream) {
    const body = JSON.stringify(read.encode(reply));
    return { frames: framesOfBody(body, durationOf(pieces)), ping: undefined };
  }
  const ping = keepAliveOf(wire.protocol, streamTypeOf(wire, read));
  return { frames: pieces, ping };
}

/** A body that is not streamed: two halves, so that what befalls the middle of a stream befalls its middle. */
function framesOfBody(body: string, afterMs: number): TimedFrame[] {
  const half = /^[\uDC00-\uDFFF]/.test(body.slice(body.length >> 1)) ? (body.length >> 1) + 1 : body.length >> 1;
  const frames: readonly Frame[] = [
    { kind: 'open', bytes: body.slice(0, half) },
    { kind: 'finish', bytes: body.slice(half) },
  ];
  return frames.map((frame, position) => ({ ...frame, afterMs: position === 0 ? afterMs : 0 }));
}

/** Arguments one character a piece, so that their escape sequences are torn, too. */
function splitterFor(fault: Fault, timing: Timing): SplitPieces {
  const split = splitterOf(timing.chunk);
  return fault.split_arguments ? (text, kind) => (kind === 'arguments' ? [...text] : split(text, kind)) : split;
}

const EVENT_STREAM = 'text/event-stream';

/** What keeps a stream of this kind open and says nothing; nothing where the protocol has no such thing. */
export function keepAliveOf(protocol: Protocol, contentType: string): string | undefined {
  if (!contentType.startsWith(EVENT_STREAM)) return undefined;
  return protocol === 'anthropic-messages' ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': keep-alive\n\n';
}

/**
 * What resets the connection of a request, from the bindings that the HTTP adapter gives it; nothing for a request that
 * came over no connection. What was written before is sent before.
 */
export function connectionReset(bindings: unknown): (() => void) | undefined {
  if (typeof bindings !== 'object' || bindings === null || !('outgoing' in bindings)) return undefined;
  const { outgoing } = bindings;
  if (!(outgoing instanceof ServerResponse)) return undefined;
  // Writes are held back until the end of this turn.
  return () => void setImmediate(() => outgoing.socket?.resetAndDestroy());
}
