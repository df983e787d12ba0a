import { bracketPath } from '../../conversation/json.ts';
import type { Misfit } from '../../wire/forms/find-faults.ts';
import {
  anything,
  choice,
  decimal,
  either,
  type Fields,
  fields,
  flag,
  integer,
  list,
  onlyFields,
  positive,
  tagged,
  text,
} from '../../wire/forms/form.ts';
import { unreadable } from '../open-models/deepseek-messages.ts';
import { listOf } from '../raw.ts';
import type { Violation } from '../service.ts';
import { boundsOf, pydanticFault, serdeFault, typeOf } from './dialects.ts';
import {
  COUNT,
  chatForm,
  DECLARED,
  FUNCTION,
  type KnownFields,
  OBJECT,
  PENALTY,
  type StatedValues,
} from './stated-form.ts';

/** The values of a request, by the schema of https://docs.mistral.ai/api/ and the client made from it. */
const MISTRAL: Fields = {
  tools: list(
    fields({
      'function!': onlyFields({ 'name!': text, description: text, 'parameters!': OBJECT, strict: flag }),
      type: text,
    }),
  ),
  tool_choice: either(choice('auto', 'none', 'any', 'required'), FUNCTION),
  temperature: decimal(0, 1.5),
  top_p: decimal(0, 1),
  max_tokens: COUNT,
  random_seed: COUNT,
  presence_penalty: PENALTY,
  frequency_penalty: PENALTY,
  n: positive,
  reasoning_effort: choice('none', 'minimal', 'low', 'medium', 'high', 'xhigh'),
  prompt_mode: choice('reasoning'),
  safe_prompt: flag,
  metadata: OBJECT,
  prediction: tagged('type', { content: OBJECT }, { absent: OBJECT }),
  response_format: tagged(
    'type',
    {
      text: OBJECT,
      json_object: OBJECT,
      json_schema: fields({ 'json_schema!': fields({ 'name!': text, 'schema!': OBJECT }) }),
    },
    { absent: OBJECT },
  ),
};

/** The fields of messages and calls. Those of answers with reasoning have a rule of their own. */
const MISTRAL_FIELDS: KnownFields = {
  roles: {
    system: 'role content',
    user: 'role content',
    assistant: 'role content tool_calls prefix reasoning_content reasoning reasoning_details',
    tool: 'role content tool_call_id! name',
  },
  call: 'id type function! index',
  function: 'name! description parameters! strict',
  isInPath: true,
};

const CALL = tagged('type', { function: FUNCTION }, { absent: FUNCTION, rest: OBJECT });

/** The values of a request, by the reference of the API. */
const DEEPSEEK = chatForm(
  {
    temperature: decimal(0, 2),
    top_p: decimal(Number.MIN_VALUE, 1),
    presence_penalty: PENALTY,
    frequency_penalty: PENALTY,
    logprobs: flag,
    top_logprobs: { type: 'integer', min: 0, max: 20 },
    stop: either(text, list(text, undefined, { max: 16 })),
    thinking: tagged('type', { enabled: OBJECT, disabled: OBJECT, adaptive: OBJECT }, { absent: OBJECT }),
    reasoning_effort: choice('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
    tools: list(tagged('type', { function: fields({ 'function!': fields(DECLARED) }) })),
  },
  { tool_calls: list(CALL, undefined, { min: 1 }) },
);

/** The words of the API for a fault. */
function describeDeepSeek(fault: Misfit): Violation {
  const { kind, path, shape } = fault;
  if (kind !== 'min' && kind !== 'max') {
    const { place, reason } = serdeFault(fault);
    return unreadable(place.replace(/^(tools\[\d+\])\.type$/, '$1'), reason);
  }
  const field = String(path[0]);
  if (field === 'messages')
    return {
      message: `Invalid '${bracketPath(path)}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    };
  if (field === 'top_logprobs' && kind === 'min')
    return unreadable(field, `invalid value: integer \`${String(fault.found)}\`, expected u8`);
  if (shape.type === 'array') return { message: `Stop string array too long: ${listOf(fault.found).length}` };
  const { min, max } = boundsOf(shape);
  const range = min === Number.MIN_VALUE ? '(0, 1.0]' : `[${min}, ${max}]`;
  return {
    message: `Invalid ${field} value, the valid range of ${field} is ${range}${field === 'top_logprobs' ? '.' : ''}`,
  };
}

/** The words of the API for a fault: https://github.com/LnYo-Cly/ai4j/issues/62 */
function describeMoonshot({ kind, path, shape, found }: Misfit): Violation {
  const field = path.filter((key) => typeof key === 'string').join('.');
  if (kind === 'min' || kind === 'max') return { message: `Invalid request: invalid ${field}` };
  if (kind === 'missing') return { message: `Invalid request: ${field} is not found` };
  const name = typeOf(shape);
  const expected = shape.type === 'either' || name === 'list' ? '[]object' : name;
  const kinds = Array.isArray(found) ? 'array' : typeof found;
  return {
    message: `Invalid request: the \`${field}\` field in the request (expected type ${expected}) is illegal, and ${kinds} is not acceptable`,
  };
}

/** The values of a request, by https://help.aliyun.com/zh/model-studio/qwen-api-via-openai-chat-completions */
const DASHSCOPE = chatForm(
  {
    temperature: decimal(0, 2 - Number.EPSILON),
    top_p: decimal(Number.MIN_VALUE, 1),
    presence_penalty: PENALTY,
    // The API does not have it, and ignores it.
    frequency_penalty: anything,
    max_tokens: positive,
    n: { type: 'integer', min: 1, max: 4 },
    seed: COUNT,
    top_k: COUNT,
    repetition_penalty: decimal(Number.MIN_VALUE),
    logprobs: flag,
    top_logprobs: { type: 'integer', min: 0, max: 5 },
    enable_thinking: flag,
    thinking_budget: positive,
    enable_search: flag,
    stop: either(text, list(either(text, integer, list(integer)))),
    response_format: fields({ 'type!': text }),
    tool_choice: either(choice('none', 'auto', 'required'), FUNCTION),
  },
  { tool_calls: list(CALL, undefined, { min: 1 }) },
);

/** The words of https://help.aliyun.com/zh/model-studio/error-code for a number outside its range. */
const RANGES: Readonly<Record<string, string>> = {
  temperature: 'Temperature should be in [0.0, 2.0)',
  top_p: 'Range of top_p should be (0.0, 1.0]',
  presence_penalty: 'Presence_penalty should be in [-2.0, 2.0]',
  max_tokens: 'Range of max_tokens should be [1, max]',
  n: 'Range of n should be [1, 4]',
  top_k: 'Parameter top_k be greater than or equal to 0',
  repetition_penalty: 'Repetition_penalty should be greater than 0.0',
  top_logprobs: 'Range of top_logprobs should be [0, 5]',
  thinking_budget:
    'The thinking_budget parameter must be a positive integer and not greater than the maximum length of the chain of thought',
};

/** The words of the API for a fault. */
function describeDashScope(fault: Misfit): Violation {
  const { kind, path, found } = fault;
  const [field = ''] = path;
  if (kind === 'min' && field === 'messages') return dashScopeFault('Empty tool_calls is not supported in message.');
  if (kind === 'min' || kind === 'max') {
    return field === 'seed'
      ? { message: `${String(found)} is lesser than the minimum of 0 - 'seed'`, code: 'invalid_value' }
      : dashScopeFault(RANGES[field] ?? pydanticFault(fault).text);
  }
  const group = field === 'messages' ? 'input' : 'parameters';
  return dashScopeFault(`${pydanticFault(fault).text}: ${[group, ...path].join('.')}`);
}

/** The values of a request, by the reference of the API and https://github.com/xai-org/xai-proto */
const XAI = chatForm({
  temperature: decimal(0, 2),
  top_p: decimal(0, 1),
  presence_penalty: PENALTY,
  frequency_penalty: PENALTY,
  n: positive,
  max_tokens: positive,
  logprobs: flag,
  top_logprobs: { type: 'integer', min: 0, max: 8 },
  logit_bias: { type: 'map', of: decimal() },
  reasoning_effort: text,
  deferred: flag,
  user: text,
  response_format: tagged('type', {
    text: OBJECT,
    json_object: OBJECT,
    json_schema: fields({ 'json_schema!': fields({ schema: OBJECT }) }),
  }),
});

export const MISTRAL_VALUES: StatedValues = {
  form: chatForm(MISTRAL, {}, MISTRAL_FIELDS),
  words: (fault) => {
    const { kind, text: message } = pydanticFault(fault);
    return { status: 422, message, param: ['body', ...fault.path].join('.'), errorType: kind };
  },
  isLax: true,
};

export const DEEPSEEK_VALUES: StatedValues = { form: DEEPSEEK, words: describeDeepSeek };

export const MOONSHOT_VALUES: StatedValues = {
  form: chatForm({
    temperature: decimal(0, 1),
    top_p: decimal(0, 1),
    n: { type: 'integer', min: 1, max: 5 },
    max_tokens: positive,
    presence_penalty: PENALTY,
    frequency_penalty: PENALTY,
    reasoning_effort: text,
    // The choices that a model lacks have rules of their own.
    tool_choice: anything,
  }),
  words: describeMoonshot,
};

const ZAI_EFFORTS = 'none、minimal、low、medium、high、xhigh、max';

/** An error of Z.AI without a reason. */
export const ZAI_FAULT: Violation = {
  message: 'Invalid API parameter, please check the documentation.',
  code: '1210',
};

/** The values of a request to Z.AI. Others are read whatever they are. */
export const ZAI_VALUES: StatedValues = {
  form: fields({
    model: text,
    'messages!': list(fields({ content: either(text, list(OBJECT)) }), undefined, { min: 1 }),
    tools: list(fields({ function: fields({ name: text, description: text, parameters: OBJECT }) })),
    temperature: decimal(0, 1),
    top_p: decimal(0, 1),
    max_tokens: positive,
    stream: flag,
    do_sample: flag,
    reasoning_effort: text,
  }),
  words: ({ kind, path, shape }) => {
    if (shape.type === 'decimal' && kind !== 'type')
      return { message: `${String(path[0])}参数非法：限制数值范围[0,1]`, code: '1210' };
    return path[0] === 'reasoning_effort'
      ? { message: `reasoning_effort 参数值非法，可选值为：${ZAI_EFFORTS}`, code: '1210' }
      : ZAI_FAULT;
  },
};

/** An error of the algorithm behind the API of DashScope. */
export const dashScopeFault = (message: string): Violation => ({
  message: `<400> InternalError.Algo.InvalidParameter: ${message}`,
});

export const DASHSCOPE_VALUES: StatedValues = { form: DASHSCOPE, words: describeDashScope, isLax: true };

export const XAI_VALUES: StatedValues = {
  form: XAI,
  words: (fault) => {
    if (fault.kind === 'min' || fault.kind === 'max')
      return { message: `Invalid request content: ${String(fault.path[0])} is out of range.` };
    const { place, reason } = serdeFault(fault);
    return { status: 422, ...unreadable(place, reason) };
  },
};
