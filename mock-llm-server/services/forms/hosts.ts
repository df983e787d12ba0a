import { bracketPath } from '../../conversation/json.ts';
import type { Misfit } from '../../wire/forms/find-faults.ts';
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
  positive,
  tagged,
  text,
} from '../../wire/forms/form.ts';
import { writePython } from '../checks/tools.ts';
import type { Violation } from '../service.ts';
import { boundOf, pydanticFault, schemaTypeOf, valuesOf } from './dialects.ts';
import {
  COUNT,
  chatForm,
  FUNCTION,
  type KnownFields,
  OBJECT,
  PENALTY,
  type StatedValues,
  toolsForm,
} from './stated-form.ts';

/** The fields of messages of Groq by role: https://console.groq.com/docs/api-reference#chat-create */
const GROQ_FIELDS: KnownFields = {
  roles: {
    system: 'role content name',
    user: 'role content name',
    assistant: 'role content name function_call tool_calls reasoning reasoning_content reasoning_details',
    tool: 'role content name tool_call_id!',
  },
  call: 'id type function! index',
  function: 'name! description parameters strict',
  isInPath: true,
};

/** The values of a request, by the reference of the API and the client made from it. */
const GROQ_FORM: Fields = {
  tools: toolsForm(128, GROQ_FIELDS),
  temperature: decimal(0, 2),
  top_p: decimal(0, 1),
  presence_penalty: PENALTY,
  frequency_penalty: PENALTY,
  n: { type: 'integer', min: 1, max: 1 },
  user: text,
  stop: either(text, list(text, undefined, { max: 4 })),
  // The choice of a word has a rule of its own.
  tool_choice: either(text, FUNCTION),
  function_call: either(choice('none', 'auto', 'required'), fields({ 'name!': text })),
  service_tier: choice('auto', 'on_demand', 'flex', 'performance'),
  reasoning_format: choice('hidden', 'raw', 'parsed'),
  reasoning_effort: text,
  include_reasoning: flag,
  citation_options: choice('enabled', 'disabled'),
  documents: list(OBJECT),
  search_settings: OBJECT,
  compound_custom: OBJECT,
};

/** The words of the API's validator, which are those of kin-openapi. */
function describeGroq(fault: Misfit): Violation {
  const [field, index, role, ...rest] = fault.path;
  if (field !== 'messages' || role === undefined) return { message: reasonOf(fault) };
  const reason = reasonOf({ ...fault, path: ['messages', Number(index), ...rest] });
  return { message: `'messages.${index}' : for 'role:${role}' the following must be satisfied[(${reason})]` };
}

function reasonOf({ kind, path, shape }: Misfit): string {
  const place = path.join('.');
  switch (kind) {
    case 'missing':
      return `'${place}' : property '${path.at(-1)}' is missing`;
    case 'unknown':
      return `'${path.slice(0, -1).join('.')}' : property '${path.at(-1)}' is unsupported`;
    case 'value':
      return `'${place}' : value is not one of the allowed values ${JSON.stringify(valuesOf(shape))}`;
    case 'min':
    case 'max': {
      const isLow = kind === 'min';
      const limit =
        shape.type === 'array'
          ? `${isLow ? 'minimum' : 'maximum'} number of items is`
          : `number must be at ${isLow ? 'least' : 'most'}`;
      return `'${place}' : ${limit} ${boundOf({ kind, shape })}`;
    }
    default: {
      const expected = schemaTypeOf(shape);
      return `'${place}' : value must be ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;
    }
  }
}

/** The values of a request, by the client that is made from the schema of the API. */
const CEREBRAS_FORM: Fields = {
  'model!': text,
  temperature: decimal(0, 1.5),
  top_p: decimal(0, 1),
  n: positive,
  stop: either(text, list(text, undefined, { max: 4 })),
  logprobs: flag,
  top_logprobs: { type: 'integer', min: 0, max: 20 },
  user: text,
  reasoning_effort: choice('none', 'low', 'medium', 'high'),
  reasoning_format: choice('none', 'parsed', 'text_parsed', 'raw', 'hidden'),
  service_tier: choice('auto', 'default', 'flex', 'priority'),
  clear_thinking: flag,
  disable_reasoning: flag,
  prediction: tagged('type', { content: OBJECT }),
};

const ANY_MESSAGE = 'role content name';
const CEREBRAS_FIELDS: KnownFields = {
  roles: {
    system: ANY_MESSAGE,
    user: ANY_MESSAGE,
    assistant: `${ANY_MESSAGE} reasoning tool_calls refusal annotations reasoning_content reasoning_details`,
    tool: `${ANY_MESSAGE} tool_call_id!`,
  },
  call: 'id type function! index',
  function: 'name! description parameters strict',
  isInPath: true,
};

const SAMPLING = {
  temperature: decimal(0, 2),
  top_p: decimal(0, 1),
  n: { type: 'integer', min: 1, max: 128 },
} as const;
const BIAS: Form = { type: 'map', of: decimal() };

/** The values of a request, by https://github.com/togethercomputer/openapi */
const TOGETHER = chatForm(
  {
    ...SAMPLING,
    max_tokens: positive,
    top_k: integer,
    min_p: decimal(),
    repetition_penalty: decimal(),
    logprobs: either({ type: 'integer', min: 0, max: 20 }, flag),
    logit_bias: BIAS,
    echo: flag,
    context_length_exceeded_behavior: choice('truncate', 'error'),
    // The name of a tool is read, too.
    tool_choice: either(text, FUNCTION),
    reasoning: fields({ enabled: flag }),
    chat_template_kwargs: OBJECT,
    // Its guide has `regex` besides.
    response_format: tagged(
      'type',
      { json_schema: fields({ json_schema: fields({ 'name!': text, schema: OBJECT }) }) },
      { absent: OBJECT, rest: OBJECT },
    ),
  },
  { reasoning: text },
);

/** The values of a request, by https://docs.fireworks.ai/api-reference/post-chatcompletions */
const FIREWORKS_FORM: Fields = {
  ...SAMPLING,
  tools: list(
    onlyFields(
      { 'function!': onlyFields({ 'name!': text, description: text, parameters: OBJECT, strict: flag }) },
      'type',
    ),
  ),
  presence_penalty: PENALTY,
  frequency_penalty: PENALTY,
  top_k: COUNT,
  min_p: decimal(0, 1),
  repetition_penalty: decimal(),
  logprobs: either(flag, integer),
  top_logprobs: { type: 'integer', min: 0, max: 5 },
  logit_bias: BIAS,
  stop: either(text, list(text, undefined, { max: 4 })),
  tool_choice: either(choice('auto', 'none', 'any', 'required'), FUNCTION),
  response_format: tagged(
    'type',
    {
      grammar: fields({ 'grammar!': text }),
      json_schema: fields({ 'json_schema!': fields({ schema: OBJECT }) }),
    },
    { rest: fields({ 'type!': text }) },
  ),
  context_length_exceeded_behavior: choice('truncate', 'error'),
  reasoning_effort: either(text, integer, flag),
  thinking: OBJECT,
  prompt_truncate_len: integer,
  ignore_eos: flag,
  user: text,
  metadata: OBJECT,
};

/** Fields of messages, from https://docs.fireworks.ai/api-reference/post-chatcompletions and the server's answers. */
const FIREWORKS_MESSAGE =
  'role content name tool_calls tool_call_id function_call reasoning_content refusal annotations';
const FIREWORKS_FIELDS: KnownFields = {
  roles: {
    system: FIREWORKS_MESSAGE,
    user: FIREWORKS_MESSAGE,
    assistant: FIREWORKS_MESSAGE,
    tool: FIREWORKS_MESSAGE,
  },
  call: 'id type function! index name',
  function: 'name! description parameters strict',
};

export const GROQ_VALUES: StatedValues = {
  form: chatForm(GROQ_FORM, {}, GROQ_FIELDS),
  words: describeGroq,
  onlyNamed: true,
};

/** An error of Cerebras' reader of requests. */
export const cerebrasFault = (message: string): Violation => ({
  message,
  param: 'validation_error',
  code: 'wrong_api_format',
});

export const CEREBRAS_VALUES: StatedValues = {
  onlyNamed: true,
  form: chatForm(CEREBRAS_FORM, {}, CEREBRAS_FIELDS),
  words: (fault) => {
    const place = fault.path.join('.');
    return fault.kind === 'unknown'
      ? cerebrasFault(`${place}: property '${place}' is unsupported`)
      : cerebrasFault(`body.${place}: ${pydanticFault(fault).text}`);
  },
  isLax: true,
};

export const TOGETHER_VALUES: StatedValues = {
  form: TOGETHER,
  words: ({ path }) => ({ message: 'Input validation error', param: bracketPath(path) }),
};

export const FIREWORKS_VALUES: StatedValues = {
  onlyNamed: true,
  form: chatForm(FIREWORKS_FORM, { reasoning_content: text }, FIREWORKS_FIELDS),
  words: (fault) => ({
    message: `${pydanticFault(fault).text}, field: '${bracketPath(fault.path)}', value: ${writePython(fault.found)}`,
  }),
  isLax: true,
};
