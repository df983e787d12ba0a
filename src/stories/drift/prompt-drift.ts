import type { PromptDrift } from '../../../mock-llm-server/scenario/lock/prompt-lock.ts';
import type { ModelRequest } from '../check-requests.ts';

/** A part of a prompt that differs from the lock of its story, at the first step that has it. */
export interface StoryDrift extends PromptDrift {
  readonly scenario: string;
  /** Counted from 0. */
  readonly step: number;
}

/** The drift in the requests of a run, in order. A request that was repeated reports its drift again. */
export function driftIn(requests: readonly ModelRequest[]): readonly StoryDrift[] {
  const found = new Map<string, StoryDrift>();
  for (const { scenario = '', step = 0, drift = [] } of requests) {
    for (const { part, summary, diff } of drift) {
      const key = JSON.stringify([scenario, step, part]);
      if (!found.has(key)) found.set(key, { scenario, step, part, summary, diff });
    }
  }
  return [...found.values()];
}

/** One line: `step 0, system: +3 −1 lines`, with the scenario if the story has several. */
export function describeDrift({ scenario, step, part, summary }: StoryDrift, all: readonly StoryDrift[]): string {
  const isOne = all.every((other) => other.scenario === scenario);
  return `step ${step}${isOne ? '' : ` of ${scenario}`}, ${part}: ${summary}`;
}
