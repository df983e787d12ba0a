import type { ContentBlock } from '@agentclientprotocol/sdk';
import { invalidParams } from './answers.ts';

/**
 * The text of a prompt: its texts, the names of linked files, and embedded files between `<file>` and `</file>`. Throws
 * the error of the protocol for a block that no model can read.
 */
export function promptText(blocks: readonly ContentBlock[]): string {
  const text = blocks.map(blockText).join('');
  if (text.trim() === '') throw invalidParams('The prompt is empty. Say what to do.');
  return text;
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return placeOf(block.uri);
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return `\n<file path="${placeOf(resource.uri)}">\n${resource.text}\n</file>\n`;
      throw invalidParams(`The file ${placeOf(resource.uri)} is binary. Link it, so that a tool can read it.`);
    }
    case 'image':
    case 'audio':
      throw invalidParams(`ybs takes no ${block.type} in a prompt. Link a file instead.`);
  }
}

/** A file as its path, anything else as its address. */
function placeOf(uri: string): string {
  if (!uri.startsWith('file://')) return uri;
  const path = uri.slice('file://'.length).replace(/#L\d+.*$/, '');
  const decoded = decode(path);
  // `/C:/x` is a path of Windows.
  return /^\/[A-Za-z]:\//.test(decoded) ? decoded.slice(1) : decoded;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
