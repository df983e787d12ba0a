import { ModelError } from '../../core/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LanguageModel, ModelEvent } from '../../ports/language-model.ts';
import { type Failure, failureCode, failureMessage, type ServerNames } from '../http/failure.ts';
import { fetchEventStream, readRetryAfter } from '../http/fetch-event-stream.ts';
import { watchSilence } from '../http/watch-silence.ts';
import { createChunkReader } from './chunks.ts';
import { classifySdkError, httpFailureOf } from './failure.ts';
import { openAiRequest, type RequestSettings } from './request.ts';

/** Connection to a server with OpenAI's chat completions. */
export interface OpenAiChatOptions extends ServerNames, RequestSettings {
  /** The name of the provider in events. */
  readonly provider: string;
  /** Absent: no authorization is sent. */
  readonly apiKey?: string | undefined;
  /** The maximum time in which nothing is added to the answer, at its start and within it. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * A model behind `POST {endpoint}/chat/completions`, streaming. One request per call, without retries; the SDK is
 * loaded with the first one. Error messages are for the user and never contain the key, even if the server repeats it.
 */
export function createOpenAiChat(options: OpenAiChatOptions): LanguageModel {
  const { provider, model } = options;
  const identity = { provider, wire: 'openai-chat', model };
  return { identity, stream: (request, signal) => stream(openAiRequest(request, options), options, signal) };
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
      const events = reader.read(chunk);
      if (typeof events === 'string') throw failed({ type: 'garbled', detail: events }, options);
      // Chunks that add nothing could keep a request alive forever.
      if (events.length > 0) silence.restart();
      yield* events;
    }
    // The SDK sometimes ends the iteration of an aborted request as if the answer were complete.
    const last = interrupted() ?? reader.end() ?? failed({ type: 'cut_off' }, options);
    if (last instanceof ModelError) throw last;
    yield* last;
  } catch (error) {
    if (error instanceof ModelError) throw error;
    const failure = classifySdkError(error, (text) => redact(text, options));
    throw interrupted() ?? failed(failure, options, retryAfterOf(error, options.clock));
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
    // Required by the SDK, but not sent: the headers above replace those of the SDK and of its environment variables.
    apiKey: 'unused',
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    // The longest possible timer, because the watch for silence is the timeout that applies.
    timeout: 2 ** 31 - 1,
    fetch: fetchEventStream(fetch ?? globalThis.fetch, headers),
  });
}

function failed(failure: Failure, options: OpenAiChatOptions, retryAfterMs?: number): ModelError {
  const text = redact(failureMessage(failure, options), options);
  return new ModelError(failureCode(failure, options), text, retryAfterMs === undefined ? {} : { retryAfterMs });
}

function redact(text: string, { apiKey }: OpenAiChatOptions): string {
  return apiKey === undefined ? text : text.replaceAll(apiKey, '[key]');
}

function retryAfterOf(error: unknown, clock: Clock): number | undefined {
  const http = httpFailureOf(error);
  return http === undefined ? undefined : readRetryAfter(http.headers, clock.now());
}
