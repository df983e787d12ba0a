import { type FileHandle, open, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { newId } from '../system.ts';

/**
 * Opens a file that contains a text and has lost its name, as the standard input of a program. A file cannot block, and
 * unlike the sockets that Node.js uses as pipes, a program can open it again as `/dev/stdin`. The caller closes it.
 */
export async function openInput(text: string): Promise<FileHandle> {
  const file = path.join(os.tmpdir(), `ybs-input-${newId()}`);
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    return await open(file, 'r');
  } finally {
    await rm(file, { force: true });
  }
}
