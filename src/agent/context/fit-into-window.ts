import { AbortedError, untilAborted } from '../async/abort.ts';
import type { AgentEvent } from '../ports/events.ts';
import type { ContextWindow, LanguageModel } from '../ports/language-model.ts';
import type { Message } from '../ports/messages.ts';
import { repairHistory } from '../repair-history.ts';
import type { AgentPorts, AgentSettings, NextRequest, PrepareRequest } from '../run-input.ts';
import { applyEvent, type SessionState } from '../session-state.ts';
import { scaleOf, sizeOf, sizeOfAll, sizeOfFrame } from './request-size.ts';
import {
  FILLED,
  fitHistory,
  insertSummary,
  isReminder,
  isSummary,
  splitHistory,
  startOfTail,
} from './shorten-history.ts';
import { summarize } from './summarize.ts';
import { removedFile, removedOutput, smallWindow } from './texts.ts';

/** Settings of the context window. */
export interface ContextSettings {
  /** Size of the window, in tokens, where the model states none. */
  readonly maxTokens: number;
  /** The largest window that is used, in tokens, if the user has set one. */
  readonly limit?: number | undefined;
  /** The part of the window that a request may fill. */
  readonly threshold: number;
  /** Maximum length of an answer, in tokens, where the model states none. */
  readonly maxAnswerTokens: number;
}

/** Settings of the context window, and the store of old outputs; without it, they are left out. */
export interface ContextOptions extends ContextSettings {
  /** `saveOutput` stores the whole text of a tool output and returns the path at which the model can read it. */
  readonly files?: { saveOutput(callId: string, text: string): Promise<string> };
}

/** Tokens that are left free, because sizes are estimates. */
const RESERVE_TOKENS = 1_024;

/** Window, in tokens, below which the user is warned. */
const SMALL_WINDOW = 16_000;

/** Minimum room for messages, in tokens, if system prompt and tools leave less. */
const MIN_ROOM = 400;

/** The part of the room for the last messages, which are kept unchanged. */
const TAIL = 0.3;

/** Minimum size of a request for a summary, in tokens. A smaller one holds little but its instructions. */
const MIN_SUMMARY_REQUEST = 1_000;

/** Shorter outputs, in tokens, are kept, because the line that replaces them is hardly shorter. */
const LONG_OUTPUT = 200;

/**
 * Prepares requests that fit into the context window of their model. A history that is too long is shortened in three
 * steps, as far as necessary: old tool outputs become one line each; a model summarizes all but the first prompt and
 * the last messages; and what still does not fit is left out.
 */
export function fitIntoWindow(options: ContextOptions): PrepareRequest {
  return async function* (state, request, signal) {
    const window = await findWindow(request.model, options, signal);
    const warning = windowWarning(request.model, window);
    if (warning !== undefined && !state.warnings.includes(warning.message)) yield warning;
    const scale = scaleOf(state.counted, request);
    const frame = sizeOfFrame(request);
    const messages = repairHistory(state.messages);
    const before = frame + sizeOfAll(messages);
    const limit = requestLimit(window, options) / scale;
    if (request.shorten === undefined && before <= limit) return messages;
    const target = request.shorten === 'overflow' ? Math.min(before / 2, limit) : limit;
    const shorter = yield* shorten(messages, target, request, options, signal);
    const after = frame + sizeOfAll(shorter);
    if (after >= before) return messages;
    const [tokensBefore, tokensAfter] = [Math.ceil(before * scale), Math.ceil(after * scale)];
    yield { type: 'compaction', tokensBefore, tokensAfter, messages: shorter };
    return shorter;
  };
}

/**
 * Shortens the history of a session that has no run at the moment, because the user asked for it. Without a
 * `compaction` event, there was nothing to shorten, or `signal` has aborted.
 */
export async function* compactSession(
  session: { state: SessionState },
  { model, smallModel, tools }: AgentPorts,
  { system, prepareRequest }: AgentSettings,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, void> {
  const request = { model, smallModel, system, tools: tools.definitions, shorten: 'command' } as const;
  try {
    for await (const event of untilAborted(prepareRequest(session.state, request, signal), signal)) {
      session.state = applyEvent(session.state, event);
      yield event;
    }
  } catch (error) {
    if (!(error instanceof AbortedError)) throw error;
  }
}

/** The window of a model, and the longest answer. The settings apply to a model that states neither. */
export async function findWindow(
  model: LanguageModel,
  { maxTokens, limit = Number.POSITIVE_INFINITY, maxAnswerTokens }: Omit<ContextSettings, 'threshold'>,
  signal: AbortSignal,
): Promise<FoundWindow> {
  // If the server does not answer, the error of the request itself gives the reason.
  const {
    tokens = maxTokens,
    answerTokens = maxAnswerTokens,
    warning,
  } = (await model.contextWindow?.(signal).catch(() => undefined)) ?? {};
  return { tokens: Math.min(limit, tokens), answerTokens, ...(warning === undefined ? {} : { warning }) };
}

/** The window of a model, in tokens, and the longest answer. */
type FoundWindow = Required<Pick<ContextWindow, 'tokens' | 'answerTokens'>> & Pick<ContextWindow, 'warning'>;

function windowWarning({ identity }: LanguageModel, { tokens, warning }: FoundWindow) {
  if (warning !== undefined) return { type: 'warning', code: 'context_window', message: warning } as const;
  return tokens < SMALL_WINDOW ? smallWindow(identity.model, tokens) : undefined;
}

/** Maximum size of a request, in tokens. Half of a window that is too small for a longest answer stays for the request. */
export function requestLimit(
  { tokens, answerTokens }: Pick<FoundWindow, 'tokens' | 'answerTokens'>,
  { threshold }: Pick<ContextSettings, 'threshold'>,
): number {
  return Math.min(tokens * threshold, Math.max(tokens - answerTokens - RESERVE_TOKENS, tokens / 2));
}

async function* shorten(
  messages: readonly Message[],
  target: number,
  request: NextRequest,
  options: ContextOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, readonly Message[], void> {
  const room = Math.max(MIN_ROOM, target - sizeOfFrame(request));
  const tail = TAIL * Math.min(room, sizeOfAll(messages));
  const pruned = await removeOutputs(messages, startOfTail(messages, tail), options);
  if (request.shorten !== 'command' && sizeOfAll(pruned) <= room * FILLED) return pruned;
  const { kept, dropped } = splitHistory(messages, tail);
  // Without room for messages, there is also none for a summary.
  if (room > MIN_ROOM && dropped.some((message) => !isSummary(message) && !isReminder(message))) {
    for (const model of request.smallModel === undefined ? [request.model] : [request.smallModel, request.model]) {
      const limit = Math.min(target, requestLimit(await findWindow(model, options, signal), options));
      if (limit < MIN_SUMMARY_REQUEST) continue;
      const summary = yield* summarize(dropped, limit, model, signal);
      if (summary !== undefined) return fitHistory(insertSummary(kept, summary), room);
    }
  }
  return fitHistory(pruned, room);
}

/** Replaces long tool outputs before the index `end` by one line each. */
async function removeOutputs(
  messages: readonly Message[],
  end: number,
  { files }: ContextOptions,
): Promise<readonly Message[]> {
  const remove = async (message: Message): Promise<Message> => {
    if (message.role === 'user' && message.file !== undefined && sizeOf(message) > LONG_OUTPUT) {
      const { images: _images, ...rest } = message;
      return { ...rest, content: removedFile(message.file, message.content.length) };
    }
    if (message.role !== 'tool' || sizeOf(message) <= LONG_OUTPUT) return message;
    const { toolCallId, content, isError, images } = message;
    // An output that cannot be saved is left out all the same, and so is a picture: the model can repeat the call.
    const path = images !== undefined ? undefined : await files?.saveOutput(toolCallId, content).catch(() => undefined);
    return { role: 'tool', toolCallId, content: removedOutput(content.length, path), isError };
  };
  return [...(await Promise.all(messages.slice(0, end).map(remove))), ...messages.slice(end)];
}
