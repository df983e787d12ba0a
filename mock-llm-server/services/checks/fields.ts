import type { JsonObject } from '../../conversation/conversation.ts';
import { listOf, objectOf } from '../raw.ts';
import type { Check, RawRequest, Violation } from '../service.ts';

export function refuseField(field: string, violation: Violation): Check {
  return ({ body }) => (isSet(body[field]) ? violation : undefined);
}

/** Refuses requests whose body meets a condition. */
export function refuseIf(condition: (body: JsonObject, request: RawRequest) => boolean, violation: Violation): Check {
  return (request) => (condition(request.body, request) ? violation : undefined);
}

/** Marks a check that reads nothing but the tools of a request and its protocol. */
export function ofTools(check: (request: RawRequest) => Violation | undefined): Check {
  return Object.assign((request: RawRequest) => check(request), { readsOnlyTools: true as const });
}

/** Refuses a list of more than `max` tools. */
export function limitTools(max: number, describe: (count: number) => Violation): Check {
  return ofTools(limitList('tools', max, describe));
}

/** Refuses a list of more than `max` items. */
export function limitList(field: string, max: number, describe: (count: number) => Violation): Check {
  return ({ body }) => {
    const { length } = listOf(body[field]);
    return length > max ? describe(length) : undefined;
  };
}

/** Refuses a number outside a range. */
export function limitNumber(
  field: string,
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: { readonly min?: number; readonly max?: number },
  describe: (value: number) => Violation,
): Check {
  return ({ body }) => {
    const value = body[field];
    return typeof value === 'number' && (value < min || value > max) ? describe(value) : undefined;
  };
}

/** The first violation that the checks find. */
export function firstOf(checks: readonly Check[]): Check {
  return (request) => {
    for (const check of checks) {
      const violation = check(request);
      if (violation !== undefined) return violation;
    }
    return undefined;
  };
}

/** True for a value that is neither absent nor null. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Refuses the format `json_object` if no message contains the word JSON, in any case. */
export function refuseWithoutWord(violation: Violation): Check {
  return refuseIf(
    ({ response_format: format, messages }) =>
      objectOf(format)['type'] === 'json_object' && !/json/i.test(JSON.stringify(messages ?? '')),
    violation,
  );
}
