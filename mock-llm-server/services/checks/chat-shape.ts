import { findFault, type Misfit } from '../../wire/forms/find-faults.ts';
import { decimal, either, type Form, fields, flag, integer, list, tagged, text } from '../../wire/forms/form.ts';
import type { Check, Violation } from '../service.ts';

const FUNCTION = fields({ 'function!': fields({ 'name!': text }) });
/** A tool or a call. Only some services know types without a function. */
const TYPED = tagged('type', { function: FUNCTION }, { absent: FUNCTION, rest: fields({}) });

/** The part of a request of Chat Completions that every service reads in one way. */
const COMMON_SHAPE: Form = fields({
  'messages!': list(
    tagged(
      'role',
      { assistant: fields({ tool_calls: list(TYPED) }), tool: fields({ 'tool_call_id!': text }) },
      { rest: fields({}) },
    ),
  ),
  tools: list(TYPED),
  temperature: decimal(),
  top_p: decimal(),
  max_tokens: integer,
  max_completion_tokens: integer,
  presence_penalty: decimal(),
  frequency_penalty: decimal(),
  seed: integer,
  stream: flag,
  stop: either(text, list(text)),
});

/** A value that a service cannot read: where it is, and the type that it should have. */
export interface Unreadable {
  readonly path: readonly (string | number)[];
  /** Absent if a required field is missing. */
  readonly expected?: 'number' | 'integer' | 'boolean' | 'string' | 'list' | 'object';
  readonly found: unknown;
}

/**
 * Refuses a value of another type than every service reads, a tool or a call without its function, and a result without
 * the id of its call. `isLax`: a number or a flag as text is read.
 */
export function refuseUnreadable(describe: (fault: Unreadable) => Violation | undefined, isLax = false): Check {
  return ({ body }) => {
    const fault = findFault(body, COMMON_SHAPE, true);
    if (fault === undefined || (isLax && isReadableText(fault))) return undefined;
    const { kind, path, found } = fault;
    return describe({ path, found, ...(kind === 'type' && { expected: typeOf(fault.shape) }) });
  };
}

function isReadableText({ shape, found }: Misfit): boolean {
  if (typeof found === 'number' && shape.type === 'integer') return false;
  if (typeof found !== 'string' || found.trim() === '') return false;
  if (shape.type === 'boolean') return /^(?:true|false|0|1|yes|no|on|off)$/i.test(found);
  const isNumber = shape.type === 'decimal' || shape.type === 'integer';
  return isNumber && !Number.isNaN(Number(found));
}

function typeOf({ type }: Form): NonNullable<Unreadable['expected']> {
  switch (type) {
    case 'decimal':
      return 'number';
    case 'integer':
    case 'boolean':
    case 'string':
      return type;
    case 'array':
      return 'list';
    default:
      return 'object';
  }
}

/** Pydantic's message for a value that it cannot read, and the type of its error. */
export function pydanticFault({ expected, found }: Unreadable): { readonly kind: string; readonly text: string } {
  switch (expected) {
    case undefined:
      return { kind: 'missing', text: 'Field required' };
    case 'number':
      return typeof found === 'string'
        ? { kind: 'float_parsing', text: 'Input should be a valid number, unable to parse string as a number' }
        : { kind: 'float_type', text: 'Input should be a valid number' };
    case 'integer':
      if (typeof found === 'number')
        return {
          kind: 'int_from_float',
          text: 'Input should be a valid integer, got a number with a fractional part',
        };
      return typeof found === 'string'
        ? { kind: 'int_parsing', text: 'Input should be a valid integer, unable to parse string as an integer' }
        : { kind: 'int_type', text: 'Input should be a valid integer' };
    case 'boolean':
      return typeof found === 'string'
        ? { kind: 'bool_parsing', text: 'Input should be a valid boolean, unable to interpret input' }
        : { kind: 'bool_type', text: 'Input should be a valid boolean' };
    case 'string':
      return { kind: 'string_type', text: 'Input should be a valid string' };
    case 'list':
      return { kind: 'list_type', text: 'Input should be a valid list' };
    case 'object':
      return { kind: 'dict_type', text: 'Input should be a valid dictionary' };
    default:
      return expected satisfies never;
  }
}
