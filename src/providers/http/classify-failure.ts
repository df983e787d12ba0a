import { messageOf } from '../../agent/errors.ts';
import type { ModelErrorCode } from '../../agent/ports/language-model.ts';
import { truncateText } from '../../text/truncate.ts';
import { FailedRequest, type Failure } from './failure.ts';
import { HttpFailure } from './fetch-stream.ts';

/** An error as a server describes it, in the body of a response or in its stream. */
interface ServerError {
  readonly message: string;
  /** The error's `code` and `type`, joined by a space. */
  readonly kind: string;
  /** The error's `code`, when it is an HTTP status. */
  readonly status: number | undefined;
}

/** The maximum length of a server's message within ours, in characters. */
const MAX_DETAIL_LENGTH = 300;

/** The parts of an error that are read, in any of its shapes. */
interface FoundError {
  readonly message: string;
  readonly code?: unknown;
  readonly type?: unknown;
}

/** Reads the error in a body, which may be JSON in one of the shapes that servers use, other JSON, HTML or any text. */
export function readServerError(body: string): ServerError {
  const found = findError(body);
  if (found === undefined) return { message: excerpt(body), kind: '', status: undefined };
  // Ollama wraps the JSON of its runner into the message of its own error.
  const inner = found.message.startsWith('{') ? findError(found.message) : undefined;
  const { message, code, type } = inner ?? found;
  const status = Number(code);
  return {
    message: excerpt(message),
    kind: [code, type]
      .filter((part) => typeof part === 'string' || typeof part === 'number')
      .join(' ')
      .trim(),
    status: status >= 400 && status < 600 ? status : undefined,
  };
}

function findError(body: string): FoundError | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const error = fieldOf(value, 'error');
  const described = [error, value].find(isFoundError);
  if (typeof error === 'string') return { message: error };
  const text = [fieldOf(value, 'detail'), value].find((part) => typeof part === 'string');
  return described ?? (typeof text === 'string' ? { message: text } : undefined);
}

function isFoundError(value: unknown): value is FoundError {
  return typeof fieldOf(value, 'message') === 'string';
}

/** The field of an object; `undefined` for a value that has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The failure that a response with an error status reports. `location` is the target of a redirect. */
function classifyStatus(status: number, error: ServerError, location: string | null): Failure {
  const detail = error.message;
  if (status < 400) return { type: 'redirect', status, target: location ?? 'another address' };
  if (status === 404) return /model/i.test(detail) ? { type: 'no_model', detail } : { type: 'no_api', status, detail };
  if (status === 405) return { type: 'no_api', status, detail };
  if (isQuotaExceeded(error)) return { type: 'quota', detail };
  return { type: 'status', code: codeOfStatus(status, error), status, detail };
}

/** The failure that an error within a stream reports. An unknown kind of error is treated as temporary. */
export function classifyInStream(error: ServerError): Failure {
  const detail = error.message;
  if (isQuotaExceeded(error)) return { type: 'quota', detail };
  const code = error.status === undefined ? codeOfKind(error) : codeOfStatus(error.status, error);
  return { type: 'in_stream', code, detail };
}

/** The failure that an error in the middle of an answer reports. */
export function failedInStream(error: unknown, redact: (text: string) => string): FailedRequest {
  return new FailedRequest(classifyInStream(readServerError(redact(JSON.stringify(error ?? '')))));
}

function codeOfStatus(status: number, error: ServerError): ModelErrorCode {
  // Gemini calls an invalid key an invalid argument.
  if (status === 401 || status === 403 || /API key not valid/i.test(error.message)) return 'auth';
  if (status === 429) return 'rate_limit';
  // Some servers answer 500 to a request that is too long for the model.
  if (status === 413 || isContextOverflow(`${error.kind} ${error.message}`)) return 'context_overflow';
  if (status >= 500 || /overloaded/i.test(error.kind)) return 'overloaded';
  return status === 408 ? 'network' : 'bad_request';
}

function codeOfKind({ kind, message }: ServerError): ModelErrorCode {
  if (isContextOverflow(`${kind} ${message}`)) return 'context_overflow';
  if (/rate_limit|too_many_requests/i.test(kind)) return 'rate_limit';
  if (/authentication|permission|api_key/i.test(kind)) return 'auth';
  return /invalid_request/i.test(kind) ? 'bad_request' : 'overloaded';
}

function isQuotaExceeded(error: ServerError): boolean {
  return /insufficient_quota|billing/i.test(error.kind) || /credit balance is too low/i.test(error.message);
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return truncateText(line, MAX_DETAIL_LENGTH);
}

/** Messages and codes with which servers report that a request is too long for the model. */
const OVERFLOW_TEXTS: readonly RegExp[] = [
  /context_length_exceeded/i, // OpenAI and many proxies, as the code
  /exceed_context_size/i, // llama.cpp, as the type
  /maximum context length/i, // OpenAI, vLLM, OpenRouter, Mistral, DeepSeek
  /exceeds? the (available |model'?s? )?context (window|size|length)/i, // OpenAI, llama.cpp, Ollama
  /(greater|longer) than the (model'?s )?context (length|window)/i, // LM Studio, vLLM
  /context (length|window|size)[^.]{0,20} (exceeded|overflow)/i, // LM Studio, Together
  /exceeds (the )?(model'?s )?context (limit|window limit)/i, // Moonshot, MiniMax
  /maximum prompt length is \d+/i, // xAI
  /prompt is too long/i, // Anthropic
  /exceed context limit/i, // Anthropic, with max_tokens
  /input is too long/i, // Bedrock behind a proxy
  /input token count .*exceeds the maximum/i, // Gemini behind a proxy
  /reduce the length of the (messages|input)/i, // Groq
  /too large for model with \d+ maximum context/i, // Mistral
  /exceeded model token limit/i, // Moonshot
];

function isContextOverflow(text: string): boolean {
  return OVERFLOW_TEXTS.some((pattern) => pattern.test(text));
}

/** The code of a connection to a port on which nothing is listening. */
const REFUSED = 'ECONNREFUSED';
/** The message of `fetch` for a port reserved for another protocol; the error has no code. */
const BLOCKED_PORT = 'bad port';

/**
 * The failure behind an error that `fetch` or a decoder threw before or within an answer. Messages of the server pass
 * through `redact` before they are shortened.
 */
export function classifyError(error: unknown, redact: (text: string) => string): Failure {
  const chain = causes(error);
  const http = httpFailureOf(error);
  if (http !== undefined) return classifyHttp(http, redact(http.body));
  if (error instanceof SyntaxError)
    return { type: 'garbled', detail: 'its event stream contains invalid JSON or an endless line' };
  const codes = chain.flatMap((cause) => {
    const code = fieldOf(cause, 'code');
    return typeof code === 'string' ? [code] : [];
  });
  if (codes.includes(REFUSED)) return { type: 'refused_connection' };
  const innermost = chain.at(-1);
  const reason = messageOf(innermost);
  if (reason === BLOCKED_PORT) return { type: 'blocked_port' };
  const missing = codes.filter((code) => !reason.includes(code));
  return { type: 'connection', detail: [...missing, reason].filter((part) => part !== '').join(' ') };
}

/** The response behind an error, if the server sent one. */
export function httpFailureOf(error: unknown): HttpFailure | undefined {
  return causes(error).find((cause) => cause instanceof HttpFailure);
}

function classifyHttp({ status, headers, contentType }: HttpFailure, body: string): Failure {
  const error = readServerError(body);
  if (status < 200 || status >= 300) return classifyStatus(status, error, headers.get('location'));
  return { type: 'no_stream', contentType, detail: error.message };
}

/** The error and its chain of causes, outermost first. */
function causes(error: unknown): readonly unknown[] {
  const chain = [error];
  for (let cause = fieldOf(error, 'cause'); cause !== undefined; cause = fieldOf(cause, 'cause')) chain.push(cause);
  return chain;
}
