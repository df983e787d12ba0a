import type { OfferedTool } from './conversation.ts';

/** A tool by its name, and by its namespace if it has one. */
type Named = Pick<OfferedTool, 'name' | 'namespace'>;

/**
 * True for two names of one tool of a server of the Model Context Protocol. Agents write it as `mcp__files__read` (Claude
 * Code), `files__read` (ybs, Goose), `mcp_files_read` (Gemini CLI), `files_read` (opencode), or as `read` in the namespace
 * `mcp__files` (Codex), which is left out in what some send back.
 */
export function isSameServedTool(one: Named, other: Named): boolean {
  if (!one.name.includes('__')) return false;
  return servedName(one) === servedName(other) || one.name.endsWith(`__${other.name}`);
}

/** The tool with this name of a server, as a client offers it; `undefined` if it offers none. */
export function findServedTool(name: string, tools: readonly OfferedTool[]): Named | undefined {
  if (!name.includes('__')) return undefined;
  const offered = tools.find((tool) => servedName(tool) === servedName({ name }));
  // Claude Code offers tools of servers by name only, in a text, and takes their calls.
  const isDeferred = offered === undefined && tools.some((tool) => tool.name === 'ToolSearch');
  return isDeferred ? { name: `mcp__${name.replace(/^mcp__/, '')}` } : offered;
}

function servedName({ name, namespace = '' }: Named): string {
  return `${namespace}__${name}`.replaceAll(/[^A-Za-z0-9]+/g, '_').replace(/^_?(?:mcp_)?/, '');
}
