import {
  anything,
  choice,
  either,
  type Form,
  fields,
  flag,
  integer,
  list,
  onlyFields,
  positive,
  tagged,
  text,
} from '../../forms/form.ts';
import {
  CACHE,
  CHOICES,
  CONTEXT_SIZE,
  FUNCTION_NAME,
  METADATA,
  MODERATION,
  PICTURE,
  SAMPLING,
  SCHEMA,
  SERVICE_TIER,
  STRING_64,
  TEXTS,
  TOP_LOGPROBS,
  USER_LOCATION,
  VERBOSITY,
} from './common.ts';

const FUNCTION = { 'name!': FUNCTION_NAME, description: text, parameters: SCHEMA, strict: flag };
const CALL = onlyFields(
  {
    'id!': text,
    'type!': text,
    function: fields({ 'name!': text, 'arguments!': text }),
    custom: fields({ 'name!': text, 'input!': text }),
  },
  'index',
);
const CONTENT = either(
  text,
  list(tagged('type', { image_url: fields({ image_url: PICTURE }) }, { rest: fields({ 'type!': text }) })),
);
const ANY_MESSAGE = { name: text, content: CONTENT };
const NAMED = fields({ 'name!': text });

/** The form of a request of Chat Completions, in the order in which the API checks it. */
export const CHAT_SHAPE: Form = fields({
  'messages!': list(
    tagged('role', {
      system: onlyFields(ANY_MESSAGE, 'role'),
      assistant: onlyFields(
        {
          ...ANY_MESSAGE,
          refusal: text,
          audio: fields({ 'id!': text }),
          tool_calls: list(CALL),
          function_call: fields({ 'name!': text, 'arguments!': text }),
        },
        'role annotations parsed',
      ),
      user: onlyFields(ANY_MESSAGE, 'role'),
      function: fields({ 'name!': text, content: CONTENT }),
      tool: onlyFields({ 'tool_call_id!': text, content: CONTENT }, 'role name'),
      developer: onlyFields({ name: text, 'content!': CONTENT }, 'role'),
    }),
    'objects',
    { min: 1 },
  ),
  functions: list(fields(FUNCTION), 'function definitions', { max: 128 }),
  function_call: either(choice('none', 'auto'), NAMED),
  tools: list(
    tagged('type', {
      function: fields({ 'function!': fields(FUNCTION) }),
      custom: fields({ 'custom!': fields({ 'name!': FUNCTION_NAME, description: text, format: SCHEMA }) }),
    }),
  ),
  tool_choice: either(
    CHOICES,
    tagged(
      'type',
      {
        allowed_tools: fields({
          'allowed_tools!': fields({ 'mode!': choice('auto', 'required'), 'tools!': list(SCHEMA) }),
        }),
        custom: fields({ 'custom!': NAMED }),
      },
      { rest: fields({ 'function!': NAMED }) },
    ),
  ),
  parallel_tool_calls: flag,
  max_completion_tokens: positive,
  max_tokens: positive,
  n: { type: 'integer', min: 1, max: 128 },
  stop: either(text, TEXTS),
  ...SAMPLING,
  logit_bias: { type: 'map', of: { type: 'decimal', min: -100, max: 100 } },
  logprobs: flag,
  top_logprobs: TOP_LOGPROBS,
  user: text,
  seed: integer,
  safety_identifier: STRING_64,
  ...CACHE,
  response_format: tagged('type', {
    json_object: fields({}),
    json_schema: fields({
      'json_schema!': fields({ 'name!': text, description: text, strict: flag, schema: SCHEMA }),
    }),
    text: fields({}),
  }),
  service_tier: SERVICE_TIER,
  stream: flag,
  stream_options: onlyFields({ include_usage: flag, include_obfuscation: flag }),
  store: flag,
  metadata: METADATA,
  reasoning_effort: choice('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
  verbosity: VERBOSITY,
  prediction: tagged('type', { content: fields({ 'content!': either(text, list(anything)) }) }),
  modalities: list(choice('text', 'audio'), "one of 'text' or 'audio'"),
  audio: fields({
    'voice!': either(text, fields({ 'id!': text })),
    'format!': choice('wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16'),
  }),
  web_search_options: fields({ search_context_size: CONTEXT_SIZE, user_location: USER_LOCATION }),
  moderation: MODERATION,
});
