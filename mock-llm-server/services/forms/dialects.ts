import { bracketPath } from '../../conversation/json.ts';
import type { Misfit } from '../../wire/forms/find-faults.ts';
import { anything, type Form } from '../../wire/forms/form.ts';

/** The type that a value should have, in one word. */
export type TypeName = 'number' | 'integer' | 'boolean' | 'string' | 'list' | 'object';

/** The type of a form; that of its first form if there are several. */
export function typeOf(shape: Form): TypeName {
  switch (shape.type) {
    case 'decimal':
      return 'number';
    case 'integer':
    case 'boolean':
    case 'string':
      return shape.type;
    case 'array':
      return 'list';
    case 'either':
      return typeOf(shape.shapes[0] ?? anything);
    default:
      return 'object';
  }
}

/** The type of a form by its name in JSON Schema. */
export function schemaTypeOf(shape: Form): string {
  const name = typeOf(shape);
  return name === 'list' ? 'array' : name;
}

/** The values that a text may have, or the tags of an object. */
export function valuesOf(shape: Form): readonly string[] {
  if (shape.type === 'tagged') return Object.keys(shape.cases);
  return shape.type === 'string' ? (shape.values ?? []) : [];
}

/** The bounds of a number, a length or a count; 0 for one that it has not. */
export function boundsOf(shape: Form): { readonly min: number; readonly max: number } {
  const { min = 0, max = 0 } = { min: 0, max: 0, ...shape };
  return { min, max };
}

/** The bound that a value exceeds. */
export function boundOf({ kind, shape }: Pick<Misfit, 'kind' | 'shape'>): number {
  const { min, max } = boundsOf(shape);
  return kind === 'min' ? min : max;
}

const PYDANTIC_TYPES: Readonly<Record<TypeName, readonly [kind: string, text: string]>> = {
  number: ['float', 'a valid number'],
  integer: ['int', 'a valid integer'],
  boolean: ['bool', 'a valid boolean'],
  string: ['string', 'a valid string'],
  list: ['list', 'a valid list'],
  object: ['dict', 'a valid dictionary'],
};

/** Pydantic's message for a fault, and the type of its error. */
export function pydanticFault(fault: Misfit): { readonly kind: string; readonly text: string } {
  const { kind, shape, found } = fault;
  switch (kind) {
    case 'missing':
      return { kind: 'missing', text: 'Field required' };
    case 'unknown':
      return { kind: 'extra_forbidden', text: 'Extra inputs are not permitted' };
    case 'value': {
      const quoted = valuesOf(shape).map((value) => `'${value}'`);
      const words = [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter((part) => part !== '').join(' or ');
      return { kind: 'literal_error', text: `Input should be ${words}` };
    }
    case 'min':
    case 'max':
      return outside(fault);
    default: {
      const expected = typeOf(shape);
      const [name, words] = PYDANTIC_TYPES[expected];
      if (expected === 'integer' && typeof found === 'number')
        return { kind: 'int_from_float', text: `Input should be ${words}, got a number with a fractional part` };
      if (typeof found !== 'string' || !/^(?:float|int|bool)$/.test(name))
        return { kind: `${name}_type`, text: `Input should be ${words}` };
      const reason =
        name === 'bool' ? 'interpret input' : `parse string as ${name === 'int' ? 'an integer' : 'a number'}`;
      return { kind: `${name}_parsing`, text: `Input should be ${words}, unable to ${reason}` };
    }
  }
}

function outside(fault: Misfit): { readonly kind: string; readonly text: string } {
  const { kind, shape, found } = fault;
  const bound = boundOf(fault);
  const isLow = kind === 'min';
  const limit = `at ${isLow ? 'least' : 'most'} ${bound}`;
  const s = bound === 1 ? '' : 's';
  if (shape.type === 'array') {
    const count = Array.isArray(found) ? found.length : 0;
    return {
      kind: isLow ? 'too_short' : 'too_long',
      text: `List should have ${limit} item${s} after validation, not ${count}`,
    };
  }
  if (shape.type === 'string')
    return { kind: isLow ? 'string_too_short' : 'string_too_long', text: `String should have ${limit} character${s}` };
  return isLow
    ? { kind: 'greater_than_equal', text: `Input should be greater than or equal to ${bound}` }
    : { kind: 'less_than_equal', text: `Input should be less than or equal to ${bound}` };
}

const RUST_TYPES: Readonly<Record<TypeName, string>> = {
  number: 'f32',
  integer: 'u32',
  boolean: 'a boolean',
  string: 'a string',
  list: 'a sequence',
  object: 'a map',
};

/** The place of a fault and its reason, as the errors of servers in Rust describe them. */
export function serdeFault({ kind, path, shape, found }: Misfit): { readonly place: string; readonly reason: string } {
  if (kind === 'missing') return { place: bracketPath(path.slice(0, -1)), reason: `missing field \`${path.at(-1)}\`` };
  const place = bracketPath(path);
  if (kind !== 'value')
    return { place, reason: `invalid type: ${rustWords(found)}, expected ${RUST_TYPES[typeOf(shape)]}` };
  const values = valuesOf(shape).map((value) => `\`${value}\``);
  return {
    place,
    reason: `unknown variant \`${String(found)}\`, expected ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`,
  };
}

function rustWords(value: unknown): string {
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'number') return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``;
  if (value === null) return 'null';
  return Array.isArray(value) ? 'sequence' : 'map';
}
