import { refuseMessage, refuseRole, refuseRoleAfter } from '../checks/chat-messages.ts';
import { refuseIf } from '../checks/fields.ts';
import { refuseFaults, refuseToolName } from '../checks/tools.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Rule } from '../service.ts';
import { rulesOf } from '../share-rules.ts';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const OF_VALIDATOR = {
  source: 'https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py',
  date: '2026-11-30',
};

/** The validator's message for the name of a function. */
export const wrongName = (name: string) =>
  `Function name was ${name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`;

/** The first name of a call in the history that a function cannot have. */
export function findWrongName(messages: unknown): string | undefined {
  return objectsOf(messages)
    .flatMap(({ tool_calls: calls }) => objectsOf(calls))
    .map(({ function: called }) => textOf(objectOf(called)['name']))
    .find((name) => !NAME.test(name));
}

/** The rules of Mistral that its published validator of requests states. */
export const MISTRAL_VALIDATOR_RULES: readonly Rule[] = rulesOf('mistral', {
  'function-name': {
    refuses: 'a function whose name has other characters than letters, digits, `_` and `-`, or more than 64',
    accepts: '`read_file`',
    ...OF_VALIDATOR,
    check: refuseToolName(NAME, ({ name }) => ({ message: wrongName(name) })),
  },
  'called-name': {
    refuses: 'such a name in a call of the history',
    accepts: '`read_file`',
    ...OF_VALIDATOR,
    check: ({ body }) => {
      const name = findWrongName(body['messages']);
      return name === undefined
        ? undefined
        : { message: wrongName(name), errorType: 'invalid_function_call', code: '3280' };
    },
  },
  schema: {
    refuses: 'an invalid JSON Schema: `required: null`',
    accepts: '`required: []`',
    ...OF_VALIDATOR,
    check: refuseFaults(({ text }) => ({ message: `Invalid tool schema: ${text}` })),
  },
  'system-after-answer': {
    // The newest models have a later validator, which is not published.
    models: /^(?!mistral-small-(?:latest|2[6-9]))/,
    refuses: 'a system message right after an answer or a result, but for Mistral Small 4',
    accepts: 'one at the start, or after the user',
    ...OF_VALIDATOR,
    check: (request) => {
      const check = (previous: string) =>
        refuseRoleAfter('system', previous, () => ({
          message: `Unexpected role 'system' after role '${previous}'`,
          errorType: 'invalid_request_message_order',
          code: '3230',
        }))(request);
      return check('assistant') ?? check('tool');
    },
  },
  prefix: {
    refuses: '`prefix: true` in a message that is not the last',
    accepts: 'the same in the last message',
    ...OF_VALIDATOR,
    check: refuseMessage(
      ({ prefix }, index, { length }) => prefix === true && index < length - 1,
      () => ({ message: 'Assistant message with prefix True must be last message' }),
    ),
  },
  'first-role': {
    refuses: 'an answer as the only message',
    accepts: 'a message of the user',
    ...OF_VALIDATOR,
    check: refuseIf(
      ({ messages }) => objectsOf(messages).length === 1 && objectsOf(messages)[0]?.['role'] === 'assistant',
      {
        message: 'Conversation must start with a user message or system message',
        errorType: 'invalid_request_message_order',
        code: '3230',
      },
    ),
  },
  'developer-role': {
    refuses: 'messages of the role `developer`',
    accepts: '`system`',
    source: 'https://docs.mistral.ai/api/endpoint/chat',
    date: '2026-11-30',
    check: refuseRole('developer', (index) => ({
      status: 422,
      message:
        "Input tag 'developer' found using 'role' does not match any of the expected tags: 'assistant', 'system', 'tool', 'user'",
      param: `body.messages.${index}`,
      errorType: 'union_tag_invalid',
    })),
  },
});
