import { answerWireOf } from '../../../src/schema/answer-form.ts';
import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { errorText } from '../../text.ts';
import { answerPath } from '../answer-path.ts';
import { headersOf, type PlainHeaders, textOfBody } from './body-text.ts';

/** An HTTP exchange of a foreign file, whatever its format calls the parts. */
export interface ForeignExchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: PlainHeaders;
  /** Empty if the format has no request, or conditions that do not tell it. */
  readonly requestBody: string;
  readonly status: number;
  readonly responseHeaders: PlainHeaders;
  readonly responseBody: string;
}

/** An entry of a foreign file and the name of its place. */
export interface ForeignEntry {
  readonly entry: unknown;
  readonly label: string;
}

/** The fields of an object by their names in lower case, without `_` and `-`. */
type Fields = ReadonlyMap<string, unknown>;

/** The names of the halves of an exchange in the formats. Logs have fields such as `request_body` and `ResponseBody` instead. */
const HALVES = {
  request: ['request', 'req', 'when', 'httprequest', 'init', 'predicates', 'promptjson'],
  response: ['response', 'res', 'resp', 'then', 'httpresponse', 'responses'],
} as const;

/** The names of the parts of a half in the formats, the most exact first. */
const PARTS = {
  url: ['uri', 'url', 'path', 'pathname', 'urlpath', 'urlpathpattern', 'urlpattern', 'targeturl', 'endpoint'],
  method: ['method', 'methods'],
  headers: ['headers', 'header', 'rawheaders', 'reqheaders'],
  body: [
    ...['bodypatterns', 'requestbody', 'jsonbody', 'bodyjson', 'bodyasjson', 'base64body', 'bodyblob', 'parsedbody'],
    ...['postdata', 'body', 'bodyraw', 'bodysegments', 'json', 'content', 'text', 'chunks'],
  ],
  status: ['status', 'statuscode', 'code'],
} as const;

const PART_NAMES: ReadonlySet<string> = new Set(Object.values(PARTS).flat());

/** Deeper lists are parts of bodies. */
const MAX_DEPTH = 6;

/** The entries of a recording: the items of each list in it that has exchanges, or the exchange that it is. Pure. */
export function entriesIn(value: unknown, label = '', depth = 0): readonly ForeignEntry[] {
  if (isEntry(value)) return [{ entry: value, label: label === '' ? 'the exchange' : label }];
  if (depth === MAX_DEPTH) return [];
  if (Array.isArray(value)) {
    const isList = value.some(isEntry);
    return value.flatMap((entry: unknown, index) => {
      const place = label === '' ? `entry ${index + 1}` : `${label}[${index}]`;
      return isList ? [{ entry, label: place }] : entriesIn(entry, label === '' ? '' : place, depth + 1);
    });
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    entriesIn(item, label === '' ? name : `${label}.${name}`, depth + 1),
  );
}

/** True for an object that has a half of an exchange. */
function isEntry(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const fields = fieldsOf(value);
  return (
    hasHalf(fields, 'request') ||
    hasHalf(fields, 'response') ||
    fields.has('scope') ||
    readBodies(value, fields) !== undefined
  );
}

function fieldsOf(object: JsonObject): Fields {
  return new Map(Object.entries(object).map(([name, value]) => [name.toLowerCase().replaceAll(/[_-]/g, ''), value]));
}

/** The fields of a half: those of its object, and those whose names begin with that of the half. */
function halfOf(fields: Fields, half: keyof typeof HALVES): Fields {
  const beside = [...fields].flatMap(([name, value]) => {
    const part = name.startsWith(half) ? name.slice(half.length) : '';
    return PART_NAMES.has(part) ? [[part, value] as const] : [];
  });
  return new Map([...beside, ...fieldsOf(objectOf(fields, half) ?? {})]);
}

function hasHalf(fields: Fields, half: keyof typeof HALVES): boolean {
  return objectOf(fields, half) !== undefined || halfOf(fields, half).size > 0;
}

function objectOf(fields: Fields, half: keyof typeof HALVES): JsonObject | undefined {
  // A list of responses belongs to the request beside it: in Mockoon and Mountebank.
  const isList = fields.has('endpoint') || fields.has('predicates');
  const names = HALVES[half].filter((name) => name !== 'responses' || isList);
  for (const name of names) {
    const value = fields.get(name);
    const [first] = Array.isArray(value) ? value : [value];
    if (!isJsonObject(first)) continue;
    // Mountebank has `is` for an answer, and the kind of a condition.
    const inner = first['is'] ?? first['equals'] ?? first['deepEquals'] ?? first['contains'];
    return isJsonObject(inner) ? inner : first;
  }
  return undefined;
}

/** The exchange of an entry of any format, or what it lacks. */
export function readForeign(entry: unknown): ForeignExchange | string {
  if (!isJsonObject(entry)) return 'it is not an object';
  const fields = fieldsOf(entry);
  const scope = fields.get('scope');
  const isNock = typeof scope === 'string';
  const request = isNock ? fields : halfOf(fields, 'request');
  const answer = fields.get('response');
  const isBinary = fields.get('responseisbinary') === true;
  const response = isNock ? new Map([...fields, ['body', isBinary ? [answer] : answer]]) : halfOf(fields, 'response');
  // The recorder of Python's responses has the address beside the answer.
  const path = addressOf(request) ?? addressOf(fields) ?? addressOf(response);
  if (path === undefined) return readBodies(entry, fields) ?? 'its request has no "url"';
  if (!isNock && !hasHalf(fields, 'response')) return 'it has no "response"';
  if (response.get('body') === undefined && typeof response.get('bodyfilename') === 'string') {
    return `its body, the file ${String(response.get('bodyfilename'))}, cannot be read`;
  }
  const responseHeaders = headersOf(partOf(response, 'headers') ?? fields.get('rawheaders'));
  try {
    return {
      method: (plainText(partOf(request, 'method') ?? fields.get('method')) ?? 'POST').toUpperCase(),
      url: (isNock ? scope : '') + path,
      requestHeaders: headersOf(partOf(request, 'headers')),
      requestBody: textOfBody(bodyOf(request), {}),
      status: statusOf(response) ?? statusOf(fields) ?? 200,
      responseHeaders,
      responseBody: textOfBody(bodyOf(response), responseHeaders),
    };
  } catch (error) {
    return `a body cannot be decoded (${errorText(error)})`;
  }
}

function partOf(fields: Fields, part: keyof typeof PARTS): unknown {
  return PARTS[part].map((name) => fields.get(name)).find((value) => value !== undefined);
}

/** The address of a request. An expression has its shortest path; Mockoon leaves out the first `/`. */
function addressOf(fields: Fields): string | undefined {
  const text = PARTS.url.map((name) => plainText(fields.get(name))).find((value) => value !== undefined);
  const isPattern = !fields.has('url') && [...fields.keys()].some((name) => name.endsWith('pattern'));
  const path = isPattern ? text?.replace(/^\^|(?:\.\*|\(.*|\[.*|\?.*|\$)$/g, '').replaceAll('\\', '') : text;
  return path === undefined || /^(?:\/|\w+:|<|\{)/.test(path) ? path : `/${path}`;
}

/** The text of a value, or of a condition that holds one: of Hoverfly, MockServer, WireMock.Net or Postman. */
function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return plainText(value[0]);
  if (!isJsonObject(value)) return undefined;
  const fields = fieldsOf(value);
  return ['value', 'exactmatch', 'pattern', 'matchers', 'raw']
    .map((name) => plainText(fields.get(name)))
    .find((value) => value !== undefined);
}

/** The body of a half: as it is, or as the condition that it must meet. */
function bodyOf(fields: Fields): unknown {
  const body = partOf(fields, 'body');
  if (fields.has('base64body') || fields.has('bodyblob')) return { base64: body };
  if (fields.has('bodysegments')) return { bodySegments: body };
  // httpmock says beside the body how it is written.
  if (fields.get('bodyencoding') === 'base64') return { base64: body };
  const [condition] = Array.isArray(body) ? body : [body];
  if (!isJsonObject(condition)) return body;
  const { equalToJson, equalTo, matcher, value, Matcher: own } = condition;
  if (isJsonObject(own)) return own['Pattern'];
  return equalToJson ?? equalTo ?? (typeof matcher === 'string' ? value : body);
}

function statusOf(fields: Fields): number | undefined {
  for (const name of PARTS.status) {
    const value = fields.get(name);
    // go-vcr writes `429 Too Many Requests`.
    const [code] = /^\d{3}\b/.exec(String(isJsonObject(value) ? (value['code'] ?? value['Code']) : value)) ?? [];
    if (code !== undefined) return Number(code);
  }
  return undefined;
}

/**
 * The exchange of an entry that has the bodies alone, whose form tells the path; undefined for any other. LiteLLM has
 * the fields of the request beside the response.
 */
function readBodies(entry: JsonObject, fields: Fields): ForeignExchange | undefined {
  const { messages, model, model_parameters: settings, input, output } = entry;
  const logged = { model, messages, ...(isJsonObject(settings) && settings), stream: false };
  const asked = Array.isArray(messages) ? logged : (objectOf(fields, 'request') ?? bodyOf(halfOf(fields, 'request')));
  const half = halfOf(fields, 'response');
  const answered = [bodyOf(half), objectOf(fields, 'response'), output].map(jsonOf).find(isAnswer);
  const request = jsonOf(asked ?? input);
  const wire = answered && answerWireOf(answered);
  if (wire === undefined || request === undefined) return undefined;
  const name = typeof request['model'] === 'string' ? request['model'] : String(model ?? 'unknown');
  return {
    method: 'POST',
    url: answerPath(wire === 'ollama-chat' ? 'ollama' : wire, name),
    requestHeaders: {},
    requestBody: JSON.stringify(request),
    status: 200,
    responseHeaders: {},
    responseBody: JSON.stringify(answered),
  };
}

function jsonOf(value: unknown): JsonObject | undefined {
  const json = typeof value === 'string' ? tryJson(value) : value;
  return isJsonObject(json) ? json : undefined;
}

function isAnswer(value: JsonObject | undefined): boolean {
  return value !== undefined && answerWireOf(value) !== undefined;
}
