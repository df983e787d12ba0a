import type * as z from 'zod';
import type { ConversationMessage, OfferedTool, ToolCallPart } from '../../../conversation/conversation.ts';
import { jsonTool } from '../../body.ts';
import { joinedText, textParts } from '../shared.ts';
import { offerBuiltIn } from './built-in.ts';
import type { Item, ToolSchema } from './items.ts';

export function systemTextsOf(item: Item): string[] {
  if (item.type !== 'message' || (item.role !== 'system' && item.role !== 'developer')) return [];
  return textParts(item.content).map(({ text }) => text);
}

export function toolsOf(item: Item): OfferedTool[] {
  return item.type === 'additional_tools' || item.type === 'tool_search_output' ? item.tools.flatMap(offer) : [];
}

/** The callable tools of a tool or namespace; none for tools that the API runs. */
export function offer(tool: z.infer<typeof ToolSchema>): OfferedTool[] {
  switch (tool.type) {
    case 'function':
      return [jsonTool(tool)];
    case 'custom':
      return [{ name: tool.name, description: tool.description ?? '', input: 'text' }];
    case 'namespace':
      return tool.tools.flatMap(offer).map((inner) => ({ ...inner, namespace: tool.name }));
    case 'shell':
    case 'local_shell':
    case 'apply_patch':
      return offerBuiltIn(tool);
    case 'other':
      return [];
    default:
      return tool satisfies never;
  }
}

/** The message of an item; undefined for an item that matching ignores. */
function messageOf(item: Item, index: number): ConversationMessage | undefined {
  switch (item.type) {
    case 'message': {
      if (item.role === 'system' || item.role === 'developer') return undefined;
      return { role: item.role, index, parts: textParts(item.content) };
    }
    case 'function_call':
      return callMessage(index, { id: item.call_id, name: item.name, arguments: item.arguments });
    case 'custom_tool_call':
      return callMessage(index, { id: item.call_id, name: item.name, arguments: item.input, input: 'text' });
    case 'shell_call':
      return callMessage(index, { id: item.call_id, name: 'shell', arguments: JSON.stringify(item.action) });
    case 'local_shell_call':
      return callMessage(index, { id: item.call_id, name: 'local_shell', arguments: JSON.stringify(item.action) });
    case 'apply_patch_call':
      return callMessage(index, { id: item.call_id, name: 'apply_patch', arguments: JSON.stringify(item.operation) });
    case 'function_call_output':
    case 'custom_tool_call_output':
      return resultMessage(index, item.call_id, joinedText(item.output));
    case 'shell_call_output':
      return resultMessage(index, item.call_id, item.output.map(({ stdout, stderr }) => stdout + stderr).join(''));
    case 'local_shell_call_output':
    case 'apply_patch_call_output': {
      // Some clients send only the id of the local shell call, or that of its item, which contains it.
      const callId = item.call_id ?? item.id.replace(/^lsh_/, '');
      return resultMessage(index, callId, item.output ?? '', item.status === 'failed');
    }
    case 'item_reference': {
      // The id of a call's item contains the id of the call, as the encoder writes it.
      const id = /^(?:fc|ctc|sh|lsh|apc)_(.+)$/.exec(item.id)?.[1];
      if (id !== undefined) return callMessage(index, { id, name: '', arguments: '{}' });
      return { role: 'assistant', index, parts: [{ type: 'text', text: item.id }] };
    }
    case 'reasoning':
    case 'additional_tools':
    case 'tool_search_output':
    case 'configuration_update':
    case 'other':
      return undefined;
    default:
      return item satisfies never;
  }
}

/**
 * The messages of the input. Outputs of calls that the server does not read, such as `tool_search_call`, are left out.
 * With `stored`, an output whose call is not in the input belongs to a call of the stored conversation.
 */
export function messagesOf(items: readonly Item[], stored: boolean): ConversationMessage[] {
  const unread = new Set(items.flatMap((item) => (item.type === 'other' ? (item.call_id ?? []) : [])));
  const read = items.flatMap((item, index) => messageOf(item, index) ?? []);
  const messages =
    unread.size === 0 ? read : read.filter(({ parts }) => !parts.some((part) => isResultOf(part, unread)));
  if (!stored) return messages;
  const called = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_call' ? part.id : []))),
  );
  return messages.flatMap((message) => [
    ...message.parts.flatMap((part) => {
      if (part.type !== 'tool_result' || called.has(part.callId)) return [];
      return [callMessage(message.index, { id: part.callId, name: '', arguments: '{}' })];
    }),
    message,
  ]);
}

function isResultOf(part: ConversationMessage['parts'][number], ids: ReadonlySet<string>): boolean {
  return part.type === 'tool_result' && ids.has(part.callId);
}

function callMessage(index: number, call: Omit<ToolCallPart, 'type'>): ConversationMessage {
  return { role: 'assistant', index, parts: [{ type: 'tool_call', ...call }] };
}

function resultMessage(index: number, callId: string, content: string, isError = false): ConversationMessage {
  return { role: 'user', index, parts: [{ type: 'tool_result', callId, content, ...(isError && { isError }) }] };
}
