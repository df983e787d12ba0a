import type { RunError, RunOutcome } from '../ports/events.ts';

/** The model said nothing and called nothing. */
export const EMPTY_ANSWER: RunError = { code: 'empty_answer', message: 'The model sent an empty answer.' };

/** The model's text reached the output limit. */
export const ANSWER_CUT: RunError = {
  code: 'answer_cut',
  message: 'The answer was cut at the output limit. Raise llm.max_tokens, or ask for less at once.',
};

/** The provider withheld the answer. */
export const FILTERED: RunError = {
  code: 'content_filter',
  message: "The provider's content filter withheld the answer.",
};

/** What the model reads when its last calls repeat themselves. */
export function loopNote(cycle: number): string {
  const what = cycle === 1 ? 'the same call' : `the same ${cycle} calls in turn`;
  return `Note: you have made ${what} three times with the same result. Repeating will not change it: try something else, or say what stops you.`;
}

/** What people read at the end of a run. */
export function endOfRun(outcome: RunOutcome, maxIterations: number, error: RunError | undefined): string {
  if (error !== undefined) return error.message;
  switch (outcome) {
    case 'done':
      return 'Done.';
    case 'aborted':
      return 'Stopped.';
    case 'limit':
      return `Stopped after ${maxIterations} request${maxIterations === 1 ? '' : 's'} to the model (agent.max_iterations). Say "go on" to continue.`;
    case 'stuck':
      return 'Stopped: the model keeps repeating the same calls with the same results.';
    case 'denied':
      return 'A call needed approval and there was no terminal to ask at. Allow it with --permission-mode, or run ybs in a terminal.';
    case 'failed':
      return 'The run failed.';
  }
}
