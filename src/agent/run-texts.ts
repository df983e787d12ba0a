import { countOf } from '../text/quantities.ts';
import { ModelError, messageOf } from './errors.ts';
import type { AgentEvent, RunError, RunOutcome } from './ports/events.ts';

/** Error for an answer without text and without calls. */
export const EMPTY_ANSWER: RunError = { code: 'empty_answer', message: 'The model sent an empty answer.' };

/** Error for an answer whose text reached the output limit. */
const ANSWER_CUT: RunError = {
  code: 'answer_cut',
  message: 'The answer was cut at the output limit. Raise llm.max_tokens, or ask for less at once.',
};

/** Error for an answer that reached the end of the context window, even after the conversation was shortened. */
const WINDOW_FULL: RunError = {
  code: 'window_full',
  message:
    'The answer was cut because the context window is full, even after the conversation was shortened. Start over with /clear, or use a model with a larger context.',
};

/** Error for an answer with a finish reason that does not end an answer. */
export const INCOMPLETE: RunError = {
  code: 'incomplete_answer',
  message: 'The answer ended with a reason that does not mean that it is complete. Try again.',
};

/** Error for an answer that exceeds the limits of `collectTurn`. */
export const ANSWER_TOO_LONG: RunError = {
  code: 'answer_too_long',
  message: 'The answer did not end within 2 million characters and 1,000 tool calls, so it was stopped. Try again.',
};

/** Error for a stream that ended too early. */
export const CUT_OFF: RunError = { code: 'cut_off', message: 'The answer ended without a finish reason. Try again.' };

/** Error for a request to the model that threw `error`. */
export function requestFailed(error: unknown): RunError {
  if (error instanceof ModelError) return { code: error.code, message: error.message };
  return { code: 'internal', message: `The request to the model failed unexpectedly: ${messageOf(error)}` };
}

/** Error for an answer that the provider withheld. */
const FILTERED: RunError = { code: 'content_filter', message: "The provider's content filter withheld the answer." };

/** Outcomes of an answer without calls, by its finish reason. Without an outcome the model continues the answer. */
export const END_OF_ANSWER: Readonly<Partial<Record<string, readonly [RunOutcome | undefined, RunError?]>>> = {
  length: ['limit', ANSWER_CUT],
  window: ['limit', WINDOW_FULL],
  paused: [undefined],
  content_filter: ['failed', FILTERED],
};

/** Message of the retry of a request that the provider refused as too long. */
export const TOO_LONG = 'The model refused the conversation as too long, so it is shortened.';

/** Message of the retry of a request whose answer reached the end of the context window. */
export const NO_ROOM = 'The answer was cut because the context window is full, so the conversation is shortened.';

/** Message to the model about a run that the user stopped between a result and the next answer. */
export const STOPPED: AgentEvent = {
  ...{ type: 'user_message', reminder: true },
  text: '<reminder>\nNote: the user stopped the run before you answered. The next message may be about something else.\n</reminder>',
};

/** End of a run whose consumer could not store an event. */
export function notSaved(error: unknown): AgentEvent {
  const message = messageOf(error);
  return { type: 'run_end', outcome: 'failed', message, error: { code: 'not_saved', message } };
}

/** Note to the model that its last calls repeat a cycle of this length, and the warning for the user. */
export function repetitionTexts(cycle: number): { readonly note: string; readonly warning: string } {
  const calls = cycle === 1 ? 'the same call' : `the same ${cycle} calls in turn`;
  return {
    note: `Note: you have made ${calls} three times with the same result. Repeating will not change it: try something else, or say what prevents you from going on.`,
    warning: `The model has made ${calls} three times with the same result. It was told to try something else.`,
  };
}

/** Message of `run_end`, for people. */
export function endOfRun(outcome: RunOutcome, maxIterations: number, error: RunError | undefined): string {
  if (error !== undefined) return error.message;
  switch (outcome) {
    case 'done':
      return 'Done.';
    case 'aborted':
      return 'Stopped.';
    case 'limit':
      return `Stopped after ${countOf(maxIterations, 'request')} to the model (agent.max_iterations). Say "go on" to continue.`;
    case 'stuck':
      return 'Stopped: the model keeps repeating the same calls with the same results.';
    case 'denied':
      return 'Stopped: the same call was denied twice. Say what to do instead.';
    case 'failed':
      return 'The run failed.';
  }
}
