import { UsageError } from '../agent/errors.ts';
import type { Tool, ToolSet } from '../agent/ports/tool.ts';
import { suggest } from '../text/suggest.ts';
import { canonicalToolName, TOOL_ALIASES } from './dialects/aliases.ts';

/** The name of the tool for structured answers, which hosts know. */
export const ANSWER_TOOL = 'StructuredOutput';

export const toolsIn = ({ definitions, find }: ToolSet): readonly Tool[] =>
  definitions.map(({ name }) => find(name)).filter((tool) => tool !== undefined);

/**
 * Creates the tool set of a session, in the order of `tools`. It also finds tools by other agents' names for them (see
 * `TOOL_ALIASES`), but a tool's own name takes precedence. Throws `UsageError` if two tools have the same name.
 */
export function createRegistry(tools: readonly Tool[]): ToolSet {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const namesake = tools.find((tool) => byName.get(tool.definition.name) !== tool);
  if (namesake !== undefined) {
    throw new UsageError(`Two tools have the name "${namesake.definition.name}". Give each tool its own name.`);
  }
  const find = (name: string): Tool | undefined => byName.get(name) ?? byName.get(canonicalToolName(name));
  return {
    definitions: tools.map((tool) => tool.definition),
    find,
    nearest(name) {
      const [nearest] = suggest(name, [...byName.keys(), ...Object.keys(TOOL_ALIASES)]);
      return nearest === undefined ? undefined : find(nearest)?.definition.name;
    },
  };
}
