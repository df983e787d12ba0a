import { calledBefore, type Json, MESSAGES, type RuleCase, user } from './case.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const JPEG = '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgG';

/** The start of a PNG of this size. */
function pngOf(width: number, height: number): string {
  const bytes = Buffer.from(PNG, 'base64');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}

const picture = (media_type: string, data: string) => [
  user([
    { type: 'image', source: { type: 'base64', media_type, data } },
    { type: 'text', text: 'go' },
  ]),
];
/** So many small pictures, and a large one after them. */
const pictures = (count: number) => {
  const sources = [...Array.from({ length: count }, () => PNG), pngOf(2162, 322)];
  return [user(sources.map((data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })))];
};
const messages = (
  refused: readonly Json[],
  accepted: readonly Json[],
  says: string,
  fields: Json = {},
  wrong: Json = {},
): RuleCase => ({
  path: MESSAGES,
  refused: { model: 'claude-sonnet-4-5', max_tokens: 100, messages: refused, ...fields, ...wrong },
  accepted: { model: 'claude-sonnet-4-5', max_tokens: 100, messages: accepted, ...fields },
  says,
});
const marked = [{ type: 'text', text: 'go', cache_control: { type: 'ephemeral' } }];

const computer = (type: string) => ({ type, name: 'computer', display_width_px: 1024, display_height_px: 768 });
/** A call and its result with these blocks. */
const read = (content: readonly Json[]) => calledBefore({}, { content });

/** The cases of blocks of Anthropic, and of its betas elsewhere. */
export const BLOCK_CASES: Readonly<Record<string, RuleCase>> = {
  'anthropic/picture-type': messages(
    picture('image/svg+xml', 'PHN2Zz4='),
    picture('image/png', PNG),
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  ),
  'anthropic/other-picture': messages(
    picture('image/png', JPEG),
    picture('image/jpeg', JPEG),
    'The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
  ),
  'anthropic/broken-picture': messages(
    picture('image/png', 'aGVsbG8gd29ybGQ='),
    picture('image/png', PNG),
    'Could not process image',
  ),
  'anthropic/block-role': messages(
    [user([{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }])],
    calledBefore(),
    'messages.0: `tool_use` blocks can only be in `assistant` messages',
    { tools: [{ name: 'read', input_schema: { type: 'object' } }] },
  ),
  'anthropic/model-prefix': {
    ...messages([user()], [user()], 'model: anthropic/claude-opus-4-5', {}, { model: 'anthropic/claude-opus-4-5' }),
    status: 404,
  },
  'anthropic/computer-tool': messages(
    [user()],
    [user()],
    'does not support tool types: computer_20241022.',
    { tools: [computer('computer_20250124')] },
    { tools: [computer('computer_20241022')] },
  ),
  'deepseek/effort-without-thinking': messages(
    [user()],
    [user()],
    'thinking options type cannot be disabled when reasoning_effort is set',
    { model: 'deepseek-v4-pro', thinking: { type: 'disabled' } },
    { output_config: { effort: 'max' } },
  ),
  'vertex/output-config': messages(
    [user()],
    [user()],
    'output_config: Extra inputs are not permitted',
    {},
    {
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    },
  ),
  'anthropic/forced-thinking': messages(
    [user()],
    [user()],
    'Thinking may not be enabled when tool_choice forces tool use.',
    {
      max_tokens: 2048,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [{ name: 'read', input_schema: { type: 'object' } }],
    },
    { tool_choice: { type: 'any' } },
  ),
  'lmstudio/result-blocks': {
    path: MESSAGES,
    refused: {
      model: 'any',
      max_tokens: 9,
      messages: read([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }]),
    },
    accepted: { model: 'any', max_tokens: 9, messages: read([{ type: 'text', text: 'ok' }]) },
    says: 'Only text tool_result blocks are supported when tool_result.content is an array.',
  },
  'anthropic/picture-size': messages(
    picture('image/png', pngOf(100, 8001)),
    picture('image/png', pngOf(8000, 8000)),
    'messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
  ),
  'anthropic/pictures-size': messages(
    pictures(20),
    pictures(19),
    'messages.0.content.20.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
  ),
  'anthropic/block-fields': messages(
    calledBefore({ text: '' }),
    calledBefore({ cache_control: { type: 'ephemeral' } }),
    'messages.1.content.0.tool_use.text: Extra inputs are not permitted',
    { tools: [{ name: 'read', input_schema: { type: 'object' } }] },
  ),
  'anthropic/system-role': {
    path: MESSAGES,
    refused: { model: 'claude-opus-4-1-20250805', max_tokens: 9, messages: [{ role: 'system', content: 'x' }, user()] },
    accepted: { model: 'claude-opus-4-8', max_tokens: 9, messages: [user(), { role: 'system', content: 'x' }] },
    says: 'messages: Unexpected role "system".',
  },
  'vertex/beta': {
    path: MESSAGES,
    headers: { 'anthropic-beta': 'effort-2025-11-24,web-search-2025-03-05,interleaved-thinking-2025-05-14' },
    refused: { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [user()] },
    accepted: { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [user()] },
    says: 'Unexpected value(s) `effort-2025-11-24`, `web-search-2025-03-05` for the `anthropic-beta` header.',
  },
  'vertex/body-field': messages(
    [user()],
    [user(marked)],
    'cache_control: Extra inputs are not permitted',
    {},
    { cache_control: { type: 'ephemeral' } },
  ),
  'bedrock/body-field': messages(
    [user()],
    [user(marked)],
    'cache_control: Extra inputs are not permitted',
    {},
    { cache_control: { type: 'ephemeral' } },
  ),
  'bedrock/cache-scope': messages(
    [user([{ type: 'text', text: 'go', cache_control: { type: 'ephemeral', scope: 'global' } }])],
    [user(marked)],
    'messages.0.content.0.cache_control.ephemeral.scope: Extra inputs are not permitted',
  ),
  'bedrock/beta': {
    path: MESSAGES,
    refused: {
      model: 'us.anthropic.claude-opus-4-7',
      max_tokens: 9,
      messages: [user()],
      anthropic_beta: ['claude-code-20250219'],
    },
    accepted: {
      model: 'us.anthropic.claude-opus-4-7',
      max_tokens: 9,
      messages: [user()],
      anthropic_beta: ['interleaved-thinking-2025-05-14'],
    },
    says: 'invalid beta flag',
  },
  'copilot/cache-scope': messages(
    [user([{ type: 'text', text: 'go', cache_control: { type: 'ephemeral', scope: 'global' } }])],
    [user([{ type: 'text', text: 'go', cache_control: { type: 'ephemeral' } }])],
    'messages.0.content.0.cache_control.ephemeral.scope: Extra inputs are not permitted',
  ),
};

const said = (role: string, ...content: readonly Json[]) => ({ role, content });
const call = { toolUse: { toolUseId: 'tooluse_1', name: 'read', input: {} } };
const answered = (...content: readonly Json[]) => ({ toolResult: { toolUseId: 'tooluse_1', content } });
const toolConfig = (name: string) => ({ tools: [{ toolSpec: { name, inputSchema: { json: { type: 'object' } } } }] });
const converse = (model: string, refused: readonly Json[], accepted: readonly Json[], says: string): RuleCase => ({
  path: `/model/${model}/converse`,
  refused: { messages: refused, toolConfig: toolConfig('read') },
  accepted: { messages: accepted, toolConfig: toolConfig('read') },
  says,
});
const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const document = (name: string) => ({ document: { format: 'pdf', name, source: { bytes: 'eA==' } } });
const GENERATE = '/v1/projects/p/locations/us-central1/publishers/google/models/gemini-2.5-pro:generateContent';
const cachePoint = { cachePoint: { type: 'default' } };
const invoked = (name: string) => ({
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'go' }],
  tools: [{ name, input_schema: { type: 'object' } }],
});
const LLAMA = 'us.meta.llama4-maverick-17b-instruct-v1:0';
const go = said('user', { text: 'go' });

/** The cases of the Converse API. */
export const CONVERSE_CASES: Readonly<Record<string, RuleCase>> = {
  'bedrock/converse-blank-result': converse(
    CLAUDE,
    [go, said('assistant', call), said('user', answered({ text: '' }))],
    [go, said('assistant', call), said('user', answered({ text: 'ok' }))],
    'messages: text content blocks must be non-empty',
  ),
  'bedrock/converse-shape': {
    path: `/model/${CLAUDE}/converse`,
    refused: { messages: [go], toolConfig: toolConfig('x'.repeat(65)) },
    accepted: { messages: [go], toolConfig: toolConfig('x'.repeat(64)) },
    says: "1 validation error detected: Value 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' at 'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint: Member must have length less than or equal to 64",
  },
  'bedrock/converse-documents': converse(
    CLAUDE,
    [said('user', { text: 'go' }, document('a'), document('a'))],
    [said('user', { text: 'go' }, document('a'), document('b'))],
    "Messages can't contain duplicate document names.",
  ),
  'vertex/empty-text': {
    path: GENERATE,
    refused: { contents: [{ role: 'user', parts: [{ text: '' }] }] },
    accepted: { contents: [{ role: 'user', parts: [{ text: 'go' }] }] },
    says: 'Unable to submit request because it must have a text parameter.',
  },
  'gemini/two-kinds': {
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    refused: { contents: [{ role: 'user', parts: [{ text: 'go' }] }], tools: [{ googleSearch: {}, urlContext: {} }] },
    accepted: {
      contents: [{ role: 'user', parts: [{ text: 'go' }] }],
      tools: [{ googleSearch: {} }, { urlContext: {} }],
    },
    says: "* tools[0].tool_type: one_of 'tool_type' has more than one initialized field: google_search, url_context",
  },
  'bedrock/converse-cache-after-document': converse(
    CLAUDE,
    [said('user', { text: 'go' }, { document: { ...document('a').document, format: 'md' } }, cachePoint)],
    [said('user', { text: 'go' }, document('a'), cachePoint)],
    'The model returned the following errors: messages.0.content.2.type: Field required',
  ),
  'bedrock/reserved-word': {
    path: `/model/${CLAUDE}/invoke`,
    refused: {
      ...invoked('a'),
      system: 'x-anthropic-billing-header: cc_version=2.1.37; cc_entrypoint=cli; cch=00000;',
    },
    accepted: invoked('a'),
    says: 'x-anthropic-billing-header is a reserved keyword and may not be used in the system prompt.',
  },
  'bedrock/tool-name-length': {
    path: `/model/${CLAUDE}/invoke`,
    refused: invoked('x'.repeat(65)),
    accepted: invoked('x'.repeat(64)),
    says: 'Malformed input request: #/tools/0/name: expected maxLength: 64, actual: 65',
  },
  'bedrock/converse-first-role': converse(
    CLAUDE,
    [said('assistant', { text: 'Hi.' }), go],
    [go, said('assistant', { text: 'Hi.' }), go],
    'A conversation must start with a user message.',
  ),
  'bedrock/converse-alternation': converse(
    CLAUDE,
    [go, go],
    [go, said('assistant', { text: 'Hi.' }), go],
    'A conversation must alternate between user and assistant roles.',
  ),
  'bedrock/converse-mixed-results': converse(
    LLAMA,
    [go, said('assistant', call), said('user', answered({ text: 'ok' }), { text: 'and?' })],
    [go, said('assistant', call), said('user', answered({ text: 'ok' }))],
    'messages.2.content: Conversation blocks and tool result blocks cannot be provided in the same turn.',
  ),
  'bedrock/converse-mixed-calls': converse(
    LLAMA,
    [go, said('assistant', { text: 'I read.' }, call), said('user', answered({ text: 'ok' }))],
    [go, said('assistant', call), said('user', answered({ text: 'ok' }))],
    'messages.1.content: Conversation blocks and tool use blocks cannot be provided in the same turn.',
  ),
};
