import { takeStart } from '../text/truncate.ts';
import { addDelta, finishCalls } from './assemble-calls.ts';
import { AbortedError, untilAborted } from './async/abort.ts';
import { ModelError, messageOf } from './errors.ts';
import type { AgentEvent, RunError } from './ports/events.ts';
import type { FinishReason, ModelEvent, ModelIdentity } from './ports/language-model.ts';
import type { AssistantMessage, Message, ProviderState } from './ports/messages.ts';
import type { AgentPorts, AgentSettings, NextRequest, RunInput } from './run-input.ts';
import { ANSWER_TOO_LONG, cutRequest, TOO_LONG } from './run-texts.ts';

/** The result of one request to the model. A partial message holds the text that had arrived, and no calls. */
export type TurnAnswer =
  | { readonly type: 'answer'; readonly message: AssistantMessage; readonly finish: FinishReason }
  | { readonly type: 'aborted'; readonly message: AssistantMessage }
  | { readonly type: 'failed'; readonly message: AssistantMessage; readonly error: RunError };

/** Limits of one answer, far beyond what models are able to send, so that an endless answer ends. */
const MAX_ANSWER_LENGTH = 2_000_000;
const MAX_CALLS = 1_000;

/** Maximum length of the text that is kept of an answer without end. The rest would only fill the context window. */
const MAX_ENDLESS_LENGTH = 10_000;

interface Collected {
  /** Number of characters in all parts, in UTF-16 units. */
  readonly length: number;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: Parameters<typeof addDelta>[0];
  readonly state?: ProviderState;
  readonly finish?: FinishReason;
}

const NOTHING: Collected = { length: 0, text: '', reasoning: '', calls: [] };

/**
 * Prepares one request, sends it and yields the visible parts of the answer as they arrive. A request that the provider
 * refuses as too long is shortened and sent once more. Never throws: aborts and failures are returned as answers.
 */
export async function* collectTurn(
  turn: number,
  input: RunInput,
  ports: AgentPorts,
  settings: AgentSettings,
): AsyncGenerator<AgentEvent, TurnAnswer, void> {
  const answer = yield* requestOnce(turn, input, ports, settings);
  if (answer.type !== 'failed' || answer.error.code !== 'context_overflow') return answer;
  yield { type: 'retry', attempt: 1, delayMs: 0, code: 'context_overflow', message: TOO_LONG };
  return yield* requestOnce(turn, input, ports, settings, 'overflow');
}

async function* requestOnce(
  turn: number,
  { session, signal }: RunInput,
  { model, smallModel, tools }: AgentPorts,
  { system, prepareRequest }: AgentSettings,
  shorten?: NextRequest['shorten'],
): AsyncGenerator<AgentEvent, TurnAnswer, void> {
  let collected = NOTHING;
  try {
    const request: NextRequest = { model, smallModel, system, tools: tools.definitions, shorten };
    const messages = yield* untilAborted(prepareRequest(session.state, request, signal), signal);
    const stream = model.stream({ system, messages, tools: tools.definitions }, signal);
    for await (const event of untilAborted(stream[Symbol.asyncIterator](), signal)) {
      collected = collect(collected, event);
      const shown = visible(event, model.identity);
      if (shown !== undefined) yield shown;
      if (event.type === 'usage' && isCut(event.inputTokens, request, messages)) {
        const warning = cutRequest(model.identity.model);
        if (!session.state.warnings.includes(warning.message)) yield warning;
      }
      if (isTooLong(collected)) {
        const text = takeStart(collected.text, MAX_ENDLESS_LENGTH);
        return { type: 'failed', message: partialMessage({ ...collected, text }), error: ANSWER_TOO_LONG };
      }
    }
  } catch (error) {
    const message = partialMessage(collected);
    return error instanceof AbortedError
      ? { type: 'aborted', message }
      : { type: 'failed', message, error: toRunError(error) };
  }
  if (collected.finish === undefined) {
    const error: RunError = { code: 'cut_off', message: 'The answer ended without a finish reason. Try again.' };
    return { type: 'failed', message: partialMessage(collected), error };
  }
  const { text, reasoning, calls, state, finish } = collected;
  const message: AssistantMessage = {
    role: 'assistant',
    content: text,
    toolCalls: finishCalls(calls, turn),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(state === undefined ? {} : { providerState: state }),
  };
  return { type: 'answer', message, finish };
}

function isTooLong({ length, calls }: Collected): boolean {
  return length > MAX_ANSWER_LENGTH || calls.length > MAX_CALLS;
}

function collect(collected: Collected, event: ModelEvent): Collected {
  const { length } = collected;
  switch (event.type) {
    case 'text_delta':
      return { ...collected, length: length + event.text.length, text: collected.text + event.text };
    case 'reasoning_delta':
      return { ...collected, length: length + event.text.length, reasoning: collected.reasoning + event.text };
    case 'tool_call_delta':
      return { ...collected, length: length + event.arguments.length, calls: addDelta(collected.calls, event) };
    case 'provider_state':
      return { ...collected, state: event.state };
    case 'usage':
    case 'warning':
      return collected;
    case 'finish':
      return { ...collected, finish: event.reason };
    case 'retry':
      return NOTHING;
  }
}

function visible(event: ModelEvent, model: ModelIdentity): AgentEvent | undefined {
  if (event.type === 'tool_call_delta' || event.type === 'provider_state' || event.type === 'finish') return undefined;
  return event.type === 'usage' ? { ...event, model } : event;
}

/**
 * True if Ollama counted less than half of what a request of this length has at four characters per token: it has cut
 * the request, which other servers refuse instead.
 */
function isCut(inputTokens: number, { model, system, tools }: NextRequest, messages: readonly Message[]): boolean {
  if (model.identity.wire !== 'ollama-chat') return false;
  const unsent: readonly string[] = ['images', 'reasoning', 'providerState'];
  const text = JSON.stringify([system, tools, messages], (key, value: unknown) =>
    unsent.includes(key) ? undefined : value,
  );
  return inputTokens < text.length / 8;
}

function partialMessage(collected: Collected): AssistantMessage {
  return { role: 'assistant', content: collected.text, toolCalls: [], partial: true };
}

function toRunError(error: unknown): RunError {
  if (error instanceof ModelError) return { code: error.code, message: error.message };
  return { code: 'internal', message: `The request to the model failed unexpectedly: ${messageOf(error)}` };
}
