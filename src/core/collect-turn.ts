import type { AgentEvent, RunError } from '../ports/events.ts';
import type { FinishReason, LanguageModel, ModelEvent, ModelRequest } from '../ports/language-model.ts';
import type { AssistantMessage } from '../ports/messages.ts';
import { AbortedError, raceAbort } from './abort.ts';
import { addDelta, finishCalls } from './assemble-calls.ts';
import { closeQuietly } from './close-quietly.ts';
import { ModelError, messageOf } from './errors.ts';

/** How one request to the model ended. A partial message holds the text that had come, and no calls. */
export type TurnAnswer =
  | { readonly type: 'answer'; readonly message: AssistantMessage; readonly finish: FinishReason }
  | { readonly type: 'aborted'; readonly message: AssistantMessage }
  | { readonly type: 'failed'; readonly message: AssistantMessage; readonly error: RunError };

interface Collected {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: Parameters<typeof addDelta>[0];
  readonly finish: FinishReason | undefined;
}

const NOTHING: Collected = { text: '', reasoning: '', calls: [], finish: undefined };

/**
 * Sends one request and yields what people see of the answer while it comes. Never throws: an abort and a failed
 * request are answers of their own.
 */
export async function* collectTurn(
  model: LanguageModel,
  request: ModelRequest,
  turn: number,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, TurnAnswer, void> {
  let collected = NOTHING;
  let stream: AsyncIterator<ModelEvent, unknown, void> | undefined;
  try {
    stream = model.stream(request, signal)[Symbol.asyncIterator]();
    for (;;) {
      const step = await raceAbort(stream.next(), signal);
      if (step.done === true) break;
      collected = collect(collected, step.value);
      const shown = visible(step.value);
      if (shown !== undefined) yield shown;
    }
  } catch (error) {
    const message = partialMessage(collected);
    return error instanceof AbortedError
      ? { type: 'aborted', message }
      : { type: 'failed', message, error: describe(error) };
  } finally {
    closeQuietly(stream);
  }
  if (collected.finish === undefined) {
    const error: RunError = { code: 'cut_off', message: 'The answer ended without saying why. Try again.' };
    return { type: 'failed', message: partialMessage(collected), error };
  }
  const { text, reasoning, calls, finish } = collected;
  const message: AssistantMessage = { role: 'assistant', content: text, toolCalls: finishCalls(calls, turn) };
  return { type: 'answer', message: reasoning === '' ? message : { ...message, reasoning }, finish };
}

function collect(collected: Collected, event: ModelEvent): Collected {
  switch (event.type) {
    case 'text_delta':
      return { ...collected, text: collected.text + event.text };
    case 'reasoning_delta':
      return { ...collected, reasoning: collected.reasoning + event.text };
    case 'tool_call_delta':
      return { ...collected, calls: addDelta(collected.calls, event) };
    case 'usage':
      return collected;
    case 'finish':
      return { ...collected, finish: event.reason };
    case 'retry':
      return NOTHING;
  }
}

function visible(event: ModelEvent): AgentEvent | undefined {
  return event.type === 'tool_call_delta' || event.type === 'finish' ? undefined : event;
}

function partialMessage(collected: Collected): AssistantMessage {
  return { role: 'assistant', content: collected.text, toolCalls: [], partial: true };
}

function describe(error: unknown): RunError {
  if (error instanceof ModelError) return { code: error.code, message: error.message };
  return { code: 'internal', message: `The model adapter failed: ${messageOf(error)}` };
}
