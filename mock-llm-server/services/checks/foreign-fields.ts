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
  'access_programs background context_management conversation frequency_penalty image include input instructions',
  'max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls presence_penalty previous_response_id',
  'prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier',
  'service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation',
  'user',
]);

/** Refuses the first parameter that a service does not have. A server that only resembles it may have others. */
export function refuseUnknownParameters(
  known: ReadonlySet<string>,
  describe: (name: string, value: unknown) => Violation,
): Check {
  return ({ body, isNamed }) => {
    const found = isNamed ? Object.keys(body).find((name) => !known.has(name)) : undefined;
    return found === undefined ? undefined : describe(found, body[found]);
  };
}

/** The words of lines, as a set. */
export function namesIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** The parameters of Messages, by version 1.14 of the SDK of Anthropic, with those of its betas. */
export const MESSAGES_PARAMETERS: ReadonlySet<string> = namesIn([
  'anthropic_beta anthropic_version betas billing_policy cache_control compaction container context_management diagnostics',
  'fallback_credit_token fallbacks inference_geo max_tokens mcp_servers messages metadata model output_config output_format',
  'service_tier speed stop_sequences stream system temperature thinking thread tool_choice tools top_k top_p',
  'user_profile_id workspace_id',
]);

/** The fields of a tool of the client, by the same version. */
export const TOOL_FIELDS: ReadonlySet<string> = namesIn([
  'allowed_callers cache_control defer_loading description eager_input_streaming input_examples input_schema name strict type',
]);

/** The parameters of Groq: https://console.groq.com/docs/api-reference#chat-create */
export const GROQ_PARAMETERS: ReadonlySet<string> = namesIn([
  'citation_options compound_custom disable_tool_validation documents exclude_domains frequency_penalty function_call',
  'functions include_domains include_reasoning logit_bias logprobs max_completion_tokens max_tokens messages metadata model n',
  'parallel_tool_calls presence_penalty reasoning_effort reasoning_format response_format search_settings seed service_tier',
  'stop stream stream_options temperature tool_choice tools top_logprobs top_p user',
]);

/** The parameters of Cerebras: https://inference-docs.cerebras.ai/api-reference/chat-completions */
export const CEREBRAS_PARAMETERS: ReadonlySet<string> = namesIn([
  'clear_thinking disable_reasoning logprobs max_completion_tokens max_tokens messages model min_tokens n parallel_tool_calls',
  'prediction prompt_cache_key reasoning_effort reasoning_format response_format seed service_tier stop stream stream_options',
  'temperature tool_choice tools top_logprobs top_p user metadata',
]);

/** The parameters of Mistral: https://docs.mistral.ai/api/#tag/chat */
export const MISTRAL_PARAMETERS: ReadonlySet<string> = namesIn([
  'frequency_penalty guardrails max_tokens messages metadata min_tokens model n parallel_tool_calls prediction',
  'presence_penalty prompt_cache_key prompt_mode random_seed reasoning_effort response_format safe_prompt stop stream',
  'stream_options temperature tool_choice tools top_p',
]);

/** The parameters of Fireworks: https://docs.fireworks.ai/api-reference/post-chatcompletions */
export const FIREWORKS_PARAMETERS: ReadonlySet<string> = namesIn([
  'context_length_exceeded_behavior echo echo_last frequency_penalty function_call functions ignore_eos include_reasoning',
  'logit_bias logprobs max_completion_tokens max_tokens messages metadata min_p mirostat_lr mirostat_target model n',
  'parallel_tool_calls perf_metrics_in_response prediction presence_penalty prompt_cache_isolation_key prompt_cache_key',
  'prompt_cache_max_len prompt_truncate_len raw_output reasoning_effort reasoning_history repetition_penalty response_format',
  'return_token_ids safe_tokenization seed service_tier speculation stop stream stream_options temperature thinking',
  'tool_choice tools top_k top_logprobs top_p typical_p user',
]);

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
