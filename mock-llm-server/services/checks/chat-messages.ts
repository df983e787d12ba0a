import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check, Violation } from '../service.ts';
import { isSet } from './fields.ts';
import { tooLong } from './responses.ts';

export type DescribeMessage = (index: number, message: JsonObject) => Violation;

/** Refuses the first message for which the condition holds. */
export function refuseMessage(
  condition: (message: JsonObject, index: number, messages: readonly JsonObject[]) => boolean,
  describe: DescribeMessage,
): Check {
  return ({ body }) => {
    const messages = objectsOf(body['messages']);
    const index = messages.findIndex(condition);
    const found = messages[index];
    return found === undefined ? undefined : describe(index, found);
  };
}

/** Refuses a message whose role may not follow that of the message before it. */
export function refuseRoleAfter(role: string, previous: string, describe: DescribeMessage): Check {
  return refuseMessage(
    (message, index, messages) => message['role'] === role && messages[index - 1]?.['role'] === previous,
    describe,
  );
}

export function refuseRole(role: string, describe: DescribeMessage): Check {
  return refuseMessage((message) => message['role'] === role, describe);
}

/** Refuses a conversation that ends with the assistant, unless the message is marked as a prefix. */
export function refuseLastAssistant(violation: Violation): Check {
  return refuseMessage(
    (message, index, { length }) =>
      index === length - 1 && message['role'] === 'assistant' && message['prefix'] !== true,
    () => violation,
  );
}

/** Refuses an answer without text and without calls. */
export function refuseEmptyAnswer(describe: DescribeMessage): Check {
  return refuseMessage((message) => {
    if (message['role'] !== 'assistant' || isSet(message['function_call'])) return false;
    return objectsOf(message['tool_calls']).length === 0 && isEmptyContent(message['content']);
  }, describe);
}

/** Refuses an answer whose content is null, beside calls or not. */
export function refuseNullContent(describe: DescribeMessage, { beside }: { readonly beside: 'calls' | 'none' }): Check {
  return refuseMessage((message) => {
    if (isSet(message['refusal']) || isSet(message['audio'])) return false;
    const hasCalls = objectsOf(message['tool_calls']).length > 0 || isSet(message['function_call']);
    if (message['role'] !== 'assistant') return beside === 'none' && message['content'] === null;
    // Beside calls, clients leave the field out, too.
    if (beside === 'calls') return !isSet(message['content']) && hasCalls;
    return !isSet(message['content']) && !hasCalls;
  }, describe);
}

export function refuseAnswerField(
  fields: readonly string[],
  describe: (index: number, field: string, message: JsonObject) => Violation,
): Check {
  const fieldOf = (message: JsonObject) => fields.find((field) => isSet(message[field]));
  return refuseMessage(
    (message) => message['role'] === 'assistant' && fieldOf(message) !== undefined,
    (index, message) => describe(index, fieldOf(message) ?? '', message),
  );
}

/** Refuses a conversation without a message of the user. */
export function requireUser(violation: Violation): Check {
  return ({ body }) => (objectsOf(body['messages']).some(({ role }) => role === 'user') ? undefined : violation);
}

/** Refuses an answer with calls that lacks its reasoning; an empty text counts if `mayBeEmpty`. */
export function requireReasoning(describe: DescribeMessage, mayBeEmpty: boolean): Check {
  return (request) => {
    const check = refuseMessage((message) => {
      // A step without reasoning gave the client none to send back.
      if (callsOf(message).every(({ id }) => request.recall(textOf(id))?.reasoned === false)) return false;
      const { reasoning_content: reasoning } = message;
      return typeof reasoning !== 'string' || (reasoning === '' && !mayBeEmpty);
    }, describe);
    return check(request);
  };
}

/** Refuses the id of a call, or of its result, that does not fit the pattern. The ids of this server are accepted. */
export function refuseCallId(pattern: RegExp, describe: (id: string) => Violation): Check {
  return ({ body, recall }) => {
    for (const message of objectsOf(body['messages'])) {
      const result = message['role'] === 'tool' ? [textOf(message['tool_call_id'])] : [];
      const ids = [...callsOf(message).map(({ id }) => textOf(id)), ...result];
      const wrong = ids.find((id) => !pattern.test(id) && recall(id) === undefined);
      if (wrong !== undefined) return describe(wrong);
    }
    return undefined;
  };
}

/** Refuses arguments of a call that are not JSON, or no object, if there are words for them. */
export function refuseArguments(describe: (text: string, index: number, id: string) => Violation | undefined): Check {
  return ({ body }) => {
    for (const [index, message] of objectsOf(body['messages']).entries()) {
      for (const { id, function: called } of callsOf(message)) {
        const { arguments: text } = objectOf(called);
        if (typeof text !== 'string' || isJsonObject(tryJson(text))) continue;
        const violation = describe(text, index, textOf(id));
        if (violation !== undefined) return violation;
      }
    }
    return undefined;
  };
}

/** Refuses a history with calls or results in a request that offers no tools. */
export function refuseHistoryWithoutTools(violation: Violation): Check {
  return ({ body }) => {
    if (objectsOf(body['tools']).length > 0) return undefined;
    const isOfTools = (message: JsonObject) => message['role'] === 'tool' || callsOf(message).length > 0;
    return objectsOf(body['messages']).some(isOfTools) ? violation : undefined;
  };
}

/** Refuses the id of a call in an answer that is longer than `max`. */
export function limitChatCallId(max: number): Check {
  return ({ body }) => {
    for (const [index, message] of objectsOf(body['messages']).entries()) {
      for (const [position, { id }] of callsOf(message).entries()) {
        const { length } = textOf(id);
        if (length > max) return tooLong(`messages[${index}].tool_calls[${position}].id`, max, length);
      }
    }
    return undefined;
  };
}

function callsOf(message: JsonObject): readonly JsonObject[] {
  return message['role'] === 'assistant' ? objectsOf(message['tool_calls']) : [];
}

function isEmptyContent(content: unknown): boolean {
  if (!isSet(content) || content === '') return true;
  return Array.isArray(content) && objectsOf(content).every(({ type, text }) => type === 'text' && text === '');
}
