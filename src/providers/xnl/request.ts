import type { JsonValue } from '../../agent/ports/json.ts';
import type { ModelIdentity, ModelRequest } from '../../agent/ports/language-model.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../agent/ports/messages.ts';
import { providerState, stateItems } from '../provider-state.ts';
import { protocolPrompt } from './prompt.ts';
import { NAMESPACE } from './read-call.ts';

/**
 * The request without native tools: the system text teaches the protocol, answers are sent back exactly as the model
 * wrote them, and the results of one answer are one message of the user. Pure: a longer history gives a request that
 * begins with the same messages.
 */
export function withoutNativeTools(request: ModelRequest, identity: ModelIdentity): ModelRequest {
  const messages: Message[] = [];
  let results: ToolMessage[] = [];
  const flush = (): void => {
    if (results.length > 0) messages.push({ role: 'user', content: resultsText(results) });
    results = [];
  };
  for (const message of request.messages) {
    if (message.role === 'tool') results.push(message);
    else {
      flush();
      messages.push(message.role === 'user' ? message : asWritten(message, identity));
    }
  }
  flush();
  const system = request.tools.length === 0 ? request.system : `${request.system}\n${protocolPrompt(request.tools)}`;
  return { system, messages, tools: [] };
}

/** The items that keep an answer as the model wrote it, and the state of the wire below. */
export function rawAnswer(raw: string, below: readonly JsonValue[]): readonly JsonValue[] {
  return [{ raw }, ...below];
}

function asWritten(message: AssistantMessage, identity: ModelIdentity): AssistantMessage {
  const { providerState: _state, toolCalls: _calls, ...rest } = message;
  const items = stateItems(message, identity);
  const [own, ...others] = items;
  const [raw, below] = isRaw(own) ? [own.raw, others] : [writtenCalls(message), items];
  const answer = { ...rest, content: raw, toolCalls: [] };
  return below.length === 0 ? answer : { ...answer, providerState: providerState(identity, below) };
}

function isRaw(item: JsonValue | undefined): item is { readonly raw: string } {
  return typeof item === 'object' && item !== null && 'raw' in item && typeof item['raw'] === 'string';
}

/** An answer that another model gave with native calls, in the form of this protocol. */
function writtenCalls({ content, toolCalls }: AssistantMessage): string {
  if (toolCalls.length === 0) return content;
  const calls = toolCalls.map(
    ({ id, name, arguments: input }) =>
      `<tool_call id=${quote(id)} lang="javascript" #>\n${NAMESPACE}.${name}(${input.trim() === '' ? '{}' : input})\n</#>`,
  );
  return [...(content === '' ? [] : [content]), '!unquote_start', ...calls, '!unquote_end'].join('\n');
}

function resultsText(results: readonly ToolMessage[]): string {
  const parts = results.map(({ toolCallId, content, images }) => {
    const marker = freeMarker(toolCallId.replaceAll(/[^\w-]/g, '_'), content);
    const pictures =
      images === undefined ? '' : `\n[${images.length} picture(s) left out: this protocol has only text]`;
    return `<tool_resp id=${quote(toolCallId)} #${marker}>\n${content}${pictures}\n</#${marker}>`;
  });
  return ['!unquote_start', ...parts, '!unquote_end'].join('\n');
}

/** A marker whose closing tag does not occur in the content. */
function freeMarker(wanted: string, content: string): string {
  let marker = wanted;
  for (let number = 2; content.includes(`</#${marker}>`); number += 1) marker = `${wanted}-${number}`;
  return marker;
}

/** A string in double quotes. An id has no line feeds; see `finishCalls`. */
function quote(id: string): string {
  return `"${id.replaceAll(/["\\]/g, '_')}"`;
}
