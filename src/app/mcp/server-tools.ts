import type { Tool } from '../../agent/ports/tool.ts';
import type { McpToolPorts } from '../../tools/mcp/mcp-tools.ts';
import type { McpServer } from '../../tools/mcp/server.ts';

/** The tools of servers; see `createMcpTools`, which is loaded only if there are any. */
export async function openServerTools(
  servers: readonly McpServer[] = [],
  before: unknown,
  startsNothing: string | undefined,
  ports: McpToolPorts,
): Promise<{ readonly tools: readonly Tool[]; readonly offered: unknown }> {
  if (servers.length === 0) return { tools: [], offered: before };
  return (await import('../../tools/mcp/mcp-tools.ts')).createMcpTools(servers, before, startsNothing, ports);
}
