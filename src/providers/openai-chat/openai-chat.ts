import { ModelError } from '../../core/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LanguageModel, ModelEvent } from '../../ports/language-model.ts';
import { codeOf, type Failure, type ServerNames, textOf } from '../http/failure-texts.ts';
import { fetchEventStream } from '../http/http-failure.ts';
import { readRetryAfter } from '../http/retry-after.ts';
import { watchSilence } from '../http/watch-silence.ts';
import { createChunkReader } from './openai-chunks.ts';
import { classifySdkError, httpFailureOf } from './openai-failure.ts';
import { openAiRequest, type RequestSettings } from './openai-request.ts';

/** How a server with OpenAI's chat completions is talked to. */
export interface OpenAiChatOptions extends ServerNames, RequestSettings {
  /** Without one, no authorization is sent. */
  readonly apiKey?: string | undefined;
  /** How long the server may be silent, before the answer and within it. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * A model behind `POST {endpoint}/chat/completions`, streaming. One request per call, no retries of its own; the SDK is
 * loaded with the first one. Error texts are for the user and never hold the key, even if the server repeats it.
 */
export function createOpenAiChat(options: OpenAiChatOptions): LanguageModel {
  return { stream: (request, signal) => stream(openAiRequest(request, options), options, signal) };
}

async function* stream(
  body: ReturnType<typeof openAiRequest>,
  options: OpenAiChatOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, void> {
  signal.throwIfAborted();
  const request = new AbortController();
  const stop = (): void => request.abort();
  signal.addEventListener('abort', stop, { once: true });
  const silence = watchSilence(options.clock, options.timeoutMs, stop);
  const interrupted = (): ModelError | undefined => {
    signal.throwIfAborted();
    return silence.expired ? failed({ type: 'silent', seconds: options.timeoutMs / 1000 }, options) : undefined;
  };
  try {
    const reader = createChunkReader();
    const client = await createClient(options);
    for await (const chunk of await client.chat.completions.create(body, { signal: request.signal })) {
      silence.heard();
      const events = reader.read(chunk);
      if (typeof events === 'string') throw failed({ type: 'garbled', detail: events }, options);
      yield* events;
    }
    // The SDK sometimes ends the iteration of an aborted request as if the answer were complete.
    const last = interrupted() ?? reader.end() ?? failed({ type: 'cut_off' }, options);
    if (last instanceof ModelError) throw last;
    yield* last;
  } catch (error) {
    if (error instanceof ModelError) throw error;
    const failure = classifySdkError(error, (text) => redact(text, options));
    throw interrupted() ?? failed(failure, options, waitOf(error, options.clock));
  } finally {
    silence.dispose();
    signal.removeEventListener('abort', stop);
    request.abort();
  }
}

async function createClient({ endpoint, apiKey, fetch }: OpenAiChatOptions) {
  const { default: OpenAI } = await import('openai');
  const headers = {
    accept: 'text/event-stream',
    'content-type': 'application/json',
    'user-agent': 'ybs',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  return new OpenAI({
    baseURL: endpoint,
    // The SDK wants one; what is sent is decided by the headers above, whatever the environment says.
    apiKey: 'unused',
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    // The longest timer there is: our own watch is the one that counts.
    timeout: 2 ** 31 - 1,
    fetch: fetchEventStream(fetch ?? globalThis.fetch, headers),
  });
}

function failed(failure: Failure, options: OpenAiChatOptions, retryAfterMs?: number): ModelError {
  const text = redact(textOf(failure, options), options);
  return new ModelError(codeOf(failure), text, retryAfterMs === undefined ? {} : { retryAfterMs });
}

function redact(text: string, { apiKey }: OpenAiChatOptions): string {
  return apiKey === undefined ? text : text.replaceAll(apiKey, '[key]');
}

function waitOf(error: unknown, clock: Clock): number | undefined {
  const http = httpFailureOf(error);
  return http === undefined ? undefined : readRetryAfter(http.headers, clock.now());
}
