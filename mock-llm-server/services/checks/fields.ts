import { listOf } from '../raw.ts';
import type { Check, Violation } from '../service.ts';

/** Refuses requests that have a field. */
export function refuseField(field: string, violation: Violation): Check {
  return ({ body }) => (body[field] === undefined || body[field] === null ? undefined : violation);
}

/** Refuses a list of more than `max` tools. */
export function limitTools(max: number, describe: (count: number) => Violation): Check {
  return ({ body }) => {
    const { length } = listOf(body['tools']);
    return length > max ? describe(length) : undefined;
  };
}
