import type { FileProtection } from '../../agent/ports/file-system.ts';

/** The user whose permissions a process has, and all groups of that user. */
export interface ProcessUser {
  readonly uid: number;
  readonly groups: readonly number[];
}

/** The owner, the group and the permission bits of a file. */
export interface FileOwnership {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

const ROOT = 0;
const OWNER_WRITES = 0o200;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const ANYBODY_WRITES = OWNER_WRITES | GROUP_WRITES | OTHERS_WRITE;

/**
 * The protection of a file against `user`, which is absent on platforms without user ids. Pure. A file is replaced by a
 * new one, which the platform allows whatever the mode of the file, so that the mode must be checked here. Root, who
 * may write everything and keeps the owner, is bound by a mode that lets nobody write.
 */
export function fileProtection(file: FileOwnership, user: ProcessUser | undefined): FileProtection | undefined {
  if (user === undefined || user.uid === ROOT) return allows(file, ANYBODY_WRITES) ? undefined : 'write_protected';
  if (user.uid === file.uid) return allows(file, OWNER_WRITES) ? undefined : 'write_protected';
  const bit = user.groups.includes(file.gid) ? GROUP_WRITES : OTHERS_WRITE;
  return allows(file, bit) ? 'other_owner' : 'write_protected';
}

function allows({ mode }: FileOwnership, bits: number): boolean {
  return (mode & bits) !== 0;
}
