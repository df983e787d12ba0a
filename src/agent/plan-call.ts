import { raceAbort } from './async/abort.ts';
import * as texts from './call-texts.ts';
import { ToolError } from './errors.ts';
import type { ApprovalRequest, CallEdit, PermissionDecision, PlannedCall, Tool, ToolCall } from './ports/index.ts';
import type { RunContext } from './run-input.ts';

/** A call of the model. `tool` is absent when no tool has its name; `cut`: the answer ended in the middle of it. */
export interface RequestedCall {
  readonly call: ToolCall;
  readonly tool: Tool | undefined;
  readonly cut: boolean;
}

/** A plan with the decision of the rules, and the question that the decision `ask` needs. */
export interface DecidedCall {
  readonly planned: PlannedCall;
  readonly permission: PermissionDecision;
  readonly question: ApprovalRequest & { readonly digest: string };
  /** The planned call as JSON, without the decision, so that equal calls have equal strings. */
  readonly content: string;
  /** A dry run does not run it. */
  readonly onlyPlanned: boolean;
}

/** Plans a call, as the user has changed it, and applies the rules. Rejects when it cannot be planned. */
export async function planCall(
  requested: RequestedCall,
  edit: CallEdit | undefined,
  { input: { session, signal }, ports, settings }: RunContext,
): Promise<DecidedCall> {
  const { id: callId } = requested.call;
  const tool = requireTool(requested, ports);
  const { definition, withCommand } = tool;
  const args = readArguments(requested.call, tool, edit);
  const pause = () => raceAbort(ports.clock.sleep(0, signal), signal);
  const plan = async () => tool.plan(args, { callId, signal, pause });
  const planned = await raceAbort(plan(), signal);
  const { effect } = planned;
  const permission = settings.decide({ definition, effect }, session.state.rules);
  const { type, rule: _rule, decidedBy: _decidedBy, ...facts } = permission;
  const content = JSON.stringify([definition.name, args, effect]);
  const known = [content, type === 'ask' ? permission.sandbox : undefined];
  const digest = ports.digest(new TextEncoder().encode(JSON.stringify(known)));
  const editable = effect.command !== undefined && withCommand !== undefined && { editable: true as const };
  const toolName = effect.toolName ?? definition.name;
  const question = { callId, toolName, effect, digest, ...editable, reason: '', ...facts };
  const onlyPlanned = settings.dryRun && !(definition.effect === 'read' && onlyReads(effect));
  return { planned, permission, question, content, onlyPlanned };
}

/** True for a call that only reads, whatever its tool claims. */
export function onlyReads({ command, mcp, paths }: PlannedCall['effect']): boolean {
  return command === undefined && mcp === undefined && paths.every(({ access }) => access === 'read');
}

function requireTool({ call, tool, cut }: RequestedCall, { tools }: RunContext['ports']): Tool {
  if (call.problem !== undefined) throw new ToolError('invalid_arguments', call.problem);
  if (cut) throw new ToolError('invalid_arguments', texts.cutArguments(call));
  if (tool === undefined) throw new ToolError('invalid_arguments', texts.unknownTool(call.name, tools));
  return tool;
}

/** The arguments of a call, as the user has changed them. */
function readArguments(call: ToolCall, tool: Tool, edit: CallEdit | undefined): unknown {
  let args: unknown;
  try {
    args = JSON.parse(call.arguments.trim() === '' ? '{}' : call.arguments);
  } catch (error) {
    throw new ToolError('invalid_arguments', texts.invalidJson(call, error));
  }
  if (edit === undefined) return args;
  if (edit.type === 'change') return edit.arguments;
  if (tool.withCommand !== undefined) return tool.withCommand(args, edit.command);
  throw new ToolError('invalid_arguments', texts.notEditable(tool.definition.name));
}
