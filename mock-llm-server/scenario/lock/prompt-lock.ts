import path from 'node:path';

/** A text that differs from run to run, as literal text or as a regular expression. */
export interface VolatileText {
  /** The text is replaced by this name in angle brackets. */
  readonly name: string;
  readonly text?: string | undefined;
  readonly pattern?: string | undefined;
  /** Only in this part, or in all parts of a kind: `tool result`. */
  readonly part?: string | undefined;
}

/** A part of a prompt as it was accepted. */
export interface LockedPart {
  readonly part: string;
  readonly digest: string;
  /** Reason why the text is absent. */
  readonly note?: string | undefined;
  /** The lines of the part. */
  readonly text?: readonly string[] | undefined;
}

/** A step, and how its prompt differs from that of the step before. */
export interface LockedStep {
  readonly scenario: string;
  /** Counted from 0. */
  readonly step: number;
  /** The parts that are new or different. */
  readonly parts: readonly LockedPart[];
  /** Names of the parts that are gone. */
  readonly removed?: readonly string[] | undefined;
}

/** The content of `prompt.lock.json`: the prompts of a story as they were accepted. */
export interface PromptLock {
  readonly version: 1;
  /** The agent whose prompts these are: `ybs`, the value of `--agent`, or `any` if it is unknown. */
  readonly agent: string;
  readonly volatile: readonly VolatileText[];
  /** The steps in the order of the run. */
  readonly steps: readonly LockedStep[];
}

/** A part of a prompt that an agent sent. It holds no secrets. */
export interface ObservedPart {
  readonly kind: 'system' | 'tool' | 'sampling' | 'user' | 'assistant' | 'tool_result';
  /** Unique in its prompt: `system`, `tool edit_file`, `sampling`, `user 1`, `assistant 1`, `tool result 2`. */
  readonly name: string;
  readonly text: string;
}

/** The prompt that a step answered. */
export interface ObservedPrompt {
  readonly scenario: string;
  /** Counted from 0. */
  readonly step: number;
  readonly parts: readonly ObservedPart[];
}

/** A part of a prompt that differs from the lock. */
export interface PromptDrift {
  /** Name of the part, or `step` for a step that the lock does not have. */
  readonly part: string;
  /** One line: `+3 −1 lines`, `description changed`, `differs`. */
  readonly summary: string;
  /** The lines that differ, in the form of a unified diff; empty if the lock does not have the text. */
  readonly diff: string;
}

/** Modes of drift: `off` does not look for it, `warn` reports it, `fail` also makes the run or the story fail. */
export const DRIFT_MODES = ['off', 'warn', 'fail'] as const;
export type DriftMode = (typeof DRIFT_MODES)[number];

const LOCK_FILE = 'prompt.lock.json';

/** True for the name of a lock, which is not a scenario file although it ends in `.json`. */
export function isLockName(name: string): boolean {
  return name === LOCK_FILE || name.endsWith(`.${LOCK_FILE}`);
}

/** The lock of a scenario file: `prompt.lock.json` beside `scenario.json`, `two.prompt.lock.json` beside `two.yaml`. */
export function lockPathOf(scenarioFile: string): string {
  const { dir, name } = path.parse(scenarioFile);
  return path.join(dir, name === 'scenario' ? LOCK_FILE : `${name}.${LOCK_FILE}`);
}
