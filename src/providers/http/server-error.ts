import { isObject } from '../../schema/answer-form.ts';
import { jsonOr } from '../../text/json/json.ts';
import { truncateText } from '../../text/truncate.ts';

/** An error as a server describes it, in the body of a response or in its stream. */
export interface ServerError {
  readonly message: string;
  /** The error's `code`, `type` and `status`, joined by a space. */
  readonly kind: string;
  /** The error's code, when it is an HTTP status. */
  readonly status: number | undefined;
}

/** The maximum length of a server's message within ours, in characters, so that none but a broken one is cut. */
const MAX_DETAIL_LENGTH = 4_000;

/** The parts of an error that are read, in any of its shapes. */
interface FoundError {
  readonly message: string;
  /** Codes, types and names of a status. */
  readonly kinds: readonly unknown[];
}

/** Reads the error in a body, which may be JSON in one of the shapes that servers use, other JSON, HTML or any text. */
export function readServerError(body: string): ServerError {
  const found = findError(jsonOr(undefined, body) ?? jsonOr(undefined, dataOf(body)));
  if (found === undefined) return { message: excerpt(unknownError(body)), kind: '', status: undefined };
  const { message, kinds } = innermost(found);
  const status = kinds.map(Number).find((code) => code >= 400 && code < 600);
  return {
    message: excerpt(message),
    kind: kinds
      .filter((part) => typeof part === 'string' || typeof part === 'number')
      .join(' ')
      .trim(),
    status,
  };
}

/** The first data of a body that is a stream of events, for an error that a gateway sends in this form. */
function dataOf(body: string): string {
  return /^data: ?(.*)$/m.exec(body)?.[1] ?? '';
}

/** An error of an unknown shape as text, which may be its only field; empty for an empty one. */
function unknownError(body: string): string {
  const value = jsonOr(undefined, body);
  const error = fieldOf(value, 'error') ?? value;
  if (!isObject(error)) return textOf(body);
  const [text, ...others] = Object.values(error);
  return text === undefined ? '' : typeof text === 'string' && others.length === 0 ? text : JSON.stringify(error);
}

/** The words of a page that a proxy sends; any other text as it is. */
function textOf(body: string): string {
  if (body.includes('\0')) return 'binary data';
  if (!/^\s*<\?xml/i.test(body) && !isPage(body)) return body;
  const words = body
    // A comment or a script without an end lasts to the end of the page, so each character is read once.
    .replace(/<!--[\s\S]*?(?:-->|$)|<(style|script)\b[\s\S]*?(?:<\/\1>|$)/gi, ' ')
    .replace(/<[^<>]*>/g, '\n');
  return [...new Set(words.split('\n').map((line) => line.trim()))].filter((line) => line !== '').join(' ');
}

/** HTML, which may begin with comments and be only a part of a page, or the text that Cloudflare sends in place of one. */
const PAGE =
  /^(?:\s|<!--(?:(?!-->)[\s\S])*-->)*<(?:!doctype(?:html)?|html|head|body|title|center|h1|div|p|script|style|meta)[\s>]|^\s*error code: 1\d{3}\s*$/i;

/** True for a body that a firewall or a proxy sends in place of the API. */
export function isPage(body: string): boolean {
  return PAGE.test(body);
}

/** True for a value of an answer that is an error. A value with any part of an answer is one only if it names an error. */
export function isErrorValue(value: object): boolean {
  const error = fieldOf(value, 'error');
  if (typeof error === 'string' ? error !== '' : isObject(error) && Object.values(error).some(Boolean)) return true;
  if (fieldOf(value, 'object') === 'error' || fieldOf(value, 'type') === 'error') return true;
  // MiniMax says with each answer that it is none.
  if (Number(fieldOf(fieldOf(value, 'base_resp'), 'status_code') ?? 0) !== 0) return true;
  return !ANSWER_FIELDS.some((field) => Object.hasOwn(value, field)) && findError(value) !== undefined;
}

const ANSWER_FIELDS = [
  ...['choices', 'usage', 'delta', 'item', 'item_id', 'response', 'output', 'candidates', 'usageMetadata'],
  ...['promptFeedback', 'content_block', 'stop_reason', 'done', 'sequence_number', 'type'],
] as const;

/** The fields with the text of an error, by rank. */
const MESSAGE_FIELDS = [
  'message', // OpenAI and most others
  'detail', // FastAPI, RFC 9457
  'error_message', // Vertex behind gateways
  'errorMessage', // AWS Lambda
  'error_description', // OAuth
  'error_msg', // Baidu
  'status_msg', // MiniMax
  'faultstring', // Apigee
  'Message', // AWS
  'msg', // Zhipu, SiliconFlow, FastAPI's list
  'reason',
  'title', // RFC 9457
] as const;

/** The fields that contain an error; `body` is that of another response, as JSON. */
const HOLDERS = ['error', 'errors', 'base_resp', 'fault', 'err', 'body', 'cause', 'data'] as const;

/** The fields that may contain one, or tell more about an error beside them. */
const DETAILS = ['detail', 'details'] as const;

/** The fields with a code, a type or the name of a status. */
const KIND_FIELDS = [
  'code',
  'type',
  'status',
  'error_code',
  'errorCode',
  'status_code',
  'statusCode',
  'statusCodeValue',
  'error_type',
  '__type',
] as const;

function findError(value: unknown): FoundError | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : { message: value, kinds: [] };
  // Gemini and FastAPI send lists.
  if (Array.isArray(value)) return joined(value.slice(0, 5).flatMap((item) => findError(item) ?? []));
  if (!isObject(value) || isSuccess(value)) return undefined;
  const own = KIND_FIELDS.map((field) => fieldOf(value, field)).filter((kind) => kind !== 'error');
  const texts = [...MESSAGE_FIELDS, 'error'].map((field) => fieldOf(value, field));
  const text = texts.find((field) => typeof field === 'string' && field !== '');
  const inner = (text === undefined ? [...HOLDERS, ...DETAILS] : HOLDERS)
    .map((holder) => fieldOf(value, holder))
    .map((held) => (typeof held === 'string' ? jsonOr(undefined, held) : held))
    .filter(isObject)
    .map(findError)
    .find(Boolean);
  const details = text === undefined && inner === undefined ? fieldOf(value, 'details') : undefined;
  if (typeof details === 'string') return findError(details);
  if (inner !== undefined) return { ...inner, kinds: [...inner.kinds, ...own] };
  if (typeof text !== 'string') return undefined;
  const raw = fieldOf(fieldOf(value, 'metadata'), 'raw');
  // OpenRouter says that the provider failed, and keeps the words of the provider apart.
  if (typeof raw === 'string' && raw !== '') return { message: raw, kinds: own };
  // FastAPI names the field apart from the words.
  const place = fieldOf(value, 'loc');
  if (Array.isArray(place)) return { message: `${place.join('.')}: ${text}`, kinds: own };
  // Azure names the faults of a body apart from the words.
  const faults = [fieldOf(value, 'details')].flat().filter((item) => typeof fieldOf(item, 'message') === 'string');
  const named = findError(faults);
  if (named !== undefined && !text.includes(named.message)) return { message: `${text}: ${named.message}`, kinds: own };
  // OpenAI names the parameter of a value apart from the words; Xiaomi, what is wrong with it.
  const param = fieldOf(value, 'param');
  if (typeof param !== 'string' || text.includes(param)) return { message: text, kinds: own };
  const isTold = /\s/.test(param) || (/\bvalue\b/i.test(text) && /^[a-z_.]{3,}$/.test(param));
  return { message: isTold ? `${text.replace(/\.$/, '')}: ${param}` : text, kinds: own };
}

/** Several errors as one, each of them once. */
function joined(errors: readonly FoundError[]): FoundError | undefined {
  if (errors.length === 0) return undefined;
  const messages = new Set(errors.map(({ message }) => message));
  return { message: [...messages].join('; '), kinds: errors.flatMap(({ kinds }) => kinds) };
}

/** MiniMax describes each success like an error, with the code 0. */
function isSuccess(value: object): boolean {
  return fieldOf(value, 'status_code') === 0;
}

/**
 * The error that a gateway or Ollama wraps into the message of its own one, as JSON: `litellm.BadRequestError:
 * OpenAIException - {"error": …}`.
 */
function innermost(found: FoundError): FoundError {
  const { message } = found;
  const start = message.indexOf('{');
  const end = message.lastIndexOf('}');
  const inner = start === -1 || end < start ? undefined : findError(jsonOr(undefined, message.slice(start, end + 1)));
  return inner === undefined ? found : { ...inner, kinds: [...inner.kinds, ...found.kinds] };
}

/** The field of an object; `undefined` for a value that has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}

/** The number of tokens in a field of an object; `undefined` for one that is missing, or is no count. */
export function tokensIn(value: unknown, name: string): number | undefined {
  const count = fieldOf(value, name);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** A text of a server in one line, as it stands in a message of ours. */
function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return truncateText(line, MAX_DETAIL_LENGTH);
}
