import { FileSystemError, UsageError } from '../agent/errors.ts';
import { escapeLine } from '../text/escape.ts';
import type { RetentionLimits } from './retention.ts';
import type { SessionHead } from './session-list.ts';
import type { SessionRecord } from './session-record.ts';
import type { SessionStore } from './session-store.ts';

/** The session to open: a new one, perhaps with a name and an id, a stored one, or a new one that continues a stored one. */
export type ChosenSession =
  | { readonly type: 'new'; readonly name?: string; readonly id?: string }
  | { readonly type: 'stored'; readonly name: string }
  | { readonly type: 'fork'; readonly name: string; readonly id?: string };

/** The options that choose a session; each is absent unless given. */
export interface SessionChoice {
  /** Continue the last session of the workspace. */
  readonly continue?: boolean | undefined;
  /** Continue the session of this UUID, file name or unique start of one of them. */
  readonly resume?: string | undefined;
  /** With `continue` or `resume`: continue in a new session, and leave the original unchanged. */
  readonly fork?: boolean | undefined;
  /** The id of the new session: a UUID, or up to 64 letters, digits, points, hyphens and underscores. */
  readonly sessionId?: string | undefined;
  /** Continue the session of `sessionId` if there is one. */
  readonly reuse?: boolean | undefined;
}

/** The place of a session, and the rules of the store. */
interface ChoiceSettings {
  /** Real path of the directory to work in. */
  readonly workspace: string;
  readonly limits: RetentionLimits;
  readonly autoSave: boolean;
}

/**
 * Chooses the session that the options name: a new one, the last one of the workspace (`--continue`), or the one of
 * `--resume`. Removes sessions that are due, or announces that. Throws `UsageError` if there is no such session, or if a
 * new one could not be stored.
 */
export async function chooseSession(
  options: SessionChoice,
  settings: ChoiceSettings,
  store: SessionStore,
  warn: (message: string) => Promise<unknown>,
): Promise<ChosenSession> {
  try {
    return await findOrBegin(options, settings, store, warn);
  } catch (error) {
    throw unusable(error);
  }
}

/** Opens the chosen session. Throws `UsageError` if it cannot be stored. */
export async function openChosen(chosen: ChosenSession, sessions: SessionStore): Promise<SessionRecord> {
  try {
    switch (chosen.type) {
      case 'new':
        return await sessions.create(chosen.name, chosen.id);
      case 'stored':
        return await sessions.open(chosen.name);
      case 'fork':
        return await sessions.fork(chosen.name, chosen.id);
    }
  } catch (error) {
    throw unusable(error);
  }
}

/** An error of the disk as a `UsageError`; any other error itself. */
function unusable(error: unknown): unknown {
  if (!(error instanceof FileSystemError)) return error;
  const { code, path } = error;
  // Creating a directory on a read-only disk also fails like this.
  const reason = code === 'not_found' ? 'it cannot be created' : error.reason;
  return new UsageError(
    `The directory of the sessions cannot be used: ${path}: ${reason}. Change that, or choose another directory (session.storage_path)`,
  );
}

async function findOrBegin(
  options: SessionChoice,
  { workspace, limits, autoSave }: ChoiceSettings,
  store: SessionStore,
  warn: (message: string) => Promise<unknown>,
): Promise<ChosenSession> {
  const { resume, fork = false, sessionId: id, reuse = false } = options;
  const given = id === undefined ? {} : { id };
  const isStored = resume !== undefined || options.continue === true;
  if (fork && !isStored)
    throw new UsageError('--fork-session needs --resume or --continue, which name the session to continue.');
  const heads = isStored || id !== undefined ? await store.heads() : [];
  if (isStored) {
    const name = resume === undefined ? lastOf(workspace, heads) : await store.find(resume);
    const isSame = id === undefined || heads.some((head) => head.name === name && head.id === id);
    if (!fork && isSame) return { type: 'stored', name };
    if (!fork) throw new UsageError('--session-id is the id of a new session. Add --fork-session, or leave it out.');
    requireFree(id, heads);
    return { type: 'fork', name, ...given };
  }
  const same = reuse ? heads.find((head) => head.id === id) : undefined;
  if (same !== undefined) return { type: 'stored', name: same.name };
  requireFree(id, heads);
  if (autoSave) {
    await store.requireWritable();
    await store.cleanUp(limits, warn);
  }
  return autoSave ? { type: 'new', name: store.newName(), ...given } : { type: 'new', ...given };
}

function lastOf(workspace: string, heads: readonly SessionHead[]): string {
  const name = heads.find((head) => head.workspace === workspace)?.name;
  if (name !== undefined) return name;
  throw new UsageError(
    `There is no session of ${escapeLine(workspace)} to continue. Start ybs without --continue, or choose a session of another directory with: ybs --resume`,
  );
}

/** Throws `UsageError` for an invalid id, or one that a session has. */
function requireFree(id: string | undefined, heads: readonly SessionHead[]): void {
  if (id === undefined) return;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) {
    throw new UsageError('--session-id takes a UUID, or up to 64 letters, digits, points, hyphens and underscores.');
  }
  if (!heads.some((head) => head.id === id || head.name === id)) return;
  throw new UsageError(`There is a session ${id} already. Continue it with --resume ${id}`);
}
