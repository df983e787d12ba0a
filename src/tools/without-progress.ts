import type { ToolProgress, ToolResult } from '../ports/tool.ts';

/** The run of a tool that shows nothing while it works. */
export async function* withoutProgress(
  work: () => Promise<ToolResult>,
): AsyncGenerator<ToolProgress, ToolResult, void> {
  yield* [];
  return await work();
}
