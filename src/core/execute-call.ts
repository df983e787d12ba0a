import type { ApprovalDecision, PermissionDecision, PermissionRule } from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';
import type { AgentEvent } from '../ports/events.ts';
import type { ToolCall } from '../ports/messages.ts';
import type { PlannedCall, Tool, ToolContext, ToolProgress, ToolResult, ToolSet } from '../ports/tool.ts';
import { abortAfterGrace, closeQuietly, raceAbort, stopGraceMs } from './abort.ts';
import * as texts from './call-texts.ts';
import { ToolError } from './errors.ts';
import { groupNeighbours, runInParallel } from './parallel.ts';
import type { AgentPorts, AgentSettings, RunInput } from './run-input.ts';

/** Maximum number of neighbouring reads that run at the same time. */
const MAX_PARALLEL_READS = 4;

/** A finished call. `approvalUnavailable`: it was denied because there was nobody to ask. */
export interface SettledCall extends texts.CallText {
  readonly type: 'settled';
  readonly call: ToolCall;
  readonly toolName: string;
  readonly durationMs: number;
  readonly approvalUnavailable: boolean;
}

/** A call that was planned and allowed, and has not started. */
interface ReadyCall {
  readonly call: ToolCall;
  readonly toolName: string;
  readonly prepared: PlannedCall;
}

/** A call of the model. `tool` is absent when no tool has its name; `cut`: the answer ended in the middle of it. */
interface RequestedCall {
  readonly call: ToolCall;
  readonly tool: Tool | undefined;
  readonly cut: boolean;
}

/** The run that a call belongs to. */
interface CallContext {
  readonly input: RunInput;
  readonly ports: AgentPorts;
  readonly settings: AgentSettings;
}

/**
 * Executes the calls of one answer. Neighbouring reads run in parallel, everything else alone and in order. Yields
 * events and, in the order of the calls, each finished call. `cut` is the call that the end of the answer cut off.
 */
export async function* executeCalls(
  calls: readonly ToolCall[],
  cut: ToolCall | undefined,
  context: CallContext,
): AsyncGenerator<AgentEvent | SettledCall, void, void> {
  const { tools } = context.ports;
  const requested = calls.map((call) => ({ call, tool: tools.find(call.name), cut: call === cut }));
  for (const group of groupNeighbours(requested, ({ tool }) => tool?.definition.effect === 'read')) {
    const runs: AsyncGenerator<AgentEvent, SettledCall, void>[] = [];
    for (const call of group) runs.push(finish(yield* prepareCall(call, context), context));
    yield* yield* runInParallel(runs, MAX_PARALLEL_READS);
  }
}

async function* finish(
  step: ReadyCall | SettledCall,
  context: CallContext,
): AsyncGenerator<AgentEvent, SettledCall, void> {
  return 'prepared' in step ? yield* runCall(step, context) : step;
}

/**
 * Plans one call and gets permission for it. Yields a `tool_call` and, if the rules ask, the approval request and its
 * decision. Has no side effects on the user's machine. Never throws.
 */
async function* prepareCall(
  requested: RequestedCall,
  { input, ports, settings }: CallContext,
): AsyncGenerator<AgentEvent, ReadyCall | SettledCall, void> {
  const { call, tool } = requested;
  const { signal } = input;
  const toolName = tool?.definition.name ?? call.name;
  let prepared: PlannedCall;
  let planned: Parameters<AgentSettings['decide']>[0];
  let permission: PermissionDecision;
  try {
    const found = requireTool(requested, ports.tools);
    prepared = await raceAbort(planCall(call, found, contextOf(call, signal, ports.clock)), signal);
    planned = { definition: found.definition, effect: prepared.effect };
    permission = settings.decide(planned, input.session.state.rules);
  } catch (error) {
    yield { type: 'tool_call', call };
    return settle(call, toolName, texts.failure(error, toolName, texts.STOPPED_BEFORE_START));
  }
  yield { type: 'tool_call', call, effect: prepared.effect, permission };
  if (permission.type === 'deny') return settle(call, toolName, texts.deniedByRule(permission));
  if (settings.dryRun && !isRead(planned)) return settle(call, toolName, texts.dryRun(prepared.effect));
  if (permission.type === 'allow') return { call, toolName, prepared };
  const { reason, offers } = permission;
  const question = { callId: call.id, toolName, effect: prepared.effect, reason };
  const request = offers === undefined ? question : { ...question, offers };
  yield { type: 'approval_request', request };
  let decision: ApprovalDecision;
  try {
    decision = await raceAbort(ports.approver.decide(request, signal), signal);
  } catch (error) {
    return settle(call, toolName, texts.failure(error, toolName, texts.STOPPED_BEFORE_START));
  }
  const added = addedRule(decision, permission);
  const decided = { type: 'approval_decision', callId: call.id, decision } as const;
  yield added === undefined ? decided : { ...decided, added };
  switch (decision.type) {
    case 'once':
    case 'session':
      return { call, toolName, prepared };
    case 'deny':
      return settle(call, toolName, texts.deniedByUser(decision.feedback));
    case 'unavailable':
      return { ...settle(call, toolName, texts.approvalUnavailable(reason)), approvalUnavailable: true };
  }
}

/** Runs a call that `prepareCall` allowed and yields its live output. Never throws. */
async function* runCall(
  { call, toolName, prepared }: ReadyCall,
  { input, ports }: CallContext,
): AsyncGenerator<AgentEvent, SettledCall, void> {
  const { signal } = input;
  const { clock } = ports;
  if (signal.aborted) return settle(call, toolName, texts.STOPPED_BEFORE_START);
  const started = clock.now();
  const delayed = abortAfterGrace(signal, clock, stopGraceMs(prepared.effect));
  let run: AsyncIterator<ToolProgress, ToolResult, void> | undefined;
  try {
    run = prepared.run();
    for (;;) {
      const step = await raceAbort(run.next(), delayed.signal);
      if (step.done === true) {
        const ended = texts.ended(step.value, signal.aborted);
        return settle(call, toolName, ended, clock.now() - started);
      }
      yield { type: 'tool_output', callId: call.id, stream: step.value.stream, text: step.value.text };
    }
  } catch (error) {
    return settle(call, toolName, texts.failure(error, toolName, texts.STOPPED_WHILE_RUNNING), clock.now() - started);
  } finally {
    delayed.dispose();
    closeQuietly(run);
  }
}

function requireTool({ call, tool, cut }: RequestedCall, tools: ToolSet): Tool {
  if (call.problem !== undefined) throw new ToolError('invalid_arguments', call.problem);
  if (cut) throw new ToolError('invalid_arguments', texts.cutArguments(call));
  if (tool === undefined) throw new ToolError('invalid_arguments', texts.unknownTool(call.name, tools));
  return tool;
}

async function planCall(call: ToolCall, tool: Tool, context: ToolContext): Promise<PlannedCall> {
  let args: unknown;
  try {
    args = JSON.parse(call.arguments.trim() === '' ? '{}' : call.arguments);
  } catch (error) {
    throw new ToolError('invalid_arguments', texts.invalidJson(call, error));
  }
  return tool.plan(args, context);
}

function contextOf(call: ToolCall, signal: AbortSignal, clock: Clock): ToolContext {
  return { callId: call.id, signal, pause: () => raceAbort(clock.sleep(0, signal), signal) };
}

/** True for a call that only reads, whatever its tool claims. */
function isRead({ definition, effect }: Parameters<AgentSettings['decide']>[0]): boolean {
  if (definition.effect !== 'read' || effect.command !== undefined) return false;
  return effect.paths.every(({ access }) => access === 'read');
}

function addedRule(
  decision: ApprovalDecision,
  permission: Extract<PermissionDecision, { type: 'ask' }>,
): PermissionRule | undefined {
  return decision.type === 'session' ? permission.offers : undefined;
}

function settle(call: ToolCall, toolName: string, text: texts.CallText, durationMs = 0): SettledCall {
  return { type: 'settled', call, toolName, ...text, durationMs, approvalUnavailable: false };
}
