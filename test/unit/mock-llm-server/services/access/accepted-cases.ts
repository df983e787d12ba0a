import { CHAT, callAndResult, chat, functionTool, type Json, MESSAGES, PICTURE, user } from '../cases/case.ts';

type Headers = Readonly<Record<string, string>>;
/** A request that a named service accepts: the service, the path, the body, and the headers. */
type AcceptedCase = readonly [service: string, path: string, body: Json, headers?: Headers | undefined];

const NONE = { authorization: '', 'x-api-key': '', 'x-goog-api-key': '', 'api-key': '', 'anthropic-version': '' };
const bearer = (key: string) => ({ ...NONE, authorization: `Bearer ${key}` });
const PAT = { ...bearer('github_pat_abc'), 'copilot-integration-id': 'copilot-developer-cli' };
const offering = (model: string, schema: Json, fields: Json = {}) =>
  chat(model, { tools: [functionTool({ properties: { a: { type: 'string', ...schema } } })], ...fields });
const to = (service: string, path: string, bodies: readonly Json[], headers?: Headers) =>
  bodies.map((body): AcceptedCase => [service, path, body, headers]);
const message = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [user()] };
const deployed = (name: string, body: Json, headers?: Headers): AcceptedCase => [
  'azure',
  `/openai/deployments/${name}/chat/completions?api-version=2024-10-21`,
  body,
  headers,
];
const JSON_OBJECT = { response_format: { type: 'json_object' }, messages: [user('Answer in JSON.')] };
/** A PDF that a second revision gives its 60 pages again. */
const revised = Array.from({ length: 120 }, (_, index) => `${index % 60} 0 obj << /Type /Page >> endobj\n`).join('');
const data = Buffer.from(`%PDF-1.4\n${revised}`).toString('base64');
const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } };
const assistant = (...content: readonly Json[]) => ({ role: 'assistant', content });
const calledBy = (name: string) => ({ type: 'server_tool_use', id: `srv_${name}`, name, input: {} });
const resultOf = (name: string) => ({ type: `${name}_tool_result`, tool_use_id: `srv_${name}`, content: [] });
const used = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} });
const returned = (tool_use_id: string) => user([{ type: 'tool_result', tool_use_id, content: 'ok' }]);
const said = { type: 'text', text: 'Hi.' };
const claudeTool = (schema: Json) => ({ name: 'read', input_schema: { type: 'object', ...schema } });
const beside = { ...message, tools: [{ type: 'web_search_20250305', name: 'web_search' }, claudeTool({})] };
const open = [user(), assistant(said, calledBy('web_search'), used('t1')), returned('t1')];
const VERTEX_CHAT = '/v1/projects/p/locations/global/endpoints/openapi/chat/completions';
const MODELS = '/v1/projects/p/locations/global/publishers';
const onVertex = { anthropic_version: 'vertex-2023-10-16', max_tokens: 9, messages: [user()] };
/** A film of 18 MB in Base64 without padding. */
const file = { inlineData: { mimeType: 'video/mp4', data: 'A'.repeat(24_000_002) } };
const long = { contents: [{ role: 'user', parts: [{ text: 'go' }, file] }] };
const pictured = (model: string) => ({ model, messages: [PICTURE] });
const SOUND = { data: 'UklGRg==', format: 'wav' };
const EMPTY = { type: 'object', properties: {} };
const only = (providers: readonly string[], more: Json = {}) =>
  chat('anthropic/claude-sonnet-5', { provider: { only: providers }, ...more });

const MIXING = '/v1beta/models/gemini-3.6-flash:generateContent';
const MIXED = {
  contents: [{ role: 'user', parts: [{ text: 'go' }] }],
  tools: [{ google_search: {}, function_declarations: [{ name: 'read' }] }],
};

/** Requests that services accept although something in them looks like what they refuse, by their sources. */
const BY_SOURCE: Readonly<Record<string, readonly AcceptedCase[]>> = {
  'https://platform.claude.com/docs/en/api/openai-sdk': [
    ['anthropic', CHAT, chat('claude-sonnet-4-5'), bearer('sk-ant-api03-x')],
  ],
  'https://github.com/anthropics/anthropic-sdk-typescript/releases/tag/sdk-v1.0.0': [
    ['anthropic', MESSAGES, message, { ...bearer('sk-ant-api03-x'), 'anthropic-version': '2026-10-21' }],
  ],
  'https://www.alibabacloud.com/help/en/model-studio/qwen-function-calling': to(
    'dashscope',
    `/compatible-mode${CHAT}`,
    ['deepseek-v3', 'deepseek-r1', 'deepseek-r1-0528'].map((model) => offering(model, {})),
  ),
  'https://learn.microsoft.com/azure/ai-services/openai/how-to/switching-endpoints': [
    ...['gpt-4', 'gpt-35-turbo-0613', 'gpt-3.5-turbo'].map((name) => deployed(name, chat(name, JSON_OBJECT))),
    deployed('gpt-4', pictured('gpt-4')),
    deployed('mine', chat('openai/gpt-4o')),
    deployed('gpt-5', chat('gpt-5'), bearer('eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.e30.c2ln')),
  ],
  'https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry': [
    ['azure', `/anthropic${MESSAGES}`, message],
  ],
  // Release b11434, asked with the same requests.
  'https://github.com/ggml-org/llama.cpp/releases/tag/b11434': [
    ...['auto', 'required', 'none'].flatMap((tool_choice) =>
      ['^\\d+$', '^[\\w-]+$', '^a\\/b$', '\\d+'].flatMap((pattern) =>
        to('llamacpp', CHAT, [offering('Qwen3-8B', { pattern }, { tool_choice })]),
      ),
    ),
    ['llamacpp', CHAT, offering('Qwen3-8B', { description: 'x'.repeat(200_000) })],
    ['llamacpp', CHAT, offering('Qwen3-8B', { minLength: 2001 }, { tool_choice: 'none' })],
    ...[
      ...[{ maxLength: 2000 }, { maxLength: 100_000 }, { minLength: 2000 }],
      ...[{ minItems: 2001 }, { maxItems: 1999 }, { maxItems: 2002 }, { minItems: 1, maxItems: 2000 }],
    ].map((schema): AcceptedCase => ['llamacpp', CHAT, offering('Qwen3-8B', schema)]),
    ['llamacpp', CHAT, offering('Qwen3-8B', { type: 'objekt' }, { tool_choice: 'none' })],
    ['llamacpp', MESSAGES, message, NONE],
    ['llamacpp', `${MESSAGES}/count_tokens`, message, NONE],
  ],
  'https://api-docs.deepseek.com/guides/anthropic_api': [['deepseek', `/anthropic${MESSAGES}`, message, NONE]],
  'https://github.com/bastani-inc/atomic/issues/2522': [
    ['copilot', CHAT, chat('gpt-4.1'), PAT],
    ['copilot', CHAT, chat('gpt-4.1'), bearer('gho_abc')],
  ],
  'https://ai.google.dev/gemini-api/docs/tool-combination': to('gemini', MIXING, [
    { ...MIXED, tool_config: { include_server_side_tool_invocations: true } },
    { ...MIXED, toolConfig: { includeServerSideToolInvocations: true, functionCallingConfig: { mode: 'VALIDATED' } } },
  ]),
  'https://ai.google.dev/gemini-api/docs/api-versions': to('gemini', '/v1/models/gemini-2.5-flash:generateContent', [
    { contents: [{ role: 'user', parts: [{ text: 'go' }] }], systemInstruction: { parts: [{ text: 'Be brief.' }] } },
  ]),
  'https://ai.google.dev/gemini-api/docs/api-key': to(
    'gemini',
    '/v1beta/models/gemini-3-flash-preview:generateContent',
    [{ contents: [{ role: 'user', parts: [{ text: 'go' }] }] }],
    { ...NONE, 'x-goog-api-key': 'AQ.abc' },
  ),
  'https://docs.vllm.ai/en/latest/models/supported_models.html': to(
    'vllm',
    CHAT,
    'Qwen3.5-27B Llama-4-Scout-17B-16E Mistral-Small-3.2-24B GLM-4.5V MiniCPM-V-4_5 Kimi-K2.5 Molmo-7B-D Qwen/Qwen3.6-35B-A3B my-deployment'
      .split(' ')
      .map(pictured),
  ),
  'https://openrouter.ai/docs/guides/overview/models': to('openrouter', CHAT, [
    offering('openai/gpt-5-image', {}),
    offering('google/gemma-3-27b-it', {}),
    pictured('deepseek/deepseek-v4-flash-vision-exp'),
    only([]),
    only(['openai'], { models: ['openai/gpt-5.4'] }),
  ]),
  'https://github.com/ollama/ollama/issues/15293': to('ollama', CHAT, [
    chat('gemma4:e4b', { reasoning_effort: 'high' }),
  ]),
  'https://github.com/fw-ai-external/python-sdk/issues/130': to('zai', CHAT, [pictured('glm-5.3-flash')]),
  'https://docs.x.ai/docs/models': to('xai', CHAT, [pictured('grok-4.5')]),
  'https://platform.openai.com/docs/models': to('openai', CHAT, [
    pictured('o4-mini'),
    chat('gpt-4o-audio-preview', { messages: [user([{ type: 'input_audio', input_audio: SOUND }])] }),
  ]),
  'https://console.groq.com/docs/structured-outputs': to('groq', CHAT, [
    chat('openai/gpt-oss-20b', {
      response_format: { type: 'json_schema', json_schema: { name: 'out', schema: EMPTY } },
    }),
  ]),
  'https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html': [
    ['bedrock', '/model/meta.llama3-8b-instruct-v1:0/converse', { messages: [user([{ text: 'go' }])] }],
  ],
  'https://github.com/BerriAI/litellm/issues/16269': [
    [
      'vertex',
      MESSAGES,
      { ...message, tools: beside.tools.slice(0, 1) },
      { 'anthropic-beta': 'web-search-2025-03-05' },
    ],
  ],
  'https://platform.claude.com/docs/en/build-with-claude/vision': [
    'iVBORw0KGgo=',
    'iVBORw0KGgoAAAANSUhEUg',
    '/9j/4AAQ',
  ].map((data) => {
    const source = { type: 'base64', media_type: data.startsWith('/') ? 'image/jpeg' : 'image/png', data };
    return ['anthropic', MESSAGES, { ...message, messages: [user([{ type: 'image', source }])] }];
  }),
  'https://ollama.com/library/deepseek-r1': to('ollama', CHAT, [offering('deepseek-r1:8b', {})]),
  'https://platform.claude.com/docs/en/build-with-claude/pdf-support': [
    ['anthropic', MESSAGES, { ...message, messages: [user([document])] }],
  ],
  // A pause, and calls of the server beside calls of the client, with the results in the next turn or in a later one.
  'https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools': [
    [user(), assistant(said, calledBy('web_search'))],
    [user(), assistant(calledBy('web_search'), resultOf('web_search'))],
    [user(), assistant({ type: 'mcp_tool_use', id: 'm1', name: 'read', server_name: 's', input: {} })],
    [user(), assistant({ type: 'compaction', content: 'x' })],
    [...open, assistant(resultOf('web_search'), said), user()],
    [...open, assistant(used('t2')), returned('t2'), assistant(resultOf('web_search'), said), user()],
  ].map((messages) => ['anthropic', MESSAGES, { ...beside, model: 'claude-opus-4-8', messages }]),
  'https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/resources/messages/messages.ts': [
    { properties: {}, required: null },
    { properties: null },
  ].flatMap((schema): readonly AcceptedCase[] => [
    ['anthropic', MESSAGES, { ...message, tools: [claudeTool(schema)] }],
    ['vertex', `${MODELS}/anthropic/models/claude-sonnet-4-5:rawPredict`, { ...onVertex, tools: [claudeTool(schema)] }],
  ]),
  'https://ai.google.dev/api/caching#Blob': [
    ['gemini', '/v1beta/models/gemini-3.1-pro-preview:generateContent', long],
    ['vertex', `${MODELS}/google/models/gemini-3.1-pro-preview:generateContent`, long],
  ],
  'https://github.com/vllm-project/vllm/pull/48922': to(
    'vllm',
    CHAT,
    ['zai-org/GLM-5.1-FP8', 'Qwen/Qwen3-Coder-30B-A3B-Instruct'].flatMap((model) =>
      ['null', '[]', '42', '"x"', '{"a"'].map((text) => chat(model, {}, ...callAndResult('c1', {}, text))),
    ),
  ),
  'https://github.com/BerriAI/litellm/pull/19813': to('litellm', CHAT, [
    offering('azure/responses/gpt-5-chat', {}, { tool_choice: 'auto' }),
    chat('azure/gpt-5-chat', { stop: ['a'], presence_penalty: 1 }),
  ]),
  'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/call-vertex-using-openai-library': [
    ['vertex', VERTEX_CHAT, chat('google/gemini-2.5-flash', { frequency_penalty: 0.5, presence_penalty: 0.5 })],
  ],
  'https://docs.python.org/3/library/re.html': to(
    'openai',
    CHAT,
    ['^[^(?<>]+$', '[](?<]', '\\(?<'].map((pattern) => offering('gpt-4o', { pattern })),
  ),
  'https://platform.openai.com/docs/api-reference/authentication': [
    ['openai', CHAT, chat('gpt-5.4'), { ...NONE, authorization: 'Basic OnNrLXByb2oteA==' }],
    ['openai', CHAT, chat('gpt-5.4'), { 'content-type': 'application/json ; charset=utf-8' }],
  ],
  'https://github.com/activeagents/activeagent/tree/main/test/fixtures/vcr_cassettes': [
    ['ollama', CHAT, chat('qwen3:latest', {}, ...callAndResult('c1').slice(0, 1), user())],
    ['llamacpp', CHAT, chat('qwen3', {}, ...callAndResult('c1').slice(1))],
    ['vllm', MESSAGES, { ...message, messages: [user(), assistant(used('t1')), user()] }],
    ['vllm', MESSAGES, { ...message, messages: [user(), assistant(used('t1')), user(), returned('t1')] }],
    ['vllm', CHAT, chat('qwen3', {}, ...callAndResult('c1').toSpliced(1, 0, PICTURE))],
    ['vllm-without-parser', CHAT, chat('qwen3', {}, ...callAndResult('c1').slice(0, 1), user())],
    ['openrouter', '/api/v1/chat/completions', offering('google/gemini-2.0-flash-001', {}, { tool_choice: 'any' })],
  ],
  'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/openai/serving_chat.py': [
    ['sglang', CHAT, chat('qwen3', {}, ...callAndResult('c1').slice(0, 1), user())],
  ],
  'https://github.com/alexrudall/ruby-openai/tree/main/spec/fixtures/cassettes': [
    [
      'openai',
      CHAT,
      chat('gpt-3.5-turbo', {}, { role: 'assistant', content: 'Hi.', refusal: null, annotations: [] }, user()),
    ],
  ],
  'https://github.com/openai/codex/pull/18169': to(
    'codex',
    '/backend-api/codex/responses',
    ['codex-auto-review', 'gpt-5.3-codex-spark'].map((model) => {
      return { model, stream: true, store: false, instructions: 'Review it.', input: [user()] };
    }),
  ),
  'https://www.rfc-editor.org/rfc/rfc2045#section-5.1': [
    [
      'openai',
      CHAT,
      chat(
        'gpt-4o',
        {},
        user([{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:Application/PDF;base64,JVBERi0=' } }]),
      ),
    ],
  ],
  'https://docs.mistral.ai/api/#tag/chat': [
    ['mistral', CHAT, { ...chat('mistral-large-latest'), reasoning_effort: 'none' }],
  ],
};

export const ACCEPTED_CASES = Object.entries(BY_SOURCE).flatMap(([source, rows]) =>
  rows.map(([service, path, body, headers = {}]) => [source, service, path, body, headers] as const),
);
