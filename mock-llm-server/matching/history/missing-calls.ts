import { BYTES_PER_TOKEN } from '../../conversation/estimate-tokens.ts';
import { isLongerThan } from '../match.ts';
import type { EchoedAnswer } from './echoed-answers.ts';

/** The parts of a request that cut earlier answers. */
interface Cuts {
  readonly choosesCalls?: boolean;
  readonly maxTokens?: number | undefined;
}

const NONE: readonly string[] = [];

/** True for an answer with all calls of its step, each once. */
function isComplete({ calls, step }: EchoedAnswer): boolean {
  return calls.length === step.toolCalls.length && calls.every(({ call }, index) => call === index);
}

function keyOf({ scenario, stepIndex, digest }: EchoedAnswer): string {
  return `${stepIndex} ${digest} ${scenario.name}`;
}

function callsPresent(answers: readonly EchoedAnswer[]): ReadonlyMap<string, ReadonlySet<number>> {
  const present = new Map<string, Set<number>>();
  for (const answer of answers) {
    const key = keyOf(answer);
    const calls = present.get(key) ?? new Set<number>();
    for (const { call } of answer.calls) calls.add(call);
    present.set(key, calls);
  }
  return present;
}

/** Creates the search for missing calls of an answer. The first answer may be the rest of a shortened history. */
export function createMissingCalls(
  answers: readonly EchoedAnswer[],
  { choosesCalls = false, maxTokens }: Cuts,
): (answer: EchoedAnswer) => readonly string[] {
  let found: ReadonlyMap<string, ReadonlySet<number>> | undefined;
  return (answer) => {
    const { label, calls, scenario, step, prompt = '' } = answer;
    if (calls.length === 0 || isComplete(answer)) return NONE;
    found ??= callsPresent(answers);
    const present = found.get(keyOf(answer)) ?? new Set();
    const last = Math.max(...calls.map(({ call }) => call));
    const { literal } = scenario.trigger;
    const isAtStart = literal !== undefined && prompt.toLowerCase().includes(literal);
    const isRest = answers[0]?.calls === calls && !isAtStart;
    // A limit cuts the last calls of an answer.
    const isCut = choosesCalls || isLongerThan(step, maxTokens === undefined ? undefined : maxTokens * BYTES_PER_TOKEN);
    const end = isCut || [...present].some((call) => call > last) ? last : step.toolCalls.length;
    return Array.from({ length: end }, (_, call) => call)
      .filter((call) => !present.has(call) && !(isRest && call < last))
      .map((call) => `call ${call} of ${label} is missing, call ${last} is there`);
  };
}
