import { countOf } from '../../text/quantities.ts';

/** What a walk or a search left out, and why. Filled while it goes on. */
export interface SkippedFiles {
  /** Entries that a `.gitignore` rule names; what lies in an ignored directory is not counted. */
  ignored: number;
  /** Entries that the path rules block. */
  blocked: number;
  links: number;
  binary: number;
  tooLarge: number;
  /** Directories and files that could not be read, as they are displayed. */
  readonly unreadable: string[];
  /** The limit that ended the walk early, in words. */
  limit?: string;
}

/** Files larger than this are not searched. */
export const MAX_SEARCHED_MEGABYTES = 2;

const NAMED_UNREADABLE = 3;

export function nothingSkipped(): SkippedFiles {
  return { ignored: 0, blocked: 0, links: 0, binary: 0, tooLarge: 0, unreadable: [] };
}

/** The lines that tell the model what was left out; none when everything was looked at. */
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
  return skipped.limit === undefined ? lines : [...lines, `Not everything was looked at: ${skipped.limit}`];
}

function countSkipped(count: number, noun: string, plural?: string): string {
  return count === 0 ? '' : countOf(count, noun, plural);
}

function unreadable(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const named = paths.slice(0, NAMED_UNREADABLE).join(', ');
  return `${paths.length} unreadable (${named}${paths.length > NAMED_UNREADABLE ? ', …' : ''})`;
}
