import type {
  LockedPart,
  LockedStep,
  ObservedPart,
  ObservedPrompt,
  PromptLock,
  VolatileText,
} from '../scenario/lock/prompt-lock.ts';
import { digestPart } from './prompt-parts.ts';
import { replaceVolatile } from './replace-volatile.ts';
import { DURATION, type PartPair, proposeVolatile, type VolatileProposal } from './volatile.ts';

/** A tool result or a text of the user with more characters is kept by its digest. */
export const MAX_LOCKED_TEXT = 8000;

/** Creates the lock of a run. Of several prompts for a step the first one counts, because a retry repeats it. Pure. */
export function createLock(
  prompts: readonly ObservedPrompt[],
  { agent, volatile }: Pick<PromptLock, 'agent' | 'volatile'>,
): PromptLock {
  const normalize = replaceVolatile(volatile);
  const steps = new Map<string, LockedStep>();
  let before = new Map<string, string>();
  for (const { scenario, step, parts } of prompts) {
    const key = `${step} ${scenario}`;
    if (steps.has(key)) continue;
    const locked = parts.filter(isLocked).map((part) => lockPart(part, normalize(part.text, part.name)));
    const digests = new Map(locked.map(({ part, digest }) => [part, digest]));
    const removed = [...before.keys()].filter((name) => !digests.has(name));
    const changed = locked.filter(({ part, digest }) => before.get(part) !== digest);
    steps.set(key, { scenario, step, parts: changed, ...(removed.length > 0 && { removed }) });
    before = digests;
  }
  return { version: 1, agent, volatile, steps: [...steps.values()] };
}

/** True for a part that a lock has. Answers come from the scenario and cannot drift. */
export function isLocked({ kind }: ObservedPart): boolean {
  return kind !== 'assistant';
}

function lockPart({ kind, name }: ObservedPart, text: string): LockedPart {
  const digest = digestPart(text);
  if (text.length > MAX_LOCKED_TEXT && (kind === 'user' || kind === 'tool_result')) {
    return { part: name, digest, note: `${text.length} characters, kept by digest` };
  }
  return { part: name, digest, text: text.split('\n') };
}

/** The text of a lock file: every line of a part is a line of it, so that a diff of two locks can be read. */
export function formatLock(lock: PromptLock): string {
  return `${JSON.stringify(lock, undefined, 2)}\n`;
}

/** Proposes volatile texts from two runs of the same story. Steps that only one of them has are left out. Pure. */
export function compareRuns(
  first: readonly ObservedPrompt[],
  second: readonly ObservedPrompt[],
  known: readonly VolatileText[] = [],
): VolatileProposal {
  const normalize = replaceVolatile(known);
  const others = textsByPart(second);
  const pairs = new Map<string, PartPair>();
  for (const [key, { name, text }] of textsByPart(first)) {
    const other = others.get(key);
    if (other === undefined || other.text === text) continue;
    const pair = { part: name, first: normalize(text, name), second: normalize(other.text, name) };
    // A part repeats in all later steps.
    pairs.set(JSON.stringify(pair), pair);
  }
  return proposeVolatile([...pairs.values()]);
}

function textsByPart(prompts: readonly ObservedPrompt[]): Map<string, ObservedPart> {
  const texts = new Map<string, ObservedPart>();
  for (const { scenario, step, parts } of prompts) {
    for (const part of parts.filter(isLocked)) {
      const key = JSON.stringify([scenario, step, part.name]);
      if (!texts.has(key)) texts.set(key, part);
    }
  }
  return texts;
}

/** The text of a lock, and what is volatile in it. */
export interface LockDraft {
  readonly text: string;
  readonly proposed: readonly VolatileText[];
  readonly unexplained: readonly string[];
}

/**
 * Creates the text of a lock from the first of one or two runs. Entries for what differs between the two, and for the
 * durations in tool results, are added to `volatile`. Pure.
 */
export function draftLock(
  [first = [], second = first]: readonly (readonly ObservedPrompt[])[],
  { agent, volatile }: Pick<PromptLock, 'agent' | 'volatile'>,
): LockDraft {
  const durations = hasDurations(first, volatile) ? [DURATIONS] : [];
  const { entries, unexplained } = compareRuns(first, second, [...volatile, ...durations]);
  const proposed = [...durations, ...entries];
  const lock = createLock(first, { agent, volatile: [...volatile, ...proposed] });
  return { text: formatLock(lock), proposed, unexplained };
}

const DURATIONS: VolatileText = { name: 'duration', part: 'tool result', pattern: DURATION };

/** True if a tool result has a duration that is not volatile yet. */
function hasDurations(prompts: readonly ObservedPrompt[], volatile: readonly VolatileText[]): boolean {
  const duration = new RegExp(DURATION, 'u');
  const known = replaceVolatile(volatile);
  return prompts.some(({ parts }) =>
    parts.some(({ kind, name, text }) => kind === 'tool_result' && duration.test(known(text, name))),
  );
}
