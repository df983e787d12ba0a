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
const INPUT_PARTS = {
  input_text: onlyFields({ 'text!': text }, 'type prompt_cache_breakpoint'),
  input_image: onlyFields(
    {
      image_url: { type: 'string', noun: 'an image URL' },
      file_id: text,
      detail: choice('low', 'high', 'auto', 'original'),
    },
    'type prompt_cache_breakpoint',
  ),
  input_file: onlyFields(
    { file_id: text, file_data: text, file_url: text, filename: text },
    'type detail prompt_cache_breakpoint',
  ),
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
  'content!': partsOf({
    output_text: onlyFields({ 'text!': text }, 'type annotations logprobs prompt_cache_breakpoint'),
    refusal: onlyFields({ 'refusal!': text }, 'type'),
  }),
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
const CALLED = { ...ID, 'call_id!': text, status: STATUS };
const OUTPUT = onlyFields({ ...CALLED, 'output!': partsOf(INPUT_PARTS) }, 'type caller name namespace');
const SEARCH_ACTION = tagged('type', {
  search: onlyFields({}, 'type queries query sources'),
  open_page: onlyFields({}, 'type url'),
  find_in_page: onlyFields({ 'url!': text, 'pattern!': text }, 'type'),
});
const CALL_OF_SERVER = { 'id!': text, 'server_label!': text };

/** The items of an input by type, in the order of the API's error, with their fields in version 7.55 of the SDK. */
const ITEMS = {
  additional_tools: OPEN,
  agent_message: OPEN,
  apply_patch_call: onlyFields({ 'call_id!': text }, 'type id operation status caller'),
  apply_patch_call_output: onlyFields({ 'call_id!': text }, 'type id output status caller'),
  code_interpreter_call: onlyFields({ 'id!': text, 'container_id!': text }, 'type code outputs status'),
  compaction: onlyFields({ 'encrypted_content!': text }, 'type id created_by'),
  compaction_trigger: OPEN,
  computer_call: onlyFields(CALLED, 'type action actions pending_safety_checks'),
  computer_call_output: onlyFields({ ...CALLED, 'output!': fields({}) }, 'type acknowledged_safety_checks'),
  custom_tool_call: onlyFields({ ...CALLED, 'name!': text, 'input!': text }, 'type async caller namespace'),
  custom_tool_call_output: OUTPUT,
  file_search_call: onlyFields({ 'id!': text, 'queries!': TEXTS }, 'type results status'),
  function_call: onlyFields({ ...CALLED, 'name!': text, 'arguments!': text }, 'type async caller namespace'),
  function_call_output: OUTPUT,
  image_generation_call: onlyFields(
    { 'id!': text },
    'type status result action background error output_format quality revised_prompt size svg_usage',
  ),
  item_reference: onlyFields({ 'id!': text }, 'type'),
  local_shell_call: onlyFields({ 'call_id!': text, 'action!': fields({}) }, 'type id status'),
  local_shell_call_output: onlyFields({ 'output!': text }, 'type id call_id status'),
  mcp_approval_request: onlyFields({ ...CALL_OF_SERVER, 'name!': text, 'arguments!': text }, 'type'),
  mcp_approval_response: onlyFields({ 'approval_request_id!': text, 'approve!': flag }, 'type id reason'),
  mcp_call: onlyFields(
    { ...CALL_OF_SERVER, 'name!': text, 'arguments!': text },
    'type approval_request_id error output status',
  ),
  mcp_list_tools: onlyFields({ ...CALL_OF_SERVER, 'tools!': list(anything) }, 'type error'),
  message: ROLES,
  multi_agent_call: OPEN,
  multi_agent_call_output: OPEN,
  program: OPEN,
  program_output: OPEN,
  reasoning: onlyFields({ ...ID, 'summary!': list(anything), encrypted_content: text }, 'type content'),
  shell_call: onlyFields({ 'call_id!': text, 'action!': fields({}) }, 'type id caller environment status'),
  shell_call_output: onlyFields({ 'call_id!': text, 'output!': anything }, 'type id caller max_output_length status'),
  tool_search_call: OPEN,
  tool_search_output: OPEN,
  web_search_call: onlyFields({ ...ID, action: SEARCH_ACTION }, 'type status'),
};

const TOOL = { type: anything, allowed_callers: TEXTS, defer_loading: flag };
const GRAMMAR = tagged('type', {
  text: OPEN,
  grammar: fields({ 'syntax!': choice('lark', 'regex'), 'definition!': text }),
});
const CONTAINER = tagged('type', { auto: fields({ file_ids: TEXTS, memory_limit: choice('1g', '4g', '16g', '64g') }) });
const FUNCTION_TOOL = onlyFields(
  { 'name!': FUNCTION_NAME, description: text, parameters: SCHEMA, strict: flag, ...TOOL },
  'async output_schema',
);
const WEB_SEARCH = onlyFields(
  { search_context_size: CONTEXT_SIZE, user_location: USER_LOCATION, filters: fields({}) },
  'type external_web_access search_content_types image_settings indexed_web_access',
);

const TOOLS = {
  function: FUNCTION_TOOL,
  custom: onlyFields({ 'name!': FUNCTION_NAME, description: text, format: GRAMMAR, ...TOOL }, 'async'),
  namespace: onlyFields({ 'name!': text, 'tools!': list(anything) }, 'type description'),
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
