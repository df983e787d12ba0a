import { ToolError } from '../../agent/errors.ts';
import type { ImageContent } from '../../agent/ports/messages.ts';
import { formatSize } from '../../text/quantities.ts';
import type { LoadedFile } from './load-file.ts';
import type { ResolvedPath } from './resolve-path.ts';

/** The pictures that models accept, by the type of the file. */
const PICTURES: ReadonlyMap<string, ImageContent['mediaType']> = new Map([
  ['PNG image', 'image/png'],
  ['JPEG image', 'image/jpeg'],
  ['GIF image', 'image/gif'],
  ['WebP image', 'image/webp'],
]);

/** The maximum size of a picture, in bytes: 5 MB in Base64, the smallest limit of the providers. */
const MAX_PICTURE_BYTES = (5 * 1024 * 1024 * 3) / 4;

/**
 * The picture in a file, with one line about it for people; `undefined` for other files. Throws `ToolError` `too_large`.
 */
export function pictureOf(
  file: ResolvedPath,
  { content, bytes, size }: LoadedFile,
): { readonly image: ImageContent; readonly summary: string } | undefined {
  const mediaType = content.type === 'binary' ? PICTURES.get(content.fileType) : undefined;
  if (content.type !== 'binary' || mediaType === undefined) return undefined;
  const summary = `${content.fileType}, ${formatSize(size)}`;
  if (size > MAX_PICTURE_BYTES) {
    throw new ToolError(
      'too_large',
      `${file.display} is too large to be shown (${summary}; the limit is ${formatSize(MAX_PICTURE_BYTES)}). Use run_shell with a program that makes it smaller.`,
    );
  }
  return { image: { mediaType, data: toBase64(bytes) }, summary };
}

/** A multiple of 3, so that the Base64 of the pieces can be joined. */
const BASE64_PIECE_BYTES = 3 * 4_096;

function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += BASE64_PIECE_BYTES) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + BASE64_PIECE_BYTES))));
  }
  return pieces.join('');
}
