import { parseJson } from '../conversation/json.ts';
import { digestConversation } from '../conversation/outline.ts';
import { cutPrompt, type PromptPart } from '../drift/prompt-parts.ts';
import { readSampling } from '../drift/sampling.ts';
import { replaceDirectory } from '../drift/volatile.ts';
import { answerAuxiliary } from '../reply/auxiliary.ts';
import { findWorkingDirectory } from '../reply/intents/working-directory.ts';
import { errorText } from '../text.ts';
import { readNow } from '../wire/read-now.ts';
import type { Wire, WireRequest } from '../wire/wire.ts';
import type { Continuations } from './continuations.ts';
import { decodeAnswer, decodeError } from './decode/decode-answer.ts';
import type { DecodedAnswer } from './decode/decoded-answer.ts';
import type { Exchange, ExchangeEnd } from './exchange.ts';
import type { Redaction } from './redaction.ts';

/** The head of a response, `ms` after its request. Names of headers are lower-case. */
export interface ReceivedHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly ms: number;
}

/** A request and everything that was received for it. */
export interface Received {
  readonly number: number;
  /** The protocol of a request for an answer. */
  readonly wire: Wire | undefined;
  readonly request: WireRequest;
  /** Undefined if no response arrived. */
  readonly head: ReceivedHead | undefined;
  readonly body: string;
  readonly end: ExchangeEnd;
}

/** An exchange with its redacted texts, or the reason why its request could not be read. */
export interface ReadExchange {
  readonly stream: boolean;
  readonly parts: readonly PromptPart[];
  readonly exchange?: Exchange;
  readonly unread?: string;
  /** The answer before it was redacted. */
  readonly answer: DecodedAnswer | undefined;
}

/** Reads a request for an answer and its response. Never throws. */
export function readExchange(received: Received, continuations: Continuations, redaction: Redaction): ReadExchange {
  const { wire, request, head, body: text } = received;
  if (wire === undefined || request.method !== 'POST') return { stream: false, parts: [], answer: undefined };
  const body = { contentType: head?.headers['content-type'] ?? '', text };
  const isFailure = head !== undefined && head.status >= 400;
  const answer = head === undefined || isFailure ? undefined : decodeAnswer(wire.protocol, body);
  const read = readRequest(wire, request, continuations);
  if (typeof read === 'string') return { stream: false, parts: [], unread: redaction.text(read), answer };
  continuations.add(read.conversation, answer);
  const conversation = redaction.value(read.conversation);
  const testId = request.headers['x-test-id'];
  const exchange: Exchange = {
    number: received.number,
    protocol: wire.protocol,
    pairing: wire.pairing,
    callIdPrefix: wire.callIdPrefix,
    conversation,
    digest: digestConversation(conversation).digest,
    headers: testId === undefined ? {} : { 'x-test-id': redaction.text(testId) },
    auxiliary: answerAuxiliary(conversation, { type: 'unmatched', texts: [] })?.kind,
    status: head?.status,
    retryAfter: isFailure ? retryAfterOf(head.headers) : undefined,
    end: received.end,
    answer: redaction.value(answer),
    error: isFailure ? redaction.value(decodeError(body) ?? { message: text.slice(0, MAX_MESSAGE) }) : undefined,
  };
  // As in the check of drift, which compares the parts with those of later requests.
  const parts = cutPrompt(
    conversation,
    redaction.value(read.sampling),
    replaceDirectory(findWorkingDirectory(conversation)),
  );
  return { exchange, stream: read.stream, parts, answer };
}

/** Seconds until a retry makes sense: of OpenAI's and Anthropic's exact header, or of the common one. */
function retryAfterOf(headers: ReceivedHead['headers']): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN) / 1000;
  const seconds = Number.isFinite(exact) ? exact : Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** Longest part of a body that is kept as the message of an error without one. */
const MAX_MESSAGE = 1000;

/** The whole conversation of a request; the reason if it cannot be read. */
function readRequest(wire: Wire, request: WireRequest, continuations: Continuations) {
  try {
    const json = parseJson(request.body);
    const { before, body } = continuations.resolve(json);
    const read = readNow(wire, body === undefined ? request : { ...request, body: JSON.stringify(body) });
    if (read.type === 'error') return read.message;
    const messages = [...before, ...read.conversation.messages].map((message, index) => ({ ...message, index }));
    const conversation = before.length === 0 ? read.conversation : { ...read.conversation, messages };
    return { conversation, sampling: readSampling(json), stream: read.stream };
  } catch (error) {
    return errorText(error);
  }
}
