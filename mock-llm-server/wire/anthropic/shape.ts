import {
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
  tagged,
  text,
} from '../forms/form.ts';

const ANYTHING = fields({});
const ANY: Form = { type: 'any' };
const NOTHING: Form = { type: 'null' };
const COUNT: Form = { type: 'integer', min: 0 };
const UNIT = decimal(0, 1);

const MARK = either(
  NOTHING,
  tagged('type', { ephemeral: fields({ ttl: choice('5m', '1h') }) }, { isWhole: true, isInPath: true }),
);

const oneOf = (cases: Fields) => tagged('type', cases, { isWhole: true, isInPath: true });
/** A source in base64. The type of its medium has a rule of its own. */
const BYTES = onlyFields({ 'media_type!': ANY, 'data!': text }, 'type');
const URL = onlyFields({ 'url!': text }, 'type');
const FILE = onlyFields({ 'file_id!': text }, 'type');

/** The blocks that messages and results have. */
const SHARED_BLOCKS: Fields = {
  text: fields({ 'text!': text, cache_control: MARK }),
  image: fields({ 'source!': oneOf({ base64: BYTES, url: URL, file: FILE }), cache_control: MARK }),
  document: fields({
    'source!': oneOf({ base64: BYTES, text: BYTES, url: URL, file: FILE, content: ANYTHING }),
    title: either(NOTHING, text),
    cache_control: MARK,
  }),
};

/** Blocks by type. Those that a beta adds, and fields with rules of their own, may hold anything. */
const blocks = (more: Fields = {}) =>
  list(tagged('type', { ...SHARED_BLOCKS, ...more }, { isInPath: true, rest: ANYTHING }));

const CONTENT = blocks({
  tool_use: fields({ 'id!': text, 'name!': text, cache_control: MARK }),
  tool_result: fields({
    'tool_use_id!': text,
    is_error: either(NOTHING, flag),
    content: either(NOTHING, text, blocks()),
    cache_control: MARK,
  }),
  thinking: fields({ 'thinking!': text, 'signature!': ANY }),
  redacted_thinking: fields({ 'data!': text }),
});

/** The form of a request of Messages, in the order in which the API checks it. Null is a value like any other. */
export const MESSAGES_SHAPE: Form = fields({
  tool_choice: tagged(
    'type',
    {
      auto: onlyFields({ disable_parallel_tool_use: flag }, 'type'),
      any: onlyFields({ disable_parallel_tool_use: flag }, 'type'),
      tool: onlyFields({ 'name!': text, disable_parallel_tool_use: flag }, 'type'),
      none: onlyFields({}, 'type'),
    },
    { isWhole: true, isInPath: true },
  ),
  tools: list(fields({ cache_control: MARK })),
  messages: list(fields({ 'role!': text, 'content!': either(text, CONTENT) })),
  system: either(text, list(onlyFields({ 'type!': choice('text'), 'text!': text, cache_control: MARK }, 'citations'))),
  thinking: tagged(
    'type',
    {
      adaptive: onlyFields({ type: ANY, display: ANY }),
      disabled: onlyFields({}, 'type display'),
      enabled: onlyFields({ 'budget_tokens!': integer }, 'type display'),
    },
    { isWhole: true, isInPath: true },
  ),
  output_config: onlyFields({}, 'effort format task_budget'),
  max_tokens: COUNT,
  metadata: onlyFields({ user_id: either(NOTHING, text) }),
  stop_sequences: list(text),
  temperature: UNIT,
  service_tier: choice('auto', 'standard_only'),
  top_k: COUNT,
  top_p: UNIT,
  stream: flag,
  inference_geo: either(NOTHING, text),
});
