import type { AgentEvent, RunError } from '../../agent/ports/events.ts';
import type { ModelErrorCode } from '../../agent/ports/language-model.ts';
import type { ToolInput, Usage } from './messages.ts';

/** A call that was denied. */
export interface PermissionDenial {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: ToolInput;
}

/** Everything that a result reports besides the end of its run. */
export interface RunTotals {
  readonly durationMs: number;
  readonly apiMs: number;
  readonly turns: number;
  /** The text of the last answer. */
  readonly text: string;
  readonly stopReason: string | null;
  readonly usage: Usage;
  /** In US dollars; 0 without a price. */
  readonly cost: number;
  readonly modelUsage: Readonly<Record<string, object>>;
  readonly denials: readonly PermissionDenial[];
  readonly structured: unknown;
}

type RunEnd = Extract<AgentEvent, { type: 'run_end' }>;

/** The line that ends a run. Hosts look at `is_error`. */
export function resultLine(end: RunEnd, totals: RunTotals): object {
  const { structured } = totals;
  return {
    type: 'result',
    ...outcomeFields(end, totals),
    duration_ms: totals.durationMs,
    duration_api_ms: totals.apiMs,
    num_turns: totals.turns,
    stop_reason: totals.stopReason,
    total_cost_usd: totals.cost,
    usage: totals.usage,
    modelUsage: totals.modelUsage,
    permission_denials: totals.denials,
    ...(structured !== undefined && { structured_output: structured }),
  };
}

function outcomeFields({ outcome, message, error }: RunEnd, { text: answer, structured }: RunTotals): object {
  const text = answer === '' && structured !== undefined ? JSON.stringify(structured) : answer;
  const failed = { is_error: true, errors: [message] };
  switch (outcome) {
    case 'done':
      return { subtype: 'success', is_error: false, result: text, terminal_reason: 'completed' };
    case 'denied':
      // A denial is not a failure: the model continued after it, and `permission_denials` names the calls.
      return {
        subtype: 'success',
        is_error: false,
        result: text === '' ? message : text,
        terminal_reason: 'completed',
      };
    case 'limit':
      if (error?.code === 'budget_spent') {
        return { subtype: 'error_max_budget_usd', ...failed, terminal_reason: 'max_budget_usd' };
      }
      return error === undefined
        ? { subtype: 'error_max_turns', ...failed, terminal_reason: 'max_turns' }
        : { subtype: 'error_during_execution', ...failed, terminal_reason: 'model_error' };
    case 'stuck':
      return { subtype: 'error_during_execution', ...failed, terminal_reason: 'model_error' };
    case 'aborted':
      return { subtype: 'error_during_execution', ...failed, terminal_reason: 'aborted_streaming' };
    case 'failed':
      return isModelError(error)
        ? { subtype: 'success', is_error: true, result: `API Error: ${message}`, terminal_reason: 'api_error' }
        : { subtype: 'error_during_execution', ...failed, terminal_reason: 'model_error' };
  }
}

const API_ERRORS: Readonly<Record<ModelErrorCode, string>> = {
  auth: 'authentication_failed',
  rate_limit: 'rate_limit',
  overloaded: 'overloaded',
  context_overflow: 'invalid_request',
  network: 'server_error',
  unreachable: 'server_error',
  bad_request: 'invalid_request',
  unknown_model: 'model_not_found',
  cut_off: 'server_error',
  incomplete_answer: 'server_error',
  budget_spent: 'billing_error',
};

/** The code of a failed request, as the format names it. */
export function apiError(code: ModelErrorCode): string {
  return API_ERRORS[code];
}

function isModelError(error: RunError | undefined): boolean {
  return error !== undefined && Object.hasOwn(API_ERRORS, error.code);
}
