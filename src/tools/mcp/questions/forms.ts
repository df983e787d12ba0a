import type { JsonObject, JsonValue } from '../../../agent/ports/json.ts';
import { conforms, type JsonSchema } from '../../../schema/conforms.ts';
import { isJsonObject } from '../../../text/json/json.ts';
import { definitionIn } from '../tool-schema.ts';

/** A question of a server to the user: fields by a schema, or an address to visit. All texts are cleaned. */
export interface FormRequest {
  /** No other open question of the session has it. */
  readonly id: string;
  readonly server: string;
  readonly message: string;
  readonly schema?: JsonObject;
  readonly url?: string;
}

/** The answer to a form. `cancel`: nobody has answered, which is not a no. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content?: JsonObject }
  | { readonly action: 'decline' | 'cancel' };

/** Asks the user to fill in forms, one after another; `modes`: those that can be shown. Rejects when `signal` aborts. */
export interface FormAsker {
  readonly modes: readonly ('form' | 'url')[];
  fill(request: FormRequest, signal: AbortSignal): Promise<FormAnswer>;
}

export type FieldValue = string | number | boolean | string[];

interface Choice {
  readonly value: string;
  readonly title: string;
}

export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: keyof typeof KINDS;
  readonly required: boolean;
  readonly options: readonly Choice[];
  /** The value of an empty answer. */
  readonly fallback?: FieldValue | undefined;
  /** The values that it accepts, as the end of a sentence, and as a schema. */
  readonly rule: string;
  readonly accepts: JsonSchema;
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  ...{ y: true, yes: true, true: true, 1: true },
  ...{ n: false, no: false, false: false, 0: false },
};

/** The value of a typed or given answer; `undefined` if it has none. */
type Convert = (given: JsonValue, options: readonly Choice[]) => FieldValue | undefined;

const numberOf: Convert = (given) =>
  Number(typeof given === 'string' ? given.replace(',', '.') : typeof given === 'number' ? given : Number.NaN);
const choiceOf = (given: JsonValue, options: readonly Choice[]): string | undefined => {
  const text = String(given).trim();
  const isTitle = ({ title }: Choice): boolean => title.toLowerCase() === text.toLowerCase();
  return (options.find(({ value }) => value === text) ?? options.find(isTitle) ?? options[Number(text) - 1])?.value;
};
const choicesOf: Convert = (given, options) => {
  const named: readonly JsonValue[] = typeof given === 'string' ? given.split(',') : [given].flat();
  const values = named.map((each) => choiceOf(each, options)).filter((value) => value !== undefined);
  return values.length < named.length ? undefined : values;
};

/** The kinds of fields: the words for their values, the type of these, and how one is read. */
const KINDS = {
  text: ['a text', 'string', (given: JsonValue) => (typeof given === 'string' ? given : undefined)],
  number: ['a number', 'number', numberOf],
  integer: ['an integer', 'integer', numberOf],
  boolean: ['y or n', 'boolean', (given: JsonValue) => BOOLEANS[String(given).trim().toLowerCase()]],
  one: ['one of', 'string', choiceOf],
  many: ['some of', 'array', choicesOf],
} as const;
const TYPED = ['number', 'integer', 'boolean'] as const;
const LIMITS = [
  ['minLength', 'at least # characters'],
  ['maxLength', 'at most # characters'],
  ['minimum', 'at least #'],
  ['maximum', 'at most #'],
  ['minItems', 'at least # of them'],
  ['maxItems', 'at most # of them'],
] as const;

/** The fields of a schema, in its order. */
export function formFields(form: JsonObject): readonly FormField[] {
  const { properties, required } = form;
  return Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, written]): FormField[] => {
    if (!isJsonObject(written)) return [];
    const schema = plainSchema(written, form);
    const { type, title = name, description = '', items, default: given, format, pattern } = schema;
    const options = optionsOf(type === 'array' && isJsonObject(items) ? plainSchema(items, form) : schema);
    const typed = TYPED.find((each) => each === type) ?? 'text';
    const kind = type === 'array' ? 'many' : options.length > 0 ? 'one' : typed;
    const [words, jsonType] = KINDS[kind];
    const limits = LIMITS.filter(([key]) => typeof schema[key] === 'number');
    const named = options.map(
      ({ value, title: shown }, index) => `${index + 1} ${shown}${shown === value ? '' : ` (${value})`}`,
    );
    // Only the server checks formats and patterns: an expression from a stranger could run forever here.
    const texts = Object.entries({ format, pattern }).filter(([, value]) => typeof value === 'string');
    const rules = [
      `${words} ${named.join(', ')}`.trim(),
      ...limits.map(([key, limit]) => limit.replace('#', String(schema[key]))),
      ...texts.map((each) => each.join(' ')),
    ];
    return [
      {
        ...{ name, title: String(title), description: String(description), kind, options, rule: rules.join('; ') },
        ...{
          accepts: { ...Object.fromEntries(limits.map(([key]) => [key, Number(schema[key])])), type: jsonType },
          fallback: fallbackOf(kind, given),
        },
        required: Array.isArray(required) && required.includes(name),
      },
    ];
  });
}

/** Some servers write one choice where a list is meant, and null for no value. */
function fallbackOf(kind: FormField['kind'], given: JsonValue | undefined): FieldValue | undefined {
  if (given === undefined || given === null || isJsonObject(given)) return undefined;
  return kind === 'many' || typeof given === 'object' ? [given].flat().map(String) : given;
}

/** A schema without a reference or a choice of null, as Pydantic writes enumerations and values that may be absent. */
function plainSchema({ $ref: reference, ...own }: JsonObject, form: JsonObject): JsonObject {
  const { anyOf, ...others }: JsonObject = { ...definitionIn(form, reference), ...own };
  const choices = Array.isArray(anyOf) ? anyOf.filter((each) => !isJsonObject(each) || each['type'] !== 'null') : [];
  const [only] = choices;
  if (choices.length === 1 && isJsonObject(only) && only['const'] === undefined)
    return { ...plainSchema(only, form), ...others };
  return { ...others, ...(anyOf !== undefined && { anyOf }) };
}

function optionsOf(schema: JsonObject): readonly Choice[] {
  const { enum: values, enumNames } = schema;
  const titled = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(titled))
    return titled.flatMap((each) =>
      isJsonObject(each) && typeof each['const'] === 'string'
        ? [{ value: each['const'], title: String(each['title'] ?? each['const']) }]
        : [],
    );
  return (Array.isArray(values) ? values : []).map((value, index) => {
    return { value: String(value), title: String((Array.isArray(enumNames) && enumNames[index]) || value) };
  });
}

/** The value of a field, none if it is left empty, or the reason why it cannot be this one. */
type FieldAnswer = { readonly value?: FieldValue } | { readonly problem: string };

/** Reads the answer to a field: a text that was typed, or a value. Choices are named by value, title or number. */
export function readField(field: FormField, given: JsonValue | undefined): FieldAnswer {
  const { title, required, fallback, rule, accepts, kind, options } = field;
  if (given === undefined || given === null || (typeof given === 'string' && given.trim() === '')) {
    if (fallback !== undefined) return { value: fallback };
    return required ? { problem: `${title} must be given.` } : {};
  }
  const [, , convert] = KINDS[kind];
  const value = convert(given, options);
  const isValid = value !== undefined && conforms<unknown>(value, { json: accepts });
  return isValid ? { value } : { problem: `${title} must be ${rule}.` };
}

/** Reads the answer to a whole form. */
export function readForm(
  schema: JsonObject,
  given: JsonObject,
): { readonly content: Record<string, FieldValue> } | { readonly problem: string } {
  const content: Record<string, FieldValue> = {};
  for (const field of formFields(schema)) {
    const read = readField(field, given[field.name]);
    if ('problem' in read) return read;
    if (read.value !== undefined) content[field.name] = read.value;
  }
  return { content };
}

const SECRET =
  'pass ?(?:word|phrase|code)s?|passwd|secrets?|(?:api|access|private|secret) ?keys?|(?:access|auth|bearer|api|refresh|security)? ?token|credentials?|cvv|cvc|pin|otp|(?:one time|verification|security) codes?|ssn|social security number|credit card|card number|iban';
const NAMED = new RegExp(`(?:^| )(?:${SECRET})(?: |$)`, 'i');
const WANTED = new RegExp(
  `\\b(?:enter|provide|type|paste|give|need|send|supply|what is)\\b[^.?!]{0,40}\\b(?:${SECRET})\\b`,
  'i',
);

/** True for a form that asks for a secret, which the protocol allows only at an address. */
export function asksForSecret(message: string, schema: JsonObject): boolean {
  const words = (text: string) => text.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  return formFields(schema).some(
    ({ kind, name, title, description, rule }) =>
      ['text', 'number', 'integer'].includes(kind) &&
      (rule.includes('format password') ||
        [name, title].some((text) => NAMED.test(words(text))) ||
        WANTED.test(`${message}. ${description}`)),
  );
}
