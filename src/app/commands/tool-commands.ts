import { UsageError } from '../../agent/errors.ts';
import type { ToolDefinition } from '../../agent/ports/tool.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import { escapeLine } from '../../text/escape.ts';
import { countOf } from '../../text/quantities.ts';
import type { ExternalToolState, UnavailableTool } from '../../tools/external-tool/discovery.ts';
import { externalToolWarnings } from '../../tools/external-tools.ts';
import type { Agent } from '../session.ts';
import { type ChatCommand, refused, shown } from './chat-command.ts';

/** The commands of the chat that concern tools. */
export const TOOL_COMMANDS: readonly ChatCommand[] = [
  {
    name: 'tools',
    description: 'List the tools the model can use, and external tools that it cannot',
    async run(agent) {
      const { tools, externalTools } = await agent();
      return shown(`${toolList(tools, externalTools)}\n${countOf(tools.length, 'tool')}`);
    },
  },
  {
    name: 'skills',
    description: 'List the skills that the model can read, and what is wrong with others',
    async run(agent) {
      const { skills } = await agent();
      const { describeSkills } = await import('../skills/skill-texts.ts');
      return shown(describeSkills(skills, skills.list));
    },
  },
  {
    name: 'mcp',
    description: 'Show the servers of the Model Context Protocol, their tools and errors',
    async run(agent) {
      const { mcpServers } = await agent();
      const { describeServers } = await import('../../tools/mcp/describe-servers.ts');
      return shown(describeServers(mcpServers));
    },
  },
  {
    name: 'reload-tools',
    description: 'Find new, changed and removed external tools',
    async run(agent, _argument, { signal }) {
      const current = await agent();
      const before = current.tools;
      try {
        await current.reloadTools(signal);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        return refused(`The tools stay as they are. ${error.message}`);
      }
      return shown(reloadReport(before, current));
    },
  },
];

/** The number of unavailable tools that are listed; a project may have a directory full of them. */
const MAX_UNAVAILABLE = 20;

/**
 * Text of `/tools`: one line per tool, sorted by name, with the first sentence of its description and the path of an
 * external one; then the external tools that cannot be used, with the reasons.
 */
export function toolList(tools: readonly ToolDefinition[], external: readonly ExternalToolState[] = []): string {
  const paths = new Map(external.flatMap(({ type, name, path }) => (type === 'available' ? [[name, path]] : [])));
  const unavailable = external.filter((state) => state.type === 'unavailable');
  const width = Math.max(0, ...[...tools, ...unavailable].map(({ name }) => name.length));
  const rows = tools
    .toSorted((left, right) => compareCodePoints(left.name, right.name))
    .map(({ name, description }) => {
      const path = paths.get(name);
      return `${name.padEnd(width)}  ${firstSentence(description)}${path === undefined ? '' : ` [${escapeLine(path)}]`}`;
    });
  return [...rows, ...unavailableTools(unavailable, width)].join('\n');
}

/** The lines about tools that cannot be used, with the reasons; none if there is no such tool. */
export function unavailableTools(unavailable: readonly UnavailableTool[], minWidth = 0): readonly string[] {
  if (unavailable.length === 0) return [];
  const width = Math.max(minWidth, ...unavailable.map(({ name }) => name.length));
  const more = unavailable.length - MAX_UNAVAILABLE;
  return [
    '',
    'Not available:',
    ...unavailable
      .slice(0, MAX_UNAVAILABLE)
      .map(({ name, path, reason }) => escapeLine(`${name.padEnd(width)}  ${path}: ${reason}`)),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ];
}

/** Text of `/reload-tools`: the number of tools, the external ones, and what has changed. */
function reloadReport(
  before: readonly ToolDefinition[],
  { tools, externalTools }: Pick<Agent, 'tools' | 'externalTools'>,
): string {
  const earlier = new Map(before.map((definition) => [definition.name, JSON.stringify(definition)]));
  const changeOf = (definition: ToolDefinition): string => {
    const known = earlier.get(definition.name);
    if (known === undefined) return ' (new)';
    return known === JSON.stringify(definition) ? '' : ' (changed)';
  };
  const externalNames = new Set(externalTools.flatMap(({ type, name }) => (type === 'available' ? [name] : [])));
  const loaded = tools.filter(({ name }) => externalNames.has(name));
  const removed = before.filter(({ name }) => !tools.some((tool) => tool.name === name));
  return [
    'Tool reload complete!',
    `   Built-in tools: ${tools.length - loaded.length}`,
    `   External tools: ${loaded.length}`,
    `   Total: ${countOf(tools.length, 'tool')} available`,
    ...(loaded.length === 0 ? [] : ['', 'External tools loaded:']),
    ...loaded.map((tool) => `  • ${tool.name}: ${firstSentence(tool.description)}${changeOf(tool)}`),
    ...(removed.length === 0 ? [] : ['', `Removed: ${removed.map(({ name }) => name).join(', ')}`]),
    ...externalToolWarnings(externalTools).map(escapeLine),
  ].join('\n');
}

function firstSentence(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return /^.*?[.!?](?=\s+\p{Lu}|\s*$)/u.exec(line)?.[0] ?? line;
}
