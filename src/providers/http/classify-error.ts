import { messageOf } from '../../agent/errors.ts';
import { classifyStatus, fieldOf, readServerError } from './classify-failure.ts';
import type { Failure } from './failure.ts';
import { HttpFailure } from './fetch-stream.ts';

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
