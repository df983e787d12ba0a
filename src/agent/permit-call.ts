import { raceAbort } from './async/abort.ts';
import * as texts from './call-texts.ts';
import { type CallContext, type JudgedCall, judgeCall, type Question, type RequestedCall } from './judge-call.ts';
import type { ApprovalDecision, ApprovalRequest, CallEdit } from './ports/approver.ts';
import type { AgentEvent } from './ports/events.ts';
import type { ToolCall } from './ports/messages.ts';
import type { PlannedCall, PlannedEffect } from './ports/tool.ts';

/** A call that was planned and allowed, and has not started. `edit`: what the user changed of it. */
export interface ReadyCall {
  readonly call: ToolCall;
  readonly toolName: string;
  readonly prepared: PlannedCall;
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
 * again if the plan has changed. `later` are the next calls of the same answer; `agreed` has the plans of them that the
 * user has agreed to. Has no side effects on the user's machine. Never throws.
 */
export async function* permitCall(
  requested: RequestedCall,
  later: readonly RequestedCall[],
  agreed: Set<string>,
  context: CallContext,
): AsyncGenerator<AgentEvent, ReadyCall | SettledCall, void> {
  const { call, tool } = requested;
  const { approver } = context.ports;
  const { signal } = context.input;
  const toolName = tool?.definition.name ?? call.name;
  let edit: CallEdit | undefined;
  let shown: string | undefined;
  let answered: string | undefined;
  const end = (text: texts.CallText): SettledCall => settle(call, toolName, texts.afterEdit(edit, text));
  for (;;) {
    let judged: JudgedCall;
    try {
      judged = await judgeCall(requested, edit, context);
    } catch (error) {
      if (shown === undefined) yield { type: 'tool_call', call };
      return end(texts.failure(error, toolName, texts.STOPPED_BEFORE_START));
    }
    const { prepared, permission, question } = judged;
    const { effect, digest } = question;
    if (digest !== shown) yield { type: 'tool_call', call, effect, permission };
    shown = digest;
    if (permission.type === 'deny') return end(texts.deniedByRule(permission));
    if (judged.onlyPlanned) return end(texts.dryRun(effect));
    const ready = { call, toolName, prepared, edit };
    if (permission.type === 'allow' || digest === answered) return ready;
    if (agreed.delete(keyOf(question))) {
      yield { type: 'approval_decision', callId: call.id, decision: { type: 'once', all: true } };
      return ready;
    }
    const reason = answered === undefined ? permission.reason : `${texts.CHANGED_SINCE} ${permission.reason}`;
    const pending = await askedLater(effect, later, agreed, context);
    const request = { ...question, reason, ...(pending.length > 0 && { pending }) };
    yield { type: 'approval_request', request };
    let decision: ApprovalDecision;
    try {
      decision = await raceAbort(approver.decide(request, signal), signal);
    } catch (error) {
      return end(texts.failure(error, toolName, texts.STOPPED_BEFORE_START));
    }
    const offered = decision.type === 'session' && decision.scope === 'directory' ? 'offersDirectory' : 'offers';
    const added = decision.type === 'session' ? question[offered] : undefined;
    yield { type: 'approval_decision', callId: call.id, decision, ...(added !== undefined && { added }) };
    switch (decision.type) {
      case 'once':
        for (const other of decision.all === true ? pending : []) agreed.add(keyOf(other));
        answered = digest;
        break;
      case 'session':
        answered = digest;
        break;
      case 'edit':
      case 'change':
        edit = decision;
        answered = undefined;
        break;
      case 'deny':
        return end(texts.deniedByUser(decision.feedback));
      case 'unavailable':
        return end(texts.unanswered(reason, decision.afterSeconds, decision.host));
    }
  }
}

/** A call that ended. */
export function settle(call: ToolCall, toolName: string, text: texts.CallText, durationMs = 0): SettledCall {
  return { type: 'settled', call, toolName, ...text, durationMs };
}

/** The questions about later calls, as far as they are known now: a command after a write may run what was written. */
async function askedLater(
  first: PlannedEffect,
  later: readonly RequestedCall[],
  agreed: ReadonlySet<string>,
  context: CallContext,
): Promise<readonly (Question & ApprovalRequest)[]> {
  const questions: (Question & ApprovalRequest)[] = [];
  let mayWrite = writesFile(first);
  for (const call of later.slice(0, MAX_PENDING)) {
    const judged = await judgeCall(call, undefined, context).catch(() => undefined);
    const effect = judged?.question.effect;
    if (mayWrite && (effect?.command ?? effect?.program) !== undefined) continue;
    mayWrite ||= effect === undefined ? call.tool?.definition.effect === 'write' : writesFile(effect);
    if (judged?.permission.type !== 'ask' || judged.onlyPlanned || agreed.has(keyOf(judged.question))) continue;
    questions.push({ ...judged.question, reason: judged.permission.reason });
  }
  return questions;
}

const writesFile = ({ paths }: PlannedEffect): boolean => paths.some(({ access }) => access === 'write');

function keyOf({ callId, digest }: Question): string {
  return `${callId} ${digest}`;
}
