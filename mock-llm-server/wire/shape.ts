import { isJsonObject } from '../conversation/json.ts';

/** The bounds of a number, of the length of a text, or of the number of items of a list. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** Fields of an object with their forms, in the order in which the service checks them. */
export type Fields = Readonly<Record<string, Form>>;

/** The objects that no case describes: `absent` is the form without a tag, `rest` that with any other one. */
interface TagOptions {
  readonly absent?: Form;
  readonly rest?: Form;
  /** The service reports an unknown tag for the object, not for its field. */
  readonly isWhole?: true;
  /** The tags of all cases, if another one than those of `cases` is a fault of the object. */
  readonly all?: readonly string[];
  /** The name of the form. */
  readonly noun?: string;
  /** The paths of faults inside the object have its tag. */
  readonly isInPath?: true;
}

/** The form that a service demands of a value of a request. `noun` is the name of the form, if the service has its own. */
export type Form =
  | { readonly type: 'any' | 'boolean' | 'null' }
  | ({ readonly type: 'integer' | 'decimal' } & Bounds)
  | ({
      readonly type: 'string';
      readonly values?: readonly string[];
      /** The characters that it may have, as the service writes the expression. */
      readonly pattern?: string;
      readonly noun?: string;
    } & Bounds)
  | ({ readonly type: 'array'; readonly of: Form; readonly noun?: string } & Bounds)
  | ({ readonly type: 'map'; readonly of: Form; readonly noun?: string; readonly maxName?: number } & Bounds)
  | {
      readonly type: 'object';
      readonly fields: Fields;
      readonly required: readonly string[];
      readonly isClosed: boolean;
    }
  | ({ readonly type: 'tagged'; readonly by: string; readonly cases: Fields } & TagOptions)
  | { readonly type: 'either'; readonly shapes: readonly Form[] };

/** A value of a request that does not have its form. `path` leads to it; `bound` is the limit that it exceeds. */
export interface Misfit {
  readonly kind: 'type' | 'value' | 'missing' | 'unknown' | 'name' | 'pattern' | 'min' | 'max';
  readonly path: readonly (string | number)[];
  readonly shape: Form;
  readonly found: unknown;
}

export const anything: Form = { type: 'any' };
export const flag: Form = { type: 'boolean' };
export const text: Form = { type: 'string' };
export const integer: Form = { type: 'integer' };

/** A text that is one of the values. */
export function choice(...values: readonly string[]): Form {
  return { type: 'string', values };
}

/** A number with a fraction, or none. */
export function decimal(min?: number, max?: number): Form {
  return { type: 'decimal', ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** A list. */
export function list(of: Form, noun?: string, bounds: Bounds = {}): Form {
  return { type: 'array', of, ...(noun !== undefined && { noun }), ...bounds };
}

/** An object that may have other fields. A field whose name ends with `!` is required. */
export function fields(all: Fields, isClosed = false): Form {
  const names = Object.keys(all);
  const required = names.filter((name) => name.endsWith('!')).map((name) => name.slice(0, -1));
  const known = Object.fromEntries(Object.entries(all).map(([name, shape]) => [name.replace(/!$/, ''), shape]));
  return { type: 'object', fields: known, required, isClosed };
}

/** An object that has only these fields. */
export function onlyFields(all: Fields): Form {
  return fields(all, true);
}

/** An object whose field `by` names its form. */
export function tagged(by: string, cases: Fields, options: TagOptions = {}): Form {
  return { type: 'tagged', by, cases, ...options };
}

/** The first of the forms whose type the value has. */
export function either(...shapes: readonly Form[]): Form {
  return { type: 'either', shapes };
}

/** The first fault of a value. If `nullIsAbsent`, a field that is not required may be null. */
export function findFault(found: unknown, shape: Form, nullIsAbsent: boolean): Misfit | undefined {
  let first: Misfit | undefined;
  visit(found, shape, undefined, {
    nullIsAbsent,
    report: (fault) => {
      first = fault;
      return true;
    },
  });
  return first;
}

/** All faults of a value, of which fields that are not required may be null. A value of another type has one. */
export function findFaults(found: unknown, shape: Form): readonly Misfit[] {
  const faults: Misfit[] = [];
  visit(found, shape, undefined, {
    nullIsAbsent: true,
    report: (fault) => {
      faults.push(fault);
      return false;
    },
  });
  return faults;
}

interface Visit {
  readonly nullIsAbsent: boolean;
  /** Takes a fault. Returns true to end the search. */
  readonly report: (fault: Misfit) => boolean;
}

/** A key of a path, and those before it. The path of a fault alone is copied into a list. */
interface Step {
  readonly before: Step | undefined;
  readonly key: string | number;
}

function pathOf(step: Step | undefined): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = step; at !== undefined; at = at.before) path.push(at.key);
  return path.reverse();
}

/** Reports the faults of a value. Returns true if the search has ended. */
function visit(found: unknown, shape: Form, step: Step | undefined, context: Visit): boolean {
  const { nullIsAbsent, report } = context;
  const fault = (kind: Misfit['kind']): boolean => report({ kind, path: pathOf(step), shape, found });
  const inside = (value: unknown, of: Form, key: string | number) => visit(value, of, { before: step, key }, context);
  if (!hasType(found, shape)) return fault('type');
  switch (shape.type) {
    case 'any':
    case 'boolean':
    case 'null':
      return false;
    case 'integer':
    case 'decimal':
      return outside(Number(found), shape, fault);
    case 'string': {
      const value = String(found);
      if (shape.values?.includes(value) === false) return fault('value');
      const isOther = shape.pattern !== undefined && !new RegExp(`^(?:${shape.pattern})$`).test(value);
      return (isOther && fault('pattern')) || outside(value.length, shape, fault);
    }
    case 'array': {
      const items: readonly unknown[] = Array.isArray(found) ? found : [];
      return outside(items.length, shape, fault) || items.some((item, index) => inside(item, shape.of, index));
    }
    case 'map': {
      const entries = isJsonObject(found) ? Object.entries(found) : [];
      const long = entries.find(([name]) => name.length > (shape.maxName ?? name.length))?.[0];
      if (long !== undefined) return report({ kind: 'name', path: [...pathOf(step), long], shape, found: long });
      return outside(entries.length, shape, fault) || entries.some(([name, value]) => inside(value, shape.of, name));
    }
    case 'object': {
      const object = isJsonObject(found) ? found : {};
      for (const name of shape.required) {
        if (object[name] !== undefined) continue;
        if (report({ kind: 'missing', path: [...pathOf(step), name], shape, found: undefined })) return true;
      }
      for (const name of shape.isClosed ? Object.keys(object) : []) {
        if (Object.hasOwn(shape.fields, name)) continue;
        if (report({ kind: 'unknown', path: [...pathOf(step), name], shape, found: object[name] })) return true;
      }
      for (const name in shape.fields) {
        const value = object[name];
        const of = shape.fields[name];
        if (of === undefined || value === undefined) continue;
        if (value === null && nullIsAbsent && !shape.required.includes(name)) continue;
        if (inside(value, of, name)) return true;
      }
      return false;
    }
    case 'tagged': {
      const tag = isJsonObject(found) ? found[shape.by] : undefined;
      const known = typeof tag === 'string' && Object.hasOwn(shape.cases, tag) ? shape.cases[tag] : undefined;
      const of = known ?? (tag === undefined ? shape.absent : undefined) ?? shape.rest;
      if (of !== undefined) {
        return visit(found, of, shape.isInPath ? { before: step, key: String(tag) } : step, context);
      }
      const path = pathOf(step);
      const field = [...path, shape.by];
      if (typeof tag === 'string' && shape.all?.includes(tag) === false) {
        return report({ kind: 'value', path: field, shape: choice(...shape.all), found: tag });
      }
      if (shape.isWhole && (tag !== undefined || !shape.isInPath))
        return report({ kind: 'value', path, shape, found: typeof tag === 'string' ? tag : '' });
      return report({ kind: tag === undefined ? 'missing' : 'value', path: field, shape, found: tag });
    }
    case 'either': {
      const of = shape.shapes.find((one) => hasType(found, one));
      return of === undefined ? fault('type') : visit(found, of, step, context);
    }
    default:
      return shape satisfies never;
  }
}

function outside(size: number, { min = size, max = size }: Bounds, fault: (kind: 'min' | 'max') => boolean): boolean {
  if (size < min) return fault('min');
  return size > max && fault('max');
}

/** True if a value has the type of a form, whatever it holds. */
function hasType(value: unknown, shape: Form): boolean {
  switch (shape.type) {
    case 'any':
      return true;
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'decimal':
      return typeof value === 'number';
    case 'string':
    case 'boolean':
      return typeof value === shape.type;
    case 'array':
      return Array.isArray(value);
    case 'map':
    case 'object':
    case 'tagged':
      return isJsonObject(value);
    case 'either':
      return shape.shapes.some((one) => hasType(value, one));
    default:
      return shape satisfies never;
  }
}
