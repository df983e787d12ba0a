import { ToolError } from '../../core/errors.ts';
import type { Digest } from '../../ports/digest.ts';
import { truncateLines } from '../../text/truncate.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';

/** A file as this session last saw it; `text` is empty for a binary file. */
export interface SeenFile {
  readonly digest: Digest;
  readonly text: string;
}

/** The files, by real path, that this session has read or written. Cleared on `/clear`. */
export class ReadLedger {
  readonly #files = new Map<string, SeenFile>();

  record(realPath: string, file: SeenFile): void {
    this.#files.set(realPath, file);
  }

  get(realPath: string): SeenFile | undefined {
    return this.#files.get(realPath);
  }

  clear(): void {
    this.#files.clear();
  }
}

const MAX_SHOWN_LINES = 40;

/** Throws `file_changed` with the changes when a file differs from the one that this session has seen. */
export function requireAsSeen(display: string, seen: SeenFile | undefined, found: SeenFile): void {
  if (seen === undefined || seen.digest === found.digest) return;
  const { hunks } = unifiedDiff(display, seen.text, found.text);
  const shown = truncateLines(hunks.split('\n'), MAX_SHOWN_LINES).join('\n');
  const changes = hunks === '' ? 'Only bytes that are not part of its text differ.' : `What has changed:\n${shown}`;
  throw new ToolError(
    'file_changed',
    `${display} has changed since you read it. Nothing was written. Read it with read_file, then try again. ${changes}`,
  );
}
