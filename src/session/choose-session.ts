import { FileSystemError, UsageError } from '../core/errors.ts';
import type { RetentionLimits } from './retention.ts';
import type { SessionStore } from './session-store.ts';

/** The session to open: a new one, perhaps with a name, or a stored one. */
export type ChosenSession =
  | { readonly type: 'new'; readonly name?: string }
  | { readonly type: 'stored'; readonly name: string };

/** The options that choose a session; each is absent unless given. */
export interface SessionChoice {
  /** Go on with the last session of the workspace. */
  readonly continue?: boolean;
  /** Go on with the session of this UUID, file name or unique start of one of them. */
  readonly resume?: string;
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
 * `--resume`. Removes sessions that are due, or announces that. Throws `UsageError` if there is no such session.
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
    if (!(error instanceof FileSystemError)) throw error;
    throw new UsageError(`The directory of the sessions cannot be used: ${error.message} (session.storage_path)`);
  }
}

async function findOrBegin(
  options: SessionChoice,
  { workspace, limits, autoSave }: ChoiceSettings,
  store: SessionStore,
  warn: (message: string) => Promise<unknown>,
): Promise<ChosenSession> {
  if (options.resume !== undefined) return { type: 'stored', name: await store.find(options.resume) };
  if (options.continue === true) {
    const name = (await store.heads()).find((head) => head.workspace === workspace)?.name;
    if (name !== undefined) return { type: 'stored', name };
    throw new UsageError(`There is no session of ${workspace} to continue. Start ybs without --continue.`);
  }
  if (autoSave) await store.cleanUp(limits, warn);
  return autoSave ? { type: 'new', name: store.newName() } : { type: 'new' };
}
