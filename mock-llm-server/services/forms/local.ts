import { jsonType } from '../../conversation/json.ts';
import type { Misfit } from '../../wire/forms/find-faults.ts';
import {
  anything,
  choice,
  decimal,
  either,
  type Form,
  fields,
  flag,
  integer,
  list,
  positive,
  tagged,
  text,
} from '../../wire/forms/form.ts';
import { writePython } from '../checks/tools.ts';
import type { Violation } from '../service.ts';
import { pydanticFault, schemaTypeOf } from './dialects.ts';
import { COUNT, chatForm, OBJECT, SAMPLING_FORM, type StatedValues } from './stated-form.ts';

const ABOVE_ZERO = Number.MIN_VALUE;
const SOME_TEXT: Form = { type: 'string', min: 1 };
const RESPONSE_FORMAT = tagged('type', {
  text: OBJECT,
  json_object: OBJECT,
  json_schema: fields({ 'json_schema!': OBJECT }),
  structural_tag: OBJECT,
});

/** The values of a request, by `ChatCompletionRequest` and `SamplingParams` of vLLM 0.32. */
const VLLM = chatForm({
  ...SAMPLING_FORM,
  temperature: decimal(0, 2),
  n: positive,
  max_tokens: positive,
  max_completion_tokens: positive,
  stop: either(SOME_TEXT, list(SOME_TEXT, undefined, { max: 4 })),
  repetition_penalty: decimal(ABOVE_ZERO),
  top_k: { type: 'integer', min: -1 },
  tools: list(
    fields({
      'function!': fields({ 'name!': text, description: text, parameters: OBJECT }),
      type: choice('function'),
    }),
  ),
  echo: flag,
  include_reasoning: flag,
  add_generation_prompt: flag,
  length_penalty: decimal(),
  priority: integer,
  documents: list(OBJECT),
  truncate_prompt_tokens: { type: 'integer', min: -1 },
  bad_words: list(text),
  allowed_token_ids: list(integer),
  cache_salt: { type: 'string', min: 1 },
  kv_transfer_params: OBJECT,
  response_format: RESPONSE_FORMAT,
  // It has a rule of its own.
  tool_choice: anything,
  reasoning_effort: choice('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
});

/** The words for a number that is outside its range: https://github.com/vllm-project/vllm/blob/main/vllm/sampling_params.py */
const VLLM_RANGES: Readonly<Record<string, string>> = {
  temperature: 'must be in [0, 2]',
  top_p: 'must be in (0, 1]',
  presence_penalty: 'must be in [-2, 2]',
  frequency_penalty: 'must be in [-2, 2]',
  repetition_penalty: 'must be greater than zero',
  top_k: 'must be 0 (disable), or at least 1',
  min_p: 'must be in [0, 1]',
  max_tokens: 'must be at least 1',
  min_tokens: 'must be greater than or equal to 0',
  n: 'must be at least 1',
};
/** The fields that the errors for such a number name again. */
const NAMED_AGAIN = ['temperature', 'top_p', 'max_tokens', 'n'];

const quote = (words: string): string => (words.includes("'") ? `"${words}"` : `'${words}'`);

function describeVllm(fault: Misfit): Violation | undefined {
  const { kind, path, found, shape } = fault;
  const field = String(path[0]).replace('completion_', '');
  const limit = VLLM_RANGES[field];
  if (field === 'stop' && kind === 'min') return { message: 'stop cannot contain an empty string.' };
  if (kind === 'missing' && path[1] === 'json_schema')
    return {
      message:
        "When response_format type is 'json_schema', the 'json_schema' field must be provided. (parameter=response_format)",
    };
  if ((kind === 'min' || kind === 'max') && limit !== undefined && path.length === 1) {
    const words = field === 'temperature' && kind === 'min' ? 'must be non-negative' : limit;
    const number = shape.type === 'decimal' ? Number(found).toFixed(1) : String(found);
    const again = NAMED_AGAIN.includes(field) ? ` (parameter=${field}, value=${number})` : '';
    return { message: `${field} ${words}, got ${number}.${again}`, ...(again !== '' && { param: field }) };
  }
  const { kind: type, text: msg } = pydanticFault(fault);
  const place = ['body', ...path].join('.');
  const input = type === 'missing' ? "'<dict of 1 items>'" : writePython(found);
  const expected = quote(msg.replace('Input should be ', ''));
  const rest = type === 'literal_error' ? `, 'ctx': {'expected': ${expected}}` : '';
  return {
    message: `1 validation error:\n  {'type': '${type}', 'loc': '${place}', 'msg': ${quote(msg)}, 'input': ${input}${rest}}`,
    param: place,
    errorType: 'Bad Request',
  };
}

/** The values of a request, by `ChatCompletionRequest` and `SamplingParams` of SGLang. */
const SGLANG = chatForm({
  ...SAMPLING_FORM,
  temperature: decimal(0),
  max_tokens: COUNT,
  repetition_penalty: decimal(ABOVE_ZERO, 2),
  top_k: positive,
  reasoning_effort: either(choice('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'), decimal(0, 0.99)),
  regex: text,
  ebnf: text,
  separate_reasoning: flag,
  priority: integer,
  response_format: RESPONSE_FORMAT,
});

/** The words for a number that is outside its range. */
const SGLANG_RANGES: Readonly<Record<string, string>> = {
  temperature: 'temperature must be a non-negative finite number',
  top_p: 'top_p must be in (0, 1]',
  min_p: 'min_p must be in [0, 1]',
  top_k: 'top_k must be -1 (disable) or at least 1',
  frequency_penalty: 'frequency_penalty must be in [-2, 2]',
  presence_penalty: 'presence_penalty must be in [-2, 2]',
  repetition_penalty: 'repetition_penalty must be in (0, 2] (1.0 = no penalty)',
  min_tokens: 'min_new_tokens must be in [0, max_new_tokens]',
  max_tokens: 'max_new_tokens must be at least 0',
};

function describeSglang(fault: Misfit): Violation | undefined {
  const { kind, path, found, shape } = fault;
  if (kind === 'missing' && path[1] === 'json_schema')
    return { message: 'schema_ is required for json_schema response format request.' };
  if (path[0] === 'top_k' && found === -1) return undefined;
  const words = SGLANG_RANGES[String(path[0])];
  if ((kind === 'min' || kind === 'max') && words !== undefined) {
    return { message: `${words}, got ${shape.type === 'decimal' ? Number(found).toFixed(1) : String(found)}.` };
  }
  const { kind: type, text: msg } = pydanticFault(fault);
  const loc = ['body', ...path].map(writePython).join(', ');
  return {
    message: `1 validation error:\n  {'type': '${type}', 'loc': (${loc}), 'msg': '${msg}', 'input': ${writePython(found)}}`,
  };
}

const LIMIT = decimal(-1);

/** The fields of a request that the server reads by their types: its file `server-schema.cpp`. */
const LLAMACPP = chatForm({
  max_tokens: LIMIT,
  max_completion_tokens: LIMIT,
  n: { type: 'integer', min: 1, max: 1 },
  n_keep: LIMIT,
  repeat_last_n: COUNT,
  min_keep: COUNT,
  top_k: integer,
  min_p: decimal(),
  repeat_penalty: decimal(),
  cache_prompt: flag,
  stop: anything,
  tool_choice: anything,
  response_format: OBJECT,
});

/** The words of the server for a fault. */
function describeLlama(fault: Misfit): Violation | undefined {
  const { kind, path, shape, found } = fault;
  const place = path.join('.');
  if (path[0] === 'tools')
    return {
      message: `Failed to parse tools: Missing tool function: ${JSON.stringify(found ?? { type: 'function' })}`,
      status: 500,
      errorType: 'server_error',
    };
  if (kind === 'min' || kind === 'max') {
    const { min = 0, max = 2_147_483_647 } = shape.type === 'integer' || shape.type === 'decimal' ? shape : {};
    return { message: `Field '${place}': Value must be between ${min} <= value <= ${max}, but got ${String(found)}` };
  }
  const expected = kind === 'missing' ? 'string' : schemaTypeOf(shape).replace('integer', 'number');
  return {
    message: `Field '${place}': [json.exception.type_error.302] type must be ${expected}, but is ${jsonType(found)}`,
  };
}

export const VLLM_VALUES: StatedValues = { form: VLLM, words: describeVllm, isLax: true };

export const SGLANG_VALUES: StatedValues = { form: SGLANG, words: describeSglang, isLax: true };

/** The values of a request to llama.cpp. */
export const LLAMACPP_VALUES: StatedValues = { form: LLAMACPP, words: describeLlama };
