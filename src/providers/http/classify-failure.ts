import { messageOf } from '../../agent/errors.ts';
import type { ModelErrorCode } from '../../agent/ports/language-model.ts';
import { codeOfWords } from './error-words.ts';
import { FailedRequest, type Failure, TOOL_REFUSAL } from './failure.ts';
import { HttpFailure } from './fetch-stream.ts';
import { readRetryAfter } from './retry-after.ts';
import { fieldOf, isPage, readServerError, type ServerError } from './server-error.ts';

/** An address of Gemini's caches, which gateways fill because of a mark of Messages: no model is missing there. */
const CACHE_REFUSAL = /\bcachedContents?\b/i;

/** The words of a firewall, whose page has the status of a wrong method: Alibaba Cloud. */
const BLOCKED = /\bblocked\b|threat|安全|阻断/i;

/** The id of a daily limit of Gemini, which names a wait of seconds beside it. */
const DAILY = /"quotaId":\s*"\w*PerDay/;

/** The name of the provider whose error OpenRouter passes on. */
const RELAYED = /"provider_name":\s*"[^"]/;

/** A response whose body may be shown. */
type Answer = Pick<HttpFailure, 'status' | 'headers' | 'contentType' | 'body'>;

/** The failure that a response with an error status reports. */
function classifyStatus({ status, headers, body }: Answer): Failure {
  const location = headers.get('location');
  const error = readServerError(body);
  const detail = error.message;
  if (status < 400) return { type: 'redirect', status, target: location ?? 'another address' };
  // Some gateways answer 400 to whatever the service behind them answered.
  const told = status === 400 ? (error.status ?? status) : status;
  // Whether there is a wait decides here, not its length, so the present is not needed.
  const words = codeOfWords(error, told, readRetryAfter({ headers, body }, 0) !== undefined);
  if (words === 'quota' || (status === 429 && DAILY.test(body))) return { type: 'quota', detail };
  if (/\bALPN\b/.test(detail)) return { type: 'lasting', detail: `${status} ${detail}`, advice: OTHER_HTTP };
  if (status === PROXY_KEY) return { type: 'lasting', detail: `${status} ${detail}`, advice: PROXY_ADVICE };
  if (CACHE_REFUSAL.test(detail)) return { type: 'status', code: 'bad_request', status, detail };
  if (words === 'unknown_model') return { type: 'no_model', status, detail };
  if (TOOL_REFUSAL.test(detail)) return { type: 'status', code: 'bad_request', status, detail };
  // The address is right: a provider behind OpenRouter does not answer at its own.
  if (status === 404 && words === undefined && RELAYED.test(body))
    return { type: 'status', code: 'overloaded', status, detail };
  if (status === 404 && words === undefined) {
    return /model/i.test(detail) ? { type: 'no_model', status, detail } : { type: 'no_api', status, detail };
  }
  const isFirewall = status === 403 || (status === 405 && BLOCKED.test(detail));
  if (isFirewall && words === undefined && isPage(body)) return { type: 'page', status, detail };
  if (status === 405) return { type: 'no_api', status, detail };
  return { type: 'status', code: words ?? codeOfStatus(told), status, detail };
}

/**
 * The failure that an error with status 200 reports: within a stream, or in the place of an answer. An unknown kind of
 * error is treated as temporary.
 */
export function classifyInStream(error: ServerError, hasWait = false): Failure {
  const detail = error.message;
  const { status } = error;
  const code = codeOfWords(error, status, hasWait) ?? (status === undefined ? 'overloaded' : codeOfStatus(status));
  if (code === 'quota') return { type: 'quota', detail };
  return code === 'unknown_model' ? { type: 'no_model', status, detail } : { type: 'in_stream', code, detail };
}

/** The failure that an error in the middle of an answer reports: a value, or the text of the server. */
export function failedInStream(error: unknown, redact: (text: string) => string): FailedRequest {
  const body = redact(typeof error === 'string' ? error : JSON.stringify(error ?? {}));
  return new FailedRequest(classifyInStream(readServerError(body), readRetryAfter({ body }, 0) !== undefined), body);
}

/** The code of a status that `codeOfWords` leaves open. */
function codeOfStatus(status: number): ModelErrorCode {
  if (status === 403) return 'auth';
  if (REPEATABLE.has(status)) return 'overloaded';
  if (status >= 500) return status === 501 || status === 511 ? 'bad_request' : 'overloaded';
  return status === 408 ? 'network' : 'bad_request';
}

/**
 * The statuses below 500 of a request that is worth repeating: a conflict, a failure of something behind the server,
 * too early, no capacity (Groq), a closed connection (nginx).
 */
const REPEATABLE: ReadonlySet<number> = new Set([409, 424, 425, 498, 499]);

/** The status of a proxy that wants a password. */
const PROXY_KEY = 407;
const PROXY_ADVICE = 'Write the user and the password into the address of the proxy, in HTTPS_PROXY.';

/** The advice for a server that may speak only HTTP/2. */
const OTHER_HTTP = 'If it speaks only HTTP/2, enable HTTP/1.1 in it, or in a proxy ahead of it.';

/** The faults of a connection that the next one has, too, by the code or the words of OpenSSL and of the client. */
const LASTING: readonly (readonly [words: RegExp, advice: string])[] = [
  [/\b407\b/, PROXY_ADVICE],
  [/cert\w*.(?:has.expired|not.yet.valid)/i, 'Check the clock of this machine, and the certificate of the server.'],
  [/altname/i, 'The certificate is for another name: check the host in the endpoint.'],
  [
    /\bcertificate|SELF_SIGNED|UNABLE_TO_\w+_(?:CERT|SIGNATURE)/i,
    'If a proxy or a gateway signs the certificates of your network, name the file of its authority in llm.ca_file.',
  ],
  [
    /wrong version number|packet length too long/i,
    'It does not speak TLS: does the endpoint begin with http: instead?',
  ],
  [/Expected HTTP\/|NO_APPLICATION_PROTOCOL/i, `${OTHER_HTTP} If it speaks TLS, write https: in the endpoint.`],
];

/** The code of a connection to a port on which nothing is listening. */
const REFUSED = 'ECONNREFUSED';
/** The code of a name that does not exist; one that cannot be looked up at the moment has another code. */
const NO_HOST = 'ENOTFOUND';
/** The message of `fetch` for a port reserved for another protocol; the error has no code. */
const BLOCKED_PORT = 'bad port';

/**
 * The failure behind an error that `fetch` or a decoder threw before or within an answer. Messages of the server pass
 * through `redact` before they are shortened.
 */
export function classifyError(error: unknown, redact: (text: string) => string): Failure {
  const chain = causes(error);
  const http = httpFailureOf(error);
  if (http !== undefined) return classifyHttp({ ...http, body: redact(http.body) });
  const codes = chain.flatMap((cause) => {
    const code = fieldOf(cause, 'code');
    return typeof code === 'string' ? [code] : [];
  });
  if (codes.includes(REFUSED)) return { type: 'refused_connection' };
  const innermost = chain.at(-1);
  const host = codes.includes(NO_HOST) ? fieldOf(innermost, 'hostname') : undefined;
  if (typeof host === 'string') return { type: 'no_host', host };
  const reason = messageOf(innermost);
  if (reason === BLOCKED_PORT) return { type: 'blocked_port' };
  const missing = codes.filter((code) => !reason.includes(code));
  const detail = [...missing, reason].filter((part) => part !== '').join(' ');
  const [, advice] = LASTING.find(([words]) => words.test(detail)) ?? [];
  return advice === undefined ? { type: 'connection', detail } : { type: 'lasting', detail, advice };
}

/** The response behind an error, if the server sent one. */
export function httpFailureOf(error: unknown): HttpFailure | undefined {
  return causes(error).find((cause) => cause instanceof HttpFailure);
}

function classifyHttp(answer: Answer): Failure {
  const { status, contentType, body } = answer;
  if (status < 200 || status >= 300) return classifyStatus(answer);
  const error = readServerError(body);
  // Gateways answer for a service that they cannot reach, some without the status of an error, but not with a page.
  const isTemporary = codeOfWords(error, undefined) === 'overloaded' && !isPage(body);
  if (isTemporary) return { type: 'status', code: 'overloaded', status, detail: error.message };
  return { type: 'no_stream', contentType, detail: error.message };
}

/** The error and its chain of causes, outermost first. */
function causes(error: unknown): readonly unknown[] {
  const chain = [error];
  for (let cause = fieldOf(error, 'cause'); cause !== undefined; cause = fieldOf(cause, 'cause')) chain.push(cause);
  return chain;
}
