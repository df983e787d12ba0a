import type { ScenarioFile } from '../../mock-llm-server/scenario/format.ts';
import type { PromptDrift } from '../../mock-llm-server/scenario/lock/prompt-lock.ts';

/** A request to the mock model and its answer. */
export interface MockRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Name of the scenario that answered. */
  readonly scenario?: string | undefined;
  /** Counted from 0. */
  readonly step?: number | undefined;
  /** Kind of a request that the server answers apart from scenarios. */
  readonly auxiliary?: string | undefined;
  readonly fault?: string | undefined;
  /** The expectations of the step that the request did not meet. */
  readonly unmet?: readonly UnmetExpectation[] | undefined;
  /** Notes of the mock server on its answer, such as arguments that the schema of a tool forbids. */
  readonly notes?: readonly string[] | undefined;
  readonly error?: string | undefined;
  /** True: a server answered that does not tell which step it was. */
  readonly hasUnknownStep?: true;
  /** The parts of the prompt that differ from the lock of the story. */
  readonly drift?: readonly PromptDrift[] | undefined;
}

/** An expectation that a request did not meet. `implied`: its step calls a tool that the request does not offer. */
interface UnmetExpectation {
  readonly field: string;
  readonly wanted: string;
  readonly found: string;
  readonly implied?: true;
}

/**
 * The problems of the requests of a story that ended well: those that the model refused although no fault asked for it,
 * those that did not meet an expectation, no request at all, or none for the last step of a scenario.
 */
export function checkRequests(requests: readonly MockRequest[], { scenarios }: ScenarioFile): readonly string[] {
  const refused = refusedRequests(requests);
  const problems = [...refused, ...unmetExpectations(requests)];
  if (problems.length > 0) return problems;
  const last = requests.findLast(({ auxiliary }) => auxiliary === undefined);
  if (last === undefined) return ['the agent sent no request to the model'];
  const steps = scenarios.find(({ name }) => name === last.scenario)?.steps.length;
  if (steps === undefined || last.step === undefined || last.step === steps - 1) return [];
  const end = `the agent ended after step ${last.step} of the scenario "${last.scenario}"`;
  return [`${end}, whose last step is ${steps - 1}; steps count from 0`];
}

/**
 * Names the scenarios and the steps that answered no request; undefined if all did. A scenario that starts at a tool
 * result, such as a failure, covers a case that need not occur: it may stay unused as a whole.
 */
export function describeUnused(requests: readonly MockRequest[], { scenarios }: ScenarioFile): string | undefined {
  if (requests.some(({ hasUnknownStep }) => hasUnknownStep)) return undefined;
  const parts = scenarios.flatMap(({ name, trigger, steps }) => {
    const used = new Set(requests.flatMap(({ scenario, step }) => (scenario === name ? [step] : [])));
    const unused = [...steps.keys()].filter((step) => !used.has(step));
    if (unused.length === 0) return [];
    if (unused.length === steps.length) {
      const isOptional = typeof trigger !== 'string' && trigger.tool_result !== undefined;
      return isOptional ? [] : [`scenario "${name}"`];
    }
    return [`${unused.length === 1 ? 'step' : 'steps'} ${unused.join(', ')} of "${name}"`];
  });
  return parts.length === 0 ? undefined : `never used: ${parts.join('; ')}`;
}

/** The expectations of steps that requests did not meet, as sentences. */
function unmetExpectations(requests: readonly MockRequest[]): readonly string[] {
  return requests.flatMap(({ scenario, step, unmet = [] }) =>
    unmet.map(({ field, wanted, found }) => {
      const told = found === '' ? 'nothing' : JSON.stringify(found);
      return `step ${step} of "${scenario}" expected ${field}: ${wanted}, and found ${told}`;
    }),
  );
}

/** The requests that the model refused although no fault asked for it, except those that `message` explains. */
export function refusedRequests(requests: readonly MockRequest[], message = ''): readonly string[] {
  return requests.flatMap(({ method, path, status, error, fault }) => {
    if (error === undefined || fault !== undefined || message.includes(error)) return [];
    return [`${method} ${path} was answered ${status}: ${error}`];
  });
}

/** A part of a prompt that differs from the lock of its story, at the first step that has it. */
export interface StoryDrift extends PromptDrift {
  readonly scenario: string;
  /** Counted from 0. */
  readonly step: number;
}

/** The drift in the requests of a run, in order. A request that was repeated reports its drift again. */
export function driftIn(requests: readonly MockRequest[]): readonly StoryDrift[] {
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
