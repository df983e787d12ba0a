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

/**
 * The form that a service demands of a value of a request. `noun` is the name of the form, if the service has its own.
 */
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

/** A number of at least 1. */
export const positive: Form = { type: 'integer', min: 1 };
export const anything: Form = { type: 'any' };
export const flag: Form = { type: 'boolean' };
export const text: Form = { type: 'string' };
export const integer: Form = { type: 'integer' };

export function choice(...values: readonly string[]): Form {
  return { type: 'string', values };
}

/** A number with a fraction, or none. */
export function decimal(min?: number, max?: number): Form {
  return { type: 'decimal', ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

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

/** An object that has only these fields, and those with the names in `others`, which may hold anything. */
export function onlyFields(all: Fields, others = ''): Form {
  const more = others.split(' ').flatMap((name) => (name === '' ? [] : [[name, anything] as const]));
  return fields({ ...all, ...Object.fromEntries(more) }, true);
}

/** An object whose field `by` names its form. */
export function tagged(by: string, cases: Fields, options: TagOptions = {}): Form {
  return { type: 'tagged', by, cases, ...options };
}

/** The first of the forms whose type the value has. */
export function either(...shapes: readonly Form[]): Form {
  return { type: 'either', shapes };
}
