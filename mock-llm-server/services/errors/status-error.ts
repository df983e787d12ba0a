import { STATUS_CODES } from 'node:http';
import type { Protocol, ServiceName } from '../../conversation/conversation.ts';
import { DEFAULT_RETRY_AFTER } from '../../wire/status-error.ts';
import type { StatusRequest, WireError } from '../../wire/wire.ts';
import { STATUS_WORDS, type StatusWords } from './status-words.ts';

/** The services whose words for a status are those of the protocol: OpenAI's. */
const OPENAI_WORDS: ReadonlySet<ServiceName> = new Set(['openai', 'azure', 'codex']);

const FORBIDDEN = 403;
const LIMITED = 429;
const FAILED = 500;

const TYPES: Readonly<Record<number, string>> = { [FORBIDDEN]: 'permission_error', [LIMITED]: 'rate_limit_error' };

/** The types of errors that are not the client's, by the name of the service. */
const SERVER_TYPES: Readonly<Partial<Record<ServiceName, string>>> = {
  vllm: 'InternalServerError',
  'vllm-without-parser': 'InternalServerError',
  sglang: 'InternalServerError',
  ollama: 'api_error',
  groq: 'internal_server_error',
};

/**
 * The error of a service for a status that a fault asks for; `undefined` for the error of its protocol. A service whose
 * words for a limit or an overload are not known has those of HTTP, because those of OpenAI name its pages.
 */
export function statusErrorOf(
  service: ServiceName | undefined,
  protocol: Protocol,
  { status, model, retryAfter }: StatusRequest,
): WireError | undefined {
  if (service === undefined) return undefined;
  const own = STATUS_WORDS[service]?.[status];
  const known = retryAfter === undefined ? own : (own?.waiting ?? own);
  const words = known ?? plainErrorOf(service, protocol, status);
  if (words === undefined) return undefined;
  const { waiting: _, ...found } = words;
  const wait = String(retryAfter ?? DEFAULT_RETRY_AFTER);
  const message = found.message.replaceAll('MODEL', model).replaceAll('WAIT', wait);
  return { type: 'error', status, code: null, ...found, message, ...(retryAfter !== undefined && { retryAfter }) };
}

function plainErrorOf(service: ServiceName, protocol: Protocol, status: number): StatusWords | undefined {
  if (OPENAI_WORDS.has(service) || !protocol.startsWith('openai-')) return undefined;
  if (status !== FORBIDDEN && status !== LIMITED && status < FAILED) return undefined;
  const message = STATUS_CODES[status] ?? 'Service Unavailable';
  const errorType = TYPES[status] ?? SERVER_TYPES[service] ?? 'server_error';
  return { message, errorType, code: message.toLowerCase().replaceAll(' ', '_') };
}
