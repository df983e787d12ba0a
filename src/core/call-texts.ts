import type { PermissionDecision } from '../ports/approver.ts';
import type { CallOutcome } from '../ports/events.ts';
import type { ToolCall } from '../ports/messages.ts';
import type { PlannedEffect, ToolResult, ToolSet } from '../ports/tool.ts';
import { AbortedError } from './abort.ts';
import { messageOf, ToolError } from './errors.ts';

/** The end of a call in words: `content` for the model, `summary` for people. */
export interface CallText {
  readonly outcome: CallOutcome;
  readonly content: string;
  readonly summary: string;
}

/** A call that the user's stop reached before it started. */
export const STOPPED_BEFORE: CallText = {
  outcome: 'not_run',
  content: 'Not executed: the user stopped the run before this call started.',
  summary: 'not executed, stopped',
};

const STOPPED_WITHIN: CallText = {
  outcome: 'interrupted',
  content:
    'Interrupted: the user stopped the run while this call was running. It may have had effects: look before you repeat it.',
  summary: 'interrupted, effects possible',
};

/** A rule said no. The model is told which one, so that it does not try the same again or invent a cause. */
export function deniedByRule(decision: Extract<PermissionDecision, { type: 'deny' }>): CallText {
  return {
    outcome: 'denied',
    content: `Denied by the rule "${decision.rule}": ${decision.reason} Not executed. Do not try the same call again.`,
    summary: `denied by the rule "${decision.rule}"`,
  };
}

/** The user said no, perhaps with a sentence that is passed on to the letter. */
export function deniedByUser(feedback: string | undefined): CallText {
  const content =
    feedback === undefined
      ? 'Denied by the user. Not executed. Do not try the same call again: go on without it, or ask what to do instead.'
      : `Denied by the user, who says: ${feedback}\nNot executed. Do what the user says.`;
  return { outcome: 'denied', content, summary: feedback === undefined ? 'denied' : `denied: ${feedback}` };
}

/** Nobody can be asked: there is no terminal. */
export function nobodyToAsk(reason: string): CallText {
  return {
    outcome: 'denied',
    content: `Denied: this call needs the user's approval (${reason}) and there is no terminal to ask at. Not executed. Go on without it and say at the end what was left undone.`,
    summary: 'denied, no terminal to ask at',
  };
}

/** The run only plans. */
export function dryRun(effect: PlannedEffect): CallText {
  return {
    outcome: 'not_run',
    content: `Dry run: planned and not executed. It would ${effect.summary}.`,
    summary: 'dry run, not executed',
  };
}

/** The answer ended in the middle of the call's arguments. */
export function cutArguments(call: ToolCall): string {
  const length = call.arguments.length;
  return `The arguments of ${call.name} were cut after ${length} characters because the answer reached its length limit, so the call was not executed. Send it again in smaller parts.`;
}

/** The arguments are not a JSON text. */
export function invalidJson(call: ToolCall, error: unknown): string {
  return `The arguments of ${call.name} are not valid JSON, so the call was not executed: ${messageOf(error)}. Send the call again with a complete JSON object.`;
}

/** No tool has that name. */
export function unknownTool(name: string, tools: ToolSet): string {
  const names = tools.definitions.map((definition) => definition.name).join(', ');
  const nearest = tools.nearest(name);
  return `There is no tool "${name}".${nearest === undefined ? '' : ` Did you mean ${nearest}?`} The tools are: ${names}.`;
}

/** The tool came to an end by itself, or was stopped and still said how it ended. */
export function ended(result: ToolResult, stopped: boolean): CallText {
  const outcome = stopped ? 'interrupted' : result.isError ? 'failed' : 'ok';
  return { outcome, content: result.content, summary: result.summary };
}

/** Whatever was thrown on the way, in words; `stopped` says whether an abort found the call running. */
export function failure(error: unknown, toolName: string, stopped: 'not_run' | 'interrupted'): CallText {
  if (error instanceof AbortedError) return stopped === 'not_run' ? STOPPED_BEFORE : STOPPED_WITHIN;
  if (error instanceof ToolError) {
    return { outcome: 'failed', content: error.message, summary: firstLine(error.message) };
  }
  const content = `${toolName} failed unexpectedly: ${messageOf(error)}. This is a fault of the tool, not of the arguments.`;
  return { outcome: 'failed', content, summary: firstLine(content) };
}

function firstLine(text: string): string {
  return text.split('\n', 1).join('');
}
