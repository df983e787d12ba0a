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
 * model a 400, 404 or 500, and within a stream there is no status at all. `hasWait`: the server says when to come
 * again, so a limit ends by itself.
 */
export function codeOfWords(
  { kind, message }: ServerError,
  status: number | undefined,
  hasWait = false,
): WordCode | undefined {
  const full = codeWords(`${kind} ${message}`);
  // The addresses of documents have such words, too.
  const text = full.replace(/https?:\S+/g, '');
  const has = (patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(text));
  const mayBeDaily = status === undefined || status === 403 || status === 429;
  const isUsedUp = has(QUOTA) || (!hasWait && (has(USAGE_LIMIT) || (mayBeDaily && PER_DAY.test(text))));
  if (status === 402 || (isUsedUp && !PER_TIME.test(full))) return 'quota';
  // Kimi refuses a conversation that is too long like a key.
  if (status === 401 && !isTooLong(text)) return 'auth';
  if (has(NO_ACCESS)) return 'unknown_model';
  if (status === 413 || TOO_LARGE.test(text)) return 'context_overflow';
  if (status === 429 || THROTTLED.test(text)) return 'rate_limit';
  if (isTooLong(text)) return 'context_overflow';
  if (has(RATE_LIMIT)) return 'rate_limit';
  if (has(FAILED_CALL)) return 'incomplete_answer';
  if (has(WITHHELD)) return 'bad_request';
  if (has(AUTH)) return 'auth';
  if (!TEMPORARY.test(text) && has(UNKNOWN_MODEL)) return 'unknown_model';
  if ((status !== 403 || /temporarily unavailable/.test(text)) && has(OVERLOADED)) return 'overloaded';
  const isKnown = status !== undefined && status >= 400;
  // Z.ai has numbers for requests that it refuses.
  return !isKnown && /invalid request|bad ?request|validation error|\b12[01]\d\b/.test(codeWords(kind))
    ? 'bad_request'
    : undefined;
}

/** A text in one spelling: small letters, plain quotes, `not` in full, bare numbers. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/\bcan(?:'t|not)\b/g, 'can not')
    .replace(/n't\b/g, ' not')
    .replace(/(\d)[,_](?=\d{3}(?!\d))/g, '$1');
}

/** A text whose codes are words, as the patterns below have them: `context_length_exceeded`, `ThrottlingException`. */
function codeWords(text: string): string {
  const spaced = text.replace(/([a-z])(?=[A-Z][a-z])/g, '$1 ').replace(/_+/g, ' ');
  return plainWords(spaced);
}

/** A limit for a moment. Some services use the words of a quota for it: Cerebras, DashScope, new-api. */
const PER_TIME =
  /per[ -]?(?:second|min(?:ute)?|hour)\b|\b[tr]pm\b|concurren|limit burst rate|load is saturated|resource exhausted(?! you exceeded your current)|error-code#token-limit/;

const QUOTA: readonly RegExp[] = [
  /insufficient (?:\w+ ){0,4}(?:quota|balance|credits|funds)|\bno credits\b(?! were)|balance (?:is )?(?:too )?(?:low|not enough|insufficient|exhausted)/, // OpenAI, DeepSeek, MiniMax, Moonshot, Anthropic
  /\bbilling(?: (?:not active|hard limit reached|error)|\b.{0,20}(?:limit|disabled|not active))|payment required/, // OpenAI, Anthropic
  /(?:out of|not enough|requires? more) (?:credits|funds)|balance depleted|extra usage|usage (?:credits )?required/, // OpenRouter, Anthropic
  /quota (?:limit )?(?:has been )?(?:exhausted|used up|reached|exceeded$)|\bkey limit exceeded|(?:subscription|current) quota exceeded|exceeded current quota|\byou have no quota/, // DashScope, Copilot, OpenRouter, OpenCode Go, Moonshot
  /(?:额度|余额)(?:不足|已用尽)|欠费/, // new-api, Zhipu
  /usage limit for this billing cycle|usage not included/, // Kimi Code, Codex
  /\barrearage\b|account is in arrears|\boverdue[ -]payment/, // DashScope, Volcengine
  /fair us(?:e|age) policy|payment (?:is )?past due/, // Z.ai, Ollama
  /(?:monthly|included) (?:usage|spend(?:ing)?|credits?) .{0,30}(?:exceeded|reached|used up)|spending limit/, // Hugging Face, xAI
];

/** Limits of a plan, some of which end by themselves. */
const USAGE_LIMIT: readonly RegExp[] = [
  /(?:upgrade|top up|recharge|purchase|add|requires a)\b.{0,30}\b(?:credits?|balance|subscription|plan)\b/,
  /hit your usage limit|exhausted for this|exceeded your current quota/, // Codex, Claude Code, Gemini
  /(?:daily|weekly|monthly|session|usage|set|inference) (?:request )?limit (?:has been )?(?:exhausted|reached|exceeded)|free-usage-exhausted|free usage (?:limit|exceeded)|usage limit exceeded/, // Z.ai, OpenCode Go, Grok CLI
  /(?:reached|used up|exhausted|hit) (?:your|the) (?:(?:session|daily|weekly|monthly) (?:usage limit|free|quota|allowance)|set inference limit)/, // Ollama, Cloudflare, Gemini CLI, Volcengine
];

/** A limit of a day: Moonshot, Groq. With the status of a wrong request, the words may be those of a schema. */
const PER_DAY = /\b[tr]pd\b|\bper[ -]day\b(?!, please wait)|\bdaily (?:\w+ ){0,2}(?:limit|quota)/;

/** A model that the account may not use, also with the status of a limit: Z.ai, Vertex AI, Bedrock. */
const NO_ACCESS: readonly RegExp[] = [
  /\bplan\b.{0,30}\bnot (?:yet )?(?:include|have) access to/,
  /not allowed to use (?:\w+ )?model|not have access to (?:the|this) model/,
];

/** Limits of a service on its use that name tokens, which is not the length of a request: Bedrock, Cerebras. */
const THROTTLED =
  /\bthrottling|throttled|too many tokens(?:,? please wait| per (?:second|minute|hour|day)| processed)|please wait before trying again/;

const RATE_LIMIT: readonly RegExp[] = [
  /(?:rate|concurrency) limit(?: (?:has been )?(?:reached|exceeded|error|breached)|ed\b)|too many requests|resource exhausted|would exceed your .{0,40}rate limit/,
  /exceeded .{0,40}rate limit|rate-limited|rate increased too quickly/, // GitHub, iFlow, DashScope
];

/** A request that the service will never answer: for its content, its history, its origin, or the size of the model. */
const WITHHELD: readonly RegExp[] = [
  /content filter|content management policy|responsible ?ai ?policy/, // Azure
  /data inspection failed|inappropriate content/, // DashScope
  /sensitive (?:words?|content)|(?:in|out)put (?:new )?sensitive|security violation|(?:exists|high) risk|moderation block|敏感/, // new-api, MiniMax, DeepSeek, Xiaomi
  /requires moderation|input was flagged|\bsafety system\b|flagged (?:as potentially|for possible|by (?:our|the))/, // OpenRouter, OpenAI
  /\binvalid prompt\b|violat\w+ .{0,30}(?:usage|content) (?:polic|guidelines)/, // OpenAI, xAI
  /unsupported country|(?:country|region|location)\b.{0,40}\bnot (?:supported|available)/, // OpenAI, Gemini
  /requires more (?:system )?memory/, // Ollama
  /\bkey (?:is )?not (?:set|configured)\b/, // gateways, whose own key is missing
  /\b(?:unknown|unsupported) parameter\b|\bparameter '?\w+'? is not allowed/, // gateways, also with the status 403 or 502
  /invalid tool call arguments/, // Ollama
];

/** An answer or a call of the model that its server could not read; another one may be well-formed. */
const FAILED_CALL: readonly RegExp[] = [
  /tool use failed|failed to call a function|output parse failed|tool call validation failed/, // Groq
  /failed to generate (?:a )?tool.?calls?|no valid tool.?call|error parsing tool call/, // Cerebras, Cohere, Ollama
  /does not match the expected .{0,20}format|did not respect the required format/, // llama.cpp, Databricks
  /model (?:generated|produced) (?:an )?(?:output that could not be parsed|invalid)|malformed function call/, // Groq, Gemini
  // llama.cpp also says this of arguments in the history, but those that ybs sends are always JSON.
  /failed to parse tool call arguments as json/,
  /unexpected token \d+ while expecting|expected \d+ output messages|list\[function-wrap\[.{0,40}invalid json/s, // vLLM
  /(?:waiting for|in) message header\b|no channel value found in header|harmony ?error: unknown role/, // gpt-oss
];

const AUTH: readonly RegExp[] = [
  /\bauthenticat(?:ion|e)\b|permission (?:error|denied)|unauthenticated|\bunauthorized\b|could not validate credentials/,
  /(?:invalid|incorrect|missing|no|wrong) (?:x-)?api[ -]?key|api key (?:is )?(?:not valid|missing|invalid|required)/,
  /\b(?:key|token|account|workspace)\b.{0,20}\b(?:revoked|deactivated|disabled|deleted|expired)|deactivated workspace|invalid token$/,
  /no connected db|certification failed/, // LiteLLM, for a key that it does not know, Baidu
];

const OVERLOADED: readonly RegExp[] = [
  /overloaded|server busy|server is busy|\bunavailable\b/,
  /temporar(?:il)?y (?:unavailable|unable)|try again later|at capacity|capacity (?:temporarily )?exceeded|high load/,
  /model (?:has )?crashed|prediction-error|channel error|model (?:is |was )?unloaded|model is (?:still )?loading|loading model/, // LM Studio, llama.cpp
  /\b(?:model error|model not ready|service ?unavailable|internal server) ?exception\b/, // Bedrock
  /\binternal (?:server )?error(?: encountered| occurred)?$/, // Anthropic, with the type of a wrong request
  /upstream connect error|no healthy upstream|upstream request timeout|bad gateway|gateway time-?out/, // Envoy, nginx
  /upstream request failed$|failed to get response from provider|degraded function/, // OpenCode Go, Cloudflare, NVIDIA
];

/** A model that exists, but does not answer now. */
const TEMPORARY = /currently|temporarily|overloaded|at capacity|try again/;

const UNKNOWN_MODEL: readonly RegExp[] = [
  /model not (?:found|supported)|deployment not found/, // OpenAI, Copilot, Azure, DashScope
  /invalid model name|model identifier is invalid|llm provider not provided|supported (?:api )?model names are/, // LiteLLM, DeepSeek
  /\bmodel\b(?! returned).{0,80}\b(?:not exist|is not available|not found|is not supported)/,
  /\b(?:unknown|no such|unsupported|unrecognized) model\b/,
  /is not a valid model(?: id)?/, // OpenRouter
  /could not find (?:the )?model\b/, // Bifrost
  /no allowed providers|no endpoints (?:found|available) (?:for|matching)/, // OpenRouter
  /\bno models? (?:is |are )?loaded\b/, // LM Studio
  /api deployment for this resource does not exist|\bfunction '.{0,40}: not found for account/, // Azure, NVIDIA
  /model (?:decommissioned|deprecated)|\bmodel\b(?! returned).{0,80}\b(?:decommissioned|deprecated|deactivated|retired|no longer (?:supported|available))/, // Groq, OpenAI
];

/** A request that is larger than it ever may be, also with the status of a limit: Groq, OpenAI, Anthropic, nginx. */
const TOO_LARGE = /\b(?:request|payload|content)(?: entity)? too large\b|\bprompt is too long\b/;

/** The conversation, or a count of it. */
const WHOLE =
  'context|prompt|inputs?|conversation|messages?|history|sequence|payload|body|(?:total|request(?:ed)?) tokens?|number of tokens|tokens? (?:count|in (?:the )?request)|n ctx';
const MORE =
  'exceed|too (?:long|large|big|many(?! requests))|(?:longer|larger|greater|bigger|higher|more) than|over(?:flow|s)|surpass|not fit|can not be processed|(?:must|should) (?:be|have) (?:less|fewer)';
/** No end of a sentence. */
const NEAR = String.raw`(?:(?!\. ).){0,60}`;

/** A window, and anything about its size. */
const WINDOW =
  /(?:context[ -]?(?:window|length|size|limit|shift|the)|max seq len|max model len|session len|max(?:imum)? (?:(?:model|prompt|sequence|supported) )+length)\b.*(?:\d{3}|exceed|overflow|reached|too |disabled|limit)|(?:\d{3}|exceed|overflow|than|limit).*context[ -]?(?:window|length|size|limit)|larger context|tokens to keep|inputs?'? tokens \+/s;
const TOO_LONG: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:${WHOLE})\b${NEAR}(?:${MORE})|(?:${MORE})${NEAR}\b(?:${WHOLE})\b`),
  /string above max length|tokens? limit (?:reached|exceeded)|too many (?:total )?(?:text bytes|tokens)/, // OpenAI, GitHub Models, Bedrock
  /(?:reduce|shorten)\b.{0,24}\b(?:messages?|input|prompt|conversation|history)\b/, // Groq, Cerebras, Azure
  /range of input length|tokens? must be at least 1, got -(?!1\b)\d/, // DashScope, vLLM
  /(?:\binputs?|prompt|model)\b.{0,40}token limit|more than max tokens|exceeds? the maximum number of tokens/, // Moonshot, watsonx, gateways
  /supports only \d+ ?k?\b.{0,20}\bcontext/, // Kimi
  /max message tokens|maximum output tokens.{0,40}exceed|expected max length: \d+, actual/, // Volcengine, Cloudflare, Bedrock
  /(?:上下文|输入|提示词).{0,20}(?:超过|超出|过长)|超(?:过|出).{0,12}(?:上下文|长度)/,
];

/** An answer that may not become as long as the whole window, whatever the conversation. */
const ONLY_ANSWER = /max (?:new |completion |output )?tokens(?:=\d+)? ?(?:can|must|should) not be greater than/;

/** Subjects of limits that a shorter conversation does not meet. */
const OTHER_LIMIT =
  /image|picture|audio|video|\bfiles?\b|\bpdf|document|base64|\bmb\b|temperature|\bid\b|call ?id|description|schema|parameters|array|items|\blist\b|thinking|budget|timed? ?out|deadline|rate limit|quota|balance|cache|metadata|header|expecting|unexpected|tool (?:result|use|call) blocks?|max ?(?:new |completion |output )?tokens\b.{0,40}(?:too large|exceed|greater than|<=|less than)/;

/** The numbers of tokens in a text. A status or a small count is none. */
const TOKENS = /(?<![\d.-])\d{3,8}(?![\d.]*\d)/g;

/**
 * True for words that call a conversation too long for its model: a window with a size, a conversation that exceeds
 * something, or two different numbers of its tokens.
 */
function isTooLong(text: string): boolean {
  if (ONLY_ANSWER.test(text)) return false;
  if (WINDOW.test(text)) return true;
  if (OTHER_LIMIT.test(text)) return false;
  if (TOO_LONG.some((pattern) => pattern.test(text))) return true;
  const counts = new Set((text.match(TOKENS) ?? []).map(Number).filter((count) => count >= 600));
  return counts.size > 1 && /\b(?:prompt|input|request|context)\b/.test(text) && /token|n ctx/.test(text);
}
