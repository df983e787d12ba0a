import type { JsonObject } from '../../conversation/conversation.ts';
import { instanceOfPattern } from './pattern-instance.ts';
import type { Budget } from './schema-budget.ts';
import { numberOf } from './schema-parts.ts';

const MAX_LENGTH = 10_000;
const MAX_NUMBERS = 1000;
/** Of a pattern, which is read for each text anew. */
const STEPS_A_SIGN = 2;
const STEPS_A_NUMBER = 1 / 8;

/** Texts of a format, each with its number. */
const FORMATS: Readonly<Record<string, (number: number) => string>> = {
  'date-time': (number) => `${day(number)}T00:00:00Z`,
  date: day,
  time: (number) => `00:00:${two(number % 60)}Z`,
  duration: (number) => `PT${number + 1}S`,
  email: (number) => `user${number === 0 ? '' : number}@example.com`,
  hostname: (number) => (number === 0 ? 'example.com' : `host${number}.example.com`),
  ipv4: (number) => `127.0.0.${1 + (number % 254)}`,
  ipv6: (number) => `::${(number + 1).toString(16)}`,
  uri: (number) => `https://example.com/${number === 0 ? '' : number}`,
  url: (number) => `https://example.com/${number === 0 ? '' : number}`,
  uuid: (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
};

interface TextContext {
  readonly text: string;
  readonly number: number;
  readonly budget: Budget;
}

/**
 * Texts that satisfy a schema, each another one, from the one with the `number` on; `text` where it may be any.
 */
export function* textsFor(schema: JsonObject, { text, number: first, budget }: TextContext): Generator<string> {
  const { pattern } = schema;
  const format = typeof schema['format'] === 'string' ? FORMATS[schema['format']] : undefined;
  const shortest = Math.min(numberOf(schema['minLength']) ?? 0, MAX_LENGTH);
  const longest = numberOf(schema['maxLength']) ?? Number.POSITIVE_INFINITY;
  for (let number = first; ; number++) {
    if (format !== undefined) yield format(number);
    else {
      const fitting = typeof pattern === 'string' ? instanceOfPattern(pattern, shortest + number) : undefined;
      if (typeof pattern === 'string') budget.steps -= pattern.length * STEPS_A_SIGN;
      yield fitting ?? cut(text, number, shortest, longest);
    }
  }
}

/** Ends with its number from the second on, so that all are different. */
function cut(text: string, number: number, shortest: number, longest: number): string {
  const end = number === 0 || longest === 0 ? '' : ` ${number + 1}`.slice(-longest);
  const characters = [...[...text].slice(0, longest - end.length), ...end];
  return characters.join('') + '.'.repeat(Math.max(shortest - characters.length, 0));
}

/** Numbers that satisfy a schema, each another one: the one nearest to 0, then its neighbours. */
export function* numbersFor(schema: JsonObject, isInteger: boolean, budget: Budget): Generator<number> {
  const stated = unitOf(numberOf(schema['multipleOf']), isInteger, budget);
  const above = numberOf(schema['exclusiveMinimum']) ?? Number.NEGATIVE_INFINITY;
  const below = numberOf(schema['exclusiveMaximum']) ?? Number.POSITIVE_INFINITY;
  const least = Math.max(numberOf(schema['minimum']) ?? above, above);
  const most = Math.min(numberOf(schema['maximum']) ?? below, below);
  const isAnywhere = least === Number.NEGATIVE_INFINITY && most === Number.POSITIVE_INFINITY;
  const start = Math.min(Math.max(isAnywhere ? saidLowest(schema['description']) : 0, least), most);
  // Large numbers are further apart than the step.
  const unit = stated !== undefined && Number.isSafeInteger(Math.round(start / stated)) ? stated : undefined;
  const first = unit === undefined ? start : start < 0 ? Math.floor(start / unit) : Math.ceil(start / unit);
  const closest = Math.max(Math.min((most - least) / 16, 0.5), Math.abs(start) * Number.EPSILON);
  const step = unit === undefined ? closest : 1;
  // Rounding takes long, and fractions alone need it.
  const valueAt = (place: number) =>
    unit === undefined || Number.isInteger(unit) ? place * (unit ?? 1) : Number((place * unit).toPrecision(15));
  for (let distance = 0; distance < MAX_NUMBERS; distance++) {
    const [up, down] = [valueAt(first + distance * step), valueAt(first - distance * step)];
    if (up > most && down < least) return;
    budget.steps -= STEPS_A_NUMBER;
    for (const value of distance === 0 ? [up] : [up, down]) {
      const fits = value >= least && value <= most && value > above && value < below;
      // A minus before a zero is nothing that JSON has.
      if (fits) yield value + 0;
    }
  }
}

/** The step from one number to the next; nothing where there is none. */
function unitOf(multiple: number | undefined, isInteger: boolean, budget: Budget): number | undefined {
  if (multiple === undefined || multiple <= 0) return isInteger ? 1 : undefined;
  if (!isInteger) return multiple;
  for (let times = 1; times <= 1000; times++) {
    budget.steps -= STEPS_A_NUMBER;
    const product = Number((times * multiple).toPrecision(15));
    if (Number.isInteger(product)) return product;
  }
  return 1;
}

/** The first number of a range that a description states: `a score from 1-100`; not every client has it elsewhere. */
function saidLowest(description: unknown): number {
  if (typeof description !== 'string') return 0;
  const [, first, second] =
    /(?<![\w.-])(\d+(?:\.\d+)?)\s*(?:-|–|\.\.|to|and)\s*(\d+(?:\.\d+)?)(?![\w-])/.exec(description) ?? [];
  return Number(first) < Number(second) ? Number(first) : 0;
}

function day(number: number): string {
  return `2025-${two(1 + (Math.floor(number / 28) % 12))}-${two(1 + (number % 28))}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
