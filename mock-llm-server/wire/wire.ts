import type {
  Conversation,
  JsonObject,
  Protocol,
  Reply,
  ReplyLimits,
  ServiceName,
  ToolChoice,
} from '../conversation/conversation.ts';
import type { PairingRule, UnpairedResults } from '../matching/pair-results.ts';
import type { Fault } from '../scenario/format/faults/fault-format.ts';
import type { SplitPieces } from './pieces.ts';

/** An HTTP request. Header names are lower-case. */
export interface WireRequest {
  readonly method: string;
  /** Without the prefix that names a service. */
  readonly path: string;
  /** The service that the prefix `/as/NAME` of the path names. */
  readonly service?: ServiceName;
  /** First value of each parameter; for parameters of keys all values, separated by spaces. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A response that needs no scenario, such as a list of models or a count of tokens. */
export interface WireResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string as plain text. */
  readonly body: object | string | undefined;
}

/** An error, not yet encoded for a protocol. `param` names the part of the request at fault. */
export interface WireError {
  readonly type: 'error';
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
  readonly param?: string;
  /** Type of the error, as a protocol names it; by default each protocol derives one from the status. */
  readonly errorType?: string;
  /** Seconds until a retry makes sense, for protocols that write it into the body. */
  readonly retryAfter?: number;
  /** Further fields of the error, in services that have them. */
  readonly fields?: JsonObject;
}

/** The status of an error that a fault sends. */
export type FaultStatus = NonNullable<Fault['status']>;

/** A request for the error of a status. `retryAfter`: seconds until a retry makes sense. */
export interface StatusRequest {
  readonly status: FaultStatus;
  readonly model: string;
  readonly retryAfter?: number | undefined;
  /** The code that the fault gives the error. */
  readonly code?: string | undefined;
}

/**
 * An encoded piece of a streamed reply. Faults and timing depend on its `kind`: the `open`ing frames, a piece of
 * `reasoning`, `text` or `arguments`, `finish` (the frame with the finish reason), `close` (after it), or `control`.
 */
export interface Frame {
  readonly kind: 'open' | 'reasoning' | 'text' | 'arguments' | 'control' | 'finish' | 'close';
  readonly bytes: string;
}

/** The form in which a protocol sends a native answer. */
export interface NativeForm {
  /** Named events (of Gemini Interactions, with `[DONE]`), plain data with line feeds (that end with `[DONE]` or `data_only`) or carriage returns, a JSON array, or lines. */
  readonly form: 'events' | 'interaction' | 'data' | 'data_only' | 'data_crlf' | 'array' | 'lines';
  /** A field of every event, if the protocol has another endpoint whose events lack it. */
  readonly field?: string;
  /** The id of a response, in protocols where a request can refer to it. */
  responseId?(reply: Reply): string;
  /** The settings of the request that an answer repeats. */
  readonly echo?: JsonObject;
}

/** The parts of a chat completion that services vary. */
export interface ChatAnswerForm {
  /** The content beside calls, null by default. */
  readonly emptyContent?: '' | null;
  /** The bytes before the first chunk of a stream. */
  readonly preface?: string;
  readonly wholeCalls?: true;
  /** The last piece of a text is beside the finish reason. */
  readonly endsInText?: true;
  /**
   * The place of the usage in a stream, which has it unasked: beside the finish reason, beside a finish reason that is
   * sent again, or in the choice that finishes, and once more in a chunk of its own if the request asks for it. By
   * default it has only that chunk.
   */
  readonly usage?: 'finish' | 'again' | 'choice';
  /**
   * An error within a stream: in a chunk with the finish reason `error`, before `[DONE]`, or in an event of its name. By
   * default it is an event without a name, after which the stream ends.
   */
  readonly failure?: 'chunk' | 'done' | 'event';
  /** Rewrites an answer, or a chunk of one, in the fields of the service. */
  readonly shape?: (chunk: ChatChunk) => Record<string, unknown>;
  /** Rewrites an event of a stream of Responses. */
  readonly event?: (event: JsonObject) => JsonObject;
}

/** A chat completion, or a chunk of one, in the form of OpenAI. */
export interface ChatChunk {
  readonly isStream: boolean;
  readonly place: 'whole' | 'open' | 'piece' | 'finish' | 'usage';
  readonly digest: string;
  readonly head: Readonly<Record<'id' | 'object' | 'model' | 'service_tier' | 'system_fingerprint', string>> & {
    readonly created: number;
  };
  readonly choices: readonly ChatChoice[];
  readonly usage: ChatUsage | null | undefined;
}

/** A choice with its message, or with a piece of it. */
export interface ChatChoice {
  readonly index: number;
  readonly message?: Readonly<Record<string, unknown>>;
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly logprobs: null;
  readonly finish_reason: string | null;
}

/** The usage of a chat completion in the form of OpenAI. */
export interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: Readonly<Record<'cached_tokens' | 'audio_tokens', number>>;
  readonly completion_tokens_details: Readonly<Record<string, number>>;
}

/** A request for a reply: its conversation, and the encoders for the reply. */
export interface ReadRequest {
  readonly type: 'request';
  readonly conversation: Conversation;
  /** The body as the client sent it. */
  readonly json: unknown;
  readonly stream: boolean;
  /** Content type of the stream, if it differs from that of the protocol. */
  readonly streamType?: string;
  /** The limits that the request sets for the reply; absent if it sets none. */
  readonly limits?: ReplyLimits | undefined;
  /** The rule of the request for tool calls; absent if it has none. */
  readonly toolChoice?: ToolChoice | undefined;
  /** The form of native answers; absent if the endpoint has none. */
  readonly native?: NativeForm;
  /** The same request with replies in the form of a service, in protocols that services vary. */
  inForm?(form: ChatAnswerForm): ReadRequest;
  /** Errors that the provider would answer with, although the request could be read. */
  lint?(recall: RecallCall, named?: NamedService): readonly WireError[];
  /** The body of a reply that is not streamed. */
  encode(reply: Reply): object;
  /** The frames of a streamed reply. `split` cuts its texts and arguments into pieces, by default into words. */
  frames(reply: Reply, split?: SplitPieces): readonly Frame[];
  /** The bytes of a frame, in protocols whose streams are not text. */
  pack?(frame: string): Uint8Array;
  /** The end of a stream that fails: the provider's event for an error. */
  encodeFailure(error: WireError, stream: BrokenStream): string;
}

/** The service that a request names. */
export interface NamedService {
  readonly name: ServiceName;
  /**
   * It answers whatever its history has: unpaired results, empty texts, thinking that is not signed; or, with `body`, if
   * a field is missing, too.
   */
  readonly ignores?: 'history' | 'body';
}

/** A stream that fails after the first `sent` frames of its reply. */
export interface BrokenStream {
  readonly reply: Reply;
  readonly sent: number;
  readonly requestId: string;
  /** The body of the error outside of a stream. */
  readonly body: object;
}

/**
 * Finds a tool call of this server by its id; undefined for ids that others generated. `reasoned`: the answer with the
 * call had reasoning.
 */
export type RecallCall = (callId: string) => { readonly reasoned: boolean } | undefined;

/** The answer of a route; undefined for a request of another protocol. */
type RouteAnswer = WireResponse | WireError | undefined;

/**
 * A further endpoint of a protocol. `answer` returns undefined for a request of another protocol; `models` are those that
 * triggers name.
 */
export interface WireRoute {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly path: string;
  answer(request: WireRequest, lint: LintMode, models: readonly string[]): RouteAnswer | Promise<RouteAnswer>;
}

/** The HTTP protocol of a provider. Its functions are pure. Paths are patterns of Hono's router. */
export interface Wire {
  readonly protocol: Protocol;
  /** Paths that reply to POST. */
  readonly paths: readonly string[];
  readonly routes: readonly WireRoute[];
  /** Start of tool call ids. */
  readonly callIdPrefix: string;
  /** Start of the ids of requests. */
  readonly requestIdPrefix: string;
  /** The headers of every response, with the id of the request. The others derive from its digest. */
  headers(digest: string, requestId: string): Readonly<Record<string, string>>;
  /** Content type of a streamed reply. */
  readonly streamType: string;
  /** The headers of a 429 that replace those above. `retryAfter` is in seconds, `now` a Unix time in milliseconds. */
  limitHeaders?(retryAfter: number, now: number): Readonly<Record<string, string>>;
  /** Reports whether an unknown path belongs to this protocol, which then encodes the 404. */
  owns(path: string): boolean;
  /** Reports whether a request with these headers certainly belongs to this protocol, whatever its path. */
  recognizes?(headers: Readonly<Record<string, unknown>>): boolean;
  /** Reads a request. The first one loads the reader. */
  read(request: WireRequest): Promise<ReadRequest | WireError>;
  /** The headers of an error, beside those of every response. */
  errorHeaders?(error: WireError): Readonly<Record<string, string>>;
  encodeError(error: WireError, requestId?: string, request?: Pick<WireRequest, 'path' | 'query'>): object;
  /** The provider's own error for a status, which a fault sends. */
  statusError(request: StatusRequest): WireError;
  /** The provider's rule for tool calls and their results. */
  readonly pairing: PairingRule;
  /** The provider's error for unpaired calls and results. */
  unpaired(results: UnpairedResults): WireError;
}

/** Modes for requests that the provider would reject: `off` answers them, `warn` also notes the error, `fail` rejects. */
export const LINT_MODES = ['off', 'warn', 'fail'] as const;
export type LintMode = (typeof LINT_MODES)[number];
