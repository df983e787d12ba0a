import type { PromptDrift, PromptLock } from '../scenario/lock/prompt-lock.ts';
import { headerText } from '../text.ts';
import type { AnsweredPrompt, DriftCheck } from './check-drift.ts';

/** Watches the prompts that steps answer. */
export interface PromptWatch {
  /** False if there is nothing to do for a prompt whose scenario has this lock or none. */
  concerns(lock: PromptLock | undefined): boolean;
  /** Reports a prompt. Resolves to the parts that differ from the lock, undefined if none do. */
  watch(prompt: AnsweredPrompt, lock: PromptLock | undefined): Promise<readonly PromptDrift[] | undefined>;
}

/** Creates a `PromptWatch`. `observe` receives every prompt; `checksDrift` compares prompts with their locks. */
export function createPromptWatch({
  checksDrift,
  observe,
}: {
  readonly checksDrift: boolean;
  readonly observe: ((prompt: AnsweredPrompt) => void) | undefined;
}): PromptWatch {
  let drift: Promise<DriftCheck> | undefined;
  return {
    concerns: (lock) => observe !== undefined || (checksDrift && lock !== undefined),
    async watch(prompt, lock) {
      observe?.(prompt);
      if (!checksDrift || lock === undefined) return undefined;
      // Few scenarios have a lock.
      drift ??= import('./check-drift.ts').then(({ createDriftCheck }) => createDriftCheck());
      const found = (await drift).check(lock, prompt);
      return found.length === 0 ? undefined : found;
    },
  };
}

/** Value of the header `x-mock-drift`: the findings, separated by commas. */
export function driftHeader(drift: readonly PromptDrift[]): string {
  const findings = drift.map(({ part, summary }) => `${part}: ${summary}`.replaceAll('−', '-'));
  return headerText(
    findings.map((text) => text.replaceAll(/[^!-~ ]|[%,]/gu, encodeURIComponent)),
    ', ',
  );
}
