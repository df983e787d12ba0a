import type { Client } from '@modelcontextprotocol/client';
import { messageOf } from '../../agent/errors.ts';
import { isJsonObject, jsonObjectIn } from '../../text/json/json.ts';
import { SSE_TRANSPORT } from './connection/read-messages.ts';
import { MAX_LINE } from './connection/server-log.ts';
import type { Remembered } from './memory/memory.ts';
import { cleanLine } from './texts.ts';

const MODERN = '2026-07-28';

/** True for a connection in the revision of 2026 or a later one. */
export function isModern(client: Pick<Client, 'getNegotiatedProtocolVersion'>): boolean {
  return (client.getNegotiatedProtocolVersion() ?? '') >= MODERN;
}

/** True for a discovery result that can be stored: of a server that supports the revision of 2026. */
export function isDiscovery(value: unknown): value is NonNullable<Remembered['discover']> {
  if (!isJsonObject(value) || !isJsonObject(value['capabilities'])) return false;
  return Array.isArray(value['supportedVersions']) && value['supportedVersions'].includes(MODERN);
}

const SESSION_LOST =
  /\bsession(?:[ _-]?id)?\b.{0,40}(?:not found|expired|invalid|unknown|terminated)|\bnot initiali[sz]ed\b|\b(?:invalid|unknown|no valid|missing) (?:mcp-)?session/i;

/** The kinds of errors of requests; an error may be of several. */
const KINDS = {
  closed: (said: string) => /clos|ended|EPIPE/i.test(said),
  // The server has sent it, or it is a timeout.
  answer: (_said: string, code: unknown) => typeof code === 'number' || code === 'timed_out',
  // Not all servers use the status 404 for it: some say it in words, others refuse every request with this code.
  'lost session': (said: string, code: unknown) =>
    SESSION_LOST.test(said) || (code === -32_600 && /^invalid request\.?$/i.test(said)),
  'unknown method': (_said: string, code: unknown) => code === -32_601,
  timeout: (_said: string, code: unknown) => code === 'timed_out',
  // A server over HTTP wants a login.
  refusal: (_said: string, code: unknown) => code === 'permission_denied',
} as const;

/** True for an error of this kind. */
export function isKind(error: unknown, kind: keyof typeof KINDS): boolean {
  const isOf: (said: string, code: unknown) => boolean = KINDS[kind];
  return isOf(messageOf(error), Object(error).code);
}

const OLDER = ['2025-06-18', '2025-03-26', '2024-11-05'];

/** The older revisions to ask a server for that has refused one: those that it names, or all; empty for another error. */
export function olderRevisions(error: unknown): readonly string[] {
  const { data }: { data?: unknown } = Object(error);
  const said = `${messageOf(error)} ${JSON.stringify(data) ?? ''}`;
  if (!/unsupported|not supported/i.test(said) || !/protocol.?version/i.test(said)) return [];
  const named = OLDER.filter((revision) => said.includes(revision));
  return named.length > 0 ? named : OLDER;
}

/** The reasons of statuses, with what the server has said. */
const STATUSES: Readonly<Record<number, (name: string, said: string) => string>> = {
  401: (name, said) => `it requires a login (HTTP 401)${said}. ${loginAdvice(name)}`,
  403: (_name, said) => `it refuses this user (HTTP 403)${said}`,
  404: (_name, said) => `its session, or its address, does not exist any more (HTTP 404)${said}`,
  405: () => `it does not accept messages at this URL (HTTP 405), as with ${SSE_TRANSPORT}`,
};

/** The reason of a failure for people and the model. */
export function failureReason(error: unknown, name: string): string {
  const { status, requiredScope }: { status?: unknown; requiredScope?: unknown } = Object(error);
  const said = cleanLine(plainMessage(messageOf(error)), MAX_LINE).replace(/\.$/, '');
  if (typeof requiredScope === 'string' || /insufficient.scope/i.test(said)) {
    const scope = String(requiredScope ?? '').replaceAll(/[^\w:./ -]/g, '');
    const more = scope === '' ? '' : ` --scope "${scope}"`;
    return `it requires more rights. The user can agree to them with: ybs mcp login ${name}${more}`;
  }
  if (typeof status !== 'number') return said;
  const told = said === '' ? '' : `: ${said}`;
  return STATUSES[status]?.(name, told) ?? `HTTP ${status}${told}`;
}

/** What the user can do if a server requires a login. */
export function loginAdvice(name: string): string {
  return `The user can log in with: ybs mcp login ${name}, or put a valid token into "headers" of its entry`;
}

/** The words of an error without those of the library, and without the JSON around them. */
function plainMessage(text: string): string {
  const rest = text
    .replace(/^(?:Version negotiation (?:probe )?failed|Error POSTing to endpoint): ?/, '')
    .replace(/ \(redirectPolicy: '[\w-]+'\)$/, '');
  const { error, message } = jsonObjectIn(rest);
  const { message: inner = error } = isJsonObject(error) ? error : {};
  return [inner, message].find((each) => typeof each === 'string' && each.trim() !== '')?.toString() ?? rest;
}
