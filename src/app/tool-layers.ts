import type { Tool, ToolSet } from '../agent/ports/tool.ts';
import { whyNoneStarts } from '../policy/trust/external-programs.ts';
import { inDialect } from '../tools/dialects/in-dialect.ts';
import { findExternalTools, NO_EXTERNAL_TOOLS } from '../tools/external-tools.ts';
import { createPresentPlan, offerPlanTool } from '../tools/present-plan.ts';
import { createRegistry } from '../tools/registry.ts';
import { createTools, type ToolPorts } from '../tools/tools.ts';
import { withHooks } from '../tools/wrappers/hooked-tools.ts';
import { withRedaction } from '../tools/wrappers/redacted-tool.ts';
import { instructionTokens } from './prompt/instructions.ts';
import { withNestedInstructions } from './prompt/nested-instructions.ts';
import type { Conversation, SessionPorts, SessionSettings } from './session-ports.ts';

/** The parts of a conversation that its tools need. */
interface Parts extends Pick<Conversation, 'permissions' | 'session'> {
  readonly settings: SessionSettings;
  readonly ports: ToolPorts & Pick<SessionPorts, 'redactor'>;
}

/**
 * The layers around a tool call, the innermost first: a call passes them from the last to the first, and its result from
 * the first to the last. Three layers are in the tools themselves:
 * 1. `createTools` loads the code of a tool with its first call.
 * 2. `defineTool` reads the arguments, and makes the plan and its effect.
 * 3. `withTimeLimit` ends a call that takes longer than the configuration allows.
 */
const TOOL_LAYERS: readonly ((tools: readonly Tool[], parts: Parts) => readonly Tool[])[] = [
  /** 4. Results reach the model with marks in place of secrets, and no call writes such a mark. */
  (tools, { ports }) => tools.map((tool) => withRedaction(tool, ports.redactor.redact)),
  /** 5. The first result from a directory also has the instructions files of that directory. */
  (tools, { settings: { prompt, context }, ports, session }) => {
    const { excludePatterns, instructions } = prompt;
    const maxTokens = instructionTokens(context.maxTokens);
    const messages = () => session.state.messages;
    return instructions ? withNestedInstructions(tools, { ...ports, excludePatterns, maxTokens, messages }) : tools;
  },
];

/** The layers that also change which tools the model sees, in the same order. */
const SET_LAYERS: readonly ((tools: ToolSet, parts: Parts) => ToolSet | Promise<ToolSet>)[] = [
  /** 6. The tools have the names and the arguments of another agent, if the model was trained on those. */
  (tools, { settings, ports }) => inDialect(settings.toolsDialect, tools, ports.pathRules.platform),
  /** 7. The tool for plans is offered once the session has been in plan mode. */
  (tools, { permissions }) => offerPlanTool(tools, permissions),
  /** 8. The hooks of the host see each call before it is planned, and its result. */
  (tools, { settings: { hooks }, ports }) =>
    hooks === undefined ? tools : withHooks(tools, hooks, ports.redactor.redact),
];

/**
 * Creates the tools of a conversation: those of ybs, those of the caller, and the external ones. Aborting `signal` ends the
 * search for the external ones, which are then unavailable.
 */
export async function openTools(
  parts: Parts,
  signal: AbortSignal = new AbortController().signal,
): Promise<Pick<Conversation, 'tools' | 'externalTools'>> {
  const { settings, ports, permissions } = parts;
  if (!settings.offersTools) return { tools: createRegistry([]), externalTools: [] };
  const {
    tools: others = [],
    externalTools = NO_EXTERNAL_TOOLS,
    dryRun,
    permissionMode: mode,
    answerSchema,
  } = settings;
  const discovery = {
    settings: externalTools,
    otherNames: others.map(({ definition }) => definition.name),
    startsNothing: whyNoneStarts({ dryRun, mode }),
    signal,
  };
  const own = createTools(ports, settings);
  const external = await findExternalTools(discovery, ports);
  const loadAnswer = async () => (await import('../tools/structured-answer.ts')).createAnswerTool;
  const answer = answerSchema === undefined ? [] : [await (await loadAnswer())(answerSchema)];
  const all: readonly Tool[] = [...own, ...others, ...external.tools, ...answer, createPresentPlan(permissions)];
  let tools = createRegistry(TOOL_LAYERS.reduce((inner, layer) => layer(inner, parts), all));
  for (const layer of SET_LAYERS) tools = await layer(tools, parts);
  return { tools, externalTools: external.states };
}
