import type { Protocol } from '../../../mock-llm-server/conversation/conversation.ts';

/** One answer of the model as an SDK returns it. */
export interface SdkAnswer {
  /** Absent when the SDK has no field for it. */
  readonly reasoning?: string | undefined;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly usage: { readonly input: number | undefined; readonly output: number | undefined };
}

/** Callbacks and signal of a streamed answer. */
export interface SdkStream {
  readonly onText?: (piece: string) => void;
  /** Not called by SDKs that receive complete arguments; these are in `SDK_GAPS`. */
  readonly onArguments?: (piece: string) => void;
  readonly signal?: AbortSignal;
}

/** A client of an SDK that is connected to the mock server over one protocol. */
export interface SdkClient {
  /** Sends one request that offers `read_file {path}` and `write_file {path, content}`. */
  generate(prompt: string): Promise<SdkAnswer>;
  /** The same, streamed. An abort rejects with `SdkUnderTest.aborted`. */
  stream(prompt: string, on?: SdkStream): Promise<SdkAnswer>;
  /** Continues until the model calls no more tools; every call gets `result`. Returns the last text. */
  play(prompt: string, result: string): Promise<string>;
  /** Requests JSON that matches a schema, without tools. */
  object(prompt: string, schema: object): Promise<unknown>;
  /** The names of the available models. */
  models?(): Promise<readonly (string | undefined)[]>;
  /** The status in an error of this SDK. */
  statusOf(error: unknown): number | undefined;
  /** The seconds to wait before a retry, in an error of this SDK. */
  retryAfterOf?(error: unknown): number | undefined;
}

/** Options of a client. */
export interface SdkOptions {
  readonly maxRetries: number;
  readonly fetch?: typeof fetch;
}

/** All statuses that a scenario can specify. */
export const STATUSES = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 529] as const;
/** One of `STATUSES`. */
export type Status = (typeof STATUSES)[number];

/** The class of an error and its other fields. */
export type SdkError = readonly [errorClass: unknown, fields?: Readonly<Record<string, unknown>>];

/** An SDK over one protocol. The checks that do not apply to it are in `SDK_GAPS`. */
export interface SdkUnderTest {
  readonly name: string;
  readonly protocol: Protocol;
  readonly errors: Readonly<Record<Status, SdkError>>;
  /** The error of an aborted stream: a value or a matcher. */
  readonly aborted: unknown;
  /** True for a client that does not use the `fetch` of its options. */
  readonly hasNoFetch?: true;
  /** `url` is the address of the server, without a path. */
  open(url: string, options: SdkOptions): SdkClient;
}

/** The errors of an SDK that has one class for all statuses. */
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

/** The tools that each SDK offers, with JSON Schemas. */
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
