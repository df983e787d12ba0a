import type { ModelRequest } from '../../agent/ports/language-model.ts';
import type { AssistantMessage, Message } from '../../agent/ports/messages.ts';
import { withUserTexts } from '../system-messages.ts';
import { withCallIds } from './call-ids.ts';
import type { ServiceRules } from './service-rules.ts';
import { otherNames, withOtherNames } from './tool-names.ts';
import { schemaFor } from './tool-schemas.ts';

/** Stands for a blank text, which many services refuse. */
const BLANK = '(empty)';

/**
 * The request in the form that a service accepts, apart from what only its wire can say. Pure: a longer history gives
 * messages that begin with the same ones.
 */
export function fitRequest(request: ModelRequest, rules: ServiceRules): ModelRequest {
  const offered = request.tools.filter(({ name }) => !rules.refusedTools.includes(name)).slice(0, rules.maxTools);
  const tools = offered.map((tool) => {
    const parameters = schemaFor(tool.parameters, rules.schema);
    const description = tool.description.slice(0, rules.maxDescription);
    const isSame = parameters === tool.parameters && description === tool.description;
    return isSame ? tool : { ...tool, description, parameters };
  });
  const isText = tools.length === 0 || rules.calls === 'text';
  const speaking = isText ? request.messages.map(callsAsText) : request.messages;
  const placed = rules.files === 'user' ? withUserTexts(speaking) : speaking;
  const stateless = rules.returned.length === 0 ? placed.map(withoutState) : placed;
  const apart = rules.parallelCalls === 'apart' ? callsApart(stateless) : stateless;
  const messages = withCallIds(apart.map(withText), rules.callIds);
  const fitted = withOtherNames({ ...request, messages, tools }, otherNames(rules.renamedTools));
  return rules.instructions === 'user' ? withoutSystem(fitted) : fitted;
}

/** The request with the system text ahead of the first message of the user. */
function withoutSystem({ system, messages, ...rest }: ModelRequest): ModelRequest {
  const [first, ...others] = messages;
  if (first?.role !== 'user')
    return { ...rest, system: '', messages: [{ role: 'user', content: system }, ...messages] };
  const content = `${system}\n\n${first.content}`;
  return { ...rest, system: '', messages: [{ ...first, content }, ...others] };
}

/** The messages, where each call stands in an answer of its own, ahead of its result. Its state belongs to the whole answer. */
function callsApart(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message, index): readonly Message[] => {
    if (message.role === 'tool') return [];
    if (message.role === 'user') return [message];
    const { toolCalls } = message;
    const results = messages.slice(index + 1, index + 1 + toolCalls.length);
    if (toolCalls.length < 2) return [message, ...results];
    return toolCalls.flatMap((call, position) => {
      const content = position === 0 ? message.content : '';
      const result = results.find((each) => each.role === 'tool' && each.toolCallId === call.id);
      return [{ role: 'assistant', content, toolCalls: [call] }, ...(result === undefined ? [] : [result])];
    });
  });
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
