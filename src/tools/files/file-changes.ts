import { ToolError } from '../../core/errors.ts';
import type { Digest } from '../../ports/digest.ts';
import { truncateLines } from '../../text/truncate.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';
import type { SeenFile } from './load-file.ts';
import { type FilePorts, loadFile } from './load-file.ts';
import type { ResolvedPath } from './resolve-path.ts';

const SHOWN_LINES = 40;

/**
 * Throws `file_changed` unless the file is as it was when the call was planned; without a digest, unless it still
 * does not exist.
 */
export async function requireUnchanged(
  file: ResolvedPath,
  before: Digest | undefined,
  ports: FilePorts,
): Promise<void> {
  const now = await loadFile(file, ports);
  if (now?.digest === before) return;
  throw new ToolError('file_changed', `${whatHappened(file, before, now)} Nothing was written. ${NEXT}`);
}

/** Throws `file_changed`, with what has changed, when a file is no longer as this session has seen it. */
export function requireAsSeen(file: ResolvedPath, seen: SeenFile | undefined, now: SeenFile): void {
  if (seen === undefined || seen.digest === now.digest) return;
  const { hunks } = unifiedDiff(file.display, seen.text, now.text);
  const shown = truncateLines(hunks.split('\n'), SHOWN_LINES).join('\n');
  const changes = hunks === '' ? 'Only bytes that are not part of its text differ.' : `What has changed:\n${shown}`;
  throw new ToolError(
    'file_changed',
    `${file.display} has changed since you read it. Nothing was written. ${NEXT} ${changes}`,
  );
}

const NEXT = 'Read it with read_file, then try again.';

function whatHappened(file: ResolvedPath, before: Digest | undefined, now: unknown): string {
  if (before === undefined) return `${file.display} was created by somebody else after this call was planned.`;
  return `${file.display} was ${now === undefined ? 'deleted' : 'changed'} after this call was planned.`;
}
