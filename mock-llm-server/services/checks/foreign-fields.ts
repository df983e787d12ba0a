import { objectsOf } from '../raw.ts';
import type { Check, Violation } from '../service.ts';
import { isSet } from './fields.ts';

/**
 * Parameters of other services that clients send to a service which refuses what it does not know. A list of the known
 * ones would refuse new parameters of the service itself.
 */
const FOREIGN_EVERYWHERE = [
  'chat_template_kwargs',
  'enable_thinking',
  'extra_body',
  'include_reasoning',
  'min_p',
  'provider',
  'repetition_penalty',
  'thinking',
  'thinking_budget',
  'top_k',
  'transforms',
];

/** Parameters that Chat Completions does not have. */
export const FOREIGN_IN_CHAT: readonly string[] = [
  ...FOREIGN_EVERYWHERE,
  'input',
  'instructions',
  'max_output_tokens',
  'reasoning',
  'system',
];

/** Parameters that Responses does not have, and to which its error points no other one. */
export const FOREIGN_IN_RESPONSES: readonly string[] = [...FOREIGN_EVERYWHERE, 'max_tokens', 'system'];

/** Parameters that Messages does not have. */
export const FOREIGN_IN_MESSAGES: readonly string[] = [
  'extra_body',
  'frequency_penalty',
  'functions',
  'max_completion_tokens',
  'max_output_tokens',
  'n',
  'parallel_tool_calls',
  'presence_penalty',
  'reasoning',
  'reasoning_effort',
  'response_format',
  'seed',
  'stop',
  'stream_options',
];

/** Refuses the first of the parameters that a request has. */
export function refuseParameters(names: readonly string[], describe: (name: string) => Violation): Check {
  return ({ body }) => {
    const found = names.find((name) => isSet(body[name]));
    return found === undefined ? undefined : describe(found);
  };
}

/** Refuses the first part of a message with one of the fields. `list` holds the messages. */
export function refusePartFields(
  list: 'input' | 'messages',
  fields: readonly string[],
  describe: (path: string) => Violation,
): Check {
  return ({ body }) => {
    for (const [index, { content }] of objectsOf(body[list]).entries()) {
      for (const [position, part] of objectsOf(content).entries()) {
        const found = fields.find((field) => isSet(part[field]));
        if (found !== undefined) return describe(`${list}[${index}].content[${position}].${found}`);
      }
    }
    return undefined;
  };
}
