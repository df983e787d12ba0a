import type { AgentEvent } from '../../agent/ports/events.ts';
import type { Lines } from '../drive.ts';
import { AnswerLines, streamEvent } from './answer-lines.ts';
import {
  addUsage,
  blocksOf,
  callInput,
  NO_USAGE,
  resultContent,
  type SeenCall,
  stopReason,
  type Usage,
} from './messages.ts';
import { hostModeOf } from './modes.ts';
import { apiError, type PermissionDenial, resultLine } from './result.ts';

/** The values that lines need from outside of the events. */
export interface EncoderContext {
  /** True to write the pieces of answers as they arrive. */
  readonly partial: boolean;
  readonly now: number;
  readonly newId: () => string;
  /** The line that begins each run. */
  readonly init: () => object;
  /** The cost of a request in US dollars, if the price is known. */
  readonly costOf: (usage: Event<'usage'>) => number | undefined;
}

type Event<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

/** The counts and calls of a run so far. */
class Run {
  readonly startedAt: number;
  turns = 0;
  apiMs = 0;
  /** The text of the last answer. */
  text = '';
  stopReason: string | null = null;
  usage = NO_USAGE;
  cost = 0;
  readonly models = new Map<string, { readonly usage: Usage; readonly cost: number }>();
  readonly calls = new Map<string, SeenCall>();
  readonly denials: PermissionDenial[] = [];
  /** The answer in the form that the host asked for. */
  structured: unknown;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }
}

/** Encodes events in the shape that the Claude Agent SDK reads. Ids of lines and of the session are added on writing. */
export class StreamJsonEncoder {
  #run = new Run(0);
  #isRunning = false;
  #answer = new AnswerLines('', '', 0);

  callOf(id: string): SeenCall | undefined {
    return this.#run.calls.get(id);
  }

  encode(event: AgentEvent, context: EncoderContext): Lines {
    const run = this.#run;
    switch (event.type) {
      case 'user_message':
        // A hook may continue a run, and the user may add a message: that is still the same run for the host.
        if (event.reminder === true || this.#isRunning) return [];
        this.#run = new Run(context.now);
        this.#isRunning = true;
        return [context.init()];
      case 'turn_start':
        run.turns += 1;
        this.#answer = new AnswerLines(`msg_${context.newId().replaceAll('-', '')}`, event.model.model, context.now);
        return [];
      case 'reasoning_delta':
        return context.partial ? this.#answer.piece('thinking', event.text) : [];
      case 'text_delta':
        return context.partial ? this.#answer.piece('text', event.text) : [];
      case 'tool_call_delta': {
        const { callId, name, text } = event;
        if (!context.partial || callId === undefined || name === undefined) return [];
        return this.#answer.callPiece(callId, name, text);
      }
      case 'usage':
        this.#countUsage(event, context.costOf(event) ?? 0);
        return [];
      case 'assistant_message':
        return this.#answered(event, context);
      case 'tool_call':
        run.calls.set(event.call.id, { name: event.call.name, input: callInput(event.call) });
        return [];
      case 'answer':
        run.structured = event.value;
        return [];
      case 'tool_result':
        return [this.#toolResult(event)];
      case 'retry': {
        const { attempt, delayMs, code } = event;
        this.#answer.restart();
        const retry = { attempt, max_retries: attempt, retry_delay_ms: delayMs, error_status: null };
        return [{ type: 'system', subtype: 'api_retry', ...retry, error: apiError(code) }];
      }
      case 'compaction': {
        const metadata = { trigger: 'auto', pre_tokens: event.tokensBefore, post_tokens: event.tokensAfter };
        return [{ type: 'system', subtype: 'compact_boundary', compact_metadata: metadata }];
      }
      case 'permission_mode':
        // A run begins with the mode in its first line.
        if (!this.#isRunning) return [];
        return [{ type: 'system', subtype: 'status', status: null, permissionMode: hostModeOf(event.mode) }];
      case 'run_end':
        return this.#runEnd(event, context.now);
      default:
        return [];
    }
  }

  #answered({ message, finish }: Event<'assistant_message'>, { partial, now }: EncoderContext): Lines {
    const run = this.#run;
    const answer = this.#answer;
    run.apiMs += now - answer.askedAt;
    run.stopReason = stopReason(finish);
    run.text = message.content;
    const aborted = finish === 'aborted' ? { aborted: true } : {};
    const blocks = blocksOf(message);
    if (!partial) return blocks.map((block) => answer.line(block, aborted));
    const begun = answer.begin();
    const lines = answer.rest(blocks, aborted);
    const delta = { stop_reason: run.stopReason, stop_sequence: null };
    const end = [{ type: 'message_delta', delta, usage: answer.usage }, { type: 'message_stop' }];
    return [...begun, ...lines, ...end.map(streamEvent)];
  }

  #toolResult({ callId, toolName, outcome, content, images }: Event<'tool_result'>): object {
    const { name, input } = this.callOf(callId) ?? { name: toolName, input: {} };
    if (outcome === 'denied') this.#run.denials.push({ tool_name: name, tool_use_id: callId, tool_input: input });
    const failed = outcome === 'ok' ? {} : { is_error: true };
    return userLine({ type: 'tool_result', tool_use_id: callId, content: resultContent(content, images), ...failed });
  }

  #runEnd(event: Event<'run_end'>, now: number): Lines {
    this.#isRunning = false;
    const modelUsage = Object.fromEntries(
      [...this.#run.models].map(([model, { usage, cost }]) => [
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
    const result = resultLine(event, { ...this.#run, durationMs: now - this.#run.startedAt, modelUsage });
    const stopped = userLine({ type: 'text', text: '[Request interrupted by user]' });
    return event.outcome === 'aborted' ? [stopped, result] : [result];
  }

  #countUsage(event: Event<'usage'>, cost: number): void {
    const run = this.#run;
    const { model } = event.model;
    const before = run.models.get(model) ?? { usage: NO_USAGE, cost: 0 };
    run.usage = addUsage(run.usage, event);
    run.cost += cost;
    if (event.purpose === undefined) this.#answer.usage = addUsage(NO_USAGE, event);
    run.models.set(model, { usage: addUsage(before.usage, event), cost: before.cost + cost });
  }
}

function userLine(block: object): object {
  return { type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null };
}
