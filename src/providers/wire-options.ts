import type { Clock } from '../agent/ports/clock.ts';
import type { LanguageModel, ModelRequest, ReasoningEffort } from '../agent/ports/language-model.ts';
import type { ServerNames } from './http/failure.ts';
import type { Fetch } from './http/fetch-stream.ts';
import type { RequestForm } from './service/request-form.ts';

/** The connection to a model and the settings of its requests. Every wire is created with these. */
export interface WireOptions extends ServerNames {
  /** The name of the provider in events. */
  readonly provider: string;
  /** The key, or a function that reads a token before each request. Absent: no authorization is sent. */
  readonly apiKey?: string | ReadToken | undefined;
  /** The header that carries the key; `authorization`, with `Bearer`, when absent. */
  readonly keyHeader?: KeyHeader | undefined;
  /** More headers of every request, as the user configured them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** More headers of requests with pictures. */
  readonly pictureHeaders?: Readonly<Record<string, string>> | undefined;
  readonly maxTokens: number;
  /** The form of the next request; absent: the plain one of the chat wire with `maxTokens`. */
  readonly form?: (() => RequestForm) | undefined;
  readonly temperature?: number | undefined;
  /** Absent: the default of the model. */
  readonly reasoningEffort?: ReasoningEffort | undefined;
  /** The largest context window that the user wants, in tokens; absent when no limit is set. */
  readonly maxContextTokens?: number | undefined;
  /** The maximum time in which nothing is added to the answer, at its start and within it. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Sends the requests; the `fetch` of Node.js when absent. */
  readonly fetch?: Fetch | undefined;
}

/** A token that a program printed, and its names in messages. */
export interface Token extends Required<Pick<ServerNames, 'keyCommand' | 'keyAdvice'>> {
  readonly key: string;
}

/** Reads a token other than the one that the provider has `refused`, if there is one. Throws `ModelError`. */
export type ReadToken = (signal: AbortSignal, refused?: string) => Promise<Token>;

/** A header that carries a key. `authorization` has the form `Bearer KEY`, the others have the key alone. */
export type KeyHeader = 'authorization' | 'x-api-key' | 'x-goog-api-key';

export interface OfferedModel {
  /** The name that `--model` takes. */
  readonly name: string;
  /** The context window, in tokens, if the provider states it. */
  readonly contextWindow?: number;
  /** The longest answer, in tokens, if the provider states it. */
  readonly maxAnswer?: number;
  /** The provider says that the model cannot call tools. */
  readonly lacksTools?: true;
  /** The server has it in memory. */
  readonly loaded?: true;
  /** The size of its weights, if the provider states it. */
  readonly bytes?: number;
  /** The program that serves it, if its list names one: `llama.cpp`. */
  readonly server?: string;
}

/** Creates a model without sending a request. Each call of its `stream` sends one request, without retries. */
export type CreateModel = (options: WireOptions) => LanguageModel;

/** The headers of a request that not every request has. */
export function headersOf(
  { messages }: ModelRequest,
  { pictureHeaders }: WireOptions,
): { headers?: Readonly<Record<string, string>> } {
  const hasPictures = messages.some((message) => 'images' in message && message.images?.length);
  return hasPictures && pictureHeaders !== undefined ? { headers: pictureHeaders } : {};
}
