import type { ToolDialect, ToolSet } from '../../agent/ports/tool.ts';
import type { PathPlatform } from '../../policy/paths/path-policy.ts';

/** The tools in a dialect. All vocabularies share one implementation and one safety decision. */
export async function inDialect(
  dialect: ToolDialect | undefined,
  tools: ToolSet,
  platform: PathPlatform,
): Promise<ToolSet> {
  if (dialect !== 'claude') return tools;
  // Loaded only where it is used.
  return (await import('./claude-dialect.ts')).inClaudeDialect(tools, platform);
}
