import type { ImageContent } from '../../agent/ports/messages.ts';
import type { ToolResult } from '../../agent/ports/tool.ts';
import { isJsonObject, jsonOr } from '../../text/json/json.ts';
import { formatSize } from '../../text/quantities.ts';
import { type ExternalToolPorts, shortenOutput } from '../external-tool/external-tool.ts';
import { canonical, cleanLine, cleanText } from './texts.ts';

const PICTURES: readonly ImageContent['mediaType'][] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The maximum length of a picture in Base64: 5 MB, the smallest limit of the providers. */
const MAX_PICTURE = 5 * 1024 * 1024;
const MAX_PICTURES = 10;
const MAX_NAME = 200;

/** A part of a result for the model. */
type Part = { readonly text: string } | { readonly image: ImageContent };

/** The result of a call for the model, with the limits of the output of a command. */
export async function readResult(given: unknown, callId: string, ports: ExternalToolPorts): Promise<ToolResult> {
  const result = isJsonObject(given) ? given : {};
  const listed: unknown = result['content'];
  const parts = (Array.isArray(listed) ? listed : []).map(readPart);
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  const images = parts.flatMap((part) => ('image' in part ? [part.image] : []));
  const structured = result['structuredContent'];
  if (structured !== undefined && !isSame(structured, texts)) {
    texts.push(`[structured content]\n${cleanText(JSON.stringify(structured, null, 1))}`);
  }
  const more = images.length - MAX_PICTURES;
  if (more > 0) texts.push(`[${more} more pictures are left out]`);
  const isError = result['isError'] === true;
  const whole = texts.filter((text) => text !== '').join('\n');
  const shown = whole === '' ? '' : await shortenOutput(whole, callId, ports);
  const empty = images.length > 0 ? '' : 'The call is done. The server returned nothing.';
  return {
    ...{ content: shown === '' ? empty : shown, isError, summary: isError ? 'failed' : 'done' },
    ...(images.length > 0 && { images: images.slice(0, MAX_PICTURES) }),
  };
}

/** True if the only text is the structured content as JSON. */
function isSame(structured: unknown, [only = '', ...others]: readonly string[]): boolean {
  const parsed = jsonOr(undefined, only);
  if (others.length > 0 || parsed === undefined || !isJsonObject(structured)) return false;
  return isJsonObject(parsed) && JSON.stringify(canonical(parsed)) === JSON.stringify(canonical(structured));
}

/** A part of a result, or of a message of a prompt. */
export function readPart(part: unknown): Part {
  if (!isJsonObject(part)) return { text: '[a part that cannot be read]' };
  const { type, text, data, mimeType, uri, name, resource } = part;
  const kind = typeof mimeType === 'string' ? cleanLine(mimeType, MAX_NAME) : 'unknown type';
  if (type === 'text' && typeof text === 'string') return { text: cleanText(text) };
  if (type === 'image' && typeof data === 'string') return pictureOf(data, kind);
  if (type === 'audio' && typeof data === 'string') return { text: `[audio, ${kind}, ${sizeOf(data)}: not shown]` };
  if (type === 'resource_link' && typeof uri === 'string') {
    const title = typeof name === 'string' ? `${cleanLine(name, MAX_NAME)}: ` : '';
    return { text: `[resource ${title}${cleanLine(uri, MAX_NAME)}]` };
  }
  if (type === 'resource' && isJsonObject(resource)) return readResource(resource);
  return {
    text: `[a part of the type ${typeof type === 'string' ? cleanLine(type, MAX_NAME) : 'unknown'}: not shown]`,
  };
}

/** The content of a resource: its text with its address, a picture, or its size. */
export function readResource(resource: Readonly<Record<string, unknown>>): Part {
  const { uri, mimeType, text, blob } = resource;
  const address = typeof uri === 'string' ? cleanLine(uri, MAX_NAME) : 'unknown';
  const kind = typeof mimeType === 'string' ? cleanLine(mimeType, MAX_NAME) : 'unknown type';
  if (typeof text === 'string') return { text: `[resource ${address}]\n${cleanText(text)}` };
  if (typeof blob !== 'string') return { text: `[resource ${address}: it is empty]` };
  return PICTURES.some((type) => type === kind)
    ? pictureOf(blob, kind)
    : { text: `[resource ${address}, ${kind}, ${sizeOf(blob)}: not shown]` };
}

function pictureOf(data: string, kind: string): Part {
  const mediaType = PICTURES.find((type) => type === kind);
  const isUsable = mediaType !== undefined && data.length <= MAX_PICTURE && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  return isUsable ? { image: { mediaType, data } } : { text: `[picture, ${kind}, ${sizeOf(data)}: not shown]` };
}

function sizeOf(base64: string): string {
  return formatSize(Math.floor((base64.length * 3) / 4));
}
