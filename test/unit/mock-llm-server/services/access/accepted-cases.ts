import { CHAT, chat, functionTool, type Json, MESSAGES, user } from '../cases/case.ts';

/** A request that a named service accepts: its source, the service, the path, the body, and the headers. */
export type AcceptedCase = readonly [
  source: string,
  service: string,
  path: string,
  body: Json,
  headers?: Readonly<Record<string, string>>,
];

const NONE = { authorization: '', 'x-api-key': '', 'x-goog-api-key': '', 'api-key': '', 'anthropic-version': '' };
const bearer = (key: string) => ({ ...NONE, authorization: `Bearer ${key}` });
const offering = (model: string, schema: Json, fields: Json = {}) =>
  chat(model, { tools: [functionTool({ properties: { a: schema } })], ...fields });
const message = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [user()] };
const deployment = (name: string) => `/openai/deployments/${name}${CHAT.slice(3)}?api-version=2024-10-21`;
const JSON_OBJECT = { response_format: { type: 'json_object' }, messages: [user('Answer in JSON.')] };

const ALIBABA = 'https://www.alibabacloud.com/help/en/model-studio/qwen-function-calling';
const FOUNDRY = 'https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry';
const DEPLOYMENTS = 'https://learn.microsoft.com/azure/ai-services/openai/how-to/switching-endpoints';
/** Release b11434, asked with the same requests. */
const LLAMA = 'https://github.com/ggml-org/llama.cpp/releases/tag/b11434';

/** Requests that services accept although something in them looks like what they refuse. */
export const ACCEPTED_CASES: readonly AcceptedCase[] = [
  [
    'https://platform.claude.com/docs/en/api/openai-sdk',
    'anthropic',
    CHAT,
    chat('claude-sonnet-4-5'),
    bearer('sk-ant-api03-x'),
  ],
  ...['deepseek-v3', 'deepseek-r1', 'deepseek-r1-0528'].map(
    (model): AcceptedCase => [ALIBABA, 'dashscope', `/compatible-mode${CHAT}`, offering(model, { type: 'string' })],
  ),
  ...['gpt-4', 'gpt-35-turbo-0613', 'gpt-3.5-turbo'].map(
    (model): AcceptedCase => [DEPLOYMENTS, 'azure', deployment(model), chat(model, JSON_OBJECT)],
  ),
  [DEPLOYMENTS, 'azure', deployment('mine'), chat('openai/gpt-4o')],
  [
    FOUNDRY,
    'azure',
    `/anthropic${MESSAGES}`,
    message,
    { ...NONE, 'api-key': 'abc', 'anthropic-version': '2023-06-01' },
  ],
  ...['^\\d+$', '^[\\w-]+$', '^a\\/b$', '\\d+'].flatMap((pattern) =>
    ['auto', 'required', 'none'].map(
      (tool_choice): AcceptedCase => [
        LLAMA,
        'llamacpp',
        CHAT,
        offering('Qwen3-8B', { type: 'string', pattern }, { tool_choice }),
      ],
    ),
  ),
  [LLAMA, 'llamacpp', CHAT, offering('Qwen3-8B', { type: 'string', description: 'x'.repeat(200_000) })],
  ...[{ maxLength: 2000 }, { type: 'objekt' }].map(
    (schema): AcceptedCase => [
      LLAMA,
      'llamacpp',
      CHAT,
      offering('Qwen3-8B', { type: 'string', ...schema }, { tool_choice: 'none' }),
    ],
  ),
  [LLAMA, 'llamacpp', MESSAGES, message, NONE],
  [LLAMA, 'llamacpp', `${MESSAGES}/count_tokens`, message, NONE],
  ['https://api-docs.deepseek.com/guides/anthropic_api', 'deepseek', `/anthropic${MESSAGES}`, message, NONE],
  [
    'https://github.com/bastani-inc/atomic/issues/2522',
    'copilot',
    CHAT,
    chat('gpt-4.1'),
    { ...bearer('github_pat_abc'), 'copilot-integration-id': 'copilot-developer-cli' },
  ],
  ['https://github.com/vfarcic/dot-ai/pull/591', 'copilot', CHAT, chat('gpt-4.1'), bearer('gho_abc')],
  [
    'https://ai.google.dev/gemini-api/docs/api-key',
    'gemini',
    '/v1beta/models/gemini-3-flash-preview:generateContent',
    { contents: [{ role: 'user', parts: [{ text: 'go' }] }] },
    { ...NONE, 'x-goog-api-key': 'AQ.abc' },
  ],
  [
    'https://learn.microsoft.com/azure/ai-services/openai/how-to/managed-identity',
    'azure',
    deployment('gpt-5'),
    chat('gpt-5'),
    bearer('eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.e30.c2ln'),
  ],
];
