import type { Key } from '../keys/key.ts';
import { atEnd, type Buffer } from './buffer.ts';

/** A search backwards in the history. */
export interface Search {
  readonly query: string;
  /** The index of the found message; absent if there is none. */
  readonly found?: number | undefined;
  /** The line that was found; without a query, the line at the start of the search. */
  readonly buffer: Buffer;
  /** The last search step found nothing more. */
  readonly failed: boolean;
}

/** A search that has no query yet. */
export function startSearch(buffer: Buffer): Search {
  return { query: '', buffer, failed: false };
}

/**
 * The search after a key: Ctrl-R searches further back, and Esc, Ctrl-G and Ctrl-C cancel the search. Any other key accepts
 * the line that was found, and then has its own effect on it.
 */
export function continueSearch(
  search: Search,
  key: Key,
  history: readonly string[],
): Search | 'cancelled' | 'accepted' {
  if (key.type !== 'key') return find(search, search.query + key.text, history, false);
  switch (key.name) {
    case 'C-r':
      return find(search, search.query, history, true);
    case 'Backspace':
    case 'C-h':
      return find({ ...search, found: undefined }, search.query.slice(0, -1), history, false);
    case 'Esc':
    case 'C-g':
    case 'C-c':
      return 'cancelled';
    default:
      return 'accepted';
  }
}

function find(search: Search, query: string, history: readonly string[], further: boolean): Search {
  if (query === '') return { ...search, query, failed: false };
  const start = search.found ?? history.length - (further ? 0 : 1);
  const shown = search.found === undefined ? undefined : history[search.found];
  const wanted = query.toLowerCase();
  for (let index = further && search.found !== undefined ? start - 1 : start; index >= 0; index -= 1) {
    const text = history[index];
    if (text === undefined || !text.toLowerCase().includes(wanted) || (further && text === shown)) continue;
    const place = text.toLowerCase().indexOf(wanted);
    return { query, found: index, buffer: { ...atEnd(text), cursor: place }, failed: false };
  }
  return { ...search, query, failed: true };
}
