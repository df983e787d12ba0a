import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { mergeEmbeddings } from '../../scenario/embeddings.ts';
import type { RecordedEmbeddings } from '../../scenario/format.ts';
import { errorText } from '../../text.ts';
import { EventUnpacker, isEventStream } from '../../wire/bedrock/event-stream.ts';
import { localPathOf } from '../answer-path.ts';
import { decompressBody } from '../decompress.ts';
import { createContinuations, type Exchange, readEmbeddings, readExchange } from '../exchange.ts';
import { createRedaction } from '../redaction.ts';
import { buildScenarios } from '../scenarios/build-scenarios.ts';
import { groupRuns, promptsOf } from '../scenarios/group-runs.ts';
import { wireOf } from '../upstream.ts';
import type { Converted } from './converted.ts';

/** An HTTP exchange of a foreign file, whatever its format calls the parts. */
interface ForeignExchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
}

/**
 * Converts recorded HTTP exchanges: entries of HAR, of cassettes of vcrpy, VCR, go-vcr and nock, and lines of proxy logs.
 * `label` names an entry in notes. Pure.
 */
export function convertExchanges(entries: readonly unknown[], label: (index: number) => string): Converted {
  const notes: string[] = [];
  const others: string[] = [];
  const exchanges: Exchange[] = [];
  const embeddings: RecordedEmbeddings[] = [];
  const continuations = createContinuations();
  const redaction = createRedaction();
  for (const [index, entry] of entries.entries()) {
    const result = readEntry(entry, index, continuations, redaction);
    if (typeof result !== 'string') {
      if ('response' in result) embeddings.push(result);
      else exchanges.push(result);
    } else if (result.endsWith(NO_MODEL)) others.push(`${label(index)}: ${result}.`);
    else notes.push(`${label(index)}: ${result}.`);
  }
  const built = buildScenarios(exchanges);
  const more = others.length - MAX_OTHERS;
  const listed =
    more > 1 ? [...others.slice(0, MAX_OTHERS), `${more} further entries: not requests for an answer.`] : others;
  const recorded = mergeEmbeddings([], embeddings);
  const prompts = promptsOf(groupRuns(exchanges.filter(({ number }) => built.places.has(number))));
  return { scenarios: built.scenarios, prompts, embeddings: recorded, notes: [...listed, ...notes, ...built.notes] };
}

const NO_MODEL = 'is not a request for an answer of a model';

/** Largest number of entries for something else that are listed: a page in a browser loads hundreds of files. */
const MAX_OTHERS = 3;

/** The exchange of an entry, or its embeddings, or the reason why it is left out. */
function readEntry(
  entry: unknown,
  index: number,
  continuations: ReturnType<typeof createContinuations>,
  redaction: ReturnType<typeof createRedaction>,
): Exchange | RecordedEmbeddings | string {
  const foreign = readForeign(entry);
  if (typeof foreign === 'string') return foreign;
  const { method, url } = foreign;
  // Cassettes may have `<AWS_REGION>` in the host.
  const address = url.replace(/^https?:\/\/[^/]*/i, '');
  if (!URL.canParse(address, 'http://unknown')) return `${url} is no address`;
  const { pathname, searchParams } = new URL(address, 'http://unknown');
  const path = wireOf({ method, path: pathname }) === undefined ? localPathOf(pathname) : pathname;
  const wire = path === undefined ? undefined : wireOf({ method, path });
  const embeddings = readEmbeddings(receivedOf(foreign, pathname, {}), redaction);
  if (embeddings !== undefined) return embeddings;
  if (wire === undefined || path === undefined) return `${method} ${pathname} ${NO_MODEL}`;
  const query = Object.fromEntries(searchParams);
  redaction.learn(foreign.requestHeaders, query);
  const received = { number: index + 1, wire, ...receivedOf(foreign, path, query), end: 'complete' } as const;
  const { exchange, unread, answer } = readExchange(received, continuations, redaction);
  if (exchange === undefined) return `its request cannot be read: ${(unread ?? 'it has no body').replace(/\.$/, '')}`;
  const isEmpty = answer?.content === undefined && answer?.toolCalls.length === 0 && answer?.finish === undefined;
  return foreign.status < 300 && isEmpty ? 'its response has no answer that can be read' : exchange;
}

function receivedOf(foreign: ForeignExchange, path: string, query: Readonly<Record<string, string>>) {
  const { method, requestHeaders: headers, requestBody, status, responseHeaders, responseBody } = foreign;
  return {
    request: { method, path, query, headers, body: requestBody },
    head: { status, headers: { get: (name: string) => responseHeaders[name] ?? null }, ms: 0 },
    body: responseBody,
  };
}

/** The exchange of an entry of any format, or what it lacks. */
function readForeign(entry: unknown): ForeignExchange | string {
  if (!isJsonObject(entry)) return 'it is not an object';
  const logged = readLogged(entry);
  if (logged !== undefined) return logged;
  // The cassettes of httpmock have `when` and `then`.
  const asked = entry['request'] ?? entry['when'];
  const answered = entry['response'] ?? entry['then'];
  const request = isJsonObject(asked) ? asked : entry;
  const response = isJsonObject(answered) ? answered : undefined;
  const scope = typeof entry['scope'] === 'string' ? entry['scope'] : '';
  const path = firstText(request, ['uri', 'url', 'path', 'pathname', 'urlPath']) ?? firstText(entry, ['url', 'path']);
  if (path === undefined) return 'its request has no "url"';
  const isNock = scope !== '' && request === entry;
  if (response === undefined && !isNock && entry['response'] === undefined) return 'it has no "response"';
  const { body, bodyFileName: bodyFile } = response ?? {};
  if (body === undefined && typeof bodyFile === 'string') return `its body, the file ${bodyFile}, cannot be read`;
  const responseHeaders = headersOf(
    (response && headerFieldOf(response)) ?? entry['rawHeaders'] ?? entry['response_headers'],
  );
  const status = statusOf(response ?? {}) ?? statusOf(entry) ?? 200;
  const content = isNock || response === undefined ? entry['response'] : bodyFieldOf(response);
  try {
    return {
      method: (firstText(request, ['method']) ?? firstText(entry, ['method']) ?? 'POST').toUpperCase(),
      url: scope + path,
      requestHeaders: headersOf(headerFieldOf(request) ?? entry['reqheaders']),
      requestBody: textOf(bodyFieldOf(request), {}),
      status,
      responseHeaders,
      responseBody: textOf(entry['responseIsBinary'] === true ? [content] : content, responseHeaders),
    };
  } catch (error) {
    return `a body cannot be decoded (${errorText(error)})`;
  }
}

/** A call in the log of LiteLLM, which has no addresses: it is written as a chat completion. */
function readLogged({
  messages,
  response,
  model,
  model_parameters: settings,
}: JsonObject): ForeignExchange | undefined {
  if (!Array.isArray(messages) || !isJsonObject(response) || !Array.isArray(response['choices'])) return undefined;
  const body = { model, messages, ...(isJsonObject(settings) && settings), stream: false };
  return {
    method: 'POST',
    url: '/v1/chat/completions',
    requestHeaders: {},
    requestBody: JSON.stringify(body),
    status: 200,
    responseHeaders: {},
    responseBody: JSON.stringify(response),
  };
}

/** The headers of a message; Charles has them below `header`, httpmock in it. */
function headerFieldOf({ headers, header }: JsonObject): unknown {
  return headers ?? (isJsonObject(header) ? header['headers'] : header);
}

function bodyFieldOf(message: JsonObject): unknown {
  if (message['body_encoding'] === 'base64') return { base64: message['body'] };
  // WireMock has conditions in place of the body of a request, and names for the form of a response.
  const { bodyPatterns: patterns, jsonBody, base64Body } = message;
  const [pattern] = Array.isArray(patterns) ? patterns.filter(isJsonObject) : [];
  if (pattern !== undefined) return pattern['equalToJson'] ?? pattern['equalTo'];
  if (jsonBody !== undefined) return jsonBody;
  if (base64Body !== undefined) return { base64: base64Body };
  // The serializer of pydantic-ai keeps JSON as YAML.
  return message['parsed_body'] ?? message['postData'] ?? message['body'] ?? message['content'] ?? message['text'];
}

/** The text of a body: a string, bytes, an object that holds one of them, or JSON. Nock keeps chunks in hexadecimal. */
function textOf(body: unknown, headers: Readonly<Record<string, string>>): string {
  if (body === undefined || body === null) return '';
  // The proxy of Datadog writes bytes in this way.
  if (typeof body === 'string' && body.startsWith('base64:')) {
    return decompress(Buffer.from(body.slice('base64:'.length), 'base64'), headers);
  }
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return decompress(body, headers);
  if (Array.isArray(body)) {
    const isHex = body.length > 0 && body.every((part) => typeof part === 'string' && /^(?:[0-9a-f]{2})+$/.test(part));
    return isHex ? decompress(Buffer.from(body.join(''), 'hex'), headers) : JSON.stringify(body);
  }
  if (!isJsonObject(body)) return String(body);
  // Ruby writes `base64_string`, ReqLLM `b64`, Charles `encoded`.
  const base64 = firstText(body, ['base64_string', 'base64', 'b64', 'encoded']);
  if (base64 !== undefined) return decompress(Buffer.from(base64, 'base64'), headers);
  const inner = body['string'] ?? body['text'];
  const isHolder =
    'string' in body ||
    ('text' in body &&
      (Object.keys(body).length === 1 || ['mimeType', 'size', 'encoding', 'charset'].some((name) => name in body)));
  if (!isHolder) return JSON.stringify(body);
  if (body['encoding'] === 'base64' && typeof inner === 'string') {
    // HAR keeps the body after it was decompressed; Polly.js keeps a list of compressed pieces.
    const pieces = tryJson(inner);
    const bytes = (Array.isArray(pieces) ? pieces : [inner]).map((piece) => Buffer.from(String(piece), 'base64'));
    return decompress(Buffer.concat(bytes), { 'content-type': headers['content-type'] ?? '' });
  }
  return textOf(inner, headers);
}

function decompress(
  bytes: Uint8Array,
  { 'content-type': type, 'content-encoding': encoding }: Readonly<Record<string, string>>,
): string {
  if (isEventStream(type) || hasEvents(bytes)) return new EventUnpacker().write(Buffer.from(bytes));
  return Buffer.from(decompressBody(bytes, encoding).bytes).toString('utf8');
}

/** True for the messages of Amazon's event stream; a cassette may lack the type. The first header is `:event-type`. */
function hasEvents(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 64)).includes(':event-type');
}

/** Headers by lower-case name: an object of texts or lists, a list of `{name, value}`, or names and values in turn. */
function headersOf(headers: unknown): Record<string, string> {
  const entries: (readonly [string, unknown])[] = Array.isArray(headers)
    ? headers.every((each) => typeof each === 'string')
      ? headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]] as const] : []))
      : headers.filter(isJsonObject).map(({ name, value }) => [String(name), value] as const)
    : Object.entries(isJsonObject(headers) ? headers : {});
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), String(Array.isArray(value) ? value[0] : value)]),
  );
}

function statusOf(message: JsonObject): number | undefined {
  const status = message['status'];
  const value = isJsonObject(status) ? status['code'] : (status ?? message['status_code'] ?? message['code']);
  // go-vcr writes `429 Too Many Requests`.
  const [code] = /^\d{3}\b/.exec(String(value)) ?? [];
  return code === undefined ? undefined : Number(code);
}

function firstText(object: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => object[name]).find((value) => typeof value === 'string');
}
