import type { ModelErrorCode } from '../../agent/ports/language-model.ts';
import type { ServerError } from './server-error.ts';

/** A kind of failure that the words of a server name. `quota`: the account has no money or no allowance left. */
type WordCode =
  | Extract<
      ModelErrorCode,
      | 'auth'
      | 'rate_limit'
      | 'overloaded'
      | 'context_overflow'
      | 'network'
      | 'bad_request'
      | 'unknown_model'
      | 'incomplete_answer'
    >
  | 'quota';

/**
 * The kind of failure that an error names by its code, its type or its words, whatever its status; `undefined` if only
 * the status tells. Services differ in their statuses: a request that is too long is a 400, 413, 422 or 500, an unknown
 * model a 400, 404 or 500, and within a stream there is no status at all.
 */
export function codeOfWords({ kind, message }: ServerError, status: number | undefined): WordCode | undefined {
  const text = `${kind} ${message}`;
  const has = (patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(text));
  if (status === 402 || (has(QUOTA) && !SATURATED.test(text))) return 'quota';
  if (status === 401) return 'auth';
  if (status === 429) return 'rate_limit';
  if (THROTTLED.test(text)) return 'rate_limit';
  if (status === 413 || has(OVERFLOW)) return 'context_overflow';
  if (has(RATE_LIMIT)) return 'rate_limit';
  if (has(WITHHELD)) return 'bad_request';
  if (has(AUTH)) return 'auth';
  if (!TEMPORARY.test(text) && has(UNKNOWN_MODEL)) return 'unknown_model';
  if (has(FAILED_CALL)) return 'incomplete_answer';
  if (status !== 403 && has(OVERLOADED)) return 'overloaded';
  return (status === undefined || status < 400) && /invalid_request|BadRequest|validation_error/i.test(kind)
    ? 'bad_request'
    : undefined;
}

/** A service that has no capacity, in the words of a quota: DashScope behind new-api. */
const SATURATED = /limit_burst_rate|load is saturated/i;

const QUOTA: readonly RegExp[] = [
  /insufficient_(?:user_)?quota|\bbilling(?:_|\b.{0,20}(?:limit|disabled|not active))/i, // OpenAI, one-api
  /billing_(?:not_active|hard_limit_reached)|\bbilling_error\b/i, // OpenAI, Anthropic
  /credit balance is too low/i, // Anthropic
  /insufficient (?:account )?balance|insufficient_balance/i, // DeepSeek, MiniMax, Moonshot
  /(?:insufficient|out of|not enough|requires more) credits/i, // OpenRouter
  /balance is (?:too low|not enough|insufficient)/i, // SiliconFlow
  /quota (?:has been )?(?:exhausted|used up)|quota_exceeded|subscription quota exceeded/i, // DashScope, Copilot, OpenCode Go
  /(?:weekly|monthly) (?:usage )?limit (?:exhausted|reached)|free-usage-exhausted/i, // Z.ai, OpenCode Go, Grok CLI
  /(?:额度|余额)(?:不足|已用尽)/, // new-api
  /usage limit for this billing cycle|usage_not_included/i, // Kimi Code, Codex
  /\bArrearage\b|account is in arrears|\boverdue[ -]payment/i, // DashScope, Volcengine
  /(?:monthly|included) (?:usage|spend(?:ing)?|credits?) .{0,30}(?:exceeded|reached|used up)|spending limit/i, // Hugging Face, xAI
];

/** Limits of a service on its use that name tokens, which is not the length of a request: Bedrock, Cerebras. */
const THROTTLED =
  /\bThrottling|throttled|too many tokens(?:,? please wait| per (?:second|minute|hour|day)| processed)|please wait before trying again/i;

const RATE_LIMIT: readonly RegExp[] = [
  /rate_limit|too_many_requests|RESOURCE_EXHAUSTED/i,
  /rate limit (?:reached|exceeded)|too many requests|would exceed your .{0,40}rate limit/i,
  /exceeded .{0,40}rate limit|rate[- ]limited/i, // GitHub, iFlow
];

/** A request that the service will never answer: for its content, its history, its origin, or the size of the model. */
const WITHHELD: readonly RegExp[] = [
  /content_filter|content management policy|ResponsibleAIPolicy/i, // Azure
  /data_inspection_failed|inappropriate content/i, // DashScope
  /requires moderation|input was flagged|flagged as potentially/i, // OpenRouter, OpenAI
  /\binvalid_prompt\b|violat\w+ .{0,30}(?:usage|content) polic/i, // OpenAI
  /unsupported_country|(?:country|region|location)\b.{0,40}\bnot (?:supported|available)/i, // OpenAI, Gemini
  /requires more (?:system )?memory/i, // Ollama
  /failed to parse tool call arguments as json|invalid tool call arguments/i, // llama.cpp, Ollama
];

/** A call of the model that its server could not read; another answer may be well-formed. */
const FAILED_CALL: readonly RegExp[] = [
  /tool_use_failed|failed to call a function|output_parse_failed/i, // Groq
  /failed to generate (?:a )?tool.?calls?|error parsing tool call/i, // Cerebras, Ollama
  /does not match the expected .{0,20}format|did not respect the required format/i, // llama.cpp, Databricks
  /model (?:generated|produced) (?:an )?(?:output that could not be parsed|invalid)|MALFORMED_FUNCTION_CALL/i, // Groq, Gemini
];

const AUTH: readonly RegExp[] = [
  /authentication|permission_(?:error|denied)|PERMISSION_DENIED|UNAUTHENTICATED|invalid_api_key/i,
  /(?:invalid|incorrect|missing|no|wrong) (?:x-)?api[ _-]?key|api[ _]key (?:is )?(?:not valid|missing|invalid|required|expired)/i,
  /no connected db/i, // LiteLLM, for a key that it does not know
];

const OVERLOADED: readonly RegExp[] = [
  /overloaded|\bengine_overloaded|server_busy|server is busy|\bUNAVAILABLE\b/i,
  /temporar(?:il)?y (?:unavailable|unable)|try again later|at capacity|capacity (?:temporarily )?exceeded/i,
  /model (?:has )?crashed|model (?:is |was )?unloaded|model is (?:still )?loading|loading model/i, // LM Studio, llama.cpp
  /\b(?:ModelError|ModelNotReady|ServiceUnavailable|InternalServer)Exception\b/, // Bedrock
  /upstream request failed$/i, // OpenCode Go, gateways
];

/** A model that exists, but does not answer now. */
const TEMPORARY = /currently|temporarily|overloaded|at capacity|try again/i;

const UNKNOWN_MODEL: readonly RegExp[] = [
  /model_not_found|model_not_supported|DeploymentNotFound|ModelNotFound/i, // OpenAI, Copilot, Azure, DashScope
  /invalid model name/i, // LiteLLM
  /\bmodel\b.{0,80}\b(?:does not exist|doesn't exist|not exist|is not available|not found|is not supported)/i,
  /\b(?:unknown|no such|unsupported|unrecognized) model\b/i,
  /is not a valid model(?: id)?/i, // OpenRouter
  /could not find (?:the )?model\b/i, // Bifrost
  /no endpoints found for/i, // OpenRouter
  /\bno models? (?:is |are )?loaded\b/i, // LM Studio
  /api deployment for this resource does not exist/i, // Azure
  /model_(?:decommissioned|deprecated)|\bmodel\b.{0,80}\b(?:decommissioned|deprecated|retired|no longer (?:supported|available))/i, // Groq, OpenAI
];

/** Messages and codes with which servers report that a request is too long for the model. */
const OVERFLOW: readonly RegExp[] = [
  /context_length_exceeded|context_window_exceeded|ContextWindowExceeded|context_too_large/i, // OpenAI and many proxies, LiteLLM, Codex
  /exceed_context_size/i, // llama.cpp, as the type
  /model_max_prompt_tokens_exceeded|prompt token count of \d+ exceeds/i, // Copilot
  /tokens_limit_reached|request body too large for/i, // GitHub Models
  /string_above_max_length/i, // OpenAI, one message
  /request_too_large|request payload size exceeds/i, // Anthropic, Gemini
  /maximum context length/i, // OpenAI, vLLM, OpenRouter, Mistral, DeepSeek
  /exceeds? (?:the |this |your )?(?:available |model'?s? |configured )*(?:input )?context (?:window|size|length|limit)/i,
  /(?:greater|longer) than (?:the )?(?:model'?s? )?(?:maximum )?context (?:length|window)/i, // LM Studio, vLLM, SGLang
  /context (?:length|window|size)[^.]{0,20} (?:exceeded|overflow)/i, // LM Studio, Together
  /context (?:window )?exceeds (?:the )?limit|exceeds (?:the )?(?:model'?s? )?context window limit/i, // MiniMax
  /when context the overflows|context length (?:of|is) only \d+ tokens/i, // LM Studio, vLLM behind gateways
  /context shift is disabled/i, // llama.cpp, older
  /maximum prompt length is \d+/i, // xAI
  /prompt[ _](?:is )?too[ _]long|prompt exceeds max(?:imum)? length/i, // Anthropic, Fireworks, Ollama, Z.ai, vMLX
  /exceed context limit/i, // Anthropic, with max_tokens
  /input (?:is )?too long|input tokens (?:\(\d+\) )?(?:has |have )?exceed/i, // Bedrock, Azure, SiliconFlow
  /(?:input|prompt|request)(?:\s+\w+)? length[^.]{0,20} (?:exceeds|is (?:greater|longer) than)/i, // SGLang, NIM, mistral.rs
  /number of tokens exceeds|too many (?:total )?(?:input )?tokens|too many total text bytes/i, // Cohere, Bedrock
  /input token count .*(?:exceeds the maximum|model only supports up to)/i, // Gemini, Vertex
  /reduce (?:the length of )?(?:the |your )?(?:messages?|input|prompt)\b/i, // Groq, Cerebras, Azure
  /too large for model with \d+ maximum context/i, // Mistral
  /exceeded model token limit/i, // Moonshot
  /range of input length should be/i, // DashScope
  /must be less than max_seq_len|greater than max_seq_len/i, // SiliconFlow, TabbyAPI
  /`?inputs`? must have less than \d+ tokens|`?inputs`? tokens \+ `?max_new_tokens`?/i, // TGI
  /requested tokens? \(\d+\) exceed|requested token count exceeds/i, // llama-cpp-python, SGLang
  /tokens in request more than max tokens allowed/i, // several gateways
  /input tokens \d+ cannot exceed the total tokens limit/i, // watsonx
  /exceed(?:s|ed)? max message tokens|exceeds the maximum number of tokens/i, // Volcengine
  /estimated number of input and maximum output tokens/i, // Cloudflare
  /total message size \d+ exceeds limit/i, // Moonshot
  /session_len|exceeds max(?:imum)? (?:model|sequence) length/i, // LMDeploy, others
];
