import type { OfferedTool, ReplyToolCall } from './conversation.ts';

/**
 * How a call of a tool that a step names is written to this client: as text where the client offers a tool of that name
 * that takes text, and with the namespace it offers it in. JSON without one for a tool that is not offered.
 */
export function offeredForm(name: string, tools: readonly OfferedTool[]): Pick<ReplyToolCall, 'input' | 'namespace'> {
  const sameName = tools.filter((tool) => tool.name === name);
  const offered = sameName.find(({ namespace }) => namespace === undefined) ?? sameName[0];
  if (offered === undefined) return { input: 'json' };
  const { input, namespace } = offered;
  return { input, ...(namespace !== undefined && { namespace }) };
}
