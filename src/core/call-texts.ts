import type { PermissionDecision } from '../ports/approver.ts';
import type { CallOutcome } from '../ports/events.ts';
import type { ToolCall } from '../ports/messages.ts';
import type { PlannedEffect, ToolResult, ToolSet } from '../ports/tool.ts';
import { AbortedError } from './abort.ts';
import { messageOf, ToolError } from './errors.ts';

/** The end of a call: `content` is for the model, `summary` for people. */
export interface CallText {
  readonly outcome: CallOutcome;
  readonly content: string;
  readonly summary: string;
}

/** End of a call that had not started when the user stopped the run. */
export const STOPPED_BEFORE: CallText = {
  outcome: 'not_run',
  content: 'Not executed: the user stopped the run before this call started.',
  summary: 'not executed, stopped',
};

const STOPPED_WITHIN: CallText = {
  outcome: 'interrupted',
  content:
    'Interrupted: the user stopped the run while this call was running. It may have had effects: check before you repeat it.',
  summary: 'interrupted, effects possible',
};

/** End of a call that a rule denied. Names the rule, so that the model neither repeats the call nor invents a cause. */
export function deniedByRule(decision: Extract<PermissionDecision, { type: 'deny' }>): CallText {
  return {
    outcome: 'denied',
    content: `Denied by the rule "${decision.rule}": ${decision.reason} Not executed. Do not try the same call again.`,
    summary: `denied by the rule "${decision.rule}"`,
  };
}

/** End of a call that the user denied. `feedback` is passed on literally. */
export function deniedByUser(feedback: string | undefined): CallText {
  const content =
    feedback === undefined
      ? 'Denied by the user. Not executed. Do not try the same call again: go on without it, or ask what to do instead.'
      : `Denied by the user, who says: ${feedback}\nNot executed. Do what the user says.`;
  return { outcome: 'denied', content, summary: feedback === undefined ? 'denied' : `denied: ${feedback}` };
}

/** End of a call that needs approval where there is no terminal to ask on. */
export function approvalUnavailable(reason: string): CallText {
  return {
    outcome: 'denied',
    content: `Denied: this call needs the user's approval (${reason}) and there is no terminal to ask on. Not executed. Go on without it and say at the end what was left undone.`,
    summary: 'denied, no terminal to ask on',
  };
}

/** End of a call in a dry run. */
export function dryRun(effect: PlannedEffect): CallText {
  return {
    outcome: 'not_run',
    content: `Dry run: planned and not executed. It would ${effect.summary}.`,
    summary: 'dry run, not executed',
  };
}

/** Error of a call in whose arguments the answer ended. */
export function cutArguments(call: ToolCall): string {
  const length = call.arguments.length;
  return `The arguments of ${call.name} were cut after ${length} characters because the answer reached its length limit, so the call was not executed. Send it again in smaller parts.`;
}

/** Error of arguments that are not valid JSON. */
export function invalidJson(call: ToolCall, error: unknown): string {
  return `The arguments of ${call.name} are not valid JSON, so the call was not executed: ${messageOf(error)}. Send the call again with a complete JSON object.`;
}

/** Error of a call that names no tool. */
export function unknownTool(name: string, tools: ToolSet): string {
  const names = tools.definitions.map((definition) => definition.name).join(', ');
  const nearest = tools.nearest(name);
  return `There is no tool "${name}".${nearest === undefined ? '' : ` Did you mean ${nearest}?`} The tools are: ${names}.`;
}

/** End of a call whose tool returned a result, by itself or after it was `stopped`. */
export function ended(result: ToolResult, stopped: boolean): CallText {
  const outcome = stopped ? 'interrupted' : result.isError ? 'failed' : 'ok';
  return { outcome, content: result.content, summary: result.summary };
}

/** End of a call that threw `error`. `stopped` is the outcome of an abort: whether the call had started. */
export function failure(error: unknown, toolName: string, stopped: 'not_run' | 'interrupted'): CallText {
  if (error instanceof AbortedError) return stopped === 'not_run' ? STOPPED_BEFORE : STOPPED_WITHIN;
  if (error instanceof ToolError) {
    return { outcome: 'failed', content: error.message, summary: firstLine(error.message) };
  }
  const content = `${toolName} failed unexpectedly: ${messageOf(error)}. This is an error in the tool, not in the arguments.`;
  return { outcome: 'failed', content, summary: firstLine(content) };
}

function firstLine(text: string): string {
  return text.split('\n', 1).join('');
}
