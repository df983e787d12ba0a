import { isJsonObject } from '../../conversation/json.ts';
import { badRequest } from '../body.ts';
import { findFault, type Misfit } from '../forms/find-faults.ts';
import { choice, either, type Form, fields, flag, integer, list, text } from '../forms/form.ts';
import type { WireError } from '../wire.ts';

/** The endpoint of a request: the next message of a chat, or the text after a prompt. */
export type OllamaEndpoint = 'chat' | 'generate';

const ANYTHING: Form = { type: 'any' };
const object = (noun: string): Form => ({ type: 'map', of: ANYTHING, noun });
const THINK = either(flag, choice('high', 'medium', 'low', 'max'));
const OPTIONS = object('map[string]interface {}');
const IMAGES = list(text, '[]api.ImageData');

/** The parameters that both endpoints have. */
const SHARED = { model: text, stream: flag, think: THINK, truncate: flag, options: OPTIONS, logprobs: flag };

/** The types of the server (api/types.go of ollama/ollama), where JSON null is always an absent value. */
const SHAPES: Readonly<Record<OllamaEndpoint, Form>> = {
  chat: fields({
    ...SHARED,
    messages: list(
      fields({
        role: text,
        content: text,
        thinking: text,
        images: IMAGES,
        tool_name: text,
        tool_call_id: text,
        tool_calls: list(
          fields({
            id: text,
            function: fields({ name: text, index: integer, arguments: object('api.ToolCallFunctionArguments') }),
          }),
          '[]api.ToolCall',
        ),
      }),
      '[]api.Message',
    ),
    tools: list(
      fields({
        type: text,
        function: fields({
          name: text,
          description: text,
          parameters: fields({
            type: text,
            required: list(text, '[]string'),
            properties: object('map[string]api.ToolProperty'),
          }),
        }),
      }),
      'api.Tools',
    ),
  }),
  generate: fields({
    ...SHARED,
    prompt: text,
    suffix: text,
    system: text,
    template: text,
    raw: flag,
    images: IMAGES,
    context: list(integer, '[]int'),
  }),
};

const ROOTS: Readonly<Record<OllamaEndpoint, string>> = { chat: 'ChatRequest', generate: 'GenerateRequest' };

/** The types of Go for objects, by the field that holds them. */
const OBJECTS: Readonly<Record<string, string>> = {
  messages: 'api.Message',
  tool_calls: 'api.ToolCall',
  function: 'api.ToolFunction',
  tools: 'api.Tool',
  parameters: 'api.ToolFunctionParameters',
};

/** The error of the server's JSON library for the first value of another type. */
export function ollamaFault(json: unknown, endpoint: OllamaEndpoint): WireError | undefined {
  const fault = findFault(json, SHAPES[endpoint], true);
  if (fault === undefined) return optionFault(json);
  const names = fault.path.filter((key) => typeof key === 'string');
  const last = names.at(-1) ?? '';
  if (last === 'think') return badRequest(describeThink(fault));
  const received = describeValue(fault.found);
  // The arguments have a reader of their own, which knows no field.
  const isLoose = received === 'array' && last === 'arguments';
  const place = isLoose ? 'Go value' : `Go struct field ${ROOTS[endpoint]}.${names.join('.')}`;
  return badRequest(`json: cannot unmarshal ${received} into ${place} of type ${typeOf(fault, last)}`);
}

/** The types of options, in the words of the server. An integer may have a fraction. */
const OPTION_TYPES: Readonly<Record<string, 'integer' | 'float32' | 'array'>> = {
  num_ctx: 'integer',
  num_predict: 'integer',
  num_keep: 'integer',
  seed: 'integer',
  top_k: 'integer',
  repeat_last_n: 'integer',
  temperature: 'float32',
  top_p: 'float32',
  min_p: 'float32',
  repeat_penalty: 'float32',
  presence_penalty: 'float32',
  frequency_penalty: 'float32',
  stop: 'array',
};

/** The error of an option of another type, which the server finds when it loads the model. */
function optionFault(json: unknown): WireError | undefined {
  const options = isJsonObject(json) && isJsonObject(json['options']) ? json['options'] : {};
  for (const [name, value] of Object.entries(options)) {
    const type = OPTION_TYPES[name];
    if (type === undefined || value === null) continue;
    const fits = type === 'array' ? Array.isArray(value) : typeof value === 'number';
    // https://github.com/stavsap/comfyui-ollama/issues/103
    if (!fits) return { ...badRequest(`option "${name}" must be of type ${type}`), status: 500 };
  }
  return undefined;
}

function describeThink({ kind, found }: Misfit): string {
  const values = '"high", "medium", "low", "max", true, or false';
  return kind === 'value'
    ? `invalid think value: ${JSON.stringify(found)} (must be ${values})`
    : `think must be a boolean or string (${values})`;
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' && !Number.isInteger(value) ? `number ${value}` : typeof value;
}

function typeOf({ shape }: Misfit, field: string): string {
  switch (shape.type) {
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int';
    case 'array':
    case 'map':
      return shape.noun ?? shape.type;
    case 'object':
      return OBJECTS[field] ?? 'object';
    default:
      return field === 'images' ? 'api.ImageData' : 'string';
  }
}
