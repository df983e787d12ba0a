import type { PermissionMode } from '../../agent/ports/approver.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { Lines } from '../drive.ts';
import { addUsage, callInput, NO_USAGE, type SeenCall } from '../stream-json/messages.ts';
import { yumeModeOf } from '../stream-json/modes.ts';

/** The values that lines need from outside of the events. */
export interface YumeContext {
  readonly now: number;
  readonly sessionId: string;
  /** The session that the host has named, if any. */
  readonly hostSessionId?: string | undefined;
  readonly mode: PermissionMode;
  /** The fields of the line that begins the session, besides its id and mode. */
  readonly init: object;
  /** The cost of a request in US dollars, if the price is known. */
  readonly costOf: (usage: Extract<AgentEvent, { type: 'usage' }>) => number | undefined;
}

/** The counts and calls of a run so far. */
class Run {
  readonly startedAt: number;
  turns = 0;
  /** The text of the last answer. */
  text = '';
  usage = NO_USAGE;
  /** In US dollars; absent without a price. */
  cost: number | undefined;
  readonly calls = new Map<string, SeenCall>();
  /** The last report about the call that is being written. */
  reported = { id: '', path: '', size: 0 };

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }
}

/** Encodes events in the flat shape that Yume reads. The first line begins the session. */
export class YumeEncoder {
  /** The session of the last line; absent before the first one. */
  #sessionId: string | undefined;
  #run = new Run(0);
  /** The permission mode that the host was told last. */
  #mode = '';
  /** The name of the host for the mode `ask`. */
  #asks: string;

  /** `asks`: the name of the host for the mode `ask`. */
  constructor(asks = 'default') {
    this.#asks = asks;
  }

  callOf(id: string): SeenCall | undefined {
    return this.#run.calls.get(id);
  }

  encode(event: AgentEvent, context: YumeContext): Lines {
    return [...this.begin(context), ...this.#encode(event, context)];
  }

  /** The lines that begin a session, unless they have been written. */
  begin({ sessionId, hostSessionId, mode, init }: Omit<YumeContext, 'now' | 'costOf'>): Lines {
    if (this.#sessionId === sessionId) return [];
    const previous = this.#sessionId ?? hostSessionId ?? sessionId;
    const isFirst = this.#sessionId === undefined;
    this.#sessionId = sessionId;
    if (isFirst) this.#mode = this.#wordOf(mode);
    return [
      ...(isFirst ? [system('init', { session_id: sessionId, ...init, permissionMode: this.#mode })] : []),
      ...(previous === sessionId
        ? []
        : [system('session_id', { session_id: sessionId, previous_session_id: previous })]),
    ];
  }

  /**
   * The line about a permission mode that is not the last one reported. `word`: the name that the host has given it; its
   * frame is answered in every case.
   */
  mode(mode: PermissionMode, word?: string): Lines {
    if (word === 'interactive' || word === 'default') this.#asks = word;
    const shown = this.#wordOf(mode);
    if (word === undefined && shown === this.#mode) return [];
    this.#mode = shown;
    return [system('permission_mode', { permissionMode: shown })];
  }

  #wordOf(mode: PermissionMode): string {
    return mode === 'ask' ? this.#asks : yumeModeOf(mode);
  }

  /** A report about the call that is being written: when it begins, when its path is known, and as it grows. */
  #progress({ callId: id = '', written }: Extract<AgentEvent, { type: 'tool_call_delta' }>): Lines {
    if (id === '' || written === undefined) return [];
    const { name, path = '', size } = written;
    const { reported } = this.#run;
    if (reported.id === id && reported.path === path && size < reported.size + REPORTED_EVERY) return [];
    this.#run.reported = { id, path, size };
    return [system('tool_progress', { id, name, ...(path !== '' && { file_path: path }), size })];
  }

  #encode(event: AgentEvent, context: YumeContext): Lines {
    const run = this.#run;
    switch (event.type) {
      case 'user_message':
        if (event.reminder !== true) this.#run = new Run(context.now);
        return [];
      case 'turn_start':
        run.turns += 1;
        run.text = '';
        return [];
      case 'text_delta':
        return textLines(event.text);
      case 'tool_call_delta':
        return this.#progress(event);
      case 'assistant_message':
        run.text = event.message.content;
        return [];
      case 'tool_call': {
        const { id, name } = event.call;
        // A call that the user has changed is planned again.
        if (run.calls.has(id)) return [];
        const call = { name, input: callInput(event.call) };
        run.calls.set(id, call);
        return [{ type: 'tool_use', id, ...call }];
      }
      case 'tool_result': {
        const { callId, content, outcome } = event;
        return [{ type: 'tool_result', tool_use_id: callId, content, is_error: outcome !== 'ok' }];
      }
      case 'usage': {
        const cost = context.costOf(event);
        run.usage = addUsage(run.usage, event);
        if (cost !== undefined) run.cost = (run.cost ?? 0) + cost;
        return [{ type: 'usage', ...addUsage(NO_USAGE, event) }];
      }
      case 'retry': {
        const { attempt, delayMs, code, message } = event;
        return [system('api_retry', { attempt, retry_delay_ms: delayMs, code, message })];
      }
      case 'warning':
        return [system('warning', { code: event.code, message: event.message })];
      case 'compaction': {
        const metadata = { trigger: 'auto', pre_tokens: event.tokensBefore, post_tokens: event.tokensAfter };
        return [system('compact_boundary', { compact_metadata: metadata })];
      }
      case 'permission_mode':
        return this.mode(event.mode);
      case 'run_end':
        return endLines(run, event, context);
      default:
        return [];
    }
  }
}

/** Growth of a call after which it is reported again, in bytes. Yume reads a call only when it is complete. */
const REPORTED_EVERY = 1024;

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
function endLines(run: Run, end: RunEnd, { now, sessionId }: YumeContext): Lines {
  const { outcome, message, error } = end;
  const failed = outcome !== 'done' && outcome !== 'denied';
  const { input_tokens: input, output_tokens: output } = run.usage;
  const result = {
    type: 'result',
    subtype: subtypeOf(end),
    is_error: failed,
    result: failed || run.text === '' ? message : run.text,
    ...(failed && { errors: [message] }),
    session_id: sessionId,
    num_turns: run.turns,
    duration_ms: now - run.startedAt,
    ...(run.cost !== undefined && { total_cost_usd: run.cost }),
    ...(input + output > 0 && { usage: run.usage }),
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
