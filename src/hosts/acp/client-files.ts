import { FileSystemError, unlessFileError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';

/** The files of a client, as its user sees them: saved or not. Both calls reject when the client cannot do it. */
export interface ClientFiles {
  readonly readText?: ((path: string) => Promise<string>) | undefined;
  /** Changes the text that the user sees, and saves it. */
  readonly writeText?: ((path: string, text: string) => Promise<void>) | undefined;
  /** True if the client may be asked about this path. */
  readonly covers: (path: string) => boolean;
  readonly join: (directory: string, name: string) => string;
}

/**
 * A file system on which files with unsaved changes have the text that the user of a client sees, and on which files
 * that exist are changed by the client. Everything else is done on the disk: links, new files, binary files, files that the
 * client refuses to read. A path is checked on the disk before the client is asked for it.
 */
export function withClientFiles(disk: FileSystem, client: ClientFiles): FileSystem {
  const { readText, writeText, covers, join } = client;
  return {
    ...disk,
    async readFile(path, maxBytes, links) {
      const saved = await disk.readFile(path, maxBytes, links);
      if (readText === undefined || !covers(path) || saved.bytes.length < saved.size) return saved;
      const text = decode(saved.bytes);
      const shown = text === undefined ? undefined : await readText(path).catch(() => undefined);
      if (text === undefined || shown === undefined || isSame(shown, text)) return saved;
      const bytes = new TextEncoder().encode(withEndingsOf(text, shown));
      return { ...saved, bytes: bytes.subarray(0, maxBytes), size: bytes.length };
    },
    async replaceFile(directory, name, bytes, mode) {
      const path = join(directory, name);
      const text = decode(bytes);
      const isClients = writeText !== undefined && text !== undefined && mode === undefined && covers(path);
      if (!isClients || !(await isFile(disk, path))) return disk.replaceFile(directory, name, bytes, mode);
      try {
        await writeText(path, text);
      } catch (error) {
        throw new FileSystemError('io_error', path, { cause: error });
      }
    },
  };
}

/** True for a regular file that the path names without a link. */
async function isFile(disk: FileSystem, path: string): Promise<boolean> {
  const found = await unlessFileError(Promise.all([disk.realPath(path), disk.stat(path)]));
  return found?.[0] === path && found[1].kind === 'file';
}

/** The text of these bytes; `undefined` if they are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Editors keep line endings and the byte order mark apart from the text. */
function isSame(shown: string, saved: string): boolean {
  return plain(shown) === plain(saved);
}

function plain(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}

/** The text that the user sees, with the byte order mark and the line endings of the saved one. */
function withEndingsOf(saved: string, shown: string): string {
  const lines = plain(shown);
  const endings = /\r\n/.test(saved) && !/(?<!\r)\n/.test(saved) ? lines.replaceAll('\n', '\r\n') : lines;
  return saved.startsWith('\ufeff') ? `\ufeff${endings}` : endings;
}
