import type { JsonObject, JsonValue } from '../../../agent/ports/json.ts';
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

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'one' | 'many';
  readonly required: boolean;
  /** The choices of `one` and `many`. */
  readonly options: readonly { readonly value: string; readonly title: string }[];
  /** The value of an empty answer. */
  readonly fallback?: JsonValue | undefined;
  readonly schema: JsonObject;
}

/** The fields of a schema, in its order. */
export function formFields(form: JsonObject): readonly FormField[] {
  const { properties, required } = form;
  return Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, written]): FormField[] => {
    if (!isJsonObject(written)) return [];
    const schema = plainSchema(written, form);
    const { type, title = name, description = '', items, default: given } = schema;
    const options = optionsOf(type === 'array' && isJsonObject(items) ? plainSchema(items, form) : schema);
    // Some servers write one choice where a list is meant, and null for no value.
    const fallback = given === null ? undefined : type === 'array' && given !== undefined ? [given].flat() : given;
    const typed = KINDS.find((kind) => kind === type) ?? 'text';
    return [
      {
        ...{ name, title: String(title), description: String(description), options, fallback, schema },
        kind: type === 'array' ? 'many' : options.length > 0 ? 'one' : typed,
        required: Array.isArray(required) && required.includes(name),
      },
    ];
  });
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

const KINDS = ['number', 'integer', 'boolean'] as const;

function optionsOf(schema: JsonObject): FormField['options'] {
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
export type FieldValue = { readonly value?: JsonValue } | { readonly problem: string };

/** Reads the answer to a field: a text that was typed, or a value. Choices are named by value, title or number. */
export function readField(field: FormField, given: JsonValue | undefined): FieldValue {
  const { kind, required, fallback, schema } = field;
  const problem = (text: string): FieldValue => ({ problem: `${field.title} must ${text}.` });
  const text = typeof given === 'string' ? given.trim() : undefined;
  if (given === undefined || given === null || text === '') {
    if (fallback !== undefined) return { value: fallback };
    return required ? problem('be given') : {};
  }
  /** `value`, if this many of it are within the limits of the schema. */
  const within = (value: JsonValue, size: number, verb: string, of: string, limits: readonly [string, string]) => {
    const [min, max] = limits.map((key) => schema[key]).map((limit) => (typeof limit === 'number' ? limit : undefined));
    if (size >= (min ?? size) && size <= (max ?? size)) return { value };
    if (max === undefined) return problem(`${verb} at least ${min}${of}`);
    return problem(`${verb} ${(min ?? 0) === 0 ? 'at most' : `${min} to`} ${max}${of}`);
  };
  switch (kind) {
    case 'text': {
      const { format } = schema;
      if (typeof given !== 'string') return problem('be a text');
      if (FORMATS[String(format)]?.(given.trim()) === false) return problem(`have the format ${String(format)}`);
      return within(given, [...given].length, 'have', ' characters', ['minLength', 'maxLength']);
    }
    case 'number':
    case 'integer': {
      const value = text === undefined ? given : Number(text.replace(',', '.'));
      if (typeof value !== 'number' || !Number.isFinite(value)) return problem('be a number');
      if (kind === 'integer' && !Number.isInteger(value)) return problem('be an integer');
      return within(value, value, 'be', '', ['minimum', 'maximum']);
    }
    case 'boolean': {
      const value = text === undefined ? given : BOOLEANS[text.toLowerCase()];
      return typeof value === 'boolean' ? { value } : problem('be y or n');
    }
    case 'one': {
      const value = choiceOf(field, given);
      return value === undefined ? problem(`be ${choices(field)}`) : { value };
    }
    case 'many': {
      const named: readonly JsonValue[] = Array.isArray(given) ? given : String(given).split(',');
      const values = named.map((each) => choiceOf(field, each)).filter((value) => value !== undefined);
      if (values.length < named.length) return problem(`be some of ${choices(field)}, with commas`);
      return within(values, values.length, 'be', ` of ${choices(field)}`, ['minItems', 'maxItems']);
    }
  }
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  ...{ y: true, yes: true, true: true, 1: true },
  ...{ n: false, no: false, false: false, 0: false },
};

/** Checks of the string formats; a server checks other constraints itself. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => /^\d{4}-\d\d-\d\d[Tt ]/.test(text) && !Number.isNaN(Date.parse(text)),
};

/** Reads the answer to a whole form. */
export function readForm(
  schema: JsonObject,
  given: JsonObject,
): { readonly content: JsonObject } | { readonly problem: string } {
  const content: Record<string, JsonValue> = {};
  for (const field of formFields(schema)) {
    const read = readField(field, given[field.name]);
    if ('problem' in read) return read;
    if (read.value !== undefined) content[field.name] = read.value;
  }
  return { content };
}

/** The choices of a field, with their numbers. */
export function choices({ options }: FormField): string {
  return options
    .map(({ value, title }, index) => `${index + 1} ${title === value ? value : `${title} (${value})`}`)
    .join(', ');
}

function choiceOf({ options }: FormField, given: JsonValue): string | undefined {
  const text = String(given).trim();
  const found =
    options.find(({ value }) => value === text) ??
    options.find(({ title }) => title.toLowerCase() === text.toLowerCase()) ??
    options[Number(text) - 1];
  return found?.value;
}

const SECRET =
  'pass ?words?|passwd|pass ?phrases?|pass ?codes?|secrets?|(?:api|access|private|secret) ?keys?|(?:access|auth|bearer|api|refresh|security)? ?token|credentials?|cvv|cvc|pin|otp|(?:one time|verification|security) codes?|ssn|social security number|credit card|card number|iban';
const NAMED = new RegExp(`(?:^| )(?:${SECRET})(?: |$)`, 'i');
const WANTED = new RegExp(
  `\\b(?:enter|provide|type|paste|give|need|send|supply|what is)\\b[^.?!]{0,40}\\b(?:${SECRET})\\b`,
  'i',
);

/** True for a form that asks for a secret, which the protocol allows only at an address. */
export function asksForSecret(message: string, schema: JsonObject): boolean {
  const typed = formFields(schema).filter(({ kind }) => kind === 'text' || kind === 'number' || kind === 'integer');
  return typed.some(({ name, title, description, schema: { format } }) => {
    const words = [name, title].map((text) =>
      text.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[^\p{L}\p{N}]+/gu, ' '),
    );
    return format === 'password' || words.some((text) => NAMED.test(text)) || WANTED.test(`${message}. ${description}`);
  });
}
