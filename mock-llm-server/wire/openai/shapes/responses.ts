import {
  anything,
  choice,
  decimal,
  either,
  type Fields,
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
  SAMPLING,
  SCHEMA,
  SERVICE_TIER,
  STRING_64,
  TEXTS,
  TOP_LOGPROBS,
  USER_LOCATION,
  VERBOSITY,
} from './common.ts';

const STATUS = choice('in_progress', 'completed', 'incomplete');
const ID = { id: text };
/** The parts that are known. Each message has some of them. */
const ALL_PARTS = [
  'input_text',
  'input_image',
  'input_audio',
  'output_text',
  'refusal',
  'input_file',
  'computer_screenshot',
  'summary_text',
  'encrypted_content',
];
const TEXT_PART = fields({ 'text!': text });
const INPUT_PARTS = {
  input_text: TEXT_PART,
  input_image: fields({
    image_url: { type: 'string', noun: 'an image URL' },
    file_id: text,
    detail: choice('low', 'high', 'auto', 'original'),
  }),
  input_file: fields({ file_id: text, file_data: text, file_url: text, filename: text }),
};
const partsOf = (cases: Fields) => either(text, list(tagged('type', cases, { all: ALL_PARTS, isWhole: true })));
const MESSAGE = onlyFields({
  type: text,
  role: text,
  ...ID,
  'content!': partsOf({ ...INPUT_PARTS, scoped_content: fields({}), input_audio: fields({}) }),
  status: STATUS,
});
const ANSWER = onlyFields({
  type: text,
  role: text,
  ...ID,
  'content!': partsOf({ output_text: TEXT_PART, refusal: fields({}) }),
  status: STATUS,
  phase: choice('commentary', 'final_answer'),
});
/** A message, with its type or without. */
const ROLES = tagged(
  'role',
  { assistant: ANSWER, system: MESSAGE, developer: MESSAGE, user: MESSAGE },
  { isWhole: true },
);
const OPEN = fields({});
const OUTPUT = fields({ ...ID, 'call_id!': text, 'output!': partsOf(INPUT_PARTS), status: STATUS });
const SEARCH_ACTION = tagged('type', {
  search: OPEN,
  open_page: OPEN,
  find_in_page: fields({ 'url!': text, 'pattern!': text }),
});

/** The items of an input by type, in the order of the API's error. */
const ITEMS = {
  additional_tools: OPEN,
  agent_message: OPEN,
  apply_patch_call: fields({ 'call_id!': text }),
  apply_patch_call_output: fields({ 'call_id!': text }),
  code_interpreter_call: fields({ 'id!': text, 'container_id!': text }),
  compaction: fields({ 'encrypted_content!': text }),
  compaction_trigger: OPEN,
  computer_call: fields({ 'call_id!': text, status: STATUS }),
  computer_call_output: fields({ 'call_id!': text, 'output!': fields({}) }),
  custom_tool_call: fields({ ...ID, 'call_id!': text, 'name!': text, 'input!': text }),
  custom_tool_call_output: OUTPUT,
  file_search_call: fields({ 'id!': text, 'queries!': TEXTS }),
  function_call: fields({ ...ID, 'call_id!': text, 'name!': text, 'arguments!': text, status: STATUS }),
  function_call_output: OUTPUT,
  image_generation_call: fields({ 'id!': text }),
  item_reference: fields({ 'id!': text }),
  local_shell_call: fields({ 'call_id!': text, 'action!': fields({}) }),
  local_shell_call_output: fields({ 'output!': text }),
  mcp_approval_request: fields({ 'id!': text, 'server_label!': text, 'name!': text, 'arguments!': text }),
  mcp_approval_response: fields({ 'approval_request_id!': text, 'approve!': flag }),
  mcp_call: fields({ 'id!': text, 'server_label!': text, 'name!': text, 'arguments!': text }),
  mcp_list_tools: fields({ 'id!': text, 'server_label!': text, 'tools!': list(anything) }),
  message: ROLES,
  multi_agent_call: OPEN,
  multi_agent_call_output: OPEN,
  program: OPEN,
  program_output: OPEN,
  reasoning: fields({ ...ID, 'summary!': list(anything), encrypted_content: text }),
  shell_call: fields({ 'call_id!': text, 'action!': fields({}) }),
  shell_call_output: fields({ 'call_id!': text, 'output!': anything }),
  tool_search_call: OPEN,
  tool_search_output: OPEN,
  web_search_call: fields({ ...ID, action: SEARCH_ACTION }),
};

const TOOL = { allowed_callers: TEXTS, defer_loading: flag };
const GRAMMAR = tagged('type', {
  text: OPEN,
  grammar: fields({ 'syntax!': choice('lark', 'regex'), 'definition!': text }),
});
const CONTAINER = tagged('type', { auto: fields({ file_ids: TEXTS, memory_limit: choice('1g', '4g', '16g', '64g') }) });
const FUNCTION_TOOL = fields({ 'name!': FUNCTION_NAME, description: text, parameters: SCHEMA, strict: flag });
const WEB_SEARCH = fields({ search_context_size: CONTEXT_SIZE, user_location: USER_LOCATION, filters: fields({}) });

/** The tools by type. */
const TOOLS = {
  function: FUNCTION_TOOL,
  custom: fields({ 'name!': FUNCTION_NAME, description: text, format: GRAMMAR, ...TOOL }),
  namespace: fields({ 'name!': text, 'tools!': list(anything) }),
  file_search: fields({
    'vector_store_ids!': TEXTS,
    max_num_results: integer,
    ranking_options: fields({ ranker: text, score_threshold: decimal(0, 1) }),
    filters: fields({}),
  }),
  web_search: WEB_SEARCH,
  web_search_2025_08_26: WEB_SEARCH,
  web_search_preview: WEB_SEARCH,
  web_search_preview_2025_03_11: WEB_SEARCH,
  computer: OPEN,
  computer_use_preview: OPEN,
  mcp: fields({
    'server_label!': text,
    server_url: text,
    server_description: text,
    connector_id: text,
    headers: { type: 'map', of: text },
    authorization: text,
    allowed_tools: either(TEXTS, OPEN),
    require_approval: either(choice('always', 'never'), OPEN),
    ...TOOL,
  }),
  code_interpreter: fields({ 'container!': either(text, CONTAINER), ...TOOL }),
  programmatic_tool_calling: OPEN,
  image_generation: fields({
    model: text,
    quality: choice('low', 'medium', 'high', 'auto'),
    size: text,
    output_format: choice('png', 'webp', 'jpeg'),
    output_compression: { type: 'integer', min: 0, max: 100 },
    moderation: choice('auto', 'low'),
    background: choice('transparent', 'opaque', 'auto'),
    partial_images: { type: 'integer', min: 0, max: 3 },
  }),
  local_shell: OPEN,
  shell: OPEN,
  tool_search: OPEN,
  apply_patch: OPEN,
} satisfies Record<string, Form>;

const NAMED = fields({ 'name!': text });

/** The form of a request of Responses, in the order in which the API checks it. */
export const RESPONSES_SHAPE: Form = fields({
  model: text,
  input: either(
    text,
    list(tagged('type', ITEMS, { absent: ROLES, isWhole: true, noun: 'an input item' }), 'input items'),
  ),
  previous_response_id: text,
  prompt: fields({ 'id!': text, version: text, variables: OPEN }),
  moderation: MODERATION,
  include: list(
    choice(
      'file_search_call.results',
      'web_search_call.results',
      'web_search_call.action.sources',
      'message.input_image.image_url',
      'computer_call_output.output.image_url',
      'code_interpreter_call.outputs',
      'reasoning.encrypted_content',
      'message.output_text.logprobs',
    ),
    'strings',
  ),
  tools: list(tagged('type', TOOLS), 'tools'),
  tool_choice: either(
    tagged(
      'type',
      {
        allowed_tools: fields({ 'mode!': choice('auto', 'required'), 'tools!': list(SCHEMA) }),
        function: NAMED,
        custom: NAMED,
        mcp: fields({ 'server_label!': text }),
      },
      { rest: OPEN },
    ),
    CHOICES,
  ),
  metadata: METADATA,
  text: onlyFields({
    format: tagged('type', {
      json_object: OPEN,
      text: OPEN,
      json_schema: fields({ 'name!': text, description: text, strict: flag, 'schema!': SCHEMA }),
    }),
    verbosity: VERBOSITY,
  }),
  ...SAMPLING,
  parallel_tool_calls: flag,
  stream: flag,
  stream_options: onlyFields({ include_obfuscation: flag }),
  background: flag,
  max_output_tokens: { type: 'integer', min: 16 },
  max_tool_calls: positive,
  reasoning: onlyFields({
    effort: choice('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
    summary: choice('concise', 'detailed', 'auto'),
    generate_summary: choice('concise', 'detailed', 'auto'),
    mode: text,
    context: choice('auto', 'current_turn', 'all_turns'),
  }),
  user: text,
  safety_identifier: STRING_64,
  ...CACHE,
  truncation: choice('auto', 'disabled'),
  instructions: text,
  store: flag,
  service_tier: SERVICE_TIER,
  top_logprobs: TOP_LOGPROBS,
  context_management: list(fields({ 'type!': text, compact_threshold: { type: 'integer', min: 1000 } })),
});
