import { choice, decimal, either, type Form, fields, flag, integer, list, onlyFields, tagged, text } from '../shape.ts';

const ANYTHING = fields({});
const NOTHING: Form = { type: 'null' };
const COUNT: Form = { type: 'integer', min: 0 };
const UNIT = decimal(0, 1);

/** The form of a request of Messages, in the order in which the API checks it. Null is a value like any other. */
export const MESSAGES_SHAPE: Form = fields({
  tool_choice: tagged(
    'type',
    {
      auto: fields({ disable_parallel_tool_use: flag }),
      any: fields({ disable_parallel_tool_use: flag }),
      tool: fields({ 'name!': text, disable_parallel_tool_use: flag }),
      none: ANYTHING,
    },
    { isWhole: true, isInPath: true },
  ),
  tools: list(ANYTHING),
  messages: list(fields({ 'role!': text, 'content!': either(text, list(ANYTHING)) })),
  system: either(text, list(ANYTHING)),
  thinking: tagged(
    'type',
    { adaptive: ANYTHING, disabled: ANYTHING, enabled: fields({ 'budget_tokens!': integer }) },
    { isWhole: true, isInPath: true },
  ),
  output_config: ANYTHING,
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
