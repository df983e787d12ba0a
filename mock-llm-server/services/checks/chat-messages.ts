import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check, Violation } from '../service.ts';

/** Refuses a message whose role may not follow that of the message before it. */
export function refuseRoleAfter(role: string, previous: string, describe: (index: number) => Violation): Check {
  return ({ body }) => {
    const messages = objectsOf(body['messages']);
    const index = messages.findIndex(
      (message, position) => message['role'] === role && messages[position - 1]?.['role'] === previous,
    );
    return index === -1 ? undefined : describe(index);
  };
}

/** Refuses the id of a call, or of its result, that does not fit the pattern. */
export function refuseCallId(pattern: RegExp, describe: (id: string) => Violation): Check {
  return ({ body }) => {
    for (const message of objectsOf(body['messages'])) {
      const calls = objectsOf(message['tool_calls']).map((call) => textOf(objectOf(call)['id']));
      const result = message['role'] === 'tool' ? [textOf(message['tool_call_id'])] : [];
      const wrong = [...calls, ...result].find((id) => !pattern.test(id));
      if (wrong !== undefined) return describe(wrong);
    }
    return undefined;
  };
}
