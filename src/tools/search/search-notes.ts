import { compareCodePoints } from '../../text/compare-code-points.ts';
import { countOf } from '../../text/quantities.ts';
import type { SearchEnd, SkippedFiles } from './text-search.ts';

/** Files larger than this are not searched. */
export const MAX_SEARCHED_MEGABYTES = 2;

const MAX_NAMED_UNREADABLE = 3;

/** Creates the counts of a new walk. */
export function createSkippedFiles(): SkippedFiles {
  return {
    ignored: 0,
    packages: 0,
    blocked: 0,
    secret: 0,
    links: 0,
    unnamed: 0,
    binary: 0,
    tooLarge: 0,
    unreadable: [],
  };
}

/** Adds the counts of a part of a search to those of all of it. */
export function addSkipped(all: SkippedFiles, part: SkippedFiles): void {
  for (const key of COUNTS) all[key] += part[key];
  for (const path of part.unreadable) if (!all.unreadable.includes(path)) all.unreadable.push(path);
  if (part.limit !== undefined) all.limit ??= part.limit;
}

const COUNTS = ['ignored', 'packages', 'blocked', 'secret', 'links', 'unnamed', 'binary', 'tooLarge'] as const;

/** Lines for the model about skipped entries; empty if nothing was skipped. */
export function describeSkipped(skipped: SkippedFiles): readonly string[] {
  const parts = [
    countSkipped(skipped.ignored, 'entry ignored by .gitignore', 'entries ignored by .gitignore'),
    countSkipped(skipped.packages, 'directory of installed packages', 'directories of installed packages'),
    countSkipped(skipped.blocked, 'blocked path'),
    countSkipped(skipped.secret, 'file that may hold secrets', 'files that may hold secrets'),
    countSkipped(skipped.links, 'link not followed', 'links not followed'),
    countSkipped(skipped.unnamed, 'entry whose name is not UTF-8', 'entries whose names are not UTF-8'),
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
  const named = [...paths].sort(compareCodePoints).slice(0, MAX_NAMED_UNREADABLE).join(', ');
  return `${paths.length} unreadable (${named}${paths.length > MAX_NAMED_UNREADABLE ? ', …' : ''})`;
}

/** A line for the model about a search that ended early; empty for a completed one. */
export function describeEnd(end: SearchEnd, advice: string): readonly string[] {
  switch (end.cause) {
    case 'completed':
      return [];
    case 'enough':
      return ['Stopped, because far more lines match than can be shown. Use a more exact pattern.'];
    case 'aborted':
      return ['Stopped before everything was searched.'];
    case 'deadline':
      return [`Stopped after ${end.afterMs / 1000} s, before everything was searched. ${advice}`];
    case 'failed':
      return [`Stopped before everything was searched: the pattern could not be run (${end.reason}). ${advice}`];
  }
}

/** True if the search ended before everything was searched. */
export function isPartial(end: SearchEnd): boolean {
  return end.cause !== 'completed';
}
