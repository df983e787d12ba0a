import type { Tool, ToolSet } from '../../agent/ports/tool.ts';

/** The name of the tool that calls tools of servers which are not in the request. */
export const CALL_TOOL = 'call_tool';

/**
 * Finds the tools of servers also by their own names, as `find_tool` shows them, where the request has only `call_tool`:
 * models call a tool directly once they have seen it. `mcp__server__tool`, the name in Claude Code, means the same.
 */
export function withDirectCalls(tools: ToolSet): ToolSet {
  return {
    get definitions() {
      return tools.definitions;
    },
    find(called) {
      const name = called.replace(/^mcp__(?=.+__)/, '');
      return tools.find(called) ?? tools.find(name) ?? directTool(name, tools.find(CALL_TOOL));
    },
    nearest: (name) => tools.nearest(name),
  };
}

function directTool(name: string, caller: Tool | undefined): Tool | undefined {
  if (caller === undefined || !name.includes('__')) return undefined;
  return {
    definition: { ...caller.definition, name, parameters: { type: 'object' } },
    plan: (args, context) => caller.plan({ name, arguments: args }, context),
  };
}
