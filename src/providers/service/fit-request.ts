import type { ModelRequest } from '../../agent/ports/language-model.ts';
import type { AssistantMessage, Message, UserMessage } from '../../agent/ports/messages.ts';
import { withUserTexts } from '../system-messages.ts';
import { withCallIds } from './call-ids.ts';
import type { ServiceRules } from './service-rules.ts';
import { schemaFor } from './tool-schemas.ts';

/** Stands for a blank text, which many services refuse. */
const BLANK = '(empty)';

/**
 * The request in the form that a service accepts, apart from what only its wire can say. Pure: a longer history gives
 * messages that begin with the same ones, but for a message of the user that another one follows.
 */
export function fitRequest(request: ModelRequest, rules: ServiceRules): ModelRequest {
  const offered = request.tools.filter(({ name }) => !rules.refusedTools.includes(name)).slice(0, rules.maxTools);
  const tools = offered.map((tool) => {
    const parameters = schemaFor(tool.parameters, rules.schema);
    return parameters === tool.parameters ? tool : { ...tool, parameters };
  });
  const speaking = tools.length === 0 ? request.messages.map(callsAsText) : request.messages;
  const placed = rules.files === 'user' ? withUserTexts(speaking) : speaking;
  const stateless = rules.returned.length === 0 ? placed.map(withoutState) : placed;
  const joined = rules.joinsUser ? joinUser(stateless) : stateless;
  return { ...request, messages: withCallIds(joined.map(withText), rules.callIds), tools };
}

/** Without tools, several services refuse calls in the history: they become text. */
function callsAsText(message: Message): Message {
  switch (message.role) {
    case 'user':
      return message;
    case 'assistant': {
      if (message.toolCalls.length === 0) return message;
      const calls = message.toolCalls.map(({ name, arguments: text }) => `[Called ${name} with ${text}]`);
      const content = [message.content, ...calls].filter((part) => part !== '').join('\n');
      return { role: 'assistant', content, toolCalls: [] };
    }
    case 'tool': {
      const { content, isError, images } = message;
      const text = `[${isError ? 'Error' : 'Result'} of the call]\n${content}`;
      return { role: 'user', content: text, ...(images === undefined ? {} : { images }) };
    }
  }
}

function withoutState(message: Message): Message {
  if (message.role !== 'assistant' || message.providerState === undefined) return message;
  const { providerState: _state, ...rest } = message;
  return rest satisfies AssistantMessage;
}

function withText(message: Message): Message {
  const isBlank = message.role !== 'assistant' && message.content.trim() === '';
  return isBlank ? { ...message, content: BLANK } : message;
}

/** The messages, where those of the user that follow each other are one. A file that the user named stays apart. */
function joinUser(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (isJoinable(message) && last !== undefined && isJoinable(last)) joined.splice(-1, 1, joinTwo(last, message));
    else joined.push(message);
  }
  return joined;
}

function isJoinable(message: Message): message is UserMessage {
  return message.role === 'user' && message.file === undefined;
}

function joinTwo(first: UserMessage, second: UserMessage): UserMessage {
  const images = [...(first.images ?? []), ...(second.images ?? [])];
  const content = `${first.content}\n\n${second.content}`;
  return { role: 'user', content, ...(images.length > 0 && { images }) };
}
