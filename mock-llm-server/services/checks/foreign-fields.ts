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

/** The parameters of Chat Completions, by version 7.55 of the SDK of OpenAI. */
export const CHAT_PARAMETERS: ReadonlySet<string> = namesIn([
  'audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens',
  'messages metadata modalities model moderation n parallel_tool_calls prediction presence_penalty',
  'prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format',
  'safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools',
  'top_logprobs top_p user verbosity web_search_options',
]);

/** The parameters of Responses, by the same version. */
export const RESPONSES_PARAMETERS: ReadonlySet<string> = namesIn([
  'access_programs background context_management conversation image include input instructions',
  'max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id',
  'prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier',
  'service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation',
  'user',
]);

function namesIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

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
