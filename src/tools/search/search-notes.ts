import type { SearchEnd } from '../../ports/text-search.ts';
import { countOf } from '../../text/quantities.ts';

/** The entries that a walk or a search left out, counted by reason while it goes on. */
export interface SkippedFiles {
  /** Entries that a `.gitignore` rule names; the content of an ignored directory is not counted. */
  ignored: number;
  /** Entries that the path rules block. */
  blocked: number;
  links: number;
  binary: number;
  tooLarge: number;
  /** Display paths of the directories and files that could not be read. */
  readonly unreadable: string[];
  /** A sentence about the limit that ended the walk early. */
  limit?: string;
}

/** Files larger than this are not searched. */
export const MAX_SEARCHED_MEGABYTES = 2;

const NAMED_UNREADABLE = 3;

/** Counts for a walk that has not started. */
export function nothingSkipped(): SkippedFiles {
  return { ignored: 0, blocked: 0, links: 0, binary: 0, tooLarge: 0, unreadable: [] };
}

/** Lines for the model about what was left out; none when everything was searched. */
export function describeSkipped(skipped: SkippedFiles): readonly string[] {
  const parts = [
    countSkipped(skipped.ignored, 'entry ignored by .gitignore', 'entries ignored by .gitignore'),
    countSkipped(skipped.blocked, 'blocked path'),
    countSkipped(skipped.links, 'link not followed', 'links not followed'),
    countSkipped(skipped.binary, 'binary file'),
    countSkipped(skipped.tooLarge, `file over ${MAX_SEARCHED_MEGABYTES} MB`, `files over ${MAX_SEARCHED_MEGABYTES} MB`),
    unreadable(skipped.unreadable),
  ].filter((part) => part !== '');
  const lines = parts.length === 0 ? [] : [`Skipped: ${parts.join(', ')}.`];
  return skipped.limit === undefined ? lines : [...lines, `Not everything was searched: ${skipped.limit}`];
}

function countSkipped(count: number, noun: string, plural?: string): string {
  return count === 0 ? '' : countOf(count, noun, plural);
}

function unreadable(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const named = paths.slice(0, NAMED_UNREADABLE).join(', ');
  return `${paths.length} unreadable (${named}${paths.length > NAMED_UNREADABLE ? ', …' : ''})`;
}

/** A line for the model about a search that ended early; none about one that was completed. */
export function describeEnd(end: SearchEnd, advice: string): readonly string[] {
  switch (end.cause) {
    case 'completed':
      return [];
    case 'aborted':
      return ['Stopped before everything was searched.'];
    case 'deadline':
      return [`Stopped after ${end.afterMs / 1000} s, before everything was searched. ${advice}`];
    case 'failed':
      return [`Stopped before everything was searched: the pattern could not be run (${end.reason}). ${advice}`];
    default:
      return end satisfies never;
  }
}

/** True when the search ended before everything was searched. */
export function isPartial(end: SearchEnd): boolean {
  return end.cause !== 'completed';
}
