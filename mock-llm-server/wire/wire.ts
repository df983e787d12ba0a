import type { Conversation, Protocol, Reply } from '../conversation/conversation.ts';
import type { PairingRule, UnpairedResults } from '../matching/pair-results.ts';
import type { SplitPieces } from './pieces.ts';

/** A request as it came over HTTP. Names of headers are lower-case. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  /** The first of each parameter, of those for keys all with spaces between. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer that needs no scenario: a list of models, a count of tokens. */
export interface WireResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, a text as it is; nothing for `undefined`. */
  readonly body: object | string | undefined;
}

/** What is wrong, in no protocol's form yet. `param` names the part of the request at fault. */
export interface WireError {
  readonly type: 'error';
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
  readonly param?: string;
  /** When to try again, in seconds, for protocols that say it in the body. */
  readonly retryAfter?: number;
}

/**
 * One piece of a streamed answer, encoded and ready to be sent. `kind` says what it carries, so that faults and timing
 * need to know no protocol: the `open`ing frames, a piece of `reasoning`, `text` or `arguments`, `finish` (the frame
 * that says why the answer ended) and the `close` after it; `control` is everything else.
 */
export interface Frame {
  readonly kind: 'open' | 'reasoning' | 'text' | 'arguments' | 'control' | 'finish' | 'close';
  readonly bytes: string;
}

/** A request for an answer, read: what is said in it, and how its answer is written. */
export interface ReadRequest {
  readonly type: 'request';
  readonly conversation: Conversation;
  readonly stream: boolean;
  /** The content type of the stream, where this request wants another than the protocol's. */
  readonly streamType?: string;
  /** What the provider would refuse in this request, in its own words, though an answer could be given. */
  lint?(recall: RecallCall): readonly WireError[];
  /** The body of an answer that is not streamed. */
  encode(reply: Reply): object;
  /** The frames of a streamed answer; `split` makes the pieces of its texts and arguments, words when left out. */
  frames(reply: Reply, split?: SplitPieces): readonly Frame[];
}

/** What the server knows of a call that it made, by the call's id; nothing of a call that others made. */
export type RecallCall = (callId: string) => RecalledCall | undefined;

/** `explicit`: a file has the id. `reasoned`: the answer with the call had reasoning. */
export interface RecalledCall {
  readonly explicit: boolean;
  readonly reasoned: boolean;
}

/**
 * A further endpoint of a protocol. `answer` gives `undefined` for a request that is another protocol's, and refuses
 * what can be answered only where `lint` says so.
 */
export interface WireRoute {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly path: string;
  answer(request: WireRequest, lint: LintMode): WireResponse | WireError | undefined;
}

/**
 * One provider's HTTP protocol. Pure: bytes in, bytes out. Paths are in the form of Hono's router.
 */
export interface Wire {
  readonly protocol: Protocol;
  /** Where answers are asked for with POST. */
  readonly paths: readonly string[];
  readonly routes: readonly WireRoute[];
  /** How tool call ids begin. */
  readonly callIdPrefix: string;
  /** The header that carries the id of a request, and how that id begins. */
  readonly requestId: { readonly header: string; readonly prefix: string };
  /** What the provider's answers carry besides, good and bad ones. `digest` is the one the request's id is made of. */
  headers?(digest: string): Readonly<Record<string, string>>;
  /** The content type of a streamed answer. */
  readonly streamType: string;
  /** Whether an unknown path belongs to this protocol, so that its 404 has this protocol's shape. */
  owns(path: string): boolean;
  read(request: WireRequest): ReadRequest | WireError;
  /** The body of an error. `requestId` is the one in the header of the same answer, `request` what it answers. */
  encodeError(error: WireError, requestId?: string, request?: Pick<WireRequest, 'path' | 'query'>): object;
  /** Which tool calls and results the provider takes. */
  readonly pairing: PairingRule;
  /** Tool calls and results that do not belong together, in the provider's own words. */
  unpaired(fault: UnpairedResults): WireError;
}

/** The names of what may become of a request that the provider would refuse. */
export const LINT_MODES = ['off', 'warn', 'fail'] as const;

/** What becomes of a request that the provider would refuse: it is answered, answered and noted, or refused. */
export type LintMode = (typeof LINT_MODES)[number];
