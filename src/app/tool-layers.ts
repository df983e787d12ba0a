import type { ToolSet } from '../agent/ports/tool.ts';
import { whyNoneStarts } from '../policy/trust/external-programs.ts';
import { inDialect } from '../tools/dialects/in-dialect.ts';
import { withOutputLimit } from '../tools/external-tool/external-tool.ts';
import { findExternalTools, NO_EXTERNAL_TOOLS } from '../tools/external-tools.ts';
import { createPresentPlan, offerPlanTool } from '../tools/present-plan.ts';
import { createRegistry, toolsIn } from '../tools/registry.ts';
import { createTools, type ToolPorts } from '../tools/tools.ts';
import { withDirectCalls } from '../tools/wrappers/direct-calls.ts';
import { withHooks } from '../tools/wrappers/hooked-tools.ts';
import { withRedaction } from '../tools/wrappers/redacted-tool.ts';
import { instructionTokens } from './prompt/instructions.ts';
import { withNestedInstructions } from './prompt/nested-instructions.ts';
import type { Conversation, SessionPorts, SessionSettings } from './session-ports.ts';

/** The parts of a conversation that its tools need. */
interface Parts extends Pick<Conversation, 'permissions' | 'session' | 'record'> {
  readonly settings: SessionSettings;
  readonly ports: ToolPorts & Pick<SessionPorts, 'redactor'>;
}

/** The purpose of a layer, and the function that puts it around the tools; absent if `createTools` has already done so. */
type Layer = readonly [adds: string, apply?: (tools: ToolSet, parts: Parts) => ToolSet | Promise<ToolSet>];

/** The layers around a tool call by name, the innermost first: a call passes them from the last to the first. */
export const TOOL_LAYERS: Readonly<Record<string, Layer>> = {
  definition: ['Checks the arguments by a schema, and makes the plan and its effect.'],
  loading: ['Loads the code of a built-in tool with its first call.'],
  'time limit': ['Ends a call that takes longer than the configuration allows.'],
  redaction: [
    'Replaces secrets in results by marks, and refuses calls that would write such a mark.',
    (tools, { ports }) => createRegistry(toolsIn(tools).map((tool) => withRedaction(tool, ports.redactor.redact))),
  ],
  'nested instructions': [
    'Adds the instructions files of a directory to the first result from it.',
    (tools, { settings: { prompt, context }, ports, session }) => {
      if (!prompt.instructions) return tools;
      const limits = { excludePatterns: prompt.excludePatterns, maxTokens: instructionTokens(context.maxTokens) };
      const settings = { ...ports, ...limits, messages: () => session.state.messages };
      return createRegistry(withNestedInstructions(toolsIn(tools), settings));
    },
  ],
  dialect: [
    'Gives the tools the names and arguments of another agent, for models that were trained on those.',
    (tools, { settings, ports }) => inDialect(settings.toolsDialect, tools, ports.pathRules.platform),
  ],
  'plan tool': [
    'Offers `present_plan` once the session has been in plan mode.',
    (tools, { permissions }) => offerPlanTool(tools, permissions),
  ],
  'direct calls': [
    'Runs a tool of a server that is called by its own name instead of with `call_tool`.',
    withDirectCalls,
  ],
  hooks: [
    'Lets the host decide on each call or change it before it is planned, and shows it the result.',
    (tools, { settings: { hooks }, ports }) => (hooks ? withHooks(tools, hooks, ports.redactor.redact) : tools),
  ],
};

/**
 * Creates the tools of a conversation: those of ybs, those of the caller, and the external ones. Aborting `signal` ends the
 * search for the external ones, which are then unavailable.
 */
export async function openTools(
  parts: Parts,
  signal: AbortSignal = new AbortController().signal,
): Promise<Pick<Conversation, 'tools' | 'externalTools'>> {
  const { settings, ports, permissions, record } = parts;
  if (!settings.offersTools) return { tools: createRegistry([]), externalTools: [] };
  const { tools: others = [], externalTools = NO_EXTERNAL_TOOLS, answerSchema, mcpServers = [] } = settings;
  const discovery = {
    settings: externalTools,
    otherNames: others.map(({ definition }) => definition.name),
    startsNothing: whyNoneStarts({ dryRun: settings.dryRun, mode: settings.permissionMode }),
    signal,
  };
  const own = createTools(ports, settings);
  const external = await findExternalTools(discovery, ports);
  const mcp = mcpServers.length > 0 ? await import('../tools/mcp/mcp-tools.ts') : undefined;
  const ofServers = mcp?.createMcpTools(mcpServers, record.serverTools, discovery.startsNothing, ports);
  if (ofServers) record.serverTools = ofServers.offered;
  const answer = answerSchema && [await (await import('../tools/structured-answer.ts')).createAnswerTool(answerSchema)];
  const ofCaller = others.map((tool) => withOutputLimit(tool, ports));
  const found = [...external.tools, ...(ofServers?.tools ?? []), ...(answer ?? [])];
  let tools = createRegistry([...own, ...ofCaller, ...found, createPresentPlan(permissions)]);
  for (const [, apply] of Object.values(TOOL_LAYERS)) tools = (await apply?.(tools, parts)) ?? tools;
  return { tools, externalTools: external.states };
}
