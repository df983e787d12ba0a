import path from 'node:path';
import { UsageError, unlessFileError } from '../../agent/errors.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import { pathForPeople } from '../../text/for-people/path-for-people.ts';
import type { SessionRecord } from '../session-record.ts';
import {
  activeCheckpoints,
  type Checkpoint,
  createdDirectories,
  isAsLeft,
  isSameState,
  lastRun,
  type WantedFile,
  wantedFiles,
} from './checkpoints.ts';
import { type FileVersion, lookAt, reasonOf, versionOf } from './file-versions.ts';
import { type CommandTimeline, readCommands } from './run-commands.ts';
import type { WriteJournal } from './write-journal.ts';

/** The first checkpoint. From it on, an undo puts back all files, but reverts no other undo. */
const FIRST = 1;

/** The refusal of an undo that has nothing to put back. */
export class NothingToUndoError extends UsageError {}

const NOTHING = 'There is nothing to undo: no change of this session is left.';
const LEFT = ' Changes made by its commands are not undone; in a repository, git status shows it.';

export interface UndoReport {
  /** The first checkpoint that was taken back. */
  readonly from: number;
  /** The checkpoint of the undo itself. */
  readonly number: number;
  readonly restored: readonly { readonly path: string; readonly change: 'restored' | 'removed' }[];
  /** The files that were left unchanged, with the reason. */
  readonly kept: readonly { readonly path: string; readonly reason: string }[];
  /** The commands that ran since, whose effects are not undone; those of the whole run, if no checkpoint was named. */
  readonly commands: readonly string[];
  /** The message to the model about it, which is part of the session. Absent if no file changed. */
  readonly event?: Extract<AgentEvent, { type: 'user_message' }>;
}

/** The workspace, a real path, and the reason why the rules of paths refuse every write of a file, if they do. */
export interface UndoPlaces {
  readonly workspace: string;
  readonly refusalOf: (realPath: string) => string | undefined;
}

/**
 * Puts the files back that the session wrote: those of the last run that is not undone yet, or all from the checkpoint
 * `from` on. If all runs are undone, that is tried again for the files that an undo has left as they were. A file that
 * is not as the session left it stays as it is. The bytes that are replaced are kept, and the undo is a checkpoint of
 * its own. It is the user's own command, so that modes and levels do not matter, but the rules of paths do. Throws
 * `NothingToUndoError`, `UsageError` for a checkpoint that is not there, `NotSavedError` and `FileSystemError`.
 */
export async function undoWrites(
  record: SessionRecord,
  { workspace, refusalOf }: UndoPlaces,
  wanted?: number,
): Promise<UndoReport> {
  const { writes } = record;
  const checkpoints = await writes.checkpoints();
  const from = wanted ?? lastRun(checkpoints) ?? ((await firstChange(writes)) && FIRST);
  const timeline = await readCommands(record.lines());
  if (from === undefined) throw new NothingToUndoError(`${NOTHING}${timeline.since(undefined).length > 0 ? LEFT : ''}`);
  if (checkpoints[from - 1] === undefined) throw new UsageError(noCheckpoint(from, checkpoints.length));
  const number = checkpoints.length + 1;
  const undo = { run: record.messageCount, call: `undo-${number}`, undo: from };
  const restored: UndoReport['restored'][number][] = [];
  const kept: UndoReport['kept'][number][] = [];
  const files = wantedFiles(checkpoints, from);
  const names = files.map(({ path: file }) => pathForPeople(file, workspace)).join(', ');
  const action = { action: '/undo', detail: `from checkpoint ${from} on: ${names}` } as const;
  await record.announce({ type: 'user_action', ...action });
  for (const file of files) {
    const refusal = refusalOf(file.path);
    const result = refusal === undefined ? await restore(file, undo, writes, timeline) : { reason: refusal };
    if (result === 'restored' || result === 'removed') restored.push({ path: file.path, change: result });
    else if (result !== undefined) kept.push({ path: file.path, reason: result.reason });
  }
  for (const directory of createdDirectories(checkpoints, from)) await removeIfEmpty(directory, writes);
  if (restored.length > 0 || kept.length === 0) await writes.note({ type: 'undone', ...undo });
  const commands = timeline.since(checkpoints[from - 1], wanted === undefined);
  const report = { from, number, restored, kept, commands };
  if (restored.length === 0) return report;
  const event = { type: 'user_message', text: reminderText(report, workspace), reminder: true } as const;
  await record.append(event, '');
  return { ...report, event };
}

/**
 * The first checkpoint, of the runs from this number of messages on, of a change that is not undone: no undo has taken it
 * back, or one has left its file as it was. `undefined` if there is none.
 */
export async function firstChange(writes: WriteJournal, run = 0): Promise<number | undefined> {
  const checkpoints = await writes.checkpoints();
  const active = new Set(activeCheckpoints(checkpoints));
  const left = new Set<string>();
  for (const { path: file, state, lastIn } of wantedFiles(checkpoints, 1)) {
    const isLeft = lastIn.undo === undefined && !isSameState(state, (await lookAt(file, writes.ports)).state);
    if (isLeft) left.add(file);
  }
  const isChange = (each: Checkpoint): boolean =>
    active.has(each) || (each.undo === undefined && [...each.writes.keys()].some((file) => left.has(file)));
  return checkpoints.find((each) => each.run >= run && isChange(each))?.number;
}

/** The message for a checkpoint that does not exist. */
export function noCheckpoint(number: number, count: number): string {
  const known = count === 0 ? 'this session has none' : `they are 1 to ${count}; /checkpoints lists them`;
  return `There is no checkpoint ${number}: ${known}.`;
}

/** Restores one file. Returns the reason if it stays as it is, and nothing if it is already as it was. */
async function restore(
  { path: file, state, last, lastIn }: WantedFile,
  undo: { readonly run: number; readonly call: string; readonly undo: number },
  writes: WriteJournal,
  timeline: CommandTimeline,
): Promise<'restored' | 'removed' | { readonly reason: string } | undefined> {
  const { state: now } = await lookAt(file, writes.ports);
  if (isSameState(state, now)) return undefined;
  const wanted = await versionOf(state, writes.ports);
  if (wanted.type === 'unknown') return { reason: wanted.reason };
  if (now.type === 'unknown') return { reason: now.reason };
  if (!isAsLeft(last, now)) {
    const cause = timeline.since(lastIn).length > 0 ? '; a command that ran later may have done it' : '';
    return { reason: `it was ${now.type === 'missing' ? 'deleted' : 'changed'} since${cause}` };
  }
  const intended = state.type === 'file' ? { intended: state.digest } : {};
  const { state: started, problem } = await writes.start({ ...undo, path: file, ...intended });
  if (problem !== undefined) return { reason: `its content now cannot be kept: ${problem}` };
  try {
    if (!isSameState(now, started)) return { reason: 'it was changed during the undo' };
    await putBack(file, wanted, state.type === 'file' ? state.mode : undefined, writes);
    return wanted.type === 'missing' ? 'removed' : 'restored';
  } catch (error) {
    return { reason: reasonOf(error) };
  } finally {
    const { state: after } = await lookAt(file, writes.ports);
    const { run, call } = undo;
    await writes.note({ type: 'after', run, call, path: file, state: after });
  }
}

async function putBack(
  file: string,
  wanted: Exclude<FileVersion, { type: 'unknown' }>,
  mode: number | undefined,
  { ports: { fileSystem } }: WriteJournal,
): Promise<void> {
  if (wanted.type === 'missing') await fileSystem.removeFile(file);
  else await fileSystem.replaceFile(path.dirname(file), path.basename(file), wanted.bytes, mode);
}

async function removeIfEmpty(directory: string, { ports: { fileSystem } }: WriteJournal): Promise<void> {
  // An empty directory that remains does not make the undo fail.
  await unlessFileError(fileSystem.removeEmptyDirectory(directory));
}

function reminderText({ restored, kept }: Pick<UndoReport, 'restored' | 'kept'>, workspace: string): string {
  const shown = (file: string): string => pathForPeople(file, workspace);
  return [
    '<reminder>',
    'This is not a message of the user, and the user does not see it. The user has undone changes of yours with /undo:',
    ...restored.map(({ path: file, change }) => `- ${shown(file)}: ${change}`),
    ...(kept.length === 0 ? [] : ['These files stay as they are:', ...kept.map((each) => `- ${shown(each.path)}`)]),
    'Read a file again before you change it, and do not repeat a change that was undone unless the user asks for it. Effects of commands are not undone.',
    '</reminder>',
  ].join('\n');
}
