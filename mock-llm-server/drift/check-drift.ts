import type { Conversation } from '../conversation/conversation.ts';
import { redactForFile } from '../journal/secret-patterns.ts';
import { findWorkingDirectory } from '../reply/intents/working-directory.ts';
import type { ObservedPart, ObservedPrompt, PromptDrift, PromptLock } from '../scenario/lock/prompt-lock.ts';
import { comparePrompt, type ExpectedParts, expectedSteps, stepKey } from './compare.ts';
import { cutPrompt, type NormalizePart, type PromptPart } from './prompt-parts.ts';
import { replaceVolatile, SlowPatternError } from './replace-volatile.ts';
import { readSampling } from './sampling.ts';
import { replaceDirectory } from './volatile.ts';

/** A request and the step that answers it. */
export interface AnsweredPrompt {
  readonly scenario: string;
  /** Counted from 0. */
  readonly step: number;
  readonly conversation: Conversation;
  /** Body of the request, which is valid JSON. */
  readonly body: string;
  /** Result of `secretsOf`. */
  readonly secrets: readonly string[];
  readonly testId: string | undefined;
}

/** Finds drift in the requests of one server. */
export interface DriftCheck {
  /**
   * The parts of a prompt that differ from the lock and did not differ in the same way at an earlier step of the same
   * scenario and test: a system prompt that was edited once is reported once.
   */
  check(lock: PromptLock, prompt: AnsweredPrompt): readonly PromptDrift[];
}

/** The parts of a prompt, without secrets and with `<directory>` in place of the working directory of the client. */
export function observePrompt(
  { conversation, body, secrets }: Pick<AnsweredPrompt, 'conversation' | 'body' | 'secrets'>,
  normalize: NormalizePart = (text) => text,
): readonly PromptPart[] {
  const withoutDirectory = replaceDirectory(findWorkingDirectory(conversation));
  const sampling = readSampling(JSON.parse(body));
  return cutPrompt(conversation, sampling, (text, name) =>
    normalize(withoutDirectory(redactForFile(text, secrets)), name),
  );
}

export function collectPrompts() {
  const list: ObservedPrompt[] = [];
  const kept = new Map<string, ObservedPart>();
  return {
    list,
    add(prompt: AnsweredPrompt): void {
      const parts = observePrompt(prompt).map(({ kind, name, text }) => {
        // Each request repeats the parts of earlier ones, in new strings.
        const known = kept.get(name);
        const part = known?.text === text ? known : { kind, name, text };
        kept.set(name, part);
        return part;
      });
      list.push({ scenario: prompt.scenario, step: prompt.step, parts });
    },
  };
}

/** Limit of remembered findings; they are forgotten together, which at most repeats some. */
const MAX_REMEMBERED = 1000;

/**
 * Creates a `DriftCheck`. Its state are the findings so far, each with the first step that had it. A volatile pattern
 * that takes more than `limitMs` is a finding.
 */
export function createDriftCheck({ limitMs }: { readonly limitMs?: number } = {}): DriftCheck {
  const firstSteps = new Map<string, number>();
  const isFirst = (finding: readonly unknown[], position: number) => {
    const key = JSON.stringify(finding);
    const known = firstSteps.get(key) ?? position;
    if (firstSteps.size >= MAX_REMEMBERED) firstSteps.clear();
    firstSteps.set(key, Math.min(known, position));
    // A retry of the first step reports again what the first try reported.
    return position <= known;
  };
  return {
    check(lock, prompt) {
      const { steps, normalize } = prepare(lock, limitMs);
      const { scenario, step, testId } = prompt;
      const key = stepKey(scenario, step);
      const position = [...steps.keys()].indexOf(key);
      const expected = steps.get(key);
      if (expected === undefined) return [{ part: 'step', summary: 'is not in the lock', diff: '' }];
      let parts: readonly PromptPart[];
      try {
        parts = observePrompt(prompt, normalize);
      } catch (error) {
        if (!(error instanceof SlowPatternError)) throw error;
        const slow = { part: `volatile ${error.entry.name}`, summary: error.message, diff: '' };
        return isFirst([testId, steps.keys().next().value, slow.part], position) ? [slow] : [];
      }
      const digests = new Map(parts.map(({ name, digest }) => [name, digest]));
      return comparePrompt(expected, parts).filter(({ part }) =>
        isFirst([testId, steps.keys().next().value, part, expected.get(part)?.digest, digests.get(part)], position),
      );
    },
  };
}

interface PreparedLock {
  readonly steps: ReadonlyMap<string, ExpectedParts>;
  readonly normalize: NormalizePart;
}

const prepared = new WeakMap<PromptLock, PreparedLock>();

function prepare(lock: PromptLock, limitMs: number | undefined): PreparedLock {
  const known = prepared.get(lock);
  if (known !== undefined) return known;
  const fresh = { steps: expectedSteps(lock), normalize: replaceVolatile(lock.volatile, limitMs) };
  prepared.set(lock, fresh);
  return fresh;
}
