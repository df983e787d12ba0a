import { FileSystemError } from '../../../agent/errors.ts';
import type { FileVersion } from '../../../session/writes/file-versions.ts';
import type { FileChange } from '../../../session/writes/write-journal.ts';
import { decodeFile, describeFormat } from '../../../text/bytes/decode.ts';
import { unifiedDiff } from '../../../text/diff/unified-diff.ts';
import { pathForPeople } from '../../../text/for-people/path-for-people.ts';
import { formatSize } from '../../../text/quantities.ts';
import { runAtOnce } from '../../../text/steps.ts';
import { truncateLines } from '../../../text/truncate.ts';
import { type ChatCommand, type CommandResult, refused, shown } from '../chat-command.ts';

/** `/diff`. */
export const DIFF_COMMAND: ChatCommand = {
  name: 'diff',
  description: 'Show how the files that this session has written differ from what they were before',
  async run(agent, _argument, { signal }) {
    const { record, workspace } = await agent();
    try {
      return await describeChanges(record.writes.changes(), workspace, signal);
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      return refused(`The earlier content of the files cannot be read: ${error.message}`);
    }
  },
};

/** The number of lines of the diff of one file; git has the rest. */
const MAX_LINES = 400;

/** One changed file: a word for what has happened to it, its path for people, and its diff, which may be empty. */
interface ShownChange {
  readonly kind: 'new' | 'changed' | 'deleted' | 'unknown';
  readonly path: string;
  readonly note: string;
  readonly diff: string;
}

async function describeChanges(
  changes: AsyncIterable<FileChange>,
  workspace: string,
  signal: AbortSignal,
): Promise<CommandResult> {
  const files: ShownChange[] = [];
  for await (const change of changes) {
    if (signal.aborted) return shown('Stopped.');
    files.push(describeChange(change, workspace));
  }
  if (files.length === 0) return shown('No file differs from its content before this session.');
  const diffs = files.flatMap(({ diff }) => (diff === '' ? [] : truncateLines(diff.trimEnd().split('\n'), MAX_LINES)));
  const width = Math.max(...files.map(({ kind }) => kind.length));
  const text = files.map(({ kind, path, note }) => `${kind.padEnd(width)}  ${path} (${note})`).join('\n');
  return { type: 'text', text, ...(diffs.length > 0 && { diff: diffs.join('\n') }) };
}

function describeChange({ path: realPath, before, after }: FileChange, workspace: string): ShownChange {
  const path = pathForPeople(realPath, workspace);
  const unknown = [before, after].find((version) => version.type === 'unknown');
  if (unknown !== undefined) return { kind: 'unknown', path, note: unknown.reason, diff: '' };
  const kind = before.type === 'missing' ? 'new' : after.type === 'missing' ? 'deleted' : 'changed';
  const [old, fresh] = [contentOf(before), contentOf(after)];
  if (old?.type === 'binary' || fresh?.type === 'binary') {
    const sizes = [...sizeOf(before, 'before'), ...sizeOf(after, 'now')];
    return { kind, path, note: `binary, ${sizes.join(', ')}`, diff: '' };
  }
  const { unified, added, removed } = runAtOnce(unifiedDiff(path, old?.text, fresh?.text));
  if (unified !== '') return { kind, path, note: `+${added} −${removed}`, diff: unified };
  if (old === undefined || fresh === undefined) return { kind, path, note: 'empty', diff: '' };
  const formats = [old, fresh].map(({ encoding, text }) => describeFormat(encoding, text).join(', ') || 'UTF-8');
  return { kind, path, note: `${formats.join(' before, ')} now`, diff: '' };
}

function contentOf(version: FileVersion): ReturnType<typeof decodeFile> | undefined {
  return version.type === 'file' ? decodeFile(version.bytes) : undefined;
}

function sizeOf(version: FileVersion, when: string): readonly string[] {
  return version.type === 'file' ? [`${formatSize(version.bytes.length)} ${when}`] : [];
}
