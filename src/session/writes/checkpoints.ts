import type { Digest } from '../../agent/ports/digest.ts';
import type { FileState, JournalLine } from '../schemas.data.ts';

type BeforeLine = Extract<JournalLine, { type: 'before' }>;

/** A write of one file: its state before, and its state after, which a crash may leave unknown. */
export interface FileWrite extends Pick<BeforeLine, 'path' | 'intended' | 'directories' | 'added' | 'removed'> {
  readonly before: FileState;
  readonly after: FileState | undefined;
}

/** The files before one call wrote them, or before an undo changed them. */
export interface Checkpoint {
  /** Counted from 1 in the session. */
  readonly number: number;
  /** Number of messages before the run of the call; see `WriteJournal.observe`. */
  readonly run: number;
  readonly call: string;
  /** The number of the first checkpoint that an undo reverts; absent for a call. */
  readonly undo: number | undefined;
  readonly isComplete: boolean;
  /** By path. */
  readonly writes: ReadonlyMap<string, FileWrite>;
}

/** The checkpoints after one more line of the index. */
export function addLine(checkpoints: readonly Checkpoint[], line: JournalLine): readonly Checkpoint[] {
  const last = checkpoints.at(-1);
  const isLast = last?.run === line.run && last.call === line.call;
  switch (line.type) {
    case 'before': {
      const { run, call, undo, type: _type, state, ...rest } = line;
      const write = { ...rest, before: state, after: undefined };
      if (last !== undefined && isLast && undo === last.undo && !isEnded(last)) {
        // A call that is asked about again, because the file has changed, has not written it yet.
        return [...checkpoints.slice(0, -1), { ...last, writes: new Map([...last.writes, [line.path, write]]) }];
      }
      const number = checkpoints.length + 1;
      const writes = new Map([[line.path, write]]);
      return [...checkpoints, { number, run, call, undo, isComplete: false, writes }];
    }
    case 'after': {
      const write = last?.writes.get(line.path);
      if (last === undefined || !isLast || write === undefined) return checkpoints;
      const writes = new Map([...last.writes, [line.path, { ...write, after: line.state }]]);
      return [...checkpoints.slice(0, -1), { ...last, writes }];
    }
    case 'undone': {
      if (last !== undefined && isLast) return [...checkpoints.slice(0, -1), { ...last, isComplete: true }];
      const { run, call, undo } = line;
      return [...checkpoints, { number: checkpoints.length + 1, run, call, undo, isComplete: true, writes: new Map() }];
    }
  }
}

/** An id of a call may return in the same run; the writes of an undo come one after the other. */
function isEnded({ undo, writes }: Checkpoint): boolean {
  return undo === undefined && [...writes.values()].some(({ after }) => after !== undefined);
}

/** True if both states are the same content, or no file. */
export function isSameState(one: FileState, other: FileState): boolean {
  if (one.type === 'file' && other.type === 'file')
    return one.digest === other.digest || (one.staged !== undefined && one.staged === other.staged);
  return one.type === 'missing' && other.type === 'missing';
}

/** True unless the write is known to have left the file as it was. */
export function hasChanged({ before, after }: FileWrite): boolean {
  return after === undefined || !isSameState(before, after);
}

/** The checkpoints of calls that changed a file, without those that a complete undo has taken back. */
export function activeCheckpoints(checkpoints: readonly Checkpoint[]): readonly Checkpoint[] {
  const before: (readonly Checkpoint[])[] = [];
  let active: readonly Checkpoint[] = [];
  for (const checkpoint of checkpoints) {
    before.push(active);
    const { undo, isComplete, writes } = checkpoint;
    if (undo === undefined) active = [...writes.values()].some(hasChanged) ? [...active, checkpoint] : active;
    else if (isComplete) active = before[undo - 1] ?? active;
  }
  return active;
}

/** The number of the first checkpoint of the last run that has changed a file; `undefined` if there is none. */
export function lastRun(checkpoints: readonly Checkpoint[]): number | undefined {
  const active = activeCheckpoints(checkpoints);
  const run = active.at(-1)?.run;
  return active.find((checkpoint) => checkpoint.run === run)?.number;
}

/** A file in the state that it had before a checkpoint. */
export interface WantedFile {
  readonly path: string;
  readonly state: FileState;
  readonly last: FileWrite;
  readonly lastIn: Checkpoint;
}

/** The files that were written from a checkpoint on, in the order of their first writes. */
export function wantedFiles(checkpoints: readonly Checkpoint[], from: number): readonly WantedFile[] {
  const wanted = new Map<string, WantedFile>();
  for (const lastIn of checkpoints.slice(from - 1)) {
    for (const last of lastIn.writes.values()) {
      if (!hasChanged(last)) continue;
      const { path } = last;
      wanted.set(path, { path, state: wanted.get(path)?.state ?? last.before, last, lastIn });
    }
  }
  return [...wanted.values()];
}

/** The directories that the writes from a checkpoint on created, the innermost first. */
export function createdDirectories(checkpoints: readonly Checkpoint[], from: number): readonly string[] {
  const writes = checkpoints.slice(from - 1).flatMap((checkpoint) => [...checkpoint.writes.values()]);
  const directories = new Set(writes.flatMap((write) => write.directories ?? []));
  return [...directories].sort((one, other) => other.length - one.length);
}

/**
 * True if the file is in the state after the write, or in its planned state, or in the state before a write that never
 * happened.
 */
export function isAsLeft({ before, after, intended }: FileWrite, now: FileState): boolean {
  if (now.type === 'file' && now.digest === intended) return true;
  return isSameState(after ?? before, now);
}

/** The digests of the kept byte sequences with their sizes. */
export function keptSizes(checkpoints: readonly Checkpoint[]): ReadonlyMap<Digest, number> {
  const states = checkpoints.flatMap(({ writes }) => [...writes.values()].map(({ before }) => before));
  return new Map(states.flatMap((state) => (state.type === 'file' ? [[state.digest, state.size] as const] : [])));
}
