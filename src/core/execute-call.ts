import type { ApprovalDecision, PermissionDecision, PermissionRule } from '../ports/approver.ts';
import type { AgentEvent } from '../ports/events.ts';
import type { ToolCall } from '../ports/messages.ts';
import type { PreparedCall, ToolDefinition, ToolProgress, ToolResult, ToolSet } from '../ports/tool.ts';
import { abortAfterGrace, raceAbort } from './abort.ts';
import * as texts from './call-texts.ts';
import { closeQuietly } from './close-quietly.ts';
import { ToolError } from './errors.ts';
import type { AgentPorts, AgentSettings } from './run-input.ts';

/** How long a stopped tool may take to say how it ended, in milliseconds. */
const STOP_GRACE_MS = 1_500;

/** What became of a call; `nobodyAsked`: it was refused because there was nobody to ask. */
export interface SettledCall extends texts.CallText {
  readonly type: 'settled';
  readonly call: ToolCall;
  readonly toolName: string;
  readonly durationMs: number;
  readonly nobodyAsked: boolean;
}

/** A call that was planned and allowed, and has not started. */
export interface ReadyCall {
  readonly type: 'ready';
  readonly call: ToolCall;
  readonly toolName: string;
  readonly prepared: PreparedCall;
}

/** What calls are executed with; `rules` are those in force right now. */
export interface CallContext {
  readonly ports: AgentPorts;
  readonly settings: AgentSettings;
  readonly rules: readonly PermissionRule[];
  readonly signal: AbortSignal;
}

/**
 * Plans one call and gets it allowed: a `tool_call`, then where the rules say so a question and its answer. Nothing
 * has happened to the world when this returns. `cut`: the answer ended in the middle of this call. Never throws.
 */
export async function* prepareCall(
  call: ToolCall,
  cut: boolean,
  context: CallContext,
): AsyncGenerator<AgentEvent, ReadyCall | SettledCall, void> {
  const { ports, settings, signal } = context;
  const toolName = ports.tools.find(call.name)?.definition.name ?? call.name;
  let prepared: PreparedCall;
  let permission: PermissionDecision;
  try {
    const planned = await raceAbort(planCall(call, cut, ports.tools, signal), signal);
    prepared = planned.prepared;
    permission = settings.decide({ definition: planned.definition, effect: prepared.effect }, context.rules);
  } catch (error) {
    yield { type: 'tool_call', call };
    return settle(call, toolName, texts.failure(error, toolName, 'not_run'));
  }
  yield { type: 'tool_call', call, effect: prepared.effect, permission };
  if (permission.type === 'deny') return settle(call, toolName, texts.deniedByRule(permission));
  if (settings.dryRun) return settle(call, toolName, texts.dryRun(prepared.effect));
  if (permission.type === 'allow') return { type: 'ready', call, toolName, prepared };
  const { reason, offers } = permission;
  const question = { callId: call.id, toolName, effect: prepared.effect, reason };
  const request = offers === undefined ? question : { ...question, offers };
  yield { type: 'approval_request', request };
  let decision: ApprovalDecision;
  try {
    decision = await raceAbort(ports.approver.decide(request, signal), signal);
  } catch (error) {
    return settle(call, toolName, texts.failure(error, toolName, 'not_run'));
  }
  const added = addedRule(decision, permission);
  const decided = { type: 'approval_decision', callId: call.id, decision } as const;
  yield added === undefined ? decided : { ...decided, added };
  switch (decision.type) {
    case 'once':
    case 'session':
      return { type: 'ready', call, toolName, prepared };
    case 'deny':
      return settle(call, toolName, texts.deniedByUser(decision.feedback));
    case 'unavailable':
      return { ...settle(call, toolName, texts.nobodyToAsk(reason)), nobodyAsked: true };
  }
}

/** Runs a call that `prepareCall` let through, yielding its live output. Never throws. */
export async function* runCall(ready: ReadyCall, context: CallContext): AsyncGenerator<AgentEvent, SettledCall, void> {
  const { call, toolName, prepared } = ready;
  const { signal } = context;
  const { clock } = context.ports;
  if (signal.aborted) return settle(call, toolName, texts.STOPPED_BEFORE);
  const started = clock.now();
  const late = abortAfterGrace(signal, clock, STOP_GRACE_MS);
  let run: AsyncIterator<ToolProgress, ToolResult, void> | undefined;
  try {
    run = prepared.run();
    for (;;) {
      const step = await raceAbort(run.next(), late.signal);
      if (step.done === true) {
        const ended = texts.ended(step.value, signal.aborted);
        return settle(call, toolName, ended, clock.now() - started);
      }
      yield { type: 'tool_output', callId: call.id, stream: step.value.stream, text: step.value.text };
    }
  } catch (error) {
    return settle(call, toolName, texts.failure(error, toolName, 'interrupted'), clock.now() - started);
  } finally {
    late.dispose();
    closeQuietly(run);
  }
}

async function planCall(
  call: ToolCall,
  cut: boolean,
  tools: ToolSet,
  signal: AbortSignal,
): Promise<{ readonly definition: ToolDefinition; readonly prepared: PreparedCall }> {
  if (cut) throw new ToolError('invalid_arguments', texts.cutArguments(call));
  const tool = tools.find(call.name);
  if (tool === undefined) throw new ToolError('invalid_arguments', texts.unknownTool(call.name, tools));
  let args: unknown;
  try {
    args = JSON.parse(call.arguments.trim() === '' ? '{}' : call.arguments);
  } catch (error) {
    throw new ToolError('invalid_arguments', texts.invalidJson(call, error));
  }
  return { definition: tool.definition, prepared: await tool.prepare(args, { callId: call.id, signal }) };
}

function addedRule(
  decision: ApprovalDecision,
  permission: Extract<PermissionDecision, { type: 'ask' }>,
): PermissionRule | undefined {
  if (decision.type === 'session') return permission.offers ?? permission.grants;
  return decision.type === 'once' ? permission.grants : undefined;
}

function settle(call: ToolCall, toolName: string, text: texts.CallText, durationMs = 0): SettledCall {
  return { type: 'settled', call, toolName, ...text, durationMs, nobodyAsked: false };
}
