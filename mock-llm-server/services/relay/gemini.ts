import type { JsonObject } from '../../conversation/conversation.ts';
import { tryJson } from '../../conversation/json.ts';
import { objectOf, objectsOf, oncePerBody, textOf } from '../raw.ts';
import { joinRoles } from './chat-to-messages.ts';
import type { Relay } from './relay.ts';

/** A body of Chat Completions as Google writes it for its own protocol. */
const chatToGemini = oncePerBody((body: JsonObject): JsonObject => {
  const messages = objectsOf(body['messages']).filter(({ role }) => role !== 'system' && role !== 'developer');
  const names = new Map(
    messages.flatMap((message) =>
      objectsOf(message['tool_calls']).map(({ id, function: called }) => [id, objectOf(called)['name']] as const),
    ),
  );
  const contents = messages.map((message) => writeContent(message, names));
  return {
    ...writeDeclarations(body),
    contents: joinRoles(contents).map(({ role, content: parts }) => ({ role, parts })),
  };
});

function writeDeclarations({ tools }: JsonObject): JsonObject {
  const functionDeclarations = objectsOf(tools).map(({ function: called }) => {
    const { name, parameters } = objectOf(called);
    return { name, parameters };
  });
  return functionDeclarations.length === 0 ? {} : { tools: [{ functionDeclarations }] };
}

/** A content with its parts in the field `content`, like a message. */
function writeContent(message: JsonObject, names: ReadonlyMap<unknown, unknown>): JsonObject {
  const { role, content, tool_calls: calls, tool_call_id: id } = message;
  if (role === 'tool') {
    return { role: 'user', content: [{ functionResponse: { name: names.get(id), response: { output: content } } }] };
  }
  const texts = typeof content === 'string' && content !== '' ? [{ text: content }] : objectsOf(content);
  if (role !== 'assistant') return { role: 'user', content: texts };
  const called = objectsOf(calls).map(({ function: call }) => {
    const { name, arguments: text } = objectOf(call);
    return { functionCall: { name, args: tryJson(textOf(text)) } };
  });
  return { role: 'model', content: [...texts, ...called] };
}

/** Gemini behind Chat Completions, with these rules of its own protocol. */
export function geminiBehindChat(rules: Relay['rules'], describe: Relay['describe']): Relay {
  return {
    protocol: 'gemini',
    rules,
    translate: chatToGemini,
    translateTools: writeDeclarations,
    describe,
  };
}
