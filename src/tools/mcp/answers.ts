import type { Client } from '@modelcontextprotocol/client';
import { messageOf } from '../../agent/errors.ts';
import { isJsonObject, jsonObjectIn } from '../../text/json/json.ts';
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

/** True for an error that says that the connection was closed. */
export function isClosed(error: unknown): boolean {
  return /clos|ended|EPIPE/i.test(messageOf(error));
}

/** True for an error that the server has sent, and for a timeout. */
export function isAnswer(error: unknown): boolean {
  const { code }: { code?: unknown } = Object(error);
  return typeof code === 'number' || code === 'timed_out';
}

const SESSION_LOST =
  /\bsession(?:[ _-]?id)?\b.{0,40}(?:not found|expired|invalid|unknown|terminated)|\bnot initiali[sz]ed\b|\b(?:invalid|unknown|no valid|missing) (?:mcp-)?session/i;

/**
 * True for an answer of a server that has lost its session. Not all servers use the status 404 for it: some say it in
 * words, others refuse every request with this code and no reason.
 */
export function isSessionLost(error: unknown): boolean {
  const said = messageOf(error);
  return SESSION_LOST.test(said) || (Object(error).code === -32_600 && /^invalid request\.?$/i.test(said));
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

/** True for the error of a server that does not know a method. */
export function isUnknownMethod(error: unknown): boolean {
  return Object(error).code === -32_601;
}

/** True for the error of a server over HTTP that refuses this user, or wants a login. */
export function isRefusal(error: unknown): boolean {
  const { status, code }: { status?: unknown; code?: unknown } = Object(error);
  return status === 401 || status === 403 || code === 'permission_denied';
}

/** The reason of a failure for people and the model. */
export function failureReason(error: unknown, name: string): string {
  const { status, requiredScope }: { status?: unknown; requiredScope?: unknown } = Object(error);
  const said = cleanLine(plainMessage(messageOf(error)), MAX_LINE).replace(/\.$/, '');
  if (typeof requiredScope === 'string' || /insufficient.scope/i.test(said)) {
    const scope = String(requiredScope ?? '').replaceAll(/[^\w:./ -]/g, '');
    const more = scope === '' ? '' : ` --scope "${scope}"`;
    return `it requires more rights. The user can agree to them with: ybs mcp login ${name}${more}`;
  }
  switch (status) {
    case 401:
      return `it requires a login (HTTP 401): ybs mcp login ${name}, or a token in "headers" of its entry, such as Authorization`;
    case 403:
      return `it refuses this user (HTTP 403): ${said}`;
    case 404:
      return `its session, or its address, does not exist any more (HTTP 404): ${said}`;
    case 405:
      return `it does not accept messages at this URL (HTTP 405). ybs does not support the SSE transport of 2024`;
    default:
      return typeof status === 'number' ? `HTTP ${status}: ${said}` : said;
  }
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
