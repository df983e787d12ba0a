import { chatCase, type Json, MESSAGES, type RuleCase, user } from './case.ts';

const PNG = 'iVBORw0KGgoAAAAA';
const picture = (length: number): Json => ({
  model: 'claude-sonnet-4-6',
  max_tokens: 100,
  messages: [
    user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG.padEnd(length, 'A') } }]),
  ],
});
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
};
