import { ToolError } from '../core/errors.ts';
import type { SearchEnd } from '../ports/text-search.ts';

/**
 * What the model is told about how a search ended; nothing for one that was completed. A search that failed becomes
 * `ToolError` `invalid_pattern`, because patterns are all that can make one fail.
 */
export function describeEnd(end: SearchEnd, advice: string): readonly string[] {
  switch (end.cause) {
    case 'completed':
    case 'aborted':
      return [];
    case 'deadline':
      return [
        `Stopped after ${end.afterMs / 1000} s before everything was looked at; this is what was found. ${advice}`,
      ];
    case 'failed':
      throw new ToolError('invalid_pattern', `The pattern cannot be matched: ${end.reason}. ${advice}`);
    default:
      return end satisfies never;
  }
}
