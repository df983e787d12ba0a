import { FileSystemError } from '../../agent/errors.ts';
import type { FileSystemPromises, HandleLike, OpenFlags } from './file-system-promises.ts';
import { requireFile } from './open-files.ts';

/** The code of a rename over a mount point: Docker, Podman and Flatpak mount single files. */
export const MOUNT_POINT = 'EBUSY';

/**
 * Overwrites a file over which no other can be renamed. The end that the new content has more is written first, so that
 * a full disk is found before the old content is touched; after any other failure the old content is written back.
 * A crash can leave the start of the new content before the rest of the old one.
 */
export async function overwriteFile(
  promises: Pick<FileSystemPromises, 'open'>,
  entry: string,
  { bytes, mode, target }: { readonly bytes: Uint8Array; readonly mode: number | undefined; readonly target: string },
  { O_RDWR, O_NOFOLLOW = 0, O_NONBLOCK = 0 }: OpenFlags,
): Promise<void> {
  const handle = await promises.open(entry, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = await handle.stat();
    requireFile(stat, target);
    const old = new Uint8Array(Number(stat.size));
    for (let read = 0; read < old.length; ) {
      const { bytesRead } = await handle.read(old, read, old.length - read, read);
      if (bytesRead === 0) throw new FileSystemError('moved', target);
      read += bytesRead;
    }
    try {
      await writeFrom(handle, bytes, old.length, bytes.length, target);
      await writeFrom(handle, bytes, 0, Math.min(old.length, bytes.length), target);
      await handle.truncate(bytes.length);
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } catch (error) {
      await restore(handle, old, target).catch(() => undefined);
      throw error;
    }
  } finally {
    await handle.close();
  }
}

async function restore(handle: HandleLike, old: Uint8Array, target: string): Promise<void> {
  await handle.truncate(old.length);
  await writeFrom(handle, old, 0, old.length, target);
  await handle.sync();
}

/** Writes a part of the bytes to its own place in the file. */
async function writeFrom(handle: HandleLike, bytes: Uint8Array, start: number, end: number, target: string) {
  for (let at = start; at < end; ) {
    const { bytesWritten } = await handle.write(bytes, at, end - at, at);
    if (bytesWritten === 0) throw new FileSystemError('no_space', target);
    at += bytesWritten;
  }
}
