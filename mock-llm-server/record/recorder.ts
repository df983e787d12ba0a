import { StringDecoder } from 'node:string_decoder';
import type { PromptPart } from '../drift/prompt-parts.ts';
import type { Wire, WireRequest } from '../wire/wire.ts';
import { createContinuations } from './continuations.ts';
import type { DecodedAnswer } from './decode/decoded-answer.ts';
import type { Exchange, ExchangeEnd } from './exchange.ts';
import { type Received, type ReceivedHead, readExchange } from './read-exchange.ts';
import type { Redaction } from './redaction.ts';

/** A piece of a body as it arrived, `afterMs` after the previous one. */
export interface ReceivedFrame {
  readonly afterMs: number;
  readonly text: string;
}

/** Everything that a recording keeps of one request. Its texts are redacted. */
export interface RecordedRequest {
  /** Counts from 1, in the order of arrival. */
  readonly number: number;
  readonly method: string;
  /** Without the query, which may hold a key. */
  readonly path: string;
  readonly protocol: Wire['protocol'] | undefined;
  /** Milliseconds since the start of the recording. */
  readonly startedMs: number;
  readonly status: number | undefined;
  /** Milliseconds from the request to the head of its response. */
  readonly headersMs: number | undefined;
  readonly frames: readonly ReceivedFrame[];
  readonly end: ExchangeEnd;
  readonly stream: boolean;
  /** Absent for requests that do not ask for an answer, such as one for the models, and for those that were not read. */
  readonly exchange?: Exchange;
  readonly parts: readonly PromptPart[];
  /** Reason why the request for an answer could not be read. */
  readonly unread?: string;
  readonly notes: readonly string[];
}

/** The recording of one request on its way. Its functions never throw. */
export interface PendingRequest {
  /** Counts from 1, in the order of arrival. */
  readonly number: number;
  /** The head of the response has arrived. Names of headers are lower-case. */
  respond(status: number, headers: Readonly<Record<string, string>>): void;
  receive(chunk: Uint8Array): void;
  /** Only the first call counts. */
  end(how: ExchangeEnd): void;
}

/** Collects the requests of a recording. */
export interface Recorder {
  /** `wire` is the protocol of a request for an answer; undefined for any other request. */
  begin(wire: Wire | undefined, request: WireRequest): PendingRequest;
  /** The requests that have ended, in the order of their arrival. */
  readonly requests: readonly RecordedRequest[];
}

/** Ports of a recorder. */
export interface RecorderPorts {
  readonly redaction: Redaction;
  /** Milliseconds since some moment in the past. */
  readonly now: () => number;
  /** Called after each request that has ended. */
  readonly onEnd?: (request: RecordedRequest) => void;
}

/** Largest part of an answer that is kept as received, in characters. */
const MAX_FRAMES = 1024 * 1024;

/** Creates an empty recorder. A body is only read after its request has ended, so that no client waits for it. */
export function createRecorder({ redaction, now, onEnd }: RecorderPorts): Recorder {
  const begun = now();
  const requests: RecordedRequest[] = [];
  const continuations = createContinuations();
  let count = 0;
  const add = (recorded: RecordedRequest): void => {
    const index = requests.findLastIndex(({ number }) => number < recorded.number) + 1;
    requests.splice(index, 0, recorded);
    onEnd?.(recorded);
  };
  const begin: Recorder['begin'] = (wire, request) => {
    const number = ++count;
    const started = now();
    const decoder = new StringDecoder('utf8');
    const frames: ReceivedFrame[] = [];
    let head: ReceivedHead | undefined;
    let last = started;
    let isOver = false;
    return {
      number,
      respond(status, headers) {
        last = now();
        head = { status, headers, ms: last - started };
      },
      receive(bytes) {
        const time = now();
        // A character that is split between two chunks belongs to the second.
        frames.push({
          afterMs: time - last,
          text: decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
        });
        last = time;
      },
      end(how) {
        if (isOver) return;
        isOver = true;
        redaction.learn(request.headers, request.query);
        const received: Received = {
          number,
          wire,
          request,
          head,
          body: frames.map(({ text }) => text).join(''),
          end: how,
        };
        const { answer, ...read } = readExchange(received, continuations, redaction);
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
          ...keptFrames(frames, answer, redaction),
        });
      },
    };
  };
  return { begin, requests };
}

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
  let size = 0;
  const kept = clean.filter(({ text }) => {
    size += text.length;
    return size <= MAX_FRAMES;
  });
  const left = clean.length - kept.length;
  return { frames: kept, notes: left === 0 ? [] : [`the last ${left} frames are left out: the answer is too long`] };
}
