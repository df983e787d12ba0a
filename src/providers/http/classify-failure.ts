import * as z from 'zod';
import type { ModelErrorCode } from '../../ports/language-model.ts';
import { isContextOverflow } from './context-overflow.ts';
import type { Failure } from './failure-texts.ts';

/** What a server says about an error, wherever in its answer it says it. */
export interface ServerError {
  readonly message: string;
  /** Its `code` and `type`, in one text. */
  readonly kind: string;
  /** A `code` that is an HTTP status. */
  readonly status: number | undefined;
}

/** The longest piece of a server's text that an error message repeats, in characters. */
const LONGEST_DETAIL = 300;

const scalar = z.union([z.string(), z.number()]).nullish().catch(undefined);
const errorSchema = z.object({ message: z.string(), code: scalar, type: scalar });
const onlyText = z.string().transform((message) => ({ message, code: undefined, type: undefined }));
const valueSchema = z.union([
  z.object({ error: z.union([errorSchema, onlyText]) }).transform(({ error }) => error),
  errorSchema,
  z.object({ detail: onlyText }).transform(({ detail }) => detail),
  onlyText,
]);
const bodySchema = z
  .string()
  .transform((body, context): unknown => {
    try {
      return JSON.parse(body);
    } catch {
      context.addIssue('not JSON');
      return z.NEVER;
    }
  })
  .pipe(valueSchema);

/** Reads an error out of a body that may be JSON in one of the shapes that servers use, other JSON, HTML or anything. */
export function readServerError(body: string): ServerError {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) return { message: excerpt(body), kind: '', status: undefined };
  const { message, code, type } = parsed.data;
  const status = Number(code);
  return {
    message: excerpt(message),
    kind: `${code ?? ''} ${type ?? ''}`.trim(),
    status: status >= 400 && status < 600 ? status : undefined,
  };
}

/** What an answer with an error status means. `location` is where a redirect points to. */
export function classifyStatus(status: number, error: ServerError, location: string | null): Failure {
  const detail = error.message;
  if (status < 400) return { type: 'redirect', status, target: location ?? 'another address' };
  if (status === 404) return /model/i.test(detail) ? { type: 'no_model', detail } : { type: 'no_api', status, detail };
  if (status === 405) return { type: 'no_api', status, detail };
  if (isUsedUp(error)) return { type: 'quota', detail };
  return { type: 'status', code: codeOfStatus(status, error), status, detail };
}

/** What an error inside a stream that began well means. What nobody can name is taken for a passing trouble. */
export function classifyInStream(error: ServerError): Failure {
  const detail = error.message;
  if (isUsedUp(error)) return { type: 'quota', detail };
  const code = error.status === undefined ? codeOfKind(error) : codeOfStatus(error.status, error);
  return { type: 'in_stream', code, detail };
}

function codeOfStatus(status: number, error: ServerError): ModelErrorCode {
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'rate_limit';
  // Some servers answer 500 to what is too long for the model.
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

function isUsedUp(error: ServerError): boolean {
  return /insufficient_quota|billing/i.test(error.kind);
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > LONGEST_DETAIL ? `${line.slice(0, LONGEST_DETAIL)}…` : line;
}
