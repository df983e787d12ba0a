import type { SearchEnd } from '../../ports/text-search.ts';

/** What the model is told about a search that ended early; nothing about one that was completed. */
export function describeEnd(end: SearchEnd, advice: string): readonly string[] {
  switch (end.cause) {
    case 'completed':
      return [];
    case 'aborted':
      return ['Stopped before everything was looked at.'];
    case 'deadline':
      return [`Stopped after ${end.afterMs / 1000} s, before everything was looked at. ${advice}`];
    case 'failed':
      return [`Stopped before everything was looked at: the pattern could not be run (${end.reason}). ${advice}`];
    default:
      return end satisfies never;
  }
}

/** True when there may be more than was found. */
export function isPartial(end: SearchEnd): boolean {
  return end.cause !== 'completed';
}
