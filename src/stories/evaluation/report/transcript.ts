import type { AgentEvent } from '../../../agent/ports/events.ts';
import { truncateText } from '../../../text/truncate.ts';
import { withoutVolatile } from '../answer-key.ts';
import type { Pair, RunResult, Step } from './report-format.ts';

/** Number of characters of a text that a transcript keeps. */
const MAX_TEXT = 4_000;

/**
 * The step that an event is; undefined for one that belongs to a step, or that a report does not show. `clean` removes
 * what must not be in a report.
 */
export function stepOf(event: AgentEvent, clean: (text: string) => string): Step | undefined {
  const shown = (text: string) => truncateText(clean(text), MAX_TEXT);
  switch (event.type) {
    case 'user_message':
      return { type: 'user', text: shown(event.text) };
    case 'assistant_message': {
      const { content, toolCalls } = event.message;
      const calls = toolCalls.map(({ name, arguments: text }) => ({ name, arguments: shown(text) }));
      return { type: 'assistant', text: shown(content), calls };
    }
    case 'tool_result':
      return { type: 'result', tool: event.toolName, outcome: event.outcome, text: shown(event.content) };
    case 'run_end':
      return { type: 'end', outcome: event.outcome, text: shown(event.message) };
    default:
      return undefined;
  }
}

/** Number of steps at the beginning in which two runs are equal, apart from the times that commands took. */
export function equalSteps(before: readonly Step[], after: readonly Step[]): number {
  const text = (step: Step | undefined) => withoutVolatile(JSON.stringify(step ?? null), []);
  const first = before.findIndex((step, index) => text(step) !== text(after[index]));
  return first < 0 ? before.length : first;
}

/**
 * The run that shows best how a variant differs from the first one: one that passes with only one of them, or else the
 * first that differs. Undefined if all runs are equal.
 */
export function choosePair(before: readonly RunResult[], after: readonly RunResult[]): Pair | undefined {
  const pairs = before.flatMap((first) => {
    const second = after.find(({ run }) => run === first.run);
    if (second === undefined) return [];
    const equal = equalSteps(first.steps, second.steps);
    const isSame = equal === first.steps.length && equal === second.steps.length;
    return isSame ? [] : [{ run: first.run, equal, before: sideOf(first), after: sideOf(second) }];
  });
  return pairs.find((pair) => pair.before.passed !== pair.after.passed) ?? pairs[0];
}

function sideOf({ variant, passed, steps }: RunResult): Pair['before'] {
  return { variant, passed, steps };
}
