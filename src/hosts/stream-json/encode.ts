import type { AgentEvent } from '../../agent/ports/events.ts';
import type { AssistantMessage } from '../../agent/ports/messages.ts';
import {
  addUsage,
  blocksOf,
  type ContentBlock,
  inputOf,
  NO_USAGE,
  resultContent,
  type SeenCall,
  stopReason,
  thinkingBlock,
  type Usage,
} from './messages.ts';
import { hostModeOf } from './modes.ts';
import { addPiece, closeBlock, messageEnd, messageStart, NO_ANSWER, openWhole, type PartialAnswer } from './partial.ts';
import { apiError, type PermissionDenial, resultLine } from './result.ts';

/** State of the encoder between two events. */
export interface EncoderState {
  /** A run has begun and not ended. */
  readonly running: boolean;
  readonly startedAt: number;
  readonly turns: number;
  /** The answer in progress: its id, its model, when it was asked for, and its blocks. */
  readonly answer: PartialAnswer & { readonly id: string; readonly model: string; readonly askedAt: number };
  /** Usage of the answer in progress. */
  readonly answerUsage: Usage;
  readonly apiMs: number;
  readonly text: string;
  readonly stopReason: string | null;
  readonly usage: Usage;
  readonly cost: number;
  readonly models: Readonly<Record<string, { readonly usage: Usage; readonly cost: number }>>;
  readonly calls: ReadonlyMap<string, SeenCall>;
  readonly denials: readonly PermissionDenial[];
  /** The answer in the form that the host asked for. */
  readonly structured: unknown;
}

/** The values that lines need from outside of the events. */
export interface EncoderContext {
  /** Write the pieces of answers as they arrive. */
  readonly partial: boolean;
  readonly now: number;
  readonly newId: () => string;
  /** The line that begins each run. */
  readonly init: () => object;
  /** The cost of a request in US dollars, if the price is known. */
  readonly costOf: (usage: Extract<AgentEvent, { type: 'usage' }>) => number | undefined;
}

/** The state before the first run. */
export const ENCODER_START: EncoderState = {
  running: false,
  startedAt: 0,
  turns: 0,
  answer: { ...NO_ANSWER, id: '', model: '', askedAt: 0 },
  answerUsage: NO_USAGE,
  apiMs: 0,
  text: '',
  stopReason: null,
  usage: NO_USAGE,
  cost: 0,
  models: {},
  calls: new Map(),
  denials: [],
  structured: undefined,
};

/** The next state, and the lines of an event. Ids of lines and of the session are added where they are written. */
export interface Encoded {
  readonly state: EncoderState;
  readonly lines: readonly object[];
}

/** Encodes one event in the shape that the Claude Agent SDK reads. */
export function encodeEvent(state: EncoderState, event: AgentEvent, context: EncoderContext): Encoded {
  switch (event.type) {
    case 'user_message':
      // A hook may let a run go on: that is still the same run for the host.
      if (event.reminder === true || state.running) return { state, lines: [] };
      return { state: { ...ENCODER_START, running: true, startedAt: context.now }, lines: [context.init()] };
    case 'turn_start': {
      const id = `msg_${context.newId().replaceAll('-', '')}`;
      const answer = { ...NO_ANSWER, id, model: event.model.model, askedAt: context.now };
      return { state: { ...state, turns: state.turns + 1, answer, answerUsage: NO_USAGE }, lines: [] };
    }
    case 'reasoning_delta':
      return context.partial ? piece(state, 'thinking', event.text) : { state, lines: [] };
    case 'text_delta':
      return context.partial ? piece(state, 'text', event.text) : { state, lines: [] };
    case 'usage':
      return { state: countUsage(state, event, context.costOf(event) ?? 0), lines: [] };
    case 'assistant_message':
      return answered(state, event, context);
    case 'tool_call': {
      const seen = { name: event.call.name, input: inputOf(event.call) };
      return { state: { ...state, calls: new Map(state.calls).set(event.call.id, seen) }, lines: [] };
    }
    case 'answer':
      return { state: { ...state, structured: event.value }, lines: [] };
    case 'tool_result':
      return toolResult(state, event);
    case 'retry': {
      const { attempt, delayMs, code } = event;
      const answer = { ...state.answer, ...NO_ANSWER };
      const retry = {
        attempt,
        max_retries: attempt,
        retry_delay_ms: delayMs,
        error_status: null,
        error: apiError(code),
      };
      return { state: { ...state, answer }, lines: [{ type: 'system', subtype: 'api_retry', ...retry }] };
    }
    case 'compaction': {
      const { tokensBefore, tokensAfter } = event;
      const metadata = { trigger: 'auto', pre_tokens: tokensBefore, post_tokens: tokensAfter };
      return { state, lines: [{ type: 'system', subtype: 'compact_boundary', compact_metadata: metadata }] };
    }
    case 'permission_mode': {
      // A run begins with the mode in its first line.
      if (!state.running) return { state, lines: [] };
      const status = { status: null, permissionMode: hostModeOf(event.mode) };
      return { state, lines: [{ type: 'system', subtype: 'status', ...status }] };
    }
    case 'run_end':
      return runEnd(state, event, context.now);
    default:
      return { state, lines: [] };
  }
}

function piece(state: EncoderState, type: 'text' | 'thinking', text: string): Encoded {
  const begun = begin(state);
  const closed = begun.state.answer.open?.type === type ? begun : append(begun, closeOpen(begun.state));
  const { answer, events } = addPiece(closed.state.answer, type, text);
  return append(closed, {
    state: { ...closed.state, answer: { ...closed.state.answer, ...answer } },
    lines: events.map(streamEvent),
  });
}

/** Begins the stream of the answer, unless it has begun. */
function begin(state: EncoderState): Encoded {
  if (state.answer.started) return { state, lines: [] };
  const message = assistantMessage(state, []);
  return {
    state: { ...state, answer: { ...state.answer, started: true } },
    lines: [streamEvent(messageStart(message))],
  };
}

/** Closes the open block: the line of the whole block comes first. */
function closeOpen(state: EncoderState): Encoded {
  const { open } = state.answer;
  if (open === undefined) return { state, lines: [] };
  const block: ContentBlock = open.type === 'text' ? { type: 'text', text: open.text } : thinkingBlock(open.text);
  return {
    state: { ...state, answer: { ...state.answer, open: undefined } },
    lines: [assistantLine(state, block), streamEvent(closeBlock(state.answer))],
  };
}

function answered(
  state: EncoderState,
  { message, finish }: Extract<AgentEvent, { type: 'assistant_message' }>,
  { partial, now }: EncoderContext,
): Encoded {
  const reason = stopReason(finish);
  const apiMs = state.apiMs + now - state.answer.askedAt;
  const after = { ...state, apiMs, stopReason: reason, text: message.content };
  const aborted = finish === 'aborted' ? { aborted: true } : {};
  if (!partial) return { state: after, lines: blocksOf(message).map((block) => assistantLine(state, block, aborted)) };
  let encoded = begin(after);
  for (const block of unseenBlocks(after, message)) {
    const opened = encoded.state.answer.open === undefined ? openBlock(encoded, block) : encoded;
    const { answer } = opened.state;
    const closed = { ...opened.state, answer: { ...answer, open: undefined } };
    const lines = [assistantLine(opened.state, block, aborted), streamEvent(closeBlock(answer))];
    encoded = append(opened, { state: closed, lines });
  }
  return append(encoded, { state: encoded.state, lines: messageEnd(reason, state.answerUsage).map(streamEvent) });
}

/** The blocks of an answer that are not closed yet: the open one, whose text has arrived, comes first. */
function unseenBlocks({ answer }: EncoderState, message: AssistantMessage): readonly ContentBlock[] {
  const blocks = blocksOf(message);
  const closed = answer.open === undefined ? answer.blocks : answer.blocks - 1;
  return blocks.slice(closed);
}

function openBlock(encoded: Encoded, block: ContentBlock): Encoded {
  const { answer, events } = openWhole(encoded.state.answer, block);
  return append(encoded, {
    state: { ...encoded.state, answer: { ...encoded.state.answer, ...answer } },
    lines: events.map(streamEvent),
  });
}

function toolResult(state: EncoderState, event: Extract<AgentEvent, { type: 'tool_result' }>): Encoded {
  const { callId, toolName, outcome, content, images } = event;
  const failed = outcome === 'ok' ? {} : { is_error: true };
  const block = { type: 'tool_result', tool_use_id: callId, content: resultContent(content, images), ...failed };
  const { name, input } = state.calls.get(callId) ?? { name: toolName, input: {} };
  const denial = { tool_name: name, tool_use_id: callId, tool_input: input };
  const denials = outcome === 'denied' ? [...state.denials, denial] : state.denials;
  return { state: { ...state, denials }, lines: [userLine([block])] };
}

function runEnd(state: EncoderState, event: Extract<AgentEvent, { type: 'run_end' }>, now: number): Encoded {
  const modelUsage = Object.fromEntries(
    Object.entries(state.models).map(([model, { usage, cost }]) => [
      model,
      {
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens,
        cacheReadInputTokens: usage.cache_read_input_tokens,
        cacheCreationInputTokens: 0,
        webSearchRequests: 0,
        costUSD: cost,
        contextWindow: 0,
        maxOutputTokens: 0,
      },
    ]),
  );
  const result = resultLine(event, { ...state, durationMs: now - state.startedAt, modelUsage });
  const stopped = userLine([{ type: 'text', text: '[Request interrupted by user]' }]);
  return { state: { ...state, running: false }, lines: [...(event.outcome === 'aborted' ? [stopped] : []), result] };
}

function countUsage(state: EncoderState, event: Extract<AgentEvent, { type: 'usage' }>, cost: number): EncoderState {
  const { model } = event.model;
  const before = state.models[model] ?? { usage: NO_USAGE, cost: 0 };
  return {
    ...state,
    usage: addUsage(state.usage, event),
    cost: state.cost + cost,
    ...(event.purpose === undefined && { answerUsage: addUsage(NO_USAGE, event) }),
    models: { ...state.models, [model]: { usage: addUsage(before.usage, event), cost: before.cost + cost } },
  };
}

function assistantMessage({ answer, answerUsage }: EncoderState, content: readonly ContentBlock[]): object {
  const { id, model } = answer;
  const end = { stop_reason: null, stop_sequence: null };
  return { id, type: 'message', role: 'assistant', model, content, ...end, usage: answerUsage };
}

function assistantLine(state: EncoderState, block: ContentBlock, more: object = {}): object {
  return { type: 'assistant', message: assistantMessage(state, [block]), parent_tool_use_id: null, ...more };
}

function userLine(content: readonly object[]): object {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
}

function streamEvent(event: object): object {
  return { type: 'stream_event', event, parent_tool_use_id: null };
}

function append(first: Encoded, next: Encoded): Encoded {
  return { state: next.state, lines: [...first.lines, ...next.lines] };
}
