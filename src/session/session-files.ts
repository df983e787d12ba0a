import path from 'node:path';
import { unlessFileError } from '../agent/errors.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import { sameBytes } from '../text/bytes/same-bytes.ts';

/** The files of the running session that the model may read without a question. */
export interface SessionFiles {
  /** Absolute path of the directory for command logs and saved tool outputs; created when needed. */
  readonly outputDirectory: string;
  /**
   * Stores the full text of a tool output and returns its absolute path: that of the same text, if it has been stored
   * for this call before. Throws `FileSystemError`.
   */
  saveOutput(callId: string, text: string): Promise<string>;
}

/** Creates the files of a session in a directory, which need not exist and which only its owner may read. */
export function createSessionFiles(
  fileSystem: FileSystem,
  outputDirectory: string,
  redact: (text: string) => string = (text) => text,
): SessionFiles {
  return {
    outputDirectory,
    async saveOutput(callId, text) {
      const bytes = new TextEncoder().encode(redact(text));
      const base = callId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80) || 'output';
      for (let number = 1; ; number += 1) {
        const name = `${base}${number === 1 ? '' : `-${number}`}.txt`;
        const file = path.join(outputDirectory, name);
        const found = await readIfExists(fileSystem, file, bytes.length);
        if (found === undefined) await fileSystem.replaceFile(await realDirectory(), name, bytes, 0o600);
        if (found === undefined || sameBytes(found, bytes)) return file;
      }
    },
  };

  async function realDirectory(): Promise<string> {
    await fileSystem.createDirectory(outputDirectory, 'owner');
    return fileSystem.realPath(outputDirectory);
  }
}

/** The start of a file, one byte longer than `length` if the file is; `undefined` if it does not exist. */
async function readIfExists(fileSystem: FileSystem, file: string, length: number): Promise<Uint8Array | undefined> {
  return (await unlessFileError(fileSystem.readFile(file, length + 1), 'not_found'))?.bytes;
}
