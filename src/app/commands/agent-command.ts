import { UsageError } from '../../agent/errors.ts';
import { didYouMean } from '../../text/suggest.ts';
import type { Agent } from '../agent.ts';
import type { AgentDefinition } from '../extensions/agent-file.ts';
import { type CommandContext, chatCommand } from './chat-command.ts';

/** The argument that leaves an agent. */
const NONE = 'none';

/** `/agent`. */
export const AGENT_COMMAND = chatCommand({
  name: 'agent',
  argument: '[name]',
  description: 'Use the instructions of an agent, list the agents, or leave one with /agent none',
  async complete(agent, { length }) {
    return length === 0 ? [...(await agent.extensions()).agents.map(({ name }) => name), NONE] : [];
  },
  async run(agent, argument, context) {
    const current = await agent();
    return argument === '' ? describeAgents(current) : chooseAgent(current, argument, context);
  },
});

/**
 * Chooses the agent of this name from the next request on, with its model if it names one; `none` leaves it, and goes back
 * to the model before. Returns a text for the user. Throws `UsageError`; then nothing has changed.
 */
export async function chooseAgent(agent: Agent, name: string, context: CommandContext): Promise<string> {
  const { agents, problems } = await agent.extensions();
  const wanted = agents.find((each) => each.name === name);
  if (wanted === undefined && name !== NONE) throw new UsageError(unknownAgent(name, agents, problems));
  if (wanted === undefined && agent.chosen === undefined) return 'No agent is chosen.';
  const notes = await switchModel(agent, wanted, context);
  await agent.choose(wanted);
  if (wanted === undefined) return ['No agent is chosen from the next request on.', ...notes].join('\n');
  const tools = wanted.tools === undefined ? '' : ` Its tools are ${toolsOf(agent)}.`;
  return [`The agent is ${wanted.name} from the next request on.${tools}`, ...notes].join('\n');
}

/** The models that sessions had before an agent with one of its own. */
const modelsBefore = new WeakMap<Agent, string>();

/** Switches to the model of an agent, or back. Returns notes for the user. */
async function switchModel(
  agent: Agent,
  wanted: AgentDefinition | undefined,
  { models, signal }: CommandContext,
): Promise<readonly string[]> {
  const before = modelsBefore.get(agent);
  const [provider = ''] = agent.model.split('/', 1);
  const target = wanted?.model ?? before?.slice(before.indexOf('/') + 1);
  if (target === undefined) return [];
  const { profiles } = agent.configuration.config.models;
  const isProfile = wanted?.model !== undefined && profiles.some((profile) => profile.name === target);
  const [own = provider] = before === undefined || wanted?.model !== undefined ? [] : before.split('/', 1);
  const model = agent.model;
  const note = await models.use(agent, isProfile ? { profile: target } : { provider: own, model: target }, signal);
  if (wanted?.model === undefined) modelsBefore.delete(agent);
  else if (before === undefined) modelsBefore.set(agent, model);
  return [`The model is ${agent.model}.`, ...(note === undefined ? [] : [`! ${note}`])];
}

async function describeAgents(agent: Agent): Promise<string> {
  const { agents, problems } = await agent.extensions();
  const { chosen } = agent;
  const width = Math.max(0, ...agents.map(({ name }) => name.length));
  const rows = agents.map(({ name, description = '', path }) => {
    const mark = name === chosen?.name ? '*' : ' ';
    return `${mark} ${name.padEnd(width)}  ${description}${description === '' ? '' : ' '}[${path}]`;
  });
  return [
    chosen === undefined ? 'No agent is chosen.' : `The agent is ${chosen.name}. Its tools are ${toolsOf(agent)}.`,
    ...(rows.length === 0 ? ['There are no agents. docs/triggers.md describes their files.'] : rows),
    ...problems.map((problem) => `! ${problem}`),
  ].join('\n');
}

function toolsOf({ tools }: Agent): string {
  return tools.length === 0 ? 'none' : tools.map(({ name }) => name).join(', ');
}

function unknownAgent(name: string, agents: readonly AgentDefinition[], problems: readonly string[]): string {
  const names = agents.map((each) => each.name);
  const hint = didYouMean(name, names, ' /agent lists them.');
  return [`There is no agent ${name}.${hint}`, ...problems.map((problem) => `! ${problem}`)].join('\n');
}
