import {
  lockPathOf,
  type ObservedPrompt,
  type PromptLock,
  type VolatileText,
} from '../../../mock-llm-server/scenario/lock/prompt-lock.ts';
import { messageOf } from '../../agent/errors.ts';

/** A lock that was created from the prompts of a run, and not yet written. */
export interface LockDraft {
  /** Content of the file. */
  readonly text: string;
  /** The entries for texts that differed between two runs. */
  readonly proposed: readonly VolatileText[];
  /** Places that differed between two runs and need an entry by hand: `tool result 2, line 4`. */
  readonly unexplained: readonly string[];
}

/** Creates the lock of one or two runs of a story. */
export type DraftLock = (
  runs: readonly (readonly ObservedPrompt[])[],
  lock: Pick<PromptLock, 'agent' | 'volatile'>,
) => Promise<LockDraft>;

export interface RebasePorts {
  readonly draftLock: DraftLock;
  readonly disk: {
    readFile(path: string): Promise<string>;
    /** Replaces a file, which may be missing, at once and completely. */
    replaceFile(path: string, content: string): Promise<void>;
    kindOf(path: string): Promise<'file' | 'directory' | 'missing'>;
  };
  /** The agent that plays: `ybs`, or the value of `--agent`. */
  readonly agent: string;
}

/** Result of a rebase of a story. */
export type Rebased =
  | {
      readonly type: 'written' | 'unchanged';
      readonly file: string;
      readonly proposed: readonly VolatileText[];
      readonly unexplained: readonly string[];
    }
  | { readonly type: 'refused'; readonly reason: string };

/**
 * Accepts the prompts of a run that passed: writes them into the lock of its story, whose scenario file is `file`.
 * Without a lock, `playAgain` plays the story a second time, and what differs between the two becomes its volatile texts.
 */
export async function rebase(
  { file, lock }: { readonly file: string; readonly lock: PromptLock | undefined },
  prompts: readonly ObservedPrompt[],
  playAgain: () => Promise<readonly ObservedPrompt[]>,
  { draftLock, disk, agent }: RebasePorts,
): Promise<Rebased> {
  const lockFile = lockPathOf(file);
  if (lock !== undefined && !isLockOf(lock, agent)) {
    const fix = 'Play the story with that agent, or delete the file.';
    return { type: 'refused', reason: `${lockFile} has the prompts of ${lock.agent}, not of ${agent}. ${fix}` };
  }
  const runs = lock === undefined ? [prompts, await playAgain()] : [prompts];
  try {
    const { text, ...found } = await draftLock(runs, { agent, volatile: lock?.volatile ?? [] });
    const old = (await disk.kindOf(lockFile)) === 'file' ? await disk.readFile(lockFile) : undefined;
    if (old === text) return { type: 'unchanged', file: lockFile, ...found };
    await disk.replaceFile(lockFile, text);
    return { type: 'written', file: lockFile, ...found };
  } catch (error) {
    // The other stories continue.
    return { type: 'refused', reason: messageOf(error) };
  }
}

/** True if a lock has the prompts of this agent, or, as one that a proxy has recorded, of an unknown one. */
export function isLockOf(lock: PromptLock, agent: string): boolean {
  return lock.agent === agent || lock.agent === 'any';
}
