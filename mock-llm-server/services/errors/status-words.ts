import type { ServiceName } from '../../conversation/conversation.ts';
import type { WireError } from '../../wire/wire.ts';

/** The error of a service for a status, where it differs from the error that its protocol has for the status. */
export interface StatusWords
  extends Pick<WireError, 'message'>,
    Partial<Pick<WireError, 'status' | 'code' | 'errorType' | 'param' | 'fields'>> {
  /** The error if a retry makes sense after some seconds, where it is otherwise that of an account without credit. */
  readonly waiting?: StatusWords;
}

type ByService<Value> = Readonly<Partial<Record<ServiceName, Value>>>;

const BAD_KEY = { code: 'invalid_api_key' };
const NO_PACKAGE = { message: 'Insufficient balance or no resource package. Please recharge.', code: '1113' };

/**
 * The errors for accounts, keys, limits and overload, by status; 402 is an account without credit, which most services
 * report with another status. The comment of each service names the reports.
 */
export const STATUS_WORDS: ByService<Readonly<Record<number, StatusWords>>> = {
  // anthropics/claude-code#66314, 2026-06-08
  anthropic: {
    402: {
      status: 400,
      message:
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      errorType: 'invalid_request_error',
    },
  },
  // promptfoo/promptfoo#10855, 2026-09-09
  openai: {
    402: {
      status: 429,
      message: 'You have no credits remaining. Add credits to continue.',
      errorType: 'insufficient_quota',
      code: 'credit_balance_exhausted',
    },
  },
  // nminaya/grammar-nazi-bot#958, 2026-08-12
  cerebras: {
    429: {
      message: 'Requests per minute limit exceeded - too many requests sent.',
      errorType: 'too_many_requests_error',
      param: 'quota',
      code: 'request_quota_exceeded',
    },
  },
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
    // open-webui/computer#293, 2026-09-20
    429: {
      message: 'Provider returned error',
      fields: {
        metadata: {
          raw: 'The model is temporarily rate-limited upstream. Please retry shortly, or add your own key to accumulate your rate limits: https://openrouter.ai/settings/integrations',
          provider_name: 'OpenAI',
        },
      },
    },
  },
  // kaichen/kimicc#20, 2025-09-24; anomalyco/opencode#24462, 2026-04-26; 666ghj/BettaFish#351, 2025-11-15
  moonshot: {
    401: { message: 'Invalid Authentication', errorType: 'invalid_authentication_error' },
    404: { message: 'Not found the model MODEL or Permission denied', errorType: 'resource_not_found_error' },
    429: {
      message:
        'Your account org-mock <ak-mock> is suspended due to insufficient balance, please recharge your account or check your plan and billing details',
      errorType: 'exceeded_current_quota_error',
      waiting: {
        message:
          'Your account org-mock <ak-mock> request reached organization max RPM: 3, please try again after WAIT seconds',
        errorType: 'rate_limit_reached_error',
      },
    },
  },
  // zai-org/GLM-5#49, 2026-04-08
  // cline/cline#6099, 2025-09-09; continuedev/continue#12648, 2026-06-16
  zai: {
    400: { message: 'Unknown Model, please check the model code.', code: '1211' },
    401: { message: 'Authentication Failed', code: '1000' },
    402: { status: 429, ...NO_PACKAGE },
    // kaitranntt/ccs#536, 2026-02-11
    429: { ...NO_PACKAGE, waiting: { message: 'Rate limit reached for requests', code: '1302' } },
  },
  // Aider-AI/aider#4712, 2025-12-19
  dashscope: {
    401: {
      message:
        'Incorrect API key provided. For details, see: https://www.alibabacloud.com/help/en/model-studio/error-code#apikey-error',
      ...BAD_KEY,
    },
    // hawkxtreme/mini-ai-1c#23, 2026-02-26
    429: {
      message:
        'You exceeded your current quota, please check your plan and billing details. For details, see: https://help.aliyun.com/zh/model-studio/error-code#token-limit',
      errorType: 'insufficient_quota',
      code: 'insufficient_quota',
    },
  },
  // tmc/langchaingo#1233, 2025-04-23; coolcline/CoolCline#36, 2025-03-20
  mistral: {
    400: { message: 'Invalid model: MODEL', errorType: 'invalid_model', code: '1500' },
    401: { message: 'Unauthorized' },
    // cline/cline#9085, 2026-02-04
    429: { message: 'Rate limit exceeded', errorType: 'rate_limited', code: '1300' },
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
    // vanderschaarlab/climb#1, 2025-01-18
    429: {
      message:
        'Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-08-01-preview have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after WAIT seconds. Please go here: https://aka.ms/oai/quotaincrease if you would like to further increase the default rate limit.',
      code: '429',
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
    // Aider-AI/aider#3265, 2025-02-16
    429: {
      message:
        'Rate limit reached for model `MODEL` in organization `org_mock` service tier `on_demand` on tokens per minute (TPM): Limit 15000, Used 11972, Requested 4351. Please try again in WAITs. Visit https://console.groq.com/docs/rate-limits for more information.',
      errorType: 'tokens',
      code: 'rate_limit_exceeded',
    },
    // infiniflow/ragflow#9858, 2025-09-01
    503: {
      message:
        'MODEL is currently over capacity. Please try again and back off exponentially. Visit https://groqstatus.com to see if there is an active incident.',
      errorType: 'internal_server_error',
    },
  },
  // continuedev/continue#10778, 2026-02-24: the status of a wrong key is 400
  xai: {
    401: {
      status: 400,
      message: 'Incorrect API key provided: na***ys. You can obtain an API key from https://console.x.ai.',
    },
    // continuedev/continue#10373, 2026-02-09
    402: {
      status: 429,
      message:
        'Your team 00000000-0000-0000-0000-000000000000 has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit.',
      code: 'Some resource has been exhausted',
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
    // xtekky/gpt4free#3032, 2025-06-12
    429: {
      message:
        'You have reached the rate limit specific to this model MODEL. The maximum rate limit for this model is 9.0 queries per minute. This limit differs from the general rate limits published at Together AI rate limits documentation (https://docs.together.ai/docs/rate-limits). For inquiries about increasing your model-specific rate limit, please contact our sales team (https://www.together.ai/forms/contact-sales)',
      errorType: 'model_rate_limit',
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
    // jasonacox/TinyLLM#17, 2025-02-02
    429: {
      message:
        'litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached for MODEL\nReceived Model Group=MODEL\nAvailable Model Group Fallbacks=None',
      errorType: 'throttling_error',
    },
  },
};
