import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { fits } from './fits.ts';
import { type Bounds, choice, type Form } from './form.ts';

/** A value of a request that does not have its form. `path` leads to it; `bound` is the limit that it exceeds. */
export interface Misfit {
  readonly kind: 'type' | 'value' | 'missing' | 'unknown' | 'name' | 'pattern' | 'min' | 'max';
  readonly path: readonly (string | number)[];
  readonly shape: Form;
  readonly found: unknown;
}

/** The first fault of a value. If `nullIsAbsent`, a field that is not required may be null. */
export function findFault(found: unknown, shape: Form, nullIsAbsent: boolean): Misfit | undefined {
  if (fits(found, shape, nullIsAbsent)) return undefined;
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
  if (fits(found, shape, true)) return [];
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

/** Reports the faults of a value. Returns true if the search has ended. Runs for each value of a request. */
function visit(found: unknown, shape: Form, step: Step | undefined, context: Visit): boolean {
  if (!hasType(found, shape)) return fault('type', found, shape, step, context);
  switch (shape.type) {
    case 'any':
    case 'boolean':
    case 'null':
      return false;
    case 'integer':
    case 'decimal':
      return outside(Number(found), found, shape, step, context);
    case 'string': {
      const value = String(found);
      if (shape.values?.includes(value) === false) return fault('value', found, shape, step, context);
      const isOther = shape.pattern !== undefined && !new RegExp(`^(?:${shape.pattern})$`).test(value);
      if (isOther && fault('pattern', found, shape, step, context)) return true;
      return outside(value.length, found, shape, step, context);
    }
    case 'array': {
      const items: readonly unknown[] = Array.isArray(found) ? found : [];
      if (outside(items.length, found, shape, step, context)) return true;
      if (shape.of.type === 'any') return false;
      return items.some((item, key) => visit(item, shape.of, { before: step, key }, context));
    }
    case 'map': {
      const entries = isJsonObject(found) ? Object.entries(found) : [];
      const long = entries.find(([name]) => name.length > (shape.maxName ?? name.length))?.[0];
      if (long !== undefined) return fault('name', long, shape, { before: step, key: long }, context);
      if (outside(entries.length, found, shape, step, context)) return true;
      return entries.some(([key, value]) => visit(value, shape.of, { before: step, key }, context));
    }
    case 'object':
      return visitObject(isJsonObject(found) ? found : {}, shape, step, context);
    case 'tagged':
      return visitTagged(isJsonObject(found) ? found : {}, shape, step, context);
    case 'either': {
      const of = shape.shapes.find((one) => hasType(found, one));
      return of === undefined ? fault('type', found, shape, step, context) : visit(found, of, step, context);
    }
    default:
      return shape satisfies never;
  }
}

function visitObject(
  object: JsonObject,
  shape: Extract<Form, { type: 'object' }>,
  step: Step | undefined,
  context: Visit,
): boolean {
  for (const key of shape.required) {
    if (object[key] !== undefined) continue;
    if (fault('missing', undefined, shape, { before: step, key }, context)) return true;
  }
  for (const key of shape.isClosed ? Object.keys(object) : []) {
    if (Object.hasOwn(shape.fields, key)) continue;
    if (fault('unknown', object[key], shape, { before: step, key }, context)) return true;
  }
  for (const key in shape.fields) {
    const value = object[key];
    const of = shape.fields[key];
    if (of === undefined || value === undefined || of.type === 'any') continue;
    if (value === null && context.nullIsAbsent && !shape.required.includes(key)) continue;
    if (visit(value, of, { before: step, key }, context)) return true;
  }
  return false;
}

function visitTagged(
  object: JsonObject,
  shape: Extract<Form, { type: 'tagged' }>,
  step: Step | undefined,
  context: Visit,
): boolean {
  const tag = object[shape.by];
  const known = typeof tag === 'string' && Object.hasOwn(shape.cases, tag) ? shape.cases[tag] : undefined;
  const of = known ?? (tag === undefined ? shape.absent : undefined) ?? shape.rest;
  if (of !== undefined) {
    return visit(object, of, shape.isInPath ? { before: step, key: String(tag) } : step, context);
  }
  const field = { before: step, key: shape.by };
  if (typeof tag === 'string' && shape.all?.includes(tag) === false) {
    return fault('value', tag, choice(...shape.all), field, context);
  }
  if (shape.isWhole && (tag !== undefined || !shape.isInPath)) {
    return fault('value', typeof tag === 'string' ? tag : '', shape, step, context);
  }
  if (typeof tag === 'object' && tag !== null) {
    return fault('type', tag, choice(...Object.keys(shape.cases)), field, context);
  }
  return fault(tag === undefined ? 'missing' : 'value', tag, shape, field, context);
}

/** Reports a fault. Returns true if the search has ended. */
function fault(kind: Misfit['kind'], found: unknown, shape: Form, step: Step | undefined, { report }: Visit): boolean {
  return report({ kind, path: pathOf(step), shape, found });
}

/** Reports a number, a length or a count that exceeds a bound of its form. */
function outside(size: number, found: unknown, shape: Form & Bounds, step: Step | undefined, context: Visit): boolean {
  const { min = size, max = size } = shape;
  if (size < min) return fault('min', found, shape, step, context);
  return size > max && fault('max', found, shape, step, context);
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
