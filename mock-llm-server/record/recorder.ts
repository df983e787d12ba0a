import { StringDecoder } from 'node:string_decoder';
import { type Connection, untilGone } from '../delivery/deliver.ts';
import { EventUnpacker, isEventStream } from '../wire/bedrock/event-stream.ts';
import type { Wire, WireRequest } from '../wire/wire.ts';
import type { DecodedAnswer } from './decode/decoded-answer.ts';
import { decompressBody } from './decompress.ts';
import {
  createContinuations,
  type ExchangeEnd,
  type ReceivedFrame,
  type ReceivedHead,
  type RecordedRequest,
  readEmbeddings,
  readExchange,
} from './exchange.ts';
import { type EarlierFiles, makeRecordingFiles, type RecordingFiles } from './recording-files.ts';
import { createRedaction, type Redaction } from './redaction.ts';
import type { LiveStart, Replay } from './replay.ts';
import { isReset } from './upstream.ts';

interface SentRequest {
  /** The protocol of a request for an answer; undefined for any other request. */
  readonly wire: Wire | undefined;
  readonly request: WireRequest;
  /** The connection of the client of a proxy. A program that records its own requests has only a signal. */
  readonly connection: Connection | { readonly signal?: AbortSignal | undefined };
}

/** The part of a response that a recording needs. `Head` also has what its client needs. */
export interface RecordedResponse<Head = { get(name: string): string | null }> {
  readonly status: number;
  readonly headers: Head;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Records requests and their responses, of the clients of a proxy or of the program itself. */
export interface Recorder {
  /**
   * Answers a request with the story that is replayed, or else with `send`, and records the exchange. It ends with the
   * last byte of the body, which the caller must read. Rejects as `send` does.
   */
  exchange<Head extends { get(name: string): string | null }>(
    sent: SentRequest,
    send: () => Promise<RecordedResponse<Head>>,
  ): Promise<RecordedResponse<Head | Headers>>;
  /** The requests that have ended, in the order of their arrival. */
  readonly requests: readonly RecordedRequest[];
  /** The first request that the upstream answered in place of a replayed story; undefined while the story answers. */
  live(): LiveStart | undefined;
  /** Resolves when the bodies that have passed are read. */
  settle(): Promise<void>;
  /** The files of the recording so far. Throws `SecretError` if one of them, or of `more`, holds a secret. */
  files(earlier: EarlierFiles, more?: ReadonlyMap<string, Uint8Array>): RecordingFiles;
}

export interface RecorderOptions {
  /** Texts that are removed from everything that is recorded, besides the keys of requests. */
  readonly secrets: readonly string[];
  /** The story that answers the first requests, which are recorded like the others. */
  readonly replay?: Replay | undefined;
  /** Called after each request that has ended. */
  readonly onEnd?: (request: RecordedRequest) => void;
}

/** Creates an empty recorder. A body is only read after its request has ended, so that no client waits for it. */
export function createRecorder({ secrets, replay, onEnd }: RecorderOptions): Recorder {
  const redaction = createRedaction(secrets);
  const begun = performance.now();
  const requests: RecordedRequest[] = [];
  const continuations = createContinuations();
  let count = 0;
  const add = (recorded: RecordedRequest): void => {
    const index = requests.findLastIndex(({ number }) => number < recorded.number) + 1;
    requests.splice(index, 0, recorded);
    onEnd?.(recorded);
  };
  const begin = (wire: Wire | undefined, request: WireRequest) => {
    const number = ++count;
    const started = performance.now();
    const pieces: ReceivedPiece[] = [];
    let head: ReceivedHead | undefined;
    let last = started;
    let isOver = false;
    return {
      number,
      respond({ status, headers }: RecordedResponse) {
        last = performance.now();
        head = { status, headers, ms: last - started };
      },
      receive(bytes: Uint8Array) {
        const time = performance.now();
        pieces.push({ afterMs: time - last, bytes });
        last = time;
      },
      /** Only the first call counts. */
      end(how: ExchangeEnd) {
        if (isOver) return;
        isOver = true;
        redaction.learn(request.headers, request.query);
        const { frames, note } = readPieces(pieces, head?.headers);
        const body = frames.map(({ text }) => text).join('');
        const received = { number, wire, request, head, body, end: how };
        const { answer, ...read } = readExchange(received, continuations, redaction);
        const kept = keptFrames(frames, answer, redaction);
        add({
          number,
          method: request.method,
          path: redaction.text(request.path),
          protocol: wire?.protocol,
          startedMs: started - begun,
          status: head?.status,
          headersMs: head?.ms,
          end: how,
          ...read,
          embeddings: readEmbeddings(received, redaction),
          ...kept,
          notes: [...(note === undefined ? [] : [note]), ...kept.notes],
        });
      },
    };
  };
  return {
    requests,
    live: () => replay?.live(),
    settle: () => new Promise((resolve) => setImmediate(resolve)),
    async exchange({ wire, request, connection }, send) {
      const pending = begin(wire, request);
      try {
        const { number } = pending;
        const local = wire && (await replay?.answer({ ...request, number, signal: connection.signal }));
        const { status, headers, body } = local ?? (await send());
        pending.respond({ status, headers, body });
        if (body === null) pending.end('complete');
        return { status, headers, body: body && watch(body, pending, connection) };
      } catch (error) {
        if (connection.signal?.aborted) pending.end('client_left');
        else pending.end(isReset(error) ? 'reset' : 'unreachable');
        throw error;
      }
    },
    files(earlier, more = new Map()) {
      const { scenario, loaded = scenario?.scenarios ?? [] } = earlier;
      const firstLive = replay?.live()?.number ?? Number.POSITIVE_INFINITY;
      const replayed = replay && { scenarios: loaded, places: replay.places, firstLive };
      return makeRecordingFiles(requests, redaction, { ...earlier, replayed }, more);
    },
  };
}

/** A body that the recording receives as it passes. It is read after the client has its last byte. */
async function* watch(
  body: AsyncIterable<Uint8Array>,
  pending: { receive(chunk: Uint8Array): void; end(how: ExchangeEnd): void },
  connection: SentRequest['connection'],
): AsyncGenerator<Uint8Array> {
  let how: ExchangeEnd = 'client_left';
  const endSoon = (end: ExchangeEnd) => void setImmediate(() => pending.end(end));
  // The upstream may be silent when the client of a proxy leaves.
  if ('reset' in connection) connection.signal.addEventListener('abort', () => endSoon('client_left'), { once: true });
  try {
    for await (const chunk of body) {
      pending.receive(chunk);
      yield chunk;
    }
    how = 'complete';
  } catch (error) {
    endSoon('reset');
    if (!('reset' in connection) || connection.reset === undefined) throw error;
    connection.reset();
    await untilGone(connection.signal);
  } finally {
    endSoon(how);
  }
}

/** A piece of a body as it arrived. */
interface ReceivedPiece {
  readonly afterMs: number;
  readonly bytes: Uint8Array;
}

/** The texts of the pieces; the whole text in place of the first one, if the body was compressed. */
function readPieces(
  pieces: readonly ReceivedPiece[],
  headers: RecordedResponse['headers'] | undefined,
): { readonly frames: readonly ReceivedFrame[]; readonly note?: string } {
  const bytesOf = ({ bytes }: ReceivedPiece) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isPacked = isEventStream(headers?.get('content-type') ?? null);
  const whole = isPacked ? undefined : plainBody(Buffer.concat(pieces.map(bytesOf)), headers);
  if (whole !== undefined && whole.formats.length > 0) {
    const text = Buffer.from(whole.bytes).toString('utf8');
    const [{ afterMs } = { afterMs: 0 }] = pieces;
    return { frames: [{ afterMs, text }], note: `the answer came compressed with ${whole.formats.join(' and ')}` };
  }
  // A character that is split between two chunks belongs to the second.
  const decoder = isPacked ? new EventUnpacker() : new StringDecoder('utf8');
  return { frames: pieces.map((piece) => ({ afterMs: piece.afterMs, text: decoder.write(bytesOf(piece)) })) };
}

/** A body without its compression; undefined for one that is broken. */
function plainBody(bytes: Uint8Array, headers: RecordedResponse['headers'] | undefined) {
  try {
    return decompressBody(bytes, headers?.get('content-encoding'));
  } catch {
    return undefined;
  }
}

/** Largest part of an answer that is kept as received, in characters. */
const MAX_FRAMES = 1024 * 1024;

/** A character that no answer has as text. */
const BINARY = '\u0000';

/** Secrets that only the joined frames or the decoded answer show are split between frames, which are then left out. */
function keptFrames(
  frames: readonly ReceivedFrame[],
  answer: DecodedAnswer | undefined,
  redaction: Redaction,
): Pick<RecordedRequest, 'frames' | 'notes'> {
  const clean = frames.map(({ afterMs, text }) => ({ afterMs, text: redaction.text(text) }));
  const { reasoning = '', content = '', toolCalls = [] } = answer ?? {};
  const pieces = [reasoning, content, ...toolCalls.map((call) => call.arguments)].join('\n');
  if (redaction.text(pieces) !== pieces || redaction.find(clean.map(({ text }) => text).join('')) !== undefined) {
    return { frames: [], notes: ['the frames are left out, because they hold a secret'] };
  }
  // A form of compression that cannot be read may hold a secret.
  if (clean.some(({ text }) => text.includes(BINARY))) {
    return { frames: [], notes: ['the frames are left out, because they are not text'] };
  }
  let size = 0;
  const kept = clean.filter(({ text }) => {
    size += text.length;
    return size <= MAX_FRAMES;
  });
  const left = clean.length - kept.length;
  return { frames: kept, notes: left === 0 ? [] : [`the last ${left} frames are left out: the answer is too long`] };
}
