import type { AgentEvent } from '../../agent/ports/events.ts';
import type { Lines } from '../drive.ts';
import { addUsage, inputOf, NO_USAGE, type SeenCall, type Usage } from '../stream-json/messages.ts';
import { yumeModeOf } from '../stream-json/modes.ts';

/** State of the encoder between two events. */
export interface YumeState {
  /** The session of the last line; absent before the first one. */
  readonly sessionId?: string;
  readonly startedAt: number;
  readonly turns: number;
  /** The text of the last answer. */
  readonly text: string;
  readonly usage: Usage;
  /** In US dollars; absent without a price. */
  readonly cost?: number;
  /** The calls of the run, by their ids. */
  readonly calls: ReadonlyMap<string, SeenCall>;
}

/** The values that lines need from outside of the events. */
export interface YumeContext {
  readonly now: number;
  readonly sessionId: string;
  /** The session that the host has named, if it has. */
  readonly hostSessionId?: string | undefined;
  /** The fields of the line that begins the session, besides its id. */
  readonly init: object;
  /** The cost of a request in US dollars, if the price is known. */
  readonly costOf: (usage: Extract<AgentEvent, { type: 'usage' }>) => number | undefined;
}

/** The next state, and the lines of an event. */
export interface Encoded {
  readonly state: YumeState;
  readonly lines: Lines;
}

const NEW_RUN = { startedAt: 0, turns: 0, text: '', usage: NO_USAGE, calls: new Map() };

/** The state before the first event. */
export const YUME_START: YumeState = NEW_RUN;

/** Encodes one event in the flat shape that Yume reads. The first line begins the session. */
export function encodeYume(state: YumeState, event: AgentEvent, context: YumeContext): Encoded {
  const { sessionId, hostSessionId, init } = context;
  const encoded = encode(state, event, context);
  if (state.sessionId === sessionId) return encoded;
  const isFirst = state.sessionId === undefined;
  const previous = state.sessionId ?? hostSessionId ?? sessionId;
  const renamed = { type: 'system', subtype: 'session_id', session_id: sessionId, previous_session_id: previous };
  const begins = [
    ...(isFirst ? [{ type: 'system', subtype: 'init', session_id: sessionId, ...init }] : []),
    ...(previous === sessionId ? [] : [renamed]),
  ];
  return { state: { ...encoded.state, sessionId }, lines: [...begins, ...encoded.lines] };
}

function encode(state: YumeState, event: AgentEvent, context: YumeContext): Encoded {
  const { now, costOf } = context;
  switch (event.type) {
    case 'user_message':
      if (event.reminder === true) return { state, lines: [] };
      return { state: { ...NEW_RUN, ...idOf(state), startedAt: now }, lines: [] };
    case 'turn_start':
      return { state: { ...state, turns: state.turns + 1, text: '' }, lines: [] };
    case 'text_delta':
      return { state, lines: textLines(event.text) };
    case 'assistant_message':
      return { state: { ...state, text: event.message.content }, lines: [] };
    case 'tool_call': {
      const { id, name } = event.call;
      // A call that the user has changed is planned again.
      if (state.calls.has(id)) return { state, lines: [] };
      const call = { name, input: inputOf(event.call) };
      return {
        state: { ...state, calls: new Map(state.calls).set(id, call) },
        lines: [{ type: 'tool_use', id, ...call }],
      };
    }
    case 'tool_result': {
      const { callId, content, outcome } = event;
      return { state, lines: [{ type: 'tool_result', tool_use_id: callId, content, is_error: outcome !== 'ok' }] };
    }
    case 'usage': {
      const cost = costOf(event);
      const total = { ...state, usage: addUsage(state.usage, event) };
      return {
        state: cost === undefined ? total : { ...total, cost: (state.cost ?? 0) + cost },
        lines: [{ type: 'usage', ...addUsage(NO_USAGE, event) }],
      };
    }
    case 'retry': {
      const { attempt, delayMs, code, message } = event;
      return { state, lines: [system('api_retry', { attempt, retry_delay_ms: delayMs, code, message })] };
    }
    case 'warning':
      return { state, lines: [system('warning', { code: event.code, message: event.message })] };
    case 'compaction': {
      const metadata = { trigger: 'auto', pre_tokens: event.tokensBefore, post_tokens: event.tokensAfter };
      return { state, lines: [system('compact_boundary', { compact_metadata: metadata })] };
    }
    case 'permission_mode':
      return { state, lines: [system('permission_mode', { permissionMode: yumeModeOf(event.mode) })] };
    case 'run_end':
      return { state, lines: endLines(state, event, context) };
    default:
      return { state, lines: [] };
  }
}

function idOf({ sessionId }: YumeState): Pick<YumeState, 'sessionId'> {
  return sessionId === undefined ? {} : { sessionId };
}

/** A line with the reason why something failed; the host reads on after it. */
export function problemLine(code: string, message: string): object {
  return system('error', { code, message });
}

function system(subtype: string, fields: object): object {
  return { type: 'system', subtype, ...fields };
}

/** Yume drops a line that is longer than about 100 KB. */
const MAX_TEXT_CHARACTERS = 30_000;

function textLines(text: string): Lines {
  const lines: object[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + MAX_TEXT_CHARACTERS, text.length);
    // Keeps the halves of a character together.
    if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
    lines.push({ type: 'text', content: text.slice(start, end) });
    start = end;
  }
  return lines;
}

type RunEnd = Extract<AgentEvent, { type: 'run_end' }>;

/**
 * The lines that end a run. Yume stops reading at `error` and at `message_stop`, so they come last; and it takes a result
 * without tokens for a compaction, so that one has no usage.
 */
function endLines(state: YumeState, end: RunEnd, { now, sessionId }: YumeContext): Lines {
  const { outcome, message, error } = end;
  const failed = outcome !== 'done' && outcome !== 'denied';
  const { input_tokens: input, output_tokens: output } = state.usage;
  const result = {
    type: 'result',
    subtype: subtypeOf(end),
    is_error: failed,
    result: failed || state.text === '' ? message : state.text,
    ...(failed && { errors: [message] }),
    session_id: sessionId,
    num_turns: state.turns,
    duration_ms: now - state.startedAt,
    ...(state.cost !== undefined && { total_cost_usd: state.cost }),
    ...(input + output > 0 && { usage: state.usage }),
  };
  return [
    ...(outcome === 'aborted' ? [{ type: 'interrupt' }] : []),
    ...(error?.code === 'auth' ? [problemLine('auth', message)] : []),
    result,
    ...(outcome === 'failed' ? [{ type: 'error', code: error?.code ?? 'internal', message }] : []),
    { type: 'message_stop' },
  ];
}

function subtypeOf({ outcome, error }: RunEnd): string {
  switch (outcome) {
    case 'done':
    case 'denied':
      return 'success';
    case 'aborted':
      return 'cancelled';
    case 'limit':
      return error === undefined ? 'error_max_turns' : 'error_during_execution';
    case 'stuck':
    case 'failed':
      return 'error_during_execution';
  }
}
