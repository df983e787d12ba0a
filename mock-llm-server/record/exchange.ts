import type { Conversation, ConversationMessage, JsonObject, Protocol } from '../conversation/conversation.ts';
import { isJsonObject, parseJson, tryJson } from '../conversation/json.ts';
import { digestConversation } from '../conversation/outline.ts';
import { cutPrompt, type PromptPart } from '../drift/prompt-parts.ts';
import { readSampling } from '../drift/sampling.ts';
import { replaceDirectory } from '../drift/volatile.ts';
import type { PairingRule } from '../matching/pair-results.ts';
import { type AuxiliaryAnswer, auxiliaryKind } from '../reply/auxiliary.ts';
import { findWorkingDirectory } from '../reply/intents/working-directory.ts';
import { embeddingPath } from '../scenario/embeddings.ts';
import type { RecordedEmbeddings } from '../scenario/format.ts';
import { errorText } from '../text.ts';
import { readNow } from '../wire/read-now.ts';
import type { Wire, WireRequest } from '../wire/wire.ts';
import { decodeAnswer, decodeError } from './decode/decode-answer.ts';
import type { DecodedAnswer, DecodedError } from './decode/decoded-answer.ts';
import { isExpressed } from './decode/is-expressed.ts';
import type { Redaction } from './redaction.ts';

/**
 * The end of an exchange: the upstream ended its response (`complete`, also if the answer has no finish reason) or reset
 * the connection (`reset`), the client left before the end (`client_left`), or the upstream could not be reached
 * (`unreachable`).
 */
export type ExchangeEnd = 'complete' | 'reset' | 'client_left' | 'unreachable';

/** A request for an answer and its response. Its texts are redacted. */
export interface Exchange {
  /** Counts all requests of a recording from 1, in the order of their arrival. */
  readonly number: number;
  readonly protocol: Protocol;
  /** The rule of the protocol for tool calls and their results. */
  readonly pairing: PairingRule;
  readonly callIdPrefix: string;
  /** The whole conversation, even if the request names only the answer that it continues. */
  readonly conversation: Conversation;
  /** Digest of the conversation, equal for equal requests. */
  readonly digest: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Kind of an auxiliary request, such as one for a title. */
  readonly auxiliary: AuxiliaryAnswer['kind'] | undefined;
  /** Undefined if no response arrived. */
  readonly status: number | undefined;
  /** Seconds until a retry makes sense, as the header of the response states them. */
  readonly retryAfter: number | undefined;
  readonly end: ExchangeEnd;
  /** Undefined for a redirect, for a response with a status of 400 or more, and for none. */
  readonly answer: DecodedAnswer | undefined;
  readonly error: DecodedError | undefined;
  /** The body in place of an error or an answer in the form of a provider, such as a page of HTML. */
  readonly body?: string | undefined;
  /** The settings of the request that an answer repeats. */
  readonly echo?: JsonObject | undefined;
}

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
  /** A request for embeddings and its answer. */
  readonly embeddings?: RecordedEmbeddings | undefined;
  readonly parts: readonly PromptPart[];
  /** Reason why the request for an answer could not be read. */
  readonly unread?: string;
  readonly notes: readonly string[];
}

/** True if the client got a whole answer, even if it left right after it. */
export function isAnswered({ answer }: Pick<Exchange, 'answer'>): boolean {
  return answer?.finish !== undefined && answer.error === undefined;
}

/** The head of a response, `ms` after its request. */
export interface ReceivedHead {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
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
interface ReadExchange extends Pick<RecordedRequest, 'stream' | 'parts' | 'exchange' | 'unread'> {
  /** The answer before it was redacted. */
  readonly answer: DecodedAnswer | undefined;
}

/** A request for embeddings and its answer, redacted; undefined for any other request, and one that failed. */
export function readEmbeddings(
  { request: { path, body }, head, body: text }: Omit<Received, 'number' | 'wire' | 'end'>,
  redaction: Redaction,
): RecordedEmbeddings | undefined {
  const end = embeddingPath(path);
  const [request, response] = [tryJson(body), tryJson(text)];
  if (end === undefined || head?.status !== 200 || !isJsonObject(request) || !isJsonObject(response)) return undefined;
  return redaction.value({ path: end, request, response });
}

/** Reads a request for an answer and its response. Never throws. */
export function readExchange(received: Received, continuations: Continuations, redaction: Redaction): ReadExchange {
  const { wire, request, head, body: text } = received;
  if (wire === undefined || request.method !== 'POST') return { stream: false, parts: [], answer: undefined };
  const body = { contentType: head?.headers.get('content-type') ?? '', text };
  const isFailure = head !== undefined && head.status >= 300;
  const read = readRequest(wire, request, continuations);
  const protocol = typeof read === 'string' ? wire.protocol : read.conversation.protocol;
  const told = isFailure ? decodeError(body) : undefined;
  const isPage = head !== undefined && !isFailure && /^\s*</.test(text);
  const whole = head === undefined || isFailure || isPage ? undefined : decodeAnswer(protocol, body);
  const isPlain = typeof read === 'string' || whole === undefined || isExpressed(read.whole, whole);
  const answer = isPlain && whole ? { ...whole, native: undefined, blocks: undefined } : whole;
  if (typeof read === 'string') return { stream: false, parts: [], unread: redaction.text(read), answer };
  continuations.add(read.conversation, answer);
  const conversation = redaction.value(read.conversation);
  const testId = request.headers['x-test-id'];
  const exchange: Exchange = {
    number: received.number,
    protocol,
    pairing: wire.pairing,
    callIdPrefix: wire.callIdPrefix,
    conversation,
    digest: digestConversation(conversation).digest,
    headers: testId === undefined ? {} : { 'x-test-id': redaction.text(testId) },
    auxiliary: auxiliaryKind(conversation),
    status: head?.status,
    retryAfter: isFailure ? retryAfterOf(head.headers) : undefined,
    end: received.end,
    answer: redaction.value(answer),
    echo: redaction.value(read.whole.native?.echo),
    error: isFailure ? redaction.value(told ?? { message: messageOf(head, text) }) : undefined,
    body: isPage || (isFailure && head.status >= 400 && told === undefined) ? redaction.text(text) : undefined,
  };
  // As in the check of drift, which compares the parts with those of later requests.
  const parts = cutPrompt(
    conversation,
    redaction.value(read.sampling),
    replaceDirectory(findWorkingDirectory(conversation)),
  );
  return { exchange, stream: read.stream, parts, answer };
}

/** Seconds until a retry makes sense: of OpenAI's and Anthropic's exact header, or of the common one, a number or a date. */
function retryAfterOf(headers: ReceivedHead['headers']): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN) / 1000;
  const text = headers.get('retry-after') || 'none';
  const date = (Date.parse(text) - Date.parse(headers.get('date') ?? '')) / 1000;
  const wait = Number.isNaN(Number(text)) ? date : Number(text);
  const seconds = Number.isFinite(exact) ? exact : wait;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** The message of a failure without an error in its body: the target of a redirect without its query, or the body. */
function messageOf({ status, headers }: ReceivedHead, text: string): string {
  const target = status < 400 ? headers.get('location') : null;
  return (target === null ? text : `redirects to ${target.replace(/[?#].*$/s, '')}`).slice(0, MAX_MESSAGE);
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
    return { conversation, sampling: readSampling(json), stream: read.stream, whole: read };
  } catch (error) {
    return errorText(error);
  }
}

/** Finds the conversation that a request continues by the id of its last answer. */
export interface Continuations {
  add(conversation: Conversation, answer: DecodedAnswer | undefined): void;
  /**
   * The messages before those of a request with the body `json`, and the body without the reference to them; undefined
   * if it has none.
   */
  resolve(json: unknown): { readonly before: readonly ConversationMessage[]; readonly body: object | undefined };
}

/** Most services keep answers for 30 days; a recording keeps the last ones. */
const MAX_ANSWERS = 1000;

/** Creates an empty store of answers. */
export function createContinuations(): Continuations {
  const answers = new Map<string, readonly ConversationMessage[]>();
  return {
    add({ messages }, answer) {
      if (answer?.id === undefined) return;
      const { content, toolCalls } = answer;
      const parts = [
        ...(content === undefined ? [] : [{ type: 'text' as const, text: content }]),
        ...toolCalls.map(({ id = '', name, input, arguments: text }) => {
          return { type: 'tool_call' as const, id, name, arguments: text, ...(input === 'text' && { input }) };
        }),
      ];
      answers.set(answer.id, [...messages, { role: 'assistant', index: messages.length, parts }]);
      const [oldest] = answers.keys();
      if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest);
    },
    resolve(json) {
      if (!isJsonObject(json)) return { before: [], body: undefined };
      // OpenAI's Responses, Gemini's interactions, and the threads of Anthropic's messages.
      const { previous_interaction_id: earlier, previous_response_id: previous = earlier, thread, ...body } = json;
      const threadId = isJsonObject(thread) ? thread['previous_message_id'] : undefined;
      if (previous === undefined && thread === undefined) return { before: [], body: undefined };
      const id = typeof previous === 'string' ? previous : threadId;
      return { before: (typeof id === 'string' ? answers.get(id) : undefined) ?? [], body };
    },
  };
}
