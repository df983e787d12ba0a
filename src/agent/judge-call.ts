import { raceAbort } from './async/abort.ts';
import * as texts from './call-texts.ts';
import { ToolError } from './errors.ts';
import type { ApprovalRequest, CallEdit, PermissionDecision } from './ports/approver.ts';
import type { Clock } from './ports/clock.ts';
import type { Digest } from './ports/digest.ts';
import type { ToolCall } from './ports/messages.ts';
import type { PlannedCall, Tool, ToolContext, ToolSet } from './ports/tool.ts';
import type { AgentPorts, AgentSettings, RunInput } from './run-input.ts';

/** The run that a call belongs to. */
export interface CallContext {
  readonly input: RunInput;
  readonly ports: AgentPorts;
  readonly settings: AgentSettings;
}

/** A call of the model. `tool` is absent when no tool has its name; `cut`: the answer ended in the middle of it. */
export interface RequestedCall {
  readonly call: ToolCall;
  readonly tool: Tool | undefined;
  readonly cut: boolean;
}

/** A question without its reason. */
export type Question = Omit<ApprovalRequest, 'reason'> & { readonly digest: Digest };

/** A plan with the decision of the rules and the question that it would need. */
export interface JudgedCall {
  readonly prepared: PlannedCall;
  readonly permission: PermissionDecision;
  readonly question: Question;
  /** A dry run does not run it. */
  readonly onlyPlanned: boolean;
}

const NO_FACTS: Partial<Extract<PermissionDecision, { type: 'ask' }>> = {};

/** Plans a call, as the user has changed it, and applies the rules. Rejects when it cannot be planned. */
export async function judgeCall(
  requested: RequestedCall,
  edit: CallEdit | undefined,
  { input: { session, signal }, ports, settings }: CallContext,
): Promise<JudgedCall> {
  const { call } = requested;
  const tool = requireTool(requested, ports.tools);
  const { definition, withCommand } = tool;
  let args = readArguments(call);
  if (edit?.type === 'change') args = edit.arguments;
  if (edit?.type === 'edit') {
    if (withCommand === undefined) throw new ToolError('invalid_arguments', texts.notEditable(definition.name));
    args = withCommand(args, edit.command);
  }
  const plan = async () => tool.plan(args, contextOf(call, signal, ports.clock));
  const prepared = await raceAbort(plan(), signal);
  const { effect } = prepared;
  const planned = { definition, effect };
  const permission = settings.decide(planned, session.state.rules);
  const { type: _type, rule: _rule, reason: _reason, ...facts } = permission.type === 'ask' ? permission : NO_FACTS;
  const known = [definition.name, args, effect, facts.sandbox];
  return {
    prepared,
    permission,
    question: {
      ...{ callId: call.id, toolName: definition.name, effect },
      digest: ports.digest(new TextEncoder().encode(JSON.stringify(known))),
      ...(effect.command !== undefined && withCommand !== undefined && { editable: true }),
      ...facts,
    },
    onlyPlanned: settings.dryRun && !isRead(planned),
  };
}

function requireTool({ call, tool, cut }: RequestedCall, tools: ToolSet): Tool {
  if (call.problem !== undefined) throw new ToolError('invalid_arguments', call.problem);
  if (cut) throw new ToolError('invalid_arguments', texts.cutArguments(call));
  if (tool === undefined) throw new ToolError('invalid_arguments', texts.unknownTool(call.name, tools));
  return tool;
}

function readArguments(call: ToolCall): unknown {
  try {
    return JSON.parse(call.arguments.trim() === '' ? '{}' : call.arguments);
  } catch (error) {
    throw new ToolError('invalid_arguments', texts.invalidJson(call, error));
  }
}

function contextOf(call: ToolCall, signal: AbortSignal, clock: Clock): ToolContext {
  return { callId: call.id, signal, pause: () => raceAbort(clock.sleep(0, signal), signal) };
}

/** True for a call that only reads, whatever its tool claims. */
function isRead({ definition, effect }: Parameters<AgentSettings['decide']>[0]): boolean {
  if (definition.effect !== 'read' || effect.command !== undefined) return false;
  return effect.paths.every(({ access }) => access === 'read');
}
