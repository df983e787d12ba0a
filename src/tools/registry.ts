import type { AnyTool, ToolSet } from '../ports/tool.ts';
import { nearestName } from '../text/closest-match.ts';
import { canonicalArguments, canonicalToolName, DIALECTS } from './dialects.ts';

/**
 * The tools of a session, in the order given. Names and parameters of other agents are understood (see `DIALECTS`);
 * a tool of ours is always found by its own name. Two tools of one name are a mistake of the caller and throw.
 */
export function createRegistry(tools: readonly AnyTool[]): ToolSet {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  if (byName.size < tools.length) throw new Error('Two tools have the same name.');
  return {
    definitions: tools.map((tool) => tool.definition),
    find(name) {
      const tool = byName.get(name) ?? byName.get(canonicalToolName(name));
      return (
        tool && {
          definition: tool.definition,
          prepare: (args, context) => tool.prepare(canonicalArguments(name, args), context),
        }
      );
    },
    nearest(name) {
      const known = [...byName.keys(), ...Object.keys(DIALECTS)];
      const nearest = nearestName(name.toLowerCase(), known);
      const tool = nearest === undefined ? undefined : canonicalToolName(nearest);
      return tool !== undefined && byName.has(tool) ? tool : undefined;
    },
  };
}
