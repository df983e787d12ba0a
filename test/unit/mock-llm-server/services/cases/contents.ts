import { chatCase, type Json, MESSAGES, type RuleCase, user } from './case.ts';

const PNG = 'iVBORw0KGgoAAAAA';
const picture = (length: number): Json => ({
  model: 'claude-sonnet-4-6',
  max_tokens: 100,
  messages: [
    user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG.padEnd(length, 'A') } }]),
  ],
});
const said = { role: 'user', parts: [{ text: 'go' }] };
const file = (mimeType: string): Json => ({
  contents: [{ role: 'user', parts: [{ inlineData: { mimeType, data: PNG } }] }],
});
const format = (name: string): Json => ({
  response_format: { type: 'json_schema', json_schema: { name, schema: { type: 'object', properties: {} } } },
});
const fields = (additionalModelRequestFields: Json): Json => ({
  messages: [user([{ text: 'go' }])],
  additionalModelRequestFields,
});

const sight = user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }]);
const strict = (isStrict: boolean): Json => ({
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'answer', strict: isStrict, schema: { type: 'object', properties: {} } },
  },
});
const go = { contents: [{ role: 'user', parts: [{ text: 'go' }] }] };
const choice = (toolChoice: Json): Json => ({
  messages: [user([{ text: 'go' }])],
  toolConfig: { tools: [{ toolSpec: { name: 'read', inputSchema: { json: { type: 'object' } } } }], toolChoice },
});

const serverCall = { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', id: 'a1', args: {} } };

/** The cases of the rules for names, texts and files in messages. */
export const CONTENT_CASES: Readonly<Record<string, RuleCase>> = {
  'openai/message-name': chatCase(
    'gpt-4o',
    { more: [{ ...user(), name: 'my name' }] },
    { more: [{ ...user(), name: 'my_name' }] },
    "Invalid 'messages[1].name': string does not match pattern.",
  ),
  'openai/text-length': chatCase(
    'gpt-4.1',
    { more: [user('a'.repeat(1_048_577))] },
    { more: [user('a'.repeat(1_048_576))] },
    'Expected a string with maximum length 1048576, but got a string with length 1048577 instead.',
  ),
  'openai/format-name': chatCase(
    'gpt-4o',
    format('my answer'),
    format('my_answer'),
    "Invalid 'response_format.json_schema.name': string does not match pattern.",
  ),
  'anthropic/picture-bytes': {
    path: MESSAGES,
    refused: picture(5_242_884),
    accepted: picture(5_242_880),
    says: 'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5242884 bytes > 5242880 bytes',
  },
  'bedrock/converse-model-field': {
    path: '/model/openai.gpt-oss-120b-1:0/converse',
    refused: fields({ thinking: { type: 'enabled', budget_tokens: 1024 } }),
    accepted: fields({ reasoning_effort: 'low' }),
    says: 'thinking: unknown field `thinking`, expected one of `messages`, `model`',
  },
  'gemini/server-call': {
    path: '/v1beta/models/gemini-3.1-pro-preview:generateContent',
    refused: { contents: [said, { role: 'model', parts: [serverCall] }, said] },
    accepted: {
      contents: [said, { role: 'model', parts: [{ ...serverCall, thoughtSignature: 'CikB0e2KbwA9' }] }, said],
    },
    says: 'contents[1].parts[0]: Tool call part is missing thought_signature',
  },
  'gemini/result-role': {
    path: '/v1beta/models/gemini-3.6-flash:generateContent',
    refused: { contents: [said, { role: 'function', parts: [{ text: 'ok' }] }] },
    accepted: { contents: [said, { role: 'user', parts: [{ text: 'ok' }] }] },
    says: "Role 'function' is not supported.",
  },
  'gemini/file-type': {
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    refused: file('image/svg+xml'),
    accepted: file('image/png'),
    says: 'Unsupported MIME type: image/svg+xml',
  },
  'vertex/file-type': {
    path: '/v1/projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash:generateContent',
    refused: file('application/json'),
    accepted: file('image/png'),
    says: 'a mimeType parameter with value application/json, which is not supported',
  },
  'copilot/vision-header': {
    ...chatCase('gpt-4.1', { more: [sight] }, {}, 'missing required Copilot-Vision-Request header for vision requests'),
    headers: { 'copilot-vision-request': '' },
  },
  'openrouter/gpt-format': chatCase(
    'openai/gpt-4o',
    strict(true),
    strict(false),
    "In context=(), 'additionalProperties' is required to be supplied and to be false.",
  ),
  'gemini/cached-content': {
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    refused: { ...go, cachedContent: 'cachedContents/a', systemInstruction: { parts: [{ text: 's' }] } },
    accepted: { ...go, cachedContent: 'cachedContents/a' },
    says: 'CachedContent can not be used with GenerateContent request setting system_instruction',
  },
  'bedrock/converse-forced-call': {
    path: '/model/us.meta.llama3-3-70b-instruct-v1:0/converse',
    refused: choice({ any: {} }),
    accepted: choice({ auto: {} }),
    says: "This model doesn't support the toolConfig.toolChoice.any field. Remove toolConfig.toolChoice.any and try again.",
  },
  'bedrock/model-id': {
    path: '/model/claude-sonnet-4-6/converse',
    refused: choice({ auto: {} }),
    acceptedPath: '/model/us.anthropic.claude-sonnet-4-6/converse',
    accepted: choice({ auto: {} }),
    says: 'The provided model identifier is invalid.',
  },
};
