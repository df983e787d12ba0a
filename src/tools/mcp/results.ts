import type { ImageContent } from '../../agent/ports/messages.ts';
import type { ToolResult } from '../../agent/ports/tool.ts';
import { decodeFile } from '../../text/bytes/decode.ts';
import { isJsonObject, type JsonValue, jsonOr, nestsDeeper } from '../../text/json/json.ts';
import { mapTexts } from '../../text/json/map-texts.ts';
import { formatSize } from '../../text/quantities.ts';
import { noteChanges, summarizeChanges } from '../shell/command-report.ts';
import type { GuardedChanges } from './settings.ts';
import { canonical, cleanLine, cleanText } from './texts.ts';

/** The pictures that models accept, by the start of their Base64: services refuse one that is not what its type says. */
const PICTURES: readonly (readonly [ImageContent['mediaType'], RegExp])[] = [
  ['image/png', /^iVBORw0KGgo/],
  ['image/jpeg', /^\/9j\//],
  ['image/gif', /^R0lGOD/],
  ['image/webp', /^UklGR.{11}XRUJQ/],
];

/** The maximum length of a picture in Base64: 5 MB, the smallest limit of the providers. */
const MAX_PICTURE = 5 * 1024 * 1024;
const MAX_PICTURES = 10;
const MAX_LEVELS = 500;
const MAX_NAME = 200;
const MAX_ABOUT = 1_000;

/** A part of a result for the model. */
type Part = { readonly text: string } | { readonly image: ImageContent };

/** The result of a call for the model, cleaned. */
export function readResult(given: unknown): ToolResult {
  const result = isJsonObject(given) ? given : {};
  const { content = null, structuredContent: structured, isError: failed, _meta, resultType, ...others } = result;
  const listed: readonly JsonValue[] = content === null ? [] : [content].flat(2);
  // A result of another form, or of an early revision.
  const isOther = content === null && structured === undefined && Object.keys(others).length > 0;
  const parts = (isOther ? [JSON.stringify(others)] : listed).map(readPart);
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  const images = parts.flatMap((part) => ('image' in part ? [part.image] : []));
  if (structured !== undefined && structured !== null && !isSame(structured, texts)) {
    // Some libraries repeat the pictures in it.
    const seen = mapTexts(structured, (text) => (images.some(({ data }) => data === text) ? '[the picture]' : text));
    texts.push(`[structured content]\n${cleanText(JSON.stringify(seen, null, 1))}`);
  }
  const more = images.length - MAX_PICTURES;
  if (more > 0) texts.push(`[${more} more pictures are left out]`);
  const isError =
    failed === true || failed === 'true' || listed.some((part) => isJsonObject(part) && part['type'] === 'error');
  const shown = texts.filter((text) => text !== '').join('\n');
  const empty = isError
    ? 'The call failed. The server gave no reason.'
    : 'The call is done. The server returned nothing.';
  return {
    ...{ content: shown === '' && images.length === 0 ? empty : shown, isError, summary: isError ? 'failed' : 'done' },
    ...(images.length > 0 && { images: images.slice(0, MAX_PICTURES) }),
  };
}

/** A result with what the model and the user are told about files that other programs run or follow. */
export function withChanges(result: ToolResult, changes: GuardedChanges): ToolResult {
  const notes = noteChanges(changes, 'the server or another program');
  const summary = `${result.summary}${summarizeChanges(changes)}`;
  return { ...result, content: [...notes, result.content].join('\n'), summary };
}

/** True if the texts are the structured content as JSON, or the value of its only key: many servers wrap it so. */
function isSame(structured: JsonValue, texts: readonly string[]): boolean {
  const sorted = (value: unknown): string => JSON.stringify(canonical(value));
  const all = texts.map((text) => (nestsDeeper(text, MAX_LEVELS) ? text : jsonOr(text, text)));
  const [only, ...others] = isJsonObject(structured) ? Object.entries(structured) : [];
  const isWrapped = only?.[0] === 'result' || ['string', 'object'].includes(typeof only?.[1]);
  const meant = only !== undefined && isWrapped && others.length === 0 ? [structured, only[1]] : [structured];
  // A text that is JSON may be meant as a text, such as that of a file.
  const said = [all, texts].flatMap((each) => [each, ...(each.length === 1 ? each : [])]).map(sorted);
  return texts.length > 0 && meant.some((value) => said.includes(sorted(value)));
}

/** A part of a result, or of a message of a prompt. One of an unknown type is shown as JSON, unless it is binary. */
export function readPart(part: unknown): Part {
  if (!isJsonObject(part)) return { text: cleanText(typeof part === 'string' ? part : JSON.stringify(part)) };
  const { type = 'unknown', text, mimeType, uri, name, resource, annotations: _for, _meta, ...others } = part;
  const kind = typeof mimeType === 'string' ? cleanLine(mimeType, MAX_NAME) : 'unknown type';
  if (type === 'resource' || isJsonObject(resource)) return readResource(isJsonObject(resource) ? resource : part);
  if (type === 'resource_link' && typeof uri === 'string') {
    const title = typeof name === 'string' ? `${cleanLine(name, MAX_NAME)}: ` : '';
    const { description } = others;
    const about = typeof description === 'string' ? ` – ${cleanLine(description, MAX_ABOUT)}` : '';
    return { text: `[resource ${title}${cleanLine(uri, MAX_NAME)}${about}]` };
  }
  if (text !== undefined && text !== null)
    return { text: cleanText(typeof text === 'string' ? text : JSON.stringify(text)) };
  const said: string[] = [];
  mapTexts(others, (each) => {
    said.push(each);
    return each;
  });
  const picture = said.map(pictureOf).find((each) => each !== undefined);
  if (picture !== undefined) return picture;
  const binary = typeof others['data'] === 'string' ? others['data'] : said.find((each) => BINARY.test(each.trimEnd()));
  const label = type === 'image' ? 'picture' : cleanLine(String(type), MAX_NAME);
  // Some servers name the place of the data.
  const isAddress = binary !== undefined && /^https?:/.test(binary);
  if (isAddress) return { text: `[${label}, ${kind}: ${cleanLine(binary, MAX_ABOUT)}]` };
  if (binary !== undefined) return unseen(label, kind, binary);
  const json = JSON.stringify({ ...others, ...(uri !== undefined && { uri }), ...(name !== undefined && { name }) });
  return { text: json === '{}' ? `[a part of the type ${label} without content]` : cleanText(json) };
}

/** A long text that is nothing but Base64. */
const BINARY = /^[A-Za-z0-9+/\s]{200,}={0,2}$/;

/** The content of a resource: its text with its address, also as Base64, a picture, or its size. */
function readResource(resource: Readonly<Record<string, unknown>>): Part {
  const { uri, mimeType, blob } = resource;
  const address = typeof uri === 'string' ? cleanLine(uri, MAX_NAME) : 'unknown';
  const kind = typeof mimeType === 'string' ? cleanLine(mimeType, MAX_NAME) : 'unknown type';
  const file = typeof blob === 'string' ? decodeFile(Buffer.from(blob, 'base64')) : undefined;
  const text = resource['text'] || (file?.type === 'text' && file.encoding.startsWith('utf') ? file.text : '');
  if (typeof text === 'string' && text !== '') return { text: `[resource ${address}]\n${cleanText(text)}` };
  // Some servers only name a resource, which the model can read.
  if (typeof blob !== 'string' || blob === '') return { text: `[resource ${address}]` };
  return pictureOf(blob) ?? unseen(`resource ${address}`, kind, blob);
}

/** The picture in Base64; `undefined` for data that no model accepts. Some servers send the whole URL of it, or break lines. */
function pictureOf(given: string): Part | undefined {
  const data = given.replace(/^data:[^,]*,/, '').replaceAll(/\s+/g, '');
  const [mediaType] = PICTURES.find(([, start]) => start.test(data)) ?? [];
  const isUsable = data.length <= MAX_PICTURE && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  return mediaType !== undefined && isUsable ? { image: { mediaType, data } } : undefined;
}

function unseen(what: string, kind: string, base64: string): Part {
  return { text: `[${what}, ${kind}, ${formatSize(Math.floor((base64.length * 3) / 4))}: not shown]` };
}
