import type { ToolSet } from '../../agent/ports/tool.ts';
import { canonicalToolName } from '../../tools/dialects/aliases.ts';
import { PLAN_TOOL } from '../../tools/present-plan.ts';
import { ANSWER_TOOL } from '../../tools/registry.ts';
import type { PromptPart } from '../prompt/prompt-parts.ts';
import type { AgentDefinition } from './agent-file.ts';

/** Tools without effects that every agent keeps: for the plan of plan mode, and for the answer that a host requests. */
const ALWAYS: ReadonlySet<string> = new Set([PLAN_TOOL, 'ExitPlanMode', ANSWER_TOOL]);

/**
 * The tools of a session that an agent uses: those that its file names, by our names or those of other agents. It never
 * adds one, so a tool that the session lacks stays unknown.
 */
function restrictTools(tools: ToolSet, { tools: named }: Pick<AgentDefinition, 'tools'>): ToolSet {
  if (named === undefined) return tools;
  const wanted = new Set(named.flatMap((name) => [name, canonicalToolName(name)]));
  const isKept = (name: string): boolean => wanted.has(name) || wanted.has(canonicalToolName(name)) || ALWAYS.has(name);
  const kept = (name: string | undefined): string | undefined =>
    name !== undefined && isKept(name) ? name : undefined;
  return {
    get definitions() {
      return tools.definitions.filter(({ name }) => isKept(name));
    },
    find(name) {
      const tool = tools.find(name);
      return tool !== undefined && isKept(tool.definition.name) ? tool : undefined;
    },
    nearest: (name) => kept(tools.nearest(name)),
  };
}

/** The part of a conversation that an agent changes. */
export interface Applicable {
  readonly tools: ToolSet;
  readonly promptParts: readonly PromptPart[];
  readonly settings: { readonly system: string };
}

/**
 * A conversation under the instructions of an agent: its text follows the system prompt, and only its tools are left.
 * Everything else stays, so the agent never has more rights.
 */
export function withAgent<Conversation extends Applicable>(
  conversation: Conversation,
  agent: AgentDefinition,
): Conversation {
  const part: PromptPart = { name: 'agent', text: agentText(agent) };
  const { tools, promptParts, settings } = conversation;
  return {
    ...conversation,
    tools: restrictTools(tools, agent),
    promptParts: [...promptParts, part],
    settings: { ...settings, system: `${settings.system}\n${part.text}` },
  };
}

function agentText({ name, prompt }: AgentDefinition): string {
  return `The user has chosen the agent "${name}". Work by its instructions until the user chooses another one:\n\n${prompt}\n`;
}
