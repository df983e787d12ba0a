import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { ImageContent } from '../../agent/ports/messages.ts';
import type { Prompt } from '../../app/session.ts';
import { invalidParams } from './answers.ts';

/** The media types of pictures that models read. */
const PICTURES: readonly ImageContent['mediaType'][] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/**
 * The prompt of these blocks: texts, the paths of linked files, embedded files between `<file>` and `</file>`, and
 * pictures. Throws the error of the protocol for a block that no model can read.
 */
export function promptOf(blocks: readonly ContentBlock[]): Prompt {
  const text = blocks.map(blockText).join('');
  const images = blocks.flatMap((block) => (block.type === 'image' ? [pictureOf(block.mimeType, block.data)] : []));
  if (text.trim() === '' && images.length === 0) throw invalidParams('The prompt is empty. Say what to do.');
  return images.length === 0 ? { text } : { text, images };
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return '';
    case 'resource_link':
      return placeOf(block.uri);
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return `\n<file path="${placeOf(resource.uri)}">\n${resource.text}\n</file>\n`;
      throw invalidParams(`The file ${placeOf(resource.uri)} is binary. Link it instead, so that a tool can read it.`);
    }
    case 'audio':
      throw invalidParams('ybs does not accept audio in a prompt. Write what to do.');
  }
}

function pictureOf(mimeType: string, data: string): ImageContent {
  const mediaType = PICTURES.find((name) => name === mimeType);
  if (mediaType !== undefined) return { mediaType, data };
  throw invalidParams(`A picture of the type ${mimeType} cannot be read. Use one of ${PICTURES.join(', ')}.`);
}

/** The path of a linked file, or the address of any other link. */
function placeOf(uri: string): string {
  if (!uri.startsWith('file://')) return uri;
  const path = decode(uri.slice('file://'.length).replace(/#L\d+.*$/, ''));
  // `/C:/x` is a Windows path.
  return /^\/[A-Za-z]:\//.test(path) ? path.slice(1) : path;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
