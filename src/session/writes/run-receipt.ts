import { FileSystemError } from '../../agent/errors.ts';
import type { AgentEvent, RunReceipt } from '../../agent/ports/events.ts';
import { decodeFile } from '../../text/bytes/decode.ts';
import { diffLines, indexLines } from '../../text/diff/line-diff.ts';
import { runAtOnce, type Steps } from '../../text/steps.ts';
import { commandOf, type RunObserver, writtenPaths } from '../observe-events.ts';
import type { FileVersion } from './file-versions.ts';
import { isProse } from './receipt-rows.ts';
import type { FileChange, WriteJournal } from './write-journal.ts';

type CommandRun = RunReceipt['commands'][number];

/** The part of tests in a command line: their exit code is that of the line, or it may be that of another command. */
export type TestPartOf = (command: string) => 'decides' | 'hidden' | 'none';

/**
 * Reports at the end of a run what it has done: which files differ from what they were before it, which commands ran,
 * which tests ran after the last write, and the first command after them that may write. Reports nothing if it has
 * written nothing and run nothing. `run` is the number of messages before the run.
 */
export function observeReceipt(
  writes: Pick<WriteJournal, 'changes'>,
  run: number,
  testPartOf: TestPartOf,
): RunObserver {
  const calls = new Map<string, Extract<AgentEvent, { type: 'tool_call' }>>();
  const commands: CommandRun[] = [];
  let tests: RunReceipt['tests'];
  let hasWritten = false;
  return {
    async before(event) {
      if (event.type === 'tool_call') calls.set(event.call.id, event);
      if (event.type !== 'tool_result' || NEVER_RAN.has(event.outcome)) return undefined;
      const { effect, permission } = calls.get(event.callId) ?? {};
      const command = commandOf(effect);
      const written = writtenPaths(effect);
      if (written.length > 0) {
        hasWritten = true;
        if (!written.every(isProse)) tests = undefined;
      } else if (command !== undefined && (event.exit !== undefined || event.code === 'interrupted')) {
        const ended = { command, ...(event.exit !== undefined && { exit: event.exit }) };
        commands.push(ended);
        const part = testPartOf(command);
        if (part !== 'none') tests = { ...ended, ...(part === 'hidden' && { hidden: true }) };
        else if (permission?.rule !== READ_ONLY_RULE && tests !== undefined) tests = { followedBy: command, ...tests };
      }
      return undefined;
    },
    async end() {
      const files = hasWritten ? await changedFiles(writes.changes(run)) : [];
      if (files.length === 0 && commands.length === 0) return [];
      return [{ type: 'receipt', files, commands, ...(tests !== undefined && { tests }) }];
    },
  };
}

/** The rule that allows a command that only reads. */
const READ_ONLY_RULE = 'read-only command';

const NEVER_RAN: ReadonlySet<string> = new Set(['denied', 'not_run']);

async function changedFiles(changes: AsyncIterable<FileChange>): Promise<RunReceipt['files']> {
  const files: RunReceipt['files'][number][] = [];
  try {
    for await (const change of changes) files.push(describeChange(change));
  } catch (error) {
    // The journal warns of a storage that cannot be read.
    if (!(error instanceof FileSystemError)) throw error;
  }
  return files;
}

function describeChange({ path: realPath, before, after }: FileChange): RunReceipt['files'][number] {
  if (before.type === 'unknown' || after.type === 'unknown') return { realPath, change: 'unknown' };
  const change = before.type === 'missing' ? 'created' : after.type === 'missing' ? 'deleted' : 'changed';
  const [old, fresh] = [textOf(before), textOf(after)];
  return old === undefined || fresh === undefined
    ? { realPath, change }
    : { realPath, change, ...runAtOnce(countLines(old, fresh)) };
}

/** The text of a version; empty for a file that is missing, and `undefined` for a binary one. */
function textOf(version: Exclude<FileVersion, { type: 'unknown' }>): string | undefined {
  if (version.type === 'missing') return '';
  const content = decodeFile(version.bytes);
  return content.type === 'text' ? content.text : undefined;
}

function* countLines(old: string, fresh: string): Steps<{ readonly added: number; readonly removed: number }> {
  const changes = yield* diffLines(yield* indexLines(old), yield* indexLines(fresh));
  return {
    added: changes.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0),
    removed: changes.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0),
  };
}
