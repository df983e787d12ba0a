import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject, type JsonValue, jsonOr } from '../../../text/json/json.ts';

export type Id = string | number;

/** The requests without an answer, with their methods. */
export class Pending extends Map<Id, string> {
  /** Hears the answer to the question for the revisions, perhaps after the library has ceased to wait. */
  discovered: ((result: JsonObject) => void) | undefined;
  /** The library has ceased to wait for that answer, and must not get it. */
  isLate = false;
  /** Hears an answer to a request that nobody has made. */
  unasked: ((answer: JsonObject) => void) | undefined;
  readonly #cancelled = new Set<string>();

  /** Notes a message of the library: a request waits for its answer, and the answer to a cancelled one is for nobody. */
  note(message: unknown): Id | undefined {
    const { id, method, params } = isJsonObject(message) ? message : {};
    const { requestId } = isJsonObject(params) ? params : {};
    if (method === 'notifications/cancelled' && isId(requestId)) {
      this.#cancelled.add(String(requestId));
      this.delete(requestId);
    }
    if (typeof method !== 'string' || !isId(id)) return undefined;
    this.isLate = method !== 'server/discover';
    this.set(id, method);
    return id;
  }

  /** An answer for nobody is stray, except one that comes after its request was cancelled. */
  drop(answer: JsonObject): void {
    if (isId(answer['id']) && !this.#cancelled.delete(String(answer['id']))) this.unasked?.(answer);
  }
}

/** The capabilities of a server that ybs uses. */
const CAPABILITIES = ['tools', 'prompts', 'resources'] as const;

/** The most characters of an error. */
const MAX_ERROR = 64 * 1024;

/** Reasons for which a request has no result. */
export const NO_JSON = 'its result is not valid JSON';
export const TOO_LARGE = 'its result is too large (the limit is 10 MB). Ask it for less';

/** A transport, and what to do about it. */
export const SSE_TRANSPORT =
  'the SSE transport of 2024, which ybs does not support; use its address of streamable HTTP, often /mcp, or start it with npx -y mcp-remote URL';

/**
 * The messages in a line or body of a server, as the library accepts them; `undefined` for a text that is none. Servers
 * print before them, on the same line, and answer in many ways that are nearly right: without `jsonrpc`, with
 * `"error": null` beside the result, with an error that is a text, without the id of the request. Refused by the
 * library, each would be a call that waits for its time limit. An answer is removed from `pending`; an answer that
 * nobody waits for is left out.
 */
export function readMessages(text: string, pending: Pending, own?: Id): readonly JSONRPCMessage[] | undefined {
  // Within a string, the quotes of a message would be escaped.
  const values = text.split(/(?<=\})\s*(?=\{"jsonrpc")/).map(jsonIn);
  const items: readonly unknown[] = values.flat();
  const read = items.map((item) => readMessage(item, pending, own));
  if (!read.includes(undefined)) return read.flatMap((messages) => messages ?? []);
  const id = values.includes(undefined) ? idIn(text, pending) : undefined;
  return id === undefined ? undefined : [failedAnswer(id, NO_JSON, pending)];
}

export function failedAnswer(id: Id, message: string, pending: Pending): JSONRPCMessage {
  pending.delete(id);
  return { jsonrpc: '2.0', id, error: { code: -32_000, message } };
}

/** The only request without an answer, or the one of which a text has the id. */
export function idIn(text: string, pending: Pending): Id | undefined {
  const [only, ...others] = pending.keys();
  const written = text.replaceAll(/\s+/g, '');
  const isMeant = (id: Id): boolean => written.includes(`"id":${JSON.stringify(id)}`);
  return others.length === 0 && written.includes('"jsonrpc"') ? only : [...pending.keys()].find(isMeant);
}

/** The JSON of a text, or the one within it: after a byte order mark, a colour, or the words of a log. */
function jsonIn(text: string): unknown {
  const value = jsonOr(undefined, text);
  // Some servers write JSON as a text of JSON.
  const whole = typeof value === 'string' ? jsonOr(value, value) : value;
  const start = whole === undefined ? text.search(/\{\s*"/) : -1;
  if (start < 0) return whole;
  const inner = text.slice(start, text.lastIndexOf('}') + 1);
  // Python writes numbers that JSON does not have.
  const numbers = /(?<=[:[,]\s*)(?:NaN|-?Infinity)(?=\s*[,\]}])/g;
  return jsonOr(undefined, inner) ?? jsonOr(undefined, inner.replaceAll(numbers, 'null'));
}

function readMessage(value: unknown, pending: Pending, own: Id | undefined): readonly JSONRPCMessage[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const { jsonrpc, method, id: given, result, error, params } = value;
  if (typeof method === 'string') {
    if (jsonrpc !== '2.0') return undefined;
    const inner = isJsonObject(params) ? { params } : {};
    // Of a call that has ended, or of none.
    if (method === 'notifications/progress' && !isProgress(params, pending)) return [];
    if (given === undefined) return [{ jsonrpc, method, ...inner }];
    return isId(given) ? [{ jsonrpc, id: given, method, ...inner }] : [];
  }
  const isError = error !== undefined && error !== null;
  if (!isError && result === undefined) return undefined;
  const named = [...pending.keys()].find((each) => String(each) === String(given));
  const [only, ...others] = pending.keys();
  // An error that the server could not assign to a request. Some answer a notification with one.
  const isForOnly = isError && !isId(given) && others.length === 0 && !isAboutNotification(error);
  const id = named ?? own ?? (isForOnly ? only : undefined);
  if (id === undefined && jsonrpc === '2.0') pending.drop(value);
  if (id === undefined) return jsonrpc === '2.0' ? [] : undefined;
  const asked = pending.get(id) ?? '';
  pending.delete(id);
  const isForNobody = asked === 'server/discover' && pending.isLate;
  if (isError) return isForNobody ? [] : [{ jsonrpc: '2.0', id, error: readError(error) }];
  if (!isJsonObject(result)) return [failedAnswer(id, 'its result cannot be read', pending)];
  if (asked !== 'initialize' && asked !== 'server/discover') return [{ jsonrpc: '2.0', id, result: { ...result } }];
  const shaken = readHandshake(result);
  if (asked === 'server/discover') pending.discovered?.(shaken);
  return isForNobody ? [] : [{ jsonrpc: '2.0', id, result: shaken }];
}

function isAboutNotification(error: JsonValue): boolean {
  return (isJsonObject(error) && error['code'] === -32_601) || /notification/i.test(JSON.stringify(error));
}

function isProgress(params: JsonValue | undefined, pending: Pending): boolean {
  const { progressToken, progress } = isJsonObject(params) ? params : {};
  return isId(progressToken) && pending.has(progressToken) && typeof progress === 'number';
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}

function readError(error: unknown) {
  const { code, message, data } = isJsonObject(error) ? error : { code: undefined, message: error, data: undefined };
  const said = [message, data].find((each) => each !== undefined && each !== null && each !== '') ?? error;
  return {
    code: typeof code === 'number' && Number.isInteger(code) ? code : -32_000,
    message: (typeof said === 'string' ? said : JSON.stringify(said)).slice(0, MAX_ERROR),
    ...(data !== undefined && { data }),
  };
}

/** The part of a server's answer about itself that ybs uses. Hand-written servers leave out the rest, or add to it. */
function readHandshake({ capabilities, serverInfo, instructions, protocolVersion, ...rest }: JsonObject) {
  const declared = isJsonObject(capabilities) ? capabilities : {};
  const known = CAPABILITIES.flatMap((name) => {
    const value = declared[name];
    if (value === undefined || value === null || value === false) return [];
    return [[name, { listChanged: isJsonObject(value) && value['listChanged'] === true }] as const];
  });
  const info = isJsonObject(serverInfo) ? serverInfo : {};
  // A server that declares nothing may have tools; it says so when it is asked for them.
  const offered = known.length === 0 ? { tools: {} } : Object.fromEntries(known);
  const { name = '', version = '' } = info;
  return {
    ...rest,
    ...(protocolVersion !== undefined && { protocolVersion: String(protocolVersion) }),
    ...{ capabilities: offered, serverInfo: { name: String(name), version: String(version) } },
    ...(typeof instructions === 'string' && { instructions }),
  };
}
