import { decodeFile, type TextEncoding } from '../../text/decode.ts';
import { detectLineEndings } from '../../text/line-endings.ts';

/** What is not plain about a text file, in words: its encoding and its line endings. Empty for UTF-8 with LF. */
export function describeForm(encoding: TextEncoding, text: string): readonly string[] {
  return [...(encoding === 'utf-8' ? [] : [ENCODING_NAMES[encoding]]), ...ENDING_NAMES[detectLineEndings(text)]];
}

/** The same for a file that has just been read; a binary file has no form. */
export function formOf(bytes: Uint8Array): readonly string[] {
  const content = decodeFile(bytes);
  return content.type === 'text' ? describeForm(content.encoding, content.text) : [];
}

const ENCODING_NAMES: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 with BOM',
  'utf-16le': 'UTF-16 LE with BOM',
  'utf-16be': 'UTF-16 BE with BOM',
};

const ENDING_NAMES: Readonly<Record<ReturnType<typeof detectLineEndings>, readonly string[]>> = {
  none: [],
  lf: [],
  crlf: ['CRLF line endings'],
  mixed: ['mixed LF and CRLF line endings'],
};
