import { isJsonObject } from '../../conversation/json.ts';
import type { Bounds, Form } from './form.ts';

type Fits = (value: unknown) => boolean;

const PLAIN: Readonly<Record<'any' | 'boolean' | 'null', Fits>> = {
  any: () => true,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

const compiled = new WeakMap<Form, Fits>();
const compiledForNull = new WeakMap<Form, Fits>();

/**
 * True if a value has no fault. Nearly every request has none, and this finds it out with one function for each form,
 * which notes no path. If `nullIsAbsent`, a field that is not required may be null.
 */
export function fits(value: unknown, shape: Form, nullIsAbsent: boolean): boolean {
  const kept = nullIsAbsent ? compiledForNull : compiled;
  let known = kept.get(shape);
  if (known === undefined) {
    known = compile(shape, nullIsAbsent);
    kept.set(shape, known);
  }
  return known(value);
}

function compile(shape: Form, nullIsAbsent: boolean): Fits {
  switch (shape.type) {
    case 'any':
    case 'boolean':
    case 'null':
      return PLAIN[shape.type];
    case 'integer':
      return (value) => typeof value === 'number' && Number.isInteger(value) && isWithin(value, shape);
    case 'decimal':
      return (value) => typeof value === 'number' && isWithin(value, shape);
    case 'string': {
      const { values } = shape;
      const pattern = shape.pattern === undefined ? undefined : new RegExp(`^(?:${shape.pattern})$`);
      return (value) =>
        typeof value === 'string' &&
        (values?.includes(value) ?? true) &&
        (pattern?.test(value) ?? true) &&
        isWithin(value.length, shape);
    }
    case 'array': {
      const of = compile(shape.of, nullIsAbsent);
      return (value) => Array.isArray(value) && isWithin(value.length, shape) && value.every(of);
    }
    case 'map': {
      const of = compile(shape.of, nullIsAbsent);
      const { maxName = Number.POSITIVE_INFINITY } = shape;
      return (value) => {
        if (!isJsonObject(value)) return false;
        const names = Object.keys(value);
        return isWithin(names.length, shape) && names.every((name) => name.length <= maxName && of(value[name]));
      };
    }
    case 'object':
      return compileObject(shape, nullIsAbsent);
    case 'tagged': {
      const { by, absent, rest } = shape;
      const cases = new Map(Object.entries(shape.cases).map(([tag, one]) => [tag, compile(one, nullIsAbsent)]));
      const other = rest && compile(rest, nullIsAbsent);
      const none = absent === undefined ? other : compile(absent, nullIsAbsent);
      return (value) => {
        if (!isJsonObject(value)) return false;
        const tag = value[by];
        if (tag === undefined) return none?.(value) ?? false;
        return ((typeof tag === 'string' ? cases.get(tag) : undefined) ?? other)?.(value) ?? false;
      };
    }
    case 'either': {
      const all = shape.shapes.map((one) => compile(one, nullIsAbsent));
      return (value) => all.some((one) => one(value));
    }
    default:
      return shape satisfies never;
  }
}

function compileObject(shape: Extract<Form, { type: 'object' }>, nullIsAbsent: boolean): Fits {
  const { required, isClosed } = shape;
  const known = new Map(Object.entries(shape.fields).map(([name, of]) => [name, compile(of, nullIsAbsent)]));
  const mayBeNull = (name: string) => nullIsAbsent && !required.includes(name);
  return (value) => {
    if (!isJsonObject(value)) return false;
    for (const name of required) if (value[name] === undefined) return false;
    for (const name in value) {
      const of = known.get(name);
      const field = value[name];
      if (of === undefined ? isClosed : field !== undefined && !of(field) && (field !== null || !mayBeNull(name))) {
        return false;
      }
    }
    return true;
  };
}

function isWithin(size: number, { min, max }: Bounds): boolean {
  return (min === undefined || size >= min) && (max === undefined || size <= max);
}
