import { jsonType } from '../../conversation/json.ts';
import type { Misfit } from '../../wire/forms/find-faults.ts';
import {
  anything,
  choice,
  decimal,
  either,
  fields,
  flag,
  integer,
  list,
  onlyFields,
  tagged,
  text,
} from '../../wire/forms/form.ts';
import type { Rule, Violation } from '../service.ts';
import { boundOf, schemaTypeOf, valuesOf } from './dialects.ts';
import { chatForm, formRules, OBJECT } from './stated-form.ts';

const EFFORT = choice('max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none');

/** The values of a request, by https://openrouter.ai/openapi.json */
const OPENROUTER = chatForm(
  {
    stop: either(text, list(text, undefined, { max: 4 })),
    tool_choice: either(choice('none', 'auto', 'required', 'any'), fields({ 'type!': text })),
    tools: list(fields({ 'type!': text, function: fields({ 'name!': text, description: text, parameters: OBJECT }) })),
    logprobs: flag,
    top_logprobs: integer,
    logit_bias: { type: 'map', of: decimal() },
    top_k: integer,
    min_p: decimal(),
    top_a: decimal(),
    repetition_penalty: decimal(),
    models: list(text),
    route: choice('fallback', 'sort'),
    session_id: { type: 'string', max: 256 },
    user: text,
    metadata: { type: 'map', of: text },
    modalities: list(choice('text', 'image', 'audio')),
    service_tier: choice('auto', 'default', 'fast', 'flex', 'priority', 'scale'),
    reasoning_effort: EFFORT,
    reasoning: fields({
      effort: EFFORT,
      summary: choice('auto', 'concise', 'detailed'),
      enabled: flag,
      max_tokens: integer,
    }),
    plugins: list(
      fields({
        'id!': choice(
          'auto-router',
          'auto-beta-router',
          'context-compression',
          'file-parser',
          'fusion',
          'moderation',
          'pareto-router',
          'response-healing',
          'web-fetch',
          'web',
        ),
      }),
    ),
    prediction: fields({ 'type!': choice('content'), 'content!': anything }),
    response_format: tagged('type', {
      text: OBJECT,
      json_object: OBJECT,
      json_schema: fields({ 'json_schema!': fields({ 'name!': text, schema: OBJECT, strict: flag }) }),
      grammar: fields({ 'grammar!': text }),
      python: OBJECT,
    }),
    provider: onlyFields({
      allow_fallbacks: flag,
      data_collection: choice('deny', 'allow'),
      enforce_distillable_text: flag,
      ignore: list(text),
      max_price: OBJECT,
      only: list(text),
      order: list(text),
      preferred_max_latency: anything,
      preferred_min_throughput: anything,
      quantizations: list(text),
      require_parameters: flag,
      sort: either(text, OBJECT),
      zdr: flag,
    }),
  },
  {
    reasoning: text,
    reasoning_details: list(
      fields({
        'type!': choice('reasoning.summary', 'reasoning.encrypted', 'reasoning.text', 'reasoning.server_tool_call'),
        text,
        summary: text,
        data: text,
        index: integer,
      }),
    ),
  },
);

/** The words of the validator, which are those of zod 4, as in https://github.com/openai/codex/issues/12114 */
function describeOpenRouter(fault: Misfit): Violation {
  const { kind, path, shape, found } = fault;
  const place = path.join('.');
  switch (kind) {
    case 'unknown':
      return { message: `Unrecognized key: "${path.at(-1)}"` };
    case 'value': {
      const values = valuesOf(shape).map((value) => `"${value}"`);
      const expected =
        values.length > 1
          ? `Invalid option: expected one of ${values.join('|')}`
          : `Invalid input: expected ${values[0]}`;
      return { message: `${place}: ${expected}` };
    }
    case 'min':
    case 'max': {
      const [noun, units] = shape.type === 'array' ? ['array', 'items'] : ['string', 'characters'];
      return { message: `${place}: Too big: expected ${noun} to have <=${boundOf(fault)} ${units}` };
    }
    default: {
      const is = jsonType(found);
      const expected = schemaTypeOf(shape).replace('integer', is === 'number' ? 'int' : 'number');
      return { message: `${place}: Invalid input: expected ${expected}, received ${is}` };
    }
  }
}

export const OPENROUTER_VALUE_RULES: readonly Rule[] = formRules(
  'openrouter',
  { form: OPENROUTER, words: describeOpenRouter },
  {
    shape: {
      refuses:
        'a value of another type than the schema of the API states: `temperature: "0.5"`, an unknown effort or field of `provider`, five stop sequences …',
      accepts: '`temperature: 0.5`, `provider: {"order":["openai"]}`',
      source: 'https://openrouter.ai/openapi.json',
      date: '2026-08-22',
    },
  },
);
