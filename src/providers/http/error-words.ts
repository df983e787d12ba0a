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
  const text = plainWords(`${kind} ${message}`);
  const has = (patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(text));
  if (status === 402 || (has(QUOTA) && !PER_TIME.test(text))) return 'quota';
  if (status === 401) return 'auth';
  if (has(NO_ACCESS)) return 'unknown_model';
  if (status === 413 || TOO_LARGE.test(text)) return 'context_overflow';
  if (status === 429 || THROTTLED.test(text)) return 'rate_limit';
  if (isTooLong(text)) return 'context_overflow';
  if (has(RATE_LIMIT)) return 'rate_limit';
  if (has(WITHHELD)) return 'bad_request';
  if (has(AUTH)) return 'auth';
  if (!TEMPORARY.test(text) && has(UNKNOWN_MODEL)) return 'unknown_model';
  if (has(FAILED_CALL)) return 'incomplete_answer';
  if (status !== 403 && has(OVERLOADED)) return 'overloaded';
  return (status === undefined || status < 400) &&
    /invalid_request|badrequest|validation_error/.test(kind.toLowerCase())
    ? 'bad_request'
    : undefined;
}

/** A text in the one spelling that the patterns below have: small letters, plain quotes, `not` in full, bare numbers. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/\bcan(?:'t|not)\b/g, 'can not')
    .replace(/n't\b/g, ' not')
    .replace(/(\d)[,_](?=\d{3}(?!\d))/g, '$1');
}

/** A limit for a moment. Some services use the words of a quota for it: Cerebras, DashScope, new-api. */
const PER_TIME =
  /per[ _-]?(?:second|min(?:ute)?|hour)\b|\b[tr]pm\b|concurren|limit_burst_rate|load is saturated|error-code#token-limit/;

const QUOTA: readonly RegExp[] = [
  /insufficient[ _](?:\w+ )?(?:(?:user_)?quota|balance|credits|funds)|\bbilling(?:_|\b.{0,20}(?:limit|disabled|not active))/, // OpenAI, one-api, DeepSeek, MiniMax, Moonshot
  /billing_(?:not_active|hard_limit_reached)|\bbilling_error\b|credit balance is too low/, // OpenAI, Anthropic
  /(?:out of|not enough|requires more) credits/, // OpenRouter
  /balance is (?:too low|not enough|insufficient)/, // SiliconFlow
  /quota (?:has been )?(?:exhausted|used up)|quota_exceeded|subscription quota exceeded|exceeded_current_quota/, // DashScope, Copilot, OpenCode Go, Moonshot
  /(?:daily|weekly|monthly|session) (?:usage )?limit (?:exhausted|reached)|free-usage-exhausted/, // Z.ai, OpenCode Go, Grok CLI
  /(?:reached|used up|exhausted|hit) your (?:session|daily|weekly|monthly) (?:usage limit|free|quota|allowance)/, // Ollama, Cloudflare
  /(?:额度|余额)(?:不足|已用尽)/, // new-api
  /usage limit for this billing cycle|usage_not_included/, // Kimi Code, Codex
  /\barrearage\b|account is in arrears|\boverdue[ -]payment/, // DashScope, Volcengine
  /(?:monthly|included) (?:usage|spend(?:ing)?|credits?) .{0,30}(?:exceeded|reached|used up)|spending limit/, // Hugging Face, xAI
];

/** A model that the account may not use, also with the status of a limit: Z.ai, Vertex AI. */
const NO_ACCESS: readonly RegExp[] = [
  /\bplan\b.{0,30}\bnot (?:yet )?(?:include|have) access to/,
  /not allowed to use (?:\w+ )?model/,
];

/** Limits of a service on its use that name tokens, which is not the length of a request: Bedrock, Cerebras. */
const THROTTLED =
  /\bthrottling|throttled|too many tokens(?:,? please wait| per (?:second|minute|hour|day)| processed)|please wait before trying again/;

const RATE_LIMIT: readonly RegExp[] = [
  /rate_limit|too_many_requests|resource_exhausted/,
  /rate limit (?:reached|exceeded)|too many requests|would exceed your .{0,40}rate limit/,
  /exceeded .{0,40}rate limit|rate[- ]limited/, // GitHub, iFlow
];

/** A request that the service will never answer: for its content, its history, its origin, or the size of the model. */
const WITHHELD: readonly RegExp[] = [
  /content_filter|content management policy|responsibleaipolicy/, // Azure
  /data_inspection_failed|inappropriate content/, // DashScope
  /requires moderation|input was flagged|flagged as potentially/, // OpenRouter, OpenAI
  /\binvalid_prompt\b|violat\w+ .{0,30}(?:usage|content) polic/, // OpenAI
  /unsupported_country|(?:country|region|location)\b.{0,40}\bnot (?:supported|available)/, // OpenAI, Gemini
  /requires more (?:system )?memory/, // Ollama
  /failed to parse tool call arguments as json|invalid tool call arguments/, // llama.cpp, Ollama
];

/** An answer or a call of the model that its server could not read; another one may be well-formed. */
const FAILED_CALL: readonly RegExp[] = [
  /tool_use_failed|failed to call a function|output_parse_failed/, // Groq
  /failed to generate (?:a )?tool.?calls?|error parsing tool call/, // Cerebras, Ollama
  /does not match the expected .{0,20}format|did not respect the required format/, // llama.cpp, Databricks
  /model (?:generated|produced) (?:an )?(?:output that could not be parsed|invalid)|malformed_function_call/, // Groq, Gemini
  /unexpected token \d+ while expecting|expected \d+ output messages|list\[function-wrap\[.{0,40}invalid json/s, // vLLM
];

const AUTH: readonly RegExp[] = [
  /authentication|permission_(?:error|denied)|unauthenticated|invalid_api_key/,
  /(?:invalid|incorrect|missing|no|wrong) (?:x-)?api[ _-]?key|api[ _]key (?:is )?(?:not valid|missing|invalid|required|expired)/,
  /no connected db/, // LiteLLM, for a key that it does not know
];

const OVERLOADED: readonly RegExp[] = [
  /overloaded|\bengine_overloaded|server_busy|server is busy|\bunavailable\b/,
  /temporar(?:il)?y (?:unavailable|unable)|try again later|at capacity|capacity (?:temporarily )?exceeded/,
  /model (?:has )?crashed|model (?:is |was )?unloaded|model is (?:still )?loading|loading model/, // LM Studio, llama.cpp
  /\b(?:modelerror|modelnotready|serviceunavailable|internalserver)exception\b/, // Bedrock
  /upstream request failed$|degraded function/, // OpenCode Go, gateways, NVIDIA
];

/** A model that exists, but does not answer now. */
const TEMPORARY = /currently|temporarily|overloaded|at capacity|try again/;

const UNKNOWN_MODEL: readonly RegExp[] = [
  /model_not_found|model_not_supported|deploymentnotfound|modelnotfound/, // OpenAI, Copilot, Azure, DashScope
  /invalid model name|supported (?:api )?model names are/, // LiteLLM, DeepSeek
  /\bmodel\b.{0,80}\b(?:not exist|is not available|not found|is not supported)/,
  /\b(?:unknown|no such|unsupported|unrecognized) model\b/,
  /is not a valid model(?: id)?/, // OpenRouter
  /could not find (?:the )?model\b/, // Bifrost
  /no endpoints found for/, // OpenRouter
  /\bno models? (?:is |are )?loaded\b/, // LM Studio
  /api deployment for this resource does not exist|\bfunction '.{0,40}: not found for account/, // Azure, NVIDIA
  /model_(?:decommissioned|deprecated)|\bmodel\b.{0,80}\b(?:decommissioned|deprecated|retired|no longer (?:supported|available))/, // Groq, OpenAI
];

/** A request that is larger than the tokens of a minute, and larger than it ever may be: Groq, OpenAI, Anthropic. */
const TOO_LARGE = /\brequest too large\b|request_too_large/;

/** The conversation, or a count of it. */
const WHOLE =
  'context|prompt|inputs?|conversation|messages?|history|sequence|payload|body|(?:total|request(?:ed)?) tokens?|number of tokens|tokens? (?:count|in (?:the )?request)';
const MORE =
  'exceed|too (?:long|large|big|many)|(?:longer|larger|greater|bigger|higher|more) than|over(?:flow|s)|surpass|not fit|can not be processed|(?:must|should) (?:be|have) (?:less|fewer)';
/** No end of a sentence. */
const NEAR = String.raw`(?:(?!\. ).){0,60}`;

/** A window, and anything about its size. */
const WINDOW =
  /(?:context[ _-]?(?:window|length|size|limit|shift|the)|max_seq_len|max_model_len|session_len|max(?:imum)? (?:(?:model|prompt|sequence|supported) )+length)\b.*(?:\d{3}|exceed|overflow|reached|too |disabled|limit)|(?:\d{3}|exceed|overflow|than|limit).*context[ _-]?(?:window|length|size|limit)/s;
const TOO_LONG: readonly RegExp[] = [
  /(?:context|prompt)\w*_(?:exceeded|too_l\w+|overflow)|contextwindowexceeded|exceed_context|context_too_large|tokens_limit_reached|string_above_max_length/,
  new RegExp(String.raw`\b(?:${WHOLE})\b${NEAR}(?:${MORE})|(?:${MORE})${NEAR}\b(?:${WHOLE})\b`),
  /(?:reduce|shorten)\b.{0,24}\b(?:messages?|input|prompt|conversation|history)\b/, // Groq, Cerebras, Azure
  /range of input length|tokens? must be at least 1, got -\d/, // DashScope, vLLM
  /(?:\binputs?|prompt|model)\b.{0,40}token limit|more than max tokens|exceeds? the maximum number of tokens/, // Moonshot, watsonx, gateways
  /max message tokens|maximum output tokens.{0,40}exceed|too many (?:total )?(?:text bytes|tokens)/, // Volcengine, Cloudflare, Bedrock
  /(?:上下文|输入|提示词).{0,20}(?:超过|超出|过长)|超(?:过|出).{0,12}(?:上下文|长度)/,
];

/** Subjects of limits that a shorter conversation does not meet. */
const OTHER_LIMIT =
  /image|picture|audio|video|\bfiles?\b|\bpdf|document|base64|\bmb\b|temperature|\bid\b|call_?id|description|schema|parameters|array|thinking|budget|timed? ?out|deadline|rate limit|quota|balance|cache|metadata|header|\burl\b|expecting|unexpected|max_?(?:new_|completion_|output_)?tokens\b.{0,40}(?:too large|exceed|greater than|<=|less than)/;

/** The numbers of tokens in a text. A status or a small count is none. */
const TOKENS = /(?<![\d.-])\d{3,8}(?![\d.]*\d)/g;

/**
 * True for words that call a conversation too long for its model: a window with a size, a conversation that exceeds
 * something, or two different numbers of its tokens.
 */
function isTooLong(text: string): boolean {
  if (WINDOW.test(text)) return true;
  if (OTHER_LIMIT.test(text)) return false;
  if (TOO_LONG.some((pattern) => pattern.test(text))) return true;
  const counts = new Set((text.match(TOKENS) ?? []).map(Number).filter((count) => count >= 600));
  return counts.size > 1 && /\b(?:prompt|input|request|context)\b/.test(text) && /token/.test(text);
}
