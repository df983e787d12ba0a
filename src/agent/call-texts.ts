import { countOf } from '../text/quantities.ts';
import { AbortedError } from './async/abort.ts';
import { messageOf, ToolError } from './errors.ts';
import type { ApprovalDecision, CallEdit, PermissionDecision } from './ports/approver.ts';
import type { CallErrorCode, CallOutcome } from './ports/events.ts';
import type { ToolCall } from './ports/messages.ts';
import type { PlannedEffect, ToolResult, ToolSet } from './ports/tool.ts';

/** Outcome of a call with its texts: `content` is for the model, `summary` for people. */
export interface CallText extends Omit<ToolResult, 'isError' | 'code'> {
  readonly outcome: CallOutcome;
  /** Absent for a call that ran to its end. */
  readonly code?: CallErrorCode;
  /** Message for the end of the run, for a call that was denied because nobody answered. */
  readonly unanswered?: string;
}

type Unavailable = Extract<ApprovalDecision, { type: 'unavailable' }>;

/** The reason of a question that is asked again. */
export const CHANGED_SINCE = 'It has changed since you answered.';

/** Outcome of a call that had not started when the user stopped the run. */
export const STOPPED_BEFORE_START: CallText = {
  outcome: 'not_run',
  code: 'not_started',
  content: 'Not executed: the user stopped the run before this call started.',
  summary: 'not executed, stopped',
};

/** Outcome of a call that was running when the user stopped the run. */
export const STOPPED_WHILE_RUNNING: CallText = {
  outcome: 'interrupted',
  code: 'interrupted',
  content:
    'Interrupted: the user stopped the run while this call was running. It may have had effects: check before you repeat it.',
  summary: 'interrupted, effects possible',
};

/** Outcome of a call that a rule denied. Names the rule, so that the model neither repeats the call nor guesses why. */
export function deniedByRule(decision: Extract<PermissionDecision, { type: 'deny' }>): CallText {
  return {
    outcome: 'denied',
    code: 'denied_by_rule',
    content: `Denied by the rule "${decision.rule}": ${decision.reason} Not executed. Do not try the same call again.`,
    summary: `denied by the rule "${decision.rule}"`,
  };
}

/** Outcome of a call that the user denied. The model gets `feedback` verbatim. */
export function deniedByUser(feedback: string | undefined): CallText {
  const content =
    feedback === undefined
      ? 'Denied by the user. Not executed. Do not try the same call again: go on without it, or ask what to do instead.'
      : `Denied by the user, who says: ${feedback}\nNot executed. Do what the user says.`;
  return {
    outcome: 'denied',
    code: 'denied_by_user',
    content,
    summary: feedback === undefined ? 'denied' : `denied: ${feedback}`,
  };
}

/** Outcome of a call that needs approval without an answer: no terminal, no host, or no answer in time. */
export function unanswered(reason: string, { afterSeconds, host }: Unavailable): CallText {
  const limit = afterSeconds === undefined ? '' : countOf(afterSeconds, 'second');
  const missing = host ? 'the host has closed its input' : 'there is no terminal to ask on';
  const advice = host ? 'keep the input open until the result' : 'run ybs in a terminal';
  const remedy = reason.includes(' --') ? reason : `${reason} Allow it with --permission-mode, or ${advice}.`;
  const why = limit === '' ? missing : `the question timed out after ${limit} without an answer`;
  return {
    outcome: 'denied',
    code: 'approval_unavailable',
    content: `Denied: this call needs the user's approval (${reason}) and ${why}. Not executed. Go on without it and say at the end what was left undone.`,
    summary: `denied, ${why.replace(/^(?:there is|the question) /, '')}`,
    unanswered: `A call needed approval and ${limit === '' ? `${missing.replace(' is ', ' was ')}: ${remedy}` : `nobody answered within ${limit}. Say "go on" to be asked again, or raise safety.approval_timeout_seconds.`}`,
  };
}

/** The text of a call that the user has changed: it begins with what really ran. */
export function afterEdit(edit: CallEdit | undefined, text: CallText): CallText {
  if (edit === undefined) return text;
  const { outcome, content, comparable = content } = text;
  const isStarted = outcome === 'ok' || outcome === 'failed' || outcome === 'interrupted';
  const [what, changed, past] =
    edit.type === 'edit'
      ? ['command', edit.command, isStarted ? 'This ran instead' : 'It became']
      : ['arguments', JSON.stringify(edit.arguments), isStarted ? 'It ran with' : 'They became'];
  const note = `The user edited the ${what}. ${past}: ${edit.shown ?? changed}`;
  return { ...text, content: `${note}\n${content}`, comparable: `${note}\n${comparable}` };
}

/** Error for another command in a call of a tool without one. */
export function notEditable(toolName: string): string {
  return `${toolName} has no command that can be edited. Not executed.`;
}

/** Outcome of a call in a dry run. */
export function dryRun(effect: PlannedEffect): CallText {
  return {
    outcome: 'not_run',
    code: 'dry_run',
    content: `Dry run: planned and not executed. It would ${effect.summary}.`,
    summary: 'dry run, not executed',
  };
}

/** Error for a call whose arguments were cut by the length limit of the answer. */
export function cutArguments(call: ToolCall): string {
  const length = call.arguments.length;
  return `The arguments of ${call.name} were cut after ${length} characters because the answer reached its length limit, so the call was not executed. Send it again in smaller parts.`;
}

/** Error for arguments that are not valid JSON. */
export function invalidJson(call: ToolCall, error: unknown): string {
  return `The arguments of ${call.name} are not valid JSON, so the call was not executed: ${messageOf(error)}. Send the call again with a complete JSON object.`;
}

/** Error for a call of an unknown tool. */
export function unknownTool(name: string, tools: ToolSet): string {
  const names = tools.definitions.map((definition) => definition.name).join(', ');
  const nearest = tools.nearest(name);
  return `There is no tool "${name}".${nearest === undefined ? '' : ` Did you mean ${nearest}?`} ${names === '' ? 'There are no tools.' : `The tools are: ${names}.`}`;
}

/** Outcome of a call whose tool returned a result. `stopped`: the user stopped the run before that. */
export function ended(result: ToolResult, stopped: boolean): CallText {
  const outcome = stopped ? 'interrupted' : result.isError ? 'failed' : 'ok';
  const { isError: _isError, comparable = result.content, ...parts } = result;
  return { ...parts, outcome, comparable };
}

/** Outcome of a call that threw `error`: `stopped` if it is an abort. */
export function failure(error: unknown, toolName: string, stopped: CallText): CallText {
  if (error instanceof AbortedError) return stopped;
  if (error instanceof ToolError) return failed(error.code, error.message);
  const content = `${toolName} failed unexpectedly: ${messageOf(error)}. This is an error in the tool, not in the arguments.`;
  return failed('internal_error', content);
}

/** The text for the model ends with the code, which the user does not need. */
function failed(code: CallErrorCode, message: string): CallText {
  return { outcome: 'failed', code, content: `${message}\nerror: ${code}`, summary: summaryOf(message) };
}

/** The first line of a message, with the first reason if a list of them follows: `✖ REASON`, `  → at PLACE`. */
function summaryOf(message: string): string {
  return message
    .replace(/^(.*:)\n(?:✖ )?/, '$1 ')
    .replace(/\n {2}→ /, ' ')
    .replace(/\n.*/s, '');
}
