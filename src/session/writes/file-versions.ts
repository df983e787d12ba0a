import { FileSystemError } from '../../agent/errors.ts';
import type { ComputeDigest } from '../../agent/ports/digest.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { stagedEntries } from '../../text/bytes/git-index.ts';
import type { FileState } from '../schemas.data.ts';
import type { WriteStorage } from './write-storage.ts';

/** A version of a file: its bytes, or the reason why they are unknown. */
export type FileVersion =
  | { readonly type: 'missing' }
  | { readonly type: 'file'; readonly bytes: Uint8Array }
  | { readonly type: 'unknown'; readonly reason: string };

export interface JournalPorts {
  readonly fileSystem: FileSystem;
  readonly digest: ComputeDigest;
  readonly storage: WriteStorage;
}

/** Maximum size of a file whose bytes are kept. The tools of ybs change no larger one. */
const MAX_BYTES = 10 * 1024 * 1024;

const MISSING = { type: 'missing' } as const;

/** The current state of a file. */
export interface SeenFile {
  readonly version: FileVersion;
  readonly state: FileState;
}

/** Reads the current state of a file. */
export async function lookAt(path: string, { fileSystem, digest }: JournalPorts): Promise<SeenFile> {
  try {
    const { bytes, size, mode } = await fileSystem.readFile(path, MAX_BYTES, 'refuse');
    if (size > bytes.length) return unknown('it is larger than 10 MB');
    const entries = /[/\\]index$/.test(path) ? stagedEntries(bytes) : undefined;
    const staged = entries !== undefined && { staged: digest(entries) };
    return { version: { type: 'file', bytes }, state: { type: 'file', digest: digest(bytes), mode, size, ...staged } };
  } catch (error) {
    const reason = reasonOf(error);
    return isMissing(error) ? { version: MISSING, state: MISSING } : unknown(reason);
  }
}

/** The version of a file in a state that was noted before a write. Throws `FileSystemError`. */
export async function versionOf(state: FileState, { storage, digest }: JournalPorts): Promise<FileVersion> {
  if (state.type !== 'file') return state;
  const bytes = await storage.read(state.digest);
  if (bytes === undefined) return { type: 'unknown', reason: 'its content before was not kept' };
  if (digest(bytes) === state.digest) return { type: 'file', bytes };
  return { type: 'unknown', reason: 'the copy of its content before is damaged' };
}

function unknown(reason: string): SeenFile {
  const state = { type: 'unknown', reason } as const;
  return { version: state, state };
}

function isMissing(error: unknown): boolean {
  return error instanceof FileSystemError && (error.code === 'not_found' || error.code === 'not_a_directory');
}

/** The reason of a failed file operation, for people. Throws any other error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof FileSystemError)) throw error;
  return error.reason;
}
