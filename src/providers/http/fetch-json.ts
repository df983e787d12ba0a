import type { WireOptions } from '../wire-options.ts';
import { classifyError, classifyInStream } from './classify-failure.ts';
import { FailedRequest } from './failure.ts';
import { BASE_HEADERS, type FetchResponse, httpFailure, wellFormedJson } from './fetch-stream.ts';
import { openRequest } from './open-request.ts';
import { readServerError } from './server-error.ts';

/** A request whose answer is one JSON value. */
export interface JsonRequest<Value> {
  /** The path after the endpoint: `/models`. */
  readonly path: string;
  /** Sent as JSON with POST; absent: GET. */
  readonly body?: object;
  /** Headers that the wire adds, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Reads the answer. Throws `FailedRequest` for one that is not as expected. */
  readonly read: (value: unknown) => Value | Promise<Value>;
  /** The answer of a server that does not know the path. */
  readonly fallback?: NoInfer<Value>;
}

/** The maximum length of an answer, in bytes. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Asks a provider for something other than an answer of a model, such as the list of its models. The whole request may
 * take `timeoutMs`. Throws nothing but `ModelError`, or the reason of `signal`.
 */
export async function fetchJson<Value>(
  options: WireOptions,
  { path, body, headers, read, fallback }: JsonRequest<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const request = openRequest(options, signal);
  try {
    const response = await request.send(`${options.endpoint}${path}`, {
      headers: { ...BASE_HEADERS, accept: 'application/json', ...headers },
      signal: request.signal,
      ...(body === undefined ? {} : { method: 'POST', body: wellFormedJson(body) }),
    });
    if (!response.ok) {
      const failure = await httpFailure(response);
      if (fallback !== undefined && classifyError(failure, request.redact).type === 'no_api') return fallback;
      throw failure;
    }
    return await read(parseJson(await readText(response), response));
  } catch (error) {
    throw request.errorFor(error);
  } finally {
    request.close();
  }
}

/** The failure that a value reports which came with the status 200. */
export function failedWithSuccess(value: object): FailedRequest {
  const failure = classifyInStream(readServerError(JSON.stringify(value)));
  return new FailedRequest(failure.type === 'in_stream' ? { ...failure, type: 'status', status: 200 } : failure);
}

async function readText(response: FetchResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const bytes of response.body ?? []) {
    length += bytes.length;
    if (length > MAX_ANSWER_BYTES) throw new FailedRequest({ type: 'garbled', detail: 'it has more than 16 MB' });
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}

function parseJson(text: string, { headers }: FetchResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (text.trimStart().startsWith('<')) {
      const type = headers.get('content-type') ?? 'json';
      const contentType = type.includes('json') ? 'a page' : type;
      const { message: detail } = readServerError(text);
      throw new FailedRequest({ type: 'no_stream', contentType, wanted: 'JSON', detail });
    }
    throw new FailedRequest({ type: 'garbled', detail: 'it is not JSON' });
  }
}
