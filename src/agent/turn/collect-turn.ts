import { takeStart } from '../../text/truncate.ts';
import { AbortedError, untilAborted } from '../async/abort.ts';
import type { AssistantMessage, FinishReason, RunError } from '../ports/index.ts';
import type { EventStream, NextRequest, RunContext } from '../run-input.ts';
import { ANSWER_TOO_LONG, CUT_OFF, INCOMPLETE, NO_ROOM, requestFailed, TOO_LONG } from '../run-texts.ts';
import { finishCalls } from './assemble-calls.ts';
import { addEvent, EMPTY_DRAFT } from './draft.ts';

/** The message of one turn, `partial` if the request was aborted or failed. `error` is the reason of a failure. */
export interface TurnResult {
  readonly message: AssistantMessage;
  readonly finish: FinishReason | 'aborted' | 'failed';
  readonly error?: RunError;
}

/** Limits of one message, far beyond what models are able to send, so that an endless one ends. */
const MAX_LENGTH = 2_000_000;
const MAX_CALLS = 1_000;

/** Maximum length of the text that is kept of an endless message. The rest would only fill the context window. */
const MAX_ENDLESS_LENGTH = 10_000;

/**
 * Prepares one request, sends it and yields the visible parts of the message as they arrive. A request that the provider
 * refuses as too long, or that leaves no room for the answer, is shortened and sent once more. Never throws.
 */
export async function* collectTurn(turn: number, run: RunContext): EventStream<TurnResult> {
  const result = yield* requestOnce(turn, run);
  const isRefused = result.error?.code === 'context_overflow';
  if (!isRefused && result.finish !== 'window') return result;
  yield { type: 'retry', attempt: 1, delayMs: 0, code: 'context_overflow', message: isRefused ? TOO_LONG : NO_ROOM };
  return yield* requestOnce(turn, run, 'overflow');
}

async function* requestOnce(
  turn: number,
  { input: { session, signal }, ports: { model, smallModel, tools }, settings: { system, prepareRequest } }: RunContext,
  shorten?: NextRequest['shorten'],
): EventStream<TurnResult> {
  let draft = EMPTY_DRAFT;
  const isTool = (name: string): boolean => tools.find(name) !== undefined;
  try {
    const request = { model, smallModel, system, tools: tools.definitions, shorten };
    const messages = yield* untilAborted(prepareRequest(session.state, request, signal), signal);
    const stream = model.stream({ system, messages, tools: tools.definitions }, signal);
    for await (const event of untilAborted(stream[Symbol.asyncIterator](), signal)) {
      draft = yield* addEvent(draft, event, { turn, isTool, model: model.identity });
      if (draft.length > MAX_LENGTH || draft.calls.length > MAX_CALLS) {
        return partialTurn(takeStart(draft.text, MAX_ENDLESS_LENGTH), ANSWER_TOO_LONG);
      }
    }
  } catch (error) {
    return partialTurn(draft.text, error instanceof AbortedError ? undefined : requestFailed(error));
  }
  const { text: content, reasoning, calls, state: providerState, finish } = draft;
  if (finish === undefined) return partialTurn(content, CUT_OFF);
  if (finish === 'unknown') return partialTurn(content, INCOMPLETE);
  const message: AssistantMessage = {
    // The calls of an answer that was withheld may be torn out of it.
    ...{ role: 'assistant', content, toolCalls: finish === 'content_filter' ? [] : finishCalls(calls, turn, isTool) },
    ...(reasoning !== '' && { reasoning }),
    ...(providerState !== undefined && { providerState }),
  };
  return { message, finish };
}

/** A turn that was aborted, or failed with `error`. It keeps the text that had arrived, and no calls. */
function partialTurn(content: string, error: RunError | undefined): TurnResult {
  const message: AssistantMessage = { role: 'assistant', content, toolCalls: [], partial: true };
  return error === undefined ? { message, finish: 'aborted' } : { message, finish: 'failed', error };
}
