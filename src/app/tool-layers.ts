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

/** A layer around each tool call. */
interface ToolLayer {
  readonly name: string;
  /** The purpose of the layer, as chapter 10 prints it. */
  readonly adds: string;
  /** Puts the layer around the tools. Absent for a layer that `createTools` has already put around them. */
  readonly apply?: (tools: ToolSet, parts: Parts) => ToolSet | Promise<ToolSet>;
}

/**
 * The layers around a tool call, the innermost first: a call passes them from the last to the first, and its result from
 * the first to the last.
 */
export const TOOL_LAYERS: readonly ToolLayer[] = [
  { name: 'definition', adds: 'Checks the arguments by a schema, and makes the plan and its effect.' },
  { name: 'loading', adds: 'Loads the code of a built-in tool with its first call.' },
  { name: 'time limit', adds: 'Ends a call that takes longer than the configuration allows.' },
  {
    name: 'redaction',
    adds: 'Replaces secrets in results by marks, and refuses calls that would write such a mark.',
    apply: (tools, { ports }) =>
      createRegistry(listOf(tools).map((tool) => withRedaction(tool, ports.redactor.redact))),
  },
  {
    name: 'nested instructions',
    adds: 'Adds the instructions files of a directory to the first result from it.',
    apply(tools, { settings: { prompt, context }, ports, session }) {
      if (!prompt.instructions) return tools;
      const { excludePatterns } = prompt;
      const maxTokens = instructionTokens(context.maxTokens);
      const messages = () => session.state.messages;
      return createRegistry(withNestedInstructions(listOf(tools), { ...ports, excludePatterns, maxTokens, messages }));
    },
  },
  {
    name: 'dialect',
    adds: 'Gives the tools the names and arguments of another agent, for models that were trained on those.',
    apply: (tools, { settings, ports }) => inDialect(settings.toolsDialect, tools, ports.pathRules.platform),
  },
  {
    name: 'plan tool',
    adds: 'Offers `present_plan` once the session has been in plan mode.',
    apply: (tools, { permissions }) => offerPlanTool(tools, permissions),
  },
  {
    name: 'hooks',
    adds: 'Lets the host decide on each call or change it before it is planned, and shows it the result.',
    apply: (tools, { settings: { hooks }, ports }) =>
      hooks === undefined ? tools : withHooks(tools, hooks, ports.redactor.redact),
  },
];

const listOf = ({ definitions, find }: ToolSet): readonly Tool[] => definitions.flatMap(({ name }) => find(name) ?? []);

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
  let tools = createRegistry(all);
  for (const { apply } of TOOL_LAYERS) tools = (await apply?.(tools, parts)) ?? tools;
  return { tools, externalTools: external.states };
}
