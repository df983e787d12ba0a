import { structuredPatch } from 'diff';
import type { LockedPart, PromptDrift, PromptLock } from '../scenario/lock/prompt-lock.ts';
import { isLocked } from './lock.ts';
import { type PromptPart, splitTool } from './prompt-parts.ts';

/** The parts that a lock expects in the prompt of a step, by name. */
export type ExpectedParts = ReadonlyMap<string, LockedPart>;

export function expectedSteps(lock: PromptLock): ReadonlyMap<string, ExpectedParts> {
  const steps = new Map<string, ExpectedParts>();
  let before: ExpectedParts = new Map();
  for (const { scenario, step, parts, removed = [] } of lock.steps) {
    const expected = new Map(before);
    for (const name of removed) expected.delete(name);
    for (const part of parts) expected.set(part.part, part);
    steps.set(stepKey(scenario, step), expected);
    before = expected;
  }
  return steps;
}

export function stepKey(scenario: string, step: number): string {
  return `${step} ${scenario}`;
}

/** Edits after which the comparison of two texts gives up: it takes quadratic time. */
const MAX_EDITS = 2000;

/** The parts of a prompt that differ from the expected ones, in the order of the prompt; missing ones last. Pure. */
export function comparePrompt(
  expected: ExpectedParts,
  parts: readonly PromptPart[],
  maxEdits = MAX_EDITS,
): readonly PromptDrift[] {
  const actual = parts.filter(isLocked);
  const names = new Set(actual.map(({ name }) => name));
  const missing = [...expected.keys()].filter((name) => !names.has(name));
  return [
    ...actual.flatMap((part) => comparePart(expected.get(part.name), part, maxEdits) ?? []),
    ...missing.map((part) => ({ part, summary: 'removed', diff: '' })),
  ];
}

function comparePart(expected: LockedPart | undefined, part: PromptPart, maxEdits: number): PromptDrift | undefined {
  const { name, kind, text, digest } = part;
  if (expected === undefined) return { part: name, summary: 'added', diff: '' };
  if (expected.digest === digest) return undefined;
  if (expected.text === undefined) return { part: name, summary: 'differs', diff: '' };
  const before = expected.text.join('\n');
  const change = { before, text, ...diffTexts(before, text, maxEdits) };
  return { part: name, summary: SUMMARIES[kind](change), diff: change.diff };
}

type Change = ReturnType<typeof diffTexts> & { readonly before: string; readonly text: string };

const countLines = ({ added, removed }: Change): string => `+${added} −${removed} lines`;

const SUMMARIES: Readonly<Record<PromptPart['kind'], (change: Change) => string>> = {
  system: countLines,
  user: countLines,
  assistant: countLines,
  tool: describeToolChange,
  sampling: () => 'changed',
  tool_result: () => 'differs',
};

function describeToolChange({ before, text: after }: Change): string {
  const [old, changed] = [splitTool(before), splitTool(after)];
  if (old.schema === changed.schema) return 'description changed';
  return old.description === changed.description ? 'schema changed' : 'description and schema changed';
}

/** Unchanged lines around a change. */
const CONTEXT = 1;
/** Lines of a diff, and characters of a line, that are shown. */
const MAX_LINES = 40;
const MAX_LENGTH = 200;

/** The differing lines of two texts, and their numbers. */
function diffTexts(before: string, after: string, maxEditLength: number) {
  const options = { context: CONTEXT, maxEditLength };
  const patch = structuredPatch('', '', `${before}\n`, `${after}\n`, '', '', options);
  if (patch === undefined) {
    return { diff: '', added: after.split('\n').length, removed: before.split('\n').length };
  }
  const lines = patch.hunks.flatMap(({ oldStart, newStart, lines: changes }) => [
    `@@ line ${oldStart} → ${newStart} @@`,
    ...changes.map((line) => (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line)),
  ]);
  const count = (sign: string) => patch.hunks.flatMap((hunk) => hunk.lines).filter((line) => line[0] === sign).length;
  const more = lines.length - MAX_LINES;
  const shown = more > 0 ? [...lines.slice(0, MAX_LINES), `… ${more} more lines`] : lines;
  return { diff: shown.join('\n'), added: count('+'), removed: count('-') };
}
