import type { ServiceName } from '../../conversation/conversation.ts';
import type { Violation } from '../service.ts';

/** A page of GitHub, an address or a recording that shows the refusal, and its date after a space. */
export type Source = string;
type ByService<Cell> = Readonly<Partial<Record<ServiceName, Cell>>>;

/** The paths of a service, with `?` for an `api-version`. `strayAnswerOf` has the answers to others. */
export const PATHS: ByService<readonly [pattern: RegExp, Source]> = {
  openai: [/^\/v1\//, 'microsoft/TaskWeaver/issues/11 2023-12-04'],
  azure: [
    /^\/openai\/deployments\/.*\?|^\/(?:openai\/(?!chat\/|deployments\/)|anthropic\/|v1\/)/,
    'MicrosoftDocs/azure-docs/issues/114602 2023-09-12',
  ],
  anthropic: [/^\/(?:v1\/|api\/|$)/, 'fredrikburmester/streamystats/issues/491 2026-03-28'],
  openrouter: [/^\/(?:(?:api\/)?v1|anthropic\/v1|model)\//, 'vellum-ai/vellum-assistant/pull/25930 2026-04-15'],
  zai: [/^\/(?:api\/(?:coding\/)?paas\/v4|(?:api\/anthropic\/)?v1)\//, 'simonlin1212/Vibe-Research/pull/22 2026-08-02'],
  dashscope: [/^\/(?:compatible-mode\/|apps\/anthropic\/)?v1\//, 'cline/cline/issues/926 2024-12-16'],
  mistral: [/^\/v1\//, 'nextcloud/assistant/issues/593 2026-06-29'],
  groq: [/^\/(?:openai\/)?v1\/(?!embeddings)/, 'zeroclaw-labs/zeroclaw/issues/1439 2026-02-22'],
  ollama: [/^\/(?:v1\/|api\/|$)/, 'letta-ai/letta/issues/3142 2026-01-13'],
  lmstudio: [/^\/(?:v1|api\/v\d)\//, 'lmstudio-ai/lms/issues/169 2025-02-19'],
  vllm: [/^\/v1\//, 'recording vllm-0.32.0/005-unknown-route 2026-11-28'],
  sglang: [/^\/v1\//, 'agentscope-ai/QwenPaw/issues/797 2026-03-06'],
};

/** The forms of the keys of makers. What else is in a header by mistake begins like the last ones. */
const FORMS = 'sk-ant-|sk-or-|sk-proj-|gsk_|xai-|csk-|AIza|ya29\\.|fw_|gh[opu]_|github_pat_|https?://|Bearer ';
/** The keys of all makers but one, and those of a further form. */
const keysBut = (own: string, more = own) => new RegExp(`^\\S+ (?!${own})(?:${more}|${FORMS})`, 'i');

/**
 * The services with a key: the forms that they refuse, each between its header and the version of Anthropic's API with the
 * integration of Copilot, and the errors for these and for none.
 */
export const KEYS: ByService<{ source: Source; wrong?: RegExp; error?: Violation; none?: Violation | false }> = {
  openai: {
    source: 'openai/openai-python/issues/1434 2024-05-22',
    wrong: keysBut('sk-proj-', 'key_'),
    none: {
      status: 401,
      message:
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password. You can obtain an API key from https://platform.openai.com/account/api-keys.",
    },
  },
  azure: { source: 'SciSharp/BotSharp/issues/386 2024-04-02', wrong: keysBut('$', 'sk-') },
  anthropic: {
    source: 'BerriAI/litellm/pull/21039 2026-02-12',
    wrong: /^x-api-key (?:sk-ant-oat|(?!sk-ant-)(?:sk-|gsk_|AIza))|^bearer sk-ant-api\S* 2023/,
    none: { status: 401, message: 'x-api-key header is required' },
  },
  gemini: {
    source: 'zeroclaw-labs/zeroclaw/issues/194 2026-02-15',
    wrong: /^(?:x-goog-api-key|key) (?:ya29\.|sk-|gsk_)/,
    error: { code: 'API_KEY_INVALID', message: 'API key not valid. Please pass a valid API key.' },
    none: {
      status: 403,
      message:
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    },
  },
  openrouter: {
    source: 'microsoft/vscode/issues/325655 2026-07-13',
    none: { status: 401, message: 'Missing Authentication header' },
  },
  deepseek: { source: 'BerriAI/litellm/issues/10403 2025-04-29', wrong: keysBut('$') },
  moonshot: { source: 'continuedev/continue/issues/10559 2026-02-16' },
  zai: { source: 'continuedev/continue/issues/12648 2026-06-16' },
  dashscope: { source: 'Aider-AI/aider/issues/4712 2025-12-19' },
  mistral: { source: 'coolcline/CoolCline/issues/36 2025-03-20' },
  groq: { source: 'huggingface/smolagents/issues/1119 2025-04-01', wrong: keysBut('gsk_', 'sk-') },
  xai: { source: 'openai/codex/issues/1352 2025-06-19', wrong: keysBut('xai-', 'sk-'), none: false },
  copilot: {
    source: 'bastani-inc/atomic/issues/2522 2026-08-19',
    wrong: /^\S+ (?:ghp_|github_pat_(?!.* copilot-developer-cli$))/,
    error: { message: 'bad request: Personal Access Tokens are not supported for this endpoint' },
    none: false,
  },
};

/** The names of models whose makers alone serve them. */
const MAKERS = 'gpt|chatgpt|claude|gemini|grok';
/** The names of open models. */
const OPEN = 'deepseek|kimi|glm|qwen\\d?|llama|mistral|minimax';
/** The names of models of makers, and further names. */
const namesOf = (makers: string, more = '$^') => new RegExp(`^(?:(?:${makers})-|o[134](?:-|$)|${more})`, 'i');

/** The names of models that a service does not have, and the status of its error for them. */
export const NO_MODELS: ByService<readonly [names: RegExp, status: 400 | 404, Source]> = {
  openai: [/^(?!ft:).*\/|^(?:claude|gemini|grok)-/, 404, 'Upsonic/Upsonic/issues/32 2024-06-05'],
  azure: [/\//, 404, 'BerriAI/litellm/pull/37242 2026-08-18'],
  anthropic: [namesOf(`gpt|gemini|grok|${OPEN}`), 404, 'openclaw/openclaw/issues/13806 2026-02-11'],
  gemini: [/^gemini-(?:pro|1\.0-.*|1\.5-.*-latest)$|[\s/]/, 404, 'wwardaww/gnome-gemini-ai/issues/22 2025-03-09'],
  openrouter: [
    /^(?:ministral|codestral|devstral|gemma)[^/]*$/,
    400,
    'logancyang/obsidian-copilot/issues/755 2024-10-28',
  ],
  deepseek: [
    namesOf('gpt|gemini|kimi|glm|qwen|llama', '.*/|deepseek-[vr][13]'),
    400,
    'Mai-with-u/MaiBot/issues/109 2025-03-08',
  ],
  moonshot: [
    namesOf(`${MAKERS}|deepseek|glm|qwen`, '.*/'),
    404,
    'langgenius/dify-official-plugins/issues/3578 2026-08-04',
  ],
  zai: [namesOf(`${MAKERS}|deepseek|kimi|qwen`, '.*/|.*\\['), 400, 'cline/cline/issues/6099 2025-09-09'],
  mistral: [namesOf(`${MAKERS}|deepseek|kimi|glm`, 'mistral/|$'), 400, 'tmc/langchaingo/issues/1233 2025-04-23'],
  groq: [namesOf(MAKERS), 404, 'https://console.groq.com/docs/errors 2026-11-30'],
  together: [namesOf(MAKERS), 404, 'evo-design/evo/issues/14 2024-02-28'],
  fireworks: [namesOf(`${MAKERS}|${OPEN}`), 404, 'The-AgenticFlow/openflows/issues/129 2026-06-29'],
};

const JSON_ONLY = "1 validation error:\n  Unsupported Media Type: Only 'application/json' is allowed";

/** The message and the code of a service for a body that says by its TYPE that it is no JSON. */
export const NO_JSON: ByService<readonly [message: string, Source, code?: string]> = {
  openai: [
    "Unsupported content type: 'TYPE'. This API method only accepts 'application/json' requests, but you specified the header 'Content-Type: TYPE'. Please try again with a supported content type.",
    'openai/openai-openapi/issues/502 2025-11-11',
    'unsupported_content_type',
  ],
  vllm: [JSON_ONLY, 'meta-models/meta-oss-cookbook/pull/2 2026-08-10'],
  sglang: [JSON_ONLY, 'PiDanShouRouZhouXD/Sakura_Launcher_GUI/pull/67 2026-11-30'],
};
