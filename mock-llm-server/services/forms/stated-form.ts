import { findFaults, type Misfit } from '../../wire/forms/find-faults.ts';
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
  tagged,
  text,
} from '../../wire/forms/form.ts';
import { oncePerBody } from '../raw.ts';
import type { Rule, Violation } from '../service.ts';

export const OBJECT = fields({});
const NAMED = fields({ 'name!': text });
/** A function by its name, as in a call and in the choice of a tool. */
export const FUNCTION = fields({ 'function!': NAMED });
export const DECLARED = { 'name!': text, description: text, parameters: OBJECT, strict: flag };

/** The fields of objects of a request, for a service that refuses others. A name that ends with `!` is required. */
export interface KnownFields {
  readonly roles: Readonly<Record<string, string>>;
  readonly call: string;
  readonly function: string;
  /** The paths of faults in a message have its role. */
  readonly isInPath?: true;
}

/** An object with the fields that a service names, or with any if it names none. */
function named(all: Fields, names: string | undefined): Form {
  if (names === undefined) return fields(all);
  return onlyFields(Object.fromEntries(names.split(' ').map((name) => [name, all[name] ?? anything])));
}

export const COUNT: Form = { type: 'integer', min: 0 };
export const PENALTY: Form = decimal(-2, 2);

/** The parts of a content that have a text or a picture. Services have further types of their own. */
const partsForm = (known: KnownFields | undefined) =>
  list(
    tagged(
      'type',
      {
        text: named({ 'text!': text }, known && 'type text!'),
        image_url: named({ 'image_url!': either(text, fields({ 'url!': text })) }, known && 'type image_url!'),
      },
      { rest: fields({ 'type!': text }) },
    ),
  );

/** The messages of a request, and the fields that a service states for its answers besides. */
function messagesForm(answer: Fields, known: KnownFields | undefined): Form {
  const message = { content: either(text, partsForm(known)), name: text };
  const { roles = {}, call: names } = known ?? {};
  const call = named({ 'function!': NAMED }, names);
  return list(
    tagged(
      'role',
      {
        ...Object.fromEntries(Object.entries(roles).map(([role, own]) => [role, named(message, own)])),
        assistant: named(
          {
            ...message,
            // Only some services know types of calls without a function.
            tool_calls: list(tagged('type', { function: call }, { absent: call, rest: OBJECT })),
            ...answer,
          },
          roles['assistant'],
        ),
        tool: named({ ...message, 'tool_call_id!': text }, roles['tool']),
      },
      { rest: fields(message), ...(known?.isInPath && { isInPath: true }) },
    ),
  );
}

/** A list of tools, at most `max`. */
export function toolsForm(max?: number, known?: KnownFields): Form {
  const declared = fields({ 'function!': named(DECLARED, known?.function) });
  const tool = tagged('type', { function: declared }, { absent: declared, rest: OBJECT });
  return list(tool, undefined, max === undefined ? {} : { max });
}

/** The part of a request of Chat Completions that servers read in one way. */
const COMMON: Fields = {
  model: text,
  temperature: decimal(),
  top_p: decimal(),
  max_tokens: integer,
  max_completion_tokens: integer,
  presence_penalty: decimal(),
  frequency_penalty: decimal(),
  seed: integer,
  n: integer,
  stream: flag,
  stop: either(text, list(text)),
  stream_options: fields({ include_usage: flag }),
  parallel_tool_calls: flag,
  tool_choice: either(choice('none', 'auto', 'required'), FUNCTION),
  response_format: tagged('type', {
    text: OBJECT,
    json_object: OBJECT,
    json_schema: fields({ 'json_schema!': fields({ 'name!': text, schema: OBJECT, strict: flag }) }),
  }),
};

/** The form of a chat completion with the fields, ranges and values that a service states besides. */
export function chatForm(own: Fields = {}, answer: Fields = {}, known?: KnownFields): Form {
  const shared = { model: text, tools: toolsForm(undefined, known), ...COMMON };
  return fields({ ...shared, 'messages!': messagesForm(answer, known), ...own });
}

/** Parameters of sampling that vLLM and SGLang have besides. */
export const SAMPLING_FORM: Fields = {
  top_p: decimal(Number.MIN_VALUE, 1),
  presence_penalty: PENALTY,
  frequency_penalty: PENALTY,
  min_p: decimal(0, 1),
  min_tokens: COUNT,
  logprobs: flag,
  top_logprobs: integer,
  logit_bias: { type: 'map', of: decimal() },
  user: text,
  ignore_eos: flag,
  skip_special_tokens: flag,
  stop_token_ids: list(integer),
  chat_template_kwargs: OBJECT,
};

type Basis = Pick<Rule, 'refuses' | 'accepts' | 'source' | 'date'> & Partial<Pick<Rule, 'models' | 'protocols'>>;

/** The form that a service demands of its requests, and its words for a fault; undefined if it reads the value anyway. */
export interface StatedValues {
  readonly form: Form;
  readonly words: (fault: Misfit) => Violation | undefined;
  /** A number or a flag as text is read. */
  readonly isLax?: true;
  /** Unknown fields are refused only if the service is named, because other services are reached at its paths, too. */
  readonly onlyNamed?: true;
}

interface StatedRules {
  /** The name of the first rule, if it is not `shape`. */
  readonly name?: string;
  /** The rule for types, values and absent fields, and the one for ranges, lengths and counts. */
  readonly shape: Basis;
  readonly range?: Basis;
}

/** The rules that a form states. Both look at a request once. */
export function formRules(
  service: string,
  { form, words, isLax, onlyNamed }: StatedValues,
  { name = 'shape', shape, range }: StatedRules,
): readonly Rule[] {
  const faultsOf = oncePerBody((body) =>
    findFaults(body, form).filter((fault) => isLax === undefined || !isReadableText(fault)),
  );
  const rule = (own: string, basis: Basis, isRange?: boolean): Rule => ({
    id: `${service}/${own}`,
    ...basis,
    check: ({ body, isNamed }) => {
      for (const fault of faultsOf(body)) {
        if (fault.kind === 'unknown' && onlyNamed && !isNamed) continue;
        const violation = isRange === undefined || isRange === isOutside(fault) ? words(fault) : undefined;
        if (violation !== undefined) return violation;
      }
      return undefined;
    },
  });
  return range === undefined ? [rule(name, shape)] : [rule(name, shape, false), rule('range', range, true)];
}

function isOutside({ kind }: Misfit): boolean {
  return kind === 'min' || kind === 'max';
}

function isReadableText({ kind, shape, found }: Misfit): boolean {
  if (kind !== 'type' || typeof found !== 'string' || found.trim() === '') return false;
  if (shape.type === 'boolean') return /^(?:true|false|0|1|yes|no|on|off)$/i.test(found);
  const isNumber = shape.type === 'decimal' || shape.type === 'integer';
  return isNumber && !Number.isNaN(Number(found));
}
