import type { ServiceName } from '../conversation/conversation.ts';
import type { StatusRequest, WireError } from '../wire/wire.ts';

/** The error of a service for a status, where it differs from the error that its protocol has for the status. */
interface StatusWords extends Pick<WireError, 'message'>, Partial<Pick<WireError, 'status' | 'code' | 'errorType'>> {}

type ByService<Value> = Readonly<Partial<Record<ServiceName, Value>>>;

const BAD_KEY = { code: 'invalid_api_key' };

/** The errors for accounts and keys, by status. The comment of each service names the reports. */
const STATUS_WORDS: ByService<Readonly<Record<number, StatusWords>>> = {
  // github/copilot-cli#3431, 2026-05-20
  copilot: { 402: { message: 'You have no quota', code: 'quota_exceeded' } },
  // earendil-works/pi#4172, 2026-05-04
  codex: { 429: { message: 'The usage limit has been reached', errorType: 'usage_limit_reached' } },
  // continuedev/continue#9942, 2026-01-27; https://api-docs.deepseek.com/quick_start/error_codes
  // ConardLi/easy-dataset#9, 2025-03-13
  // BerriAI/litellm#10403, 2025-04-29
  deepseek: {
    400: { message: 'Model Not Exist' },
    401: {
      message: 'Authentication Fails, Your api key: ****0000 is invalid',
      errorType: 'authentication_error',
      code: 'invalid_request_error',
    },
    402: { message: 'Insufficient Balance', errorType: 'unknown_error', code: 'invalid_request_error' },
  },
  // Fosowl/agenticSeek#407, 2025-09-15; Gitlawb/openclaude#1125, 2026-05-12; agent0ai/agent-zero#1255, 2026-03-13
  // logancyang/obsidian-copilot#755, 2024-10-28
  openrouter: {
    400: { message: 'MODEL is not a valid model ID' },
    401: { message: 'User not found.' },
    402: {
      message:
        'This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 27342. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account',
    },
    404: { message: 'No allowed providers are available for the selected model.' },
  },
  // kaichen/kimicc#20, 2025-09-24; anomalyco/opencode#24462, 2026-04-26; 666ghj/BettaFish#351, 2025-11-15
  moonshot: {
    401: { message: 'Invalid Authentication', errorType: 'invalid_authentication_error' },
    404: { message: 'Not found the model MODEL or Permission denied', errorType: 'resource_not_found_error' },
    429: {
      message:
        'Your account org-mock <ak-mock> is suspended due to insufficient balance, please recharge your account or check your plan and billing details',
      errorType: 'exceeded_current_quota_error',
    },
  },
  // zai-org/GLM-5#49, 2026-04-08
  // cline/cline#6099, 2025-09-09; continuedev/continue#12648, 2026-06-16
  zai: {
    400: { message: 'Unknown Model, please check the model code.', code: '1211' },
    401: { message: 'Authentication Failed', code: '1000' },
    429: { message: 'Insufficient balance or no resource package. Please recharge.', code: '1113' },
  },
  // Aider-AI/aider#4712, 2025-12-19
  dashscope: {
    401: {
      message:
        'Incorrect API key provided. For details, see: https://www.alibabacloud.com/help/en/model-studio/error-code#apikey-error',
      ...BAD_KEY,
    },
  },
  // tmc/langchaingo#1233, 2025-04-23; coolcline/CoolCline#36, 2025-03-20
  mistral: {
    400: { message: 'Invalid model: MODEL', errorType: 'invalid_model', code: '1500' },
    401: { message: 'Unauthorized' },
  },
  // SciSharp/BotSharp#386, 2024-04-02; BerriAI/litellm#37242, 2026-08-18
  azure: {
    401: {
      message:
        'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
      code: '401',
    },
    404: {
      message:
        'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.',
      code: 'DeploymentNotFound',
    },
  },
  // ag5826000/resume-commentor#4, 2025-03-04
  // huggingface/smolagents#1119, 2025-04-01
  groq: {
    400: {
      message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
      code: 'tool_use_failed',
    },
    401: { message: 'Invalid API Key', ...BAD_KEY },
  },
  // continuedev/continue#10778, 2026-02-24: the status of a wrong key is 400
  xai: {
    401: {
      status: 400,
      message: 'Incorrect API key provided: na***ys. You can obtain an API key from https://console.x.ai.',
    },
  },
  // harshitv804/LawGPT#4, 2024-08-11; evo-design/evo#14, 2024-02-28
  together: {
    404: {
      message:
        'Unable to access model MODEL. Please visit https://api.together.xyz to see the list of supported models or contact the owner to request access.',
      code: 'model_not_found',
    },
    401: {
      message: 'Invalid API key provided. You can find your API key at https://api.together.xyz/settings/api-keys.',
      ...BAD_KEY,
    },
  },
  // FerroxLabs/wayland#545, 2026-07-02
  fireworks: {
    404: { message: 'Model not found, inaccessible, and/or not deployed', code: 'NOT_FOUND' },
    412: {
      message:
        'Account mock is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices. Please go to https://fireworks.ai/account/billing for more information.',
      code: 'PRECONDITION_FAILED',
      errorType: 'error',
    },
  },
  // BerriAI/litellm#8821, 2025-02-26
  litellm: {
    400: {
      message:
        '/chat/completions: Invalid model name passed in model=MODEL. Call `/v1/models` to view available models for your key.',
    },
  },
};

/** The error of a service for a status that a fault asks for; `undefined` for the error of its protocol. */
export function statusErrorOf(
  service: ServiceName | undefined,
  { status, model, retryAfter }: StatusRequest,
): WireError | undefined {
  const words = service && STATUS_WORDS[service]?.[status];
  if (words === undefined) return undefined;
  const message = words.message.replace('MODEL', model);
  return { type: 'error', status, code: null, ...words, message, ...(retryAfter !== undefined && { retryAfter }) };
}

/** The status and the body of an answer; METHOD and PATH stand for those of the request. */
type Answer = readonly [status: number, body: string];
/** The answers to an unknown path and to another method; a service without the second gives the first for both. */
type Stray = readonly [path: Answer, method?: Answer];

// Recordings vllm-0.32.0/005-unknown-route and litellm-1.108.7-mock/006-get-chat.
const FASTAPI: Stray = [
  [404, '{"detail":"Not Found"}'],
  [405, '{"detail":"Method Not Allowed"}'],
];

const STRAY: ByService<Stray> = {
  // https://github.com/microsoft/TaskWeaver/issues/11, 2023-12-04
  openai: [
    [404, '{"error":{"message":"Invalid URL (METHOD PATH)","type":"invalid_request_error","param":null,"code":null}}'],
    [
      405,
      '{"error":{"message":"Not allowed to METHOD on PATH. (HINT: Perhaps you meant to use a different HTTP method?)","type":"invalid_request_error","param":null,"code":"method_not_supported"}}',
    ],
  ],
  vllm: FASTAPI,
  'vllm-without-parser': FASTAPI,
  sglang: FASTAPI,
  litellm: FASTAPI,
  // Recordings ollama-0.17.4-scripted/005-unknown-route and 006-get-chat.
  ollama: [
    [404, '404 page not found'],
    [405, '405 method not allowed'],
  ],
  // Recordings llamacpp-11434-scripted/005-unknown-route and 006-get-chat.
  llamacpp: [[404, '{"error":{"message":"File Not Found","type":"not_found_error","code":404}}']],
  // lmstudio-ai/lms#169, 2025-02-19: an error with the status of a success.
  lmstudio: [[200, '{"error":"Unexpected endpoint or method. (METHOD PATH)"}']],
  // ChatGPTNextWeb/NextChat#4599, 2024-04-30; TAGonSoft/groq-dart#15, 2024-12-02
  groq: [
    [
      404,
      '{"error":{"message":"Unknown request URL: METHOD PATH. Please check the URL for typos, or see the docs at https://console.groq.com/docs/","type":"invalid_request_error","code":"unknown_url"}}',
    ],
  ],
  // MoonshotAI/moonpalace#5, 2024-12-13
  moonshot: [
    [
      404,
      '{"code":5,"error":"url.not_found","message":"没找到对象","method":"METHOD","scode":"0x5","status":false,"ua":"","url":"PATH"}',
    ],
  ],
  // nextcloud/assistant#593, 2026-06-29
  mistral: [[404, '{"message":"no Route matched with those values","request_id":"4e66bb7fa0db6457e2b7e7d17e5b2875e"}']],
  // cline/cline#926, 2024-12-16: no body
  dashscope: [[404, '']],
  // vellum-ai/vellum-assistant#25930, 2026-04-15: the page of the web site
  openrouter: [[404, '<!DOCTYPE html><html lang="en"><head><title>Not Found | OpenRouter</title></head></html>']],
  // simonlin1212/Vibe-Research#22, 2026-08-02: without the path of the gateway
  zai: [[404, '{"timestamp":"2026-08-02T00:00:00.000+00:00","status":404,"error":"Not Found","path":"PATH"}']],
  // fredrikburmester/streamystats#491, 2026-03-28
  anthropic: [[404, '{"type":"error","error":{"type":"not_found_error","message":"Not Found"}}']],
  // MicrosoftDocs/azure-docs#114602, 2023-09-12
  azure: [[404, '{"error":{"code":"404","message":"Resource not found"}}']],
};

/** The answer of a service to a path or a method that the service does not have; `undefined` if it is not known. */
export function strayAnswerOf(
  service: ServiceName | undefined,
  { code }: Pick<WireError, 'code'>,
  { method, path }: { readonly method: string; readonly path: string },
): { readonly status: number; readonly body: string } | undefined {
  const stray = service && (code === 'unknown_url' || code === 'method_not_supported') ? STRAY[service] : undefined;
  if (stray === undefined) return undefined;
  const [status, body] = (code === 'method_not_supported' ? stray[1] : undefined) ?? stray[0];
  const shown = JSON.stringify(service === 'zai' ? path.replace(/^\/api(?:\/coding)?\/paas/, '') : path).slice(1, -1);
  return { status, body: body.replace('METHOD', method).replace('PATH', () => shown) };
}
