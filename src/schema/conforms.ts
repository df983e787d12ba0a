import type { ZodType } from 'zod';

type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

/** The part of JSON Schema that the schemas of ybs need. Lengths count characters, as in zod. */
export interface JsonSchema {
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | boolean)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** Absent: other properties may have any value. */
  readonly additionalProperties?: JsonSchema | false;
  readonly propertyNames?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  /** Names of functions that must also accept a value that fits all else, see `Checks`. */
  readonly checks?: readonly string[];
  /** The value of an absent property, see `withDefaults`. */
  readonly default?: string | number | boolean;
}

/** A schema as data. `Value` is the type of the values that conform to it; nothing has the field `value`. */
export interface DataSchema<Value> {
  readonly json: JsonSchema;
  readonly value?: Value;
}

/** A schema as data that can also explain why a value does not conform to it. */
export interface ExplainedSchema<Value> extends DataSchema<Value> {
  /** Loads the schema that the data was made from, and with it zod. */
  readonly zod: () => Promise<ZodType>;
}

export type ValueOf<Schema extends DataSchema<unknown>> = NonNullable<Schema['value']>;

/** The functions of the named checks of a schema. They are called for values that fit the rest of it. */
export type Checks = Readonly<Record<string, { accepts(value: unknown): boolean }>>;

const NO_CHECKS: Checks = {};

/**
 * True if a value conforms to a schema. A value from `JSON.parse` conforms to `dataSchema(schema)` if zod accepts it, but
 * it does not load zod, which takes longer than most commands of ybs. `checks` has every check that the schema
 * names.
 */
export function conforms<Value>(
  value: unknown,
  { json }: DataSchema<Value>,
  checks: Checks = NO_CHECKS,
): value is Value {
  return fits(value, json, checks);
}

function fits(value: unknown, schema: JsonSchema, checks: Checks): boolean {
  if (schema.anyOf !== undefined && !schema.anyOf.some((option) => fits(value, option, checks))) return false;
  if (schema.const !== undefined && value !== schema.const) return false;
  if (schema.enum !== undefined && !schema.enum.some((option) => option === value)) return false;
  const { type } = schema;
  if (typeof type === 'string' && !fitsType(value, type, schema, checks)) return false;
  if (typeof type === 'object' && !type.some((one) => fitsType(value, one, schema, checks))) return false;
  return schema.checks === undefined || schema.checks.every((name) => checkOf(name, checks).accepts(value));
}

function checkOf(name: string, checks: Checks): Checks[string] {
  const check = checks[name];
  if (check === undefined) throw new Error(`the check ${name} of this schema is missing`);
  return check;
}

function fitsType(value: unknown, type: JsonType, schema: JsonSchema, checks: Checks): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string' && fitsString(value, schema);
    case 'number':
      return Number.isFinite(value) && fitsNumber(Number(value), schema);
    case 'integer':
      return Number.isInteger(value) && fitsNumber(Number(value), schema);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value) && fitsArray(value, schema, checks);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) && fitsObject(value, schema, checks);
  }
}

function fitsString(text: string, { minLength, maxLength, pattern }: JsonSchema): boolean {
  if (pattern !== undefined && !expressionOf(pattern).test(text)) return false;
  if (minLength === undefined && maxLength === undefined) return true;
  const { length } = [...text];
  return length >= (minLength ?? 0) && length <= (maxLength ?? length);
}

const expressions = new Map<string, RegExp>();

/** The expression of a pattern, compiled once. Patterns come from schemas, so there are few. */
function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const expression = new RegExp(pattern);
  expressions.set(pattern, expression);
  return expression;
}

function fitsNumber(number: number, { minimum, maximum, exclusiveMinimum }: JsonSchema): boolean {
  const { NEGATIVE_INFINITY, POSITIVE_INFINITY } = Number;
  const isAbove = number >= (minimum ?? NEGATIVE_INFINITY) && number > (exclusiveMinimum ?? NEGATIVE_INFINITY);
  return isAbove && number <= (maximum ?? POSITIVE_INFINITY);
}

function fitsArray(values: readonly unknown[], { items, minItems = 0, maxItems }: JsonSchema, checks: Checks): boolean {
  if (values.length < minItems || values.length > (maxItems ?? values.length)) return false;
  return items === undefined || values.every((value) => fits(value, items, checks));
}

/** A property with the value `undefined` counts as absent. */
function fitsObject(
  object: object,
  { properties = {}, required = [], additionalProperties, propertyNames }: JsonSchema,
  checks: Checks,
): boolean {
  const isPresent = (name: string): boolean => Object.hasOwn(object, name) && Reflect.get(object, name) !== undefined;
  return (
    required.every(isPresent) &&
    Object.entries(object).every(([name, value]) => {
      if (value === undefined) return true;
      if (propertyNames !== undefined && !fits(name, propertyNames, checks)) return false;
      const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      return schema === undefined || (schema !== false && fits(value, schema, checks));
    })
  );
}

/**
 * The value with the defaults of a schema, and without the properties that an object of the schema does not name, as zod
 * returns it. Parts that do not fit stay as they are.
 */
export function withDefaults(value: unknown, schema: JsonSchema): unknown {
  const { items, properties, additionalProperties, anyOf } = schema;
  if (anyOf !== undefined) {
    const option = anyOf.find((one) => fits(value, one, NO_CHECKS));
    return option === undefined ? value : withDefaults(value, option);
  }
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => withDefaults(item, items));
  if (typeof value !== 'object' || value === null) return value;
  if (properties === undefined) {
    if (additionalProperties === undefined || additionalProperties === false) return value;
    // zod leaves out this name.
    const entries = Object.entries(value).filter(([name]) => name !== '__proto__');
    return Object.fromEntries(entries.map(([name, own]) => [name, withDefaults(own, additionalProperties)]));
  }
  const given = new Map<string, unknown>(Object.entries(value));
  const named = Object.entries(properties).map(([name, schema]) => {
    const own = given.get(name);
    return [name, own === undefined ? schema.default : withDefaults(own, schema)] as const;
  });
  return Object.fromEntries(named.filter(([, own]) => own !== undefined));
}
