import type { Protocol } from '../../mock-llm-server/conversation/conversation.ts';

/** One answer of the model as an SDK hands it to its user. */
export interface SdkAnswer {
  /** Undefined where the SDK has no place for it. */
  readonly reasoning?: string | undefined;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly usage: { readonly input: number | undefined; readonly output: number | undefined };
}

/** What happens while an answer is streamed. */
export interface SdkStream {
  readonly onText?: (piece: string) => void;
  /** Left alone by SDKs that get arguments whole; these are in `SDK_LACKS`. */
  readonly onArguments?: (piece: string) => void;
  readonly signal?: AbortSignal;
}

/** An SDK pointed at the mock server over one protocol. */
export interface SdkClient {
  /** Asks once and offers `read_file {path}` and `write_file {path, content}`. */
  generate(prompt: string): Promise<SdkAnswer>;
  /** The same, streamed. Rejects with what `SdkUnderTest.aborted` says when it is aborted. */
  stream(prompt: string, on?: SdkStream): Promise<SdkAnswer>;
  /** Goes on until the model calls no more tools; every call gets `result`. Returns the last text. */
  play(prompt: string, result: string): Promise<string>;
  /** Asks for JSON of a schema, without tools. */
  object(prompt: string, schema: object): Promise<unknown>;
  /** Names of the models that there are. */
  models?(): Promise<readonly (string | undefined)[]>;
  /** The status that an error of this SDK tells. */
  statusOf(error: unknown): number | undefined;
  /** The seconds after which to try again, that an error of this SDK tells. */
  retryAfterOf?(error: unknown): number | undefined;
}

/** How a client is made. */
export interface SdkOptions {
  readonly maxRetries: number;
  readonly fetch?: typeof fetch;
}

/** Every status that a scenario can ask for. */
export const STATUSES = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 529] as const;
export type Status = (typeof STATUSES)[number];

/** The class of an error, and what else is in it. */
export type SdkError = readonly [errorClass: unknown, fields?: Readonly<Record<string, unknown>>];

/** An SDK over one protocol. What it does not have is in `SDK_LACKS`. */
export interface SdkUnderTest {
  readonly name: string;
  readonly protocol: Protocol;
  readonly errors: Readonly<Record<Status, SdkError>>;
  /** What a stream rejects with that is aborted: a value or a matcher. */
  readonly aborted: unknown;
  /** `url` is the address of the server, without a path. */
  open(url: string, options: SdkOptions): SdkClient;
}

/** The errors of an SDK that has one class for all. */
export function errorsOfClass(errorClass: unknown): Readonly<Record<Status, SdkError>> {
  const error = [errorClass] as const;
  return {
    400: error,
    401: error,
    403: error,
    404: error,
    408: error,
    413: error,
    429: error,
    500: error,
    502: error,
    503: error,
    529: error,
  };
}

const text = { type: 'string' } as const;

/** The tools that each SDK offers, in the form of JSON Schema. */
export const OFFERED_TOOLS = [
  {
    name: 'read_file',
    schema: { type: 'object' as const, properties: { path: text }, required: ['path'] },
  },
  {
    name: 'write_file',
    schema: { type: 'object' as const, properties: { path: text, content: text }, required: ['path', 'content'] },
  },
];
