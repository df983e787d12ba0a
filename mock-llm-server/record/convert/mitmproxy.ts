import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';

/** True for a file of `mitmdump -w`: flows in typed netstrings, `LENGTH:DATA` and a letter for the type. Pure. */
export function isFlowFile(bytes: Buffer): boolean {
  return /^\d{1,9}:\d{1,9}:/.test(bytes.toString('latin1', 0, 24)) && bytes.includes('4:type;4:http;');
}

/** The exchanges of a file of mitmproxy, and of what follows a broken flow none. Pure. */
export function readFlows(bytes: Buffer): readonly JsonObject[] {
  const flows: JsonObject[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const read = readValue(rest);
    if (read === undefined) break;
    rest = read.rest;
    const { request, response } = isJsonObject(read.value) ? read.value : {};
    if (!isJsonObject(request)) continue;
    flows.push({ request: messageOf(request), ...(isJsonObject(response) && { response: messageOf(response) }) });
  }
  return flows;
}

/** A message in the form of the other formats: texts for all but the body. */
function messageOf(message: JsonObject): JsonObject {
  const { headers, content, status_code, method, path } = message;
  const names = (Array.isArray(headers) ? headers : []).flatMap((pair: unknown) => (Array.isArray(pair) ? pair : []));
  return {
    ...(method !== undefined && { method: String(method), url: String(path) }),
    ...(status_code !== undefined && { status: status_code }),
    headers: names.map(String),
    body: content,
  };
}

interface ReadValue {
  readonly value: unknown;
  readonly rest: Buffer;
}

/** The first value, and the bytes after it; undefined if it is cut or of an unknown type. */
function readValue(bytes: Buffer): ReadValue | undefined {
  const colon = bytes.indexOf(':');
  const length = colon > 0 && colon < 10 ? Number(bytes.toString('latin1', 0, colon)) : Number.NaN;
  const end = colon + 1 + length;
  if (!(end < bytes.length)) return undefined;
  const data = bytes.subarray(colon + 1, end);
  const rest = bytes.subarray(end + 1);
  switch (String.fromCharCode(bytes[end] ?? 0)) {
    case ',':
      return { value: data, rest };
    case ';':
      return { value: data.toString(), rest };
    case '#':
    case '^':
      return { value: Number(data.toString()), rest };
    case '!':
      return { value: data.toString() === 'true', rest };
    case '~':
      return { value: undefined, rest };
    case ']':
      return { value: readAll(data), rest };
    case '}':
      return { value: fieldsOf(readAll(data)), rest };
    default:
      return undefined;
  }
}

function readAll(bytes: Buffer): readonly unknown[] {
  const values: unknown[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const read = readValue(rest);
    if (read === undefined) break;
    values.push(read.value);
    rest = read.rest;
  }
  return values;
}

/** An object of names and values in turn. */
function fieldsOf(values: readonly unknown[]): JsonObject {
  const names = values.filter((_value, index) => index % 2 === 0);
  return Object.fromEntries(names.map((name, index) => [String(name), values[2 * index + 1]]));
}
