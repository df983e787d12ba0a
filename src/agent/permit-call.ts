import { raceAbort } from './async/abort.ts';
import * as texts from './call-texts.ts';
import { type DecidedCall, planCall, type RequestedCall } from './plan-call.ts';
import type { ApprovalRequest, CallEdit, PlannedCall, PlannedEffect, RunLimits, ToolCall } from './ports/index.ts';
import type { EventStream, RunContext } from './run-input.ts';

/** A call that was planned and allowed, and has not started. `edit`: the changes by the user. */
export interface ReadyCall extends RunLimits {
  readonly call: ToolCall;
  readonly toolName: string;
  readonly planned: PlannedCall;
  readonly edit: CallEdit | undefined;
}

/** A finished call. */
export interface SettledCall extends texts.CallText {
  readonly type: 'settled';
  readonly call: ToolCall;
  readonly toolName: string;
  readonly durationMs: number;
}

/** Maximum number of later calls that are planned ahead for one question. */
const MAX_PENDING = 20;

/**
 * Plans one call and gets permission for it. Yields a `tool_call` for each new plan and, if the rules ask, the approval
 * request and its decision. A yes holds for the plan that was shown: the call is planned again after it, and asked about
 * again if the plan has changed. `later` are the next calls of the same message; `agreed` has the plans of them that the
 * user has agreed to. Has no side effects on the user's machine. Never throws.
 */
export async function* permitCall(
  requested: RequestedCall,
  later: readonly RequestedCall[],
  agreed: Set<string>,
  run: RunContext,
): EventStream<ReadyCall | SettledCall> {
  const { call, tool } = requested;
  const { signal } = run.input;
  const toolName = tool?.definition.name ?? call.name;
  let edit: CallEdit | undefined;
  let shown: string | undefined;
  let approved: string | undefined;
  const end = (text: texts.CallText): SettledCall => settle(call, toolName, texts.afterEdit(edit, text));
  try {
    for (;;) {
      const { planned, permission, question, content, onlyPlanned } = await planCall(requested, edit, run);
      const { effect, digest } = question;
      if (content !== shown || permission.type === 'deny') yield { type: 'tool_call', call, effect, permission };
      shown = content;
      if (permission.type === 'deny') return end(texts.deniedByRule(permission));
      if (onlyPlanned) return end(texts.dryRun(effect));
      const ready = {
        call,
        toolName,
        planned,
        edit,
        inView: permission.type === 'allow' && permission.inView === true,
      };
      if (permission.type === 'allow' || digest === approved) return ready;
      if (agreed.delete(keyOf(question))) {
        yield { type: 'approval_decision', callId: call.id, decision: { type: 'once', all: true } };
        return ready;
      }
      const reason = approved === undefined ? question.reason : `${texts.CHANGED_SINCE} ${question.reason}`;
      const pending = await pendingQuestions(effect, later, agreed, run);
      const request = { ...question, reason, ...(pending.length > 0 && { pending }) };
      yield { type: 'approval_request', request };
      const decision = await raceAbort(run.ports.approver.decide(request, signal), signal);
      const added = decision.type === 'session' ? (decision.rule ?? question.offers) : undefined;
      yield { type: 'approval_decision', callId: call.id, decision, ...(added !== undefined && { added }) };
      if (decision.type === 'deny') return end(texts.deniedByUser(decision.feedback));
      if (decision.type === 'unavailable') return end(texts.unanswered(reason, decision));
      const isEdit = decision.type === 'edit' || decision.type === 'change';
      if (isEdit) edit = decision;
      approved = isEdit ? undefined : digest;
      if (decision.type === 'once' && decision.all) for (const other of pending) agreed.add(keyOf(other));
    }
  } catch (error) {
    if (shown === undefined) yield { type: 'tool_call', call };
    return end(texts.failure(error, toolName, texts.STOPPED_BEFORE_START));
  }
}

/** A call that ended. */
export function settle(call: ToolCall, toolName: string, text: texts.CallText, durationMs = 0): SettledCall {
  return { type: 'settled', call, toolName, ...text, durationMs };
}

/** The questions about later calls, as far as they are known now: a command after a write may run the written file. */
async function pendingQuestions(
  first: PlannedEffect,
  later: readonly RequestedCall[],
  agreed: ReadonlySet<string>,
  run: RunContext,
): Promise<readonly DecidedCall['question'][]> {
  const questions: DecidedCall['question'][] = [];
  let mayWrite = writesFile(first);
  for (const call of later.slice(0, MAX_PENDING)) {
    const decided = await planCall(call, undefined, run).catch(() => undefined);
    const effect = decided?.question.effect;
    if (mayWrite && (effect?.command ?? effect?.program) !== undefined) continue;
    mayWrite ||= effect === undefined ? call.tool?.definition.effect === 'write' : writesFile(effect);
    if (decided?.permission.type !== 'ask' || decided.onlyPlanned || agreed.has(keyOf(decided.question))) continue;
    questions.push(decided.question);
  }
  return questions;
}

const writesFile = ({ paths }: PlannedEffect): boolean => paths.some(({ access }) => access === 'write');

const keyOf = ({ callId, digest }: ApprovalRequest): string => `${callId} ${digest}`;
