import { atEnd, type Buffer } from './buffer.ts';
import type { Key } from './key.ts';

/** A search backwards in the history. */
export interface Search {
  readonly query: string;
  /** The index of the message that was found; absent: nothing was. */
  readonly found?: number | undefined;
  /** The line that is found: that of the start while there is no query. */
  readonly buffer: Buffer;
  /** The last search step found nothing more. */
  readonly failed: boolean;
}

/** The search after a key. `passKey`: the key has an effect on the line that was found, too. */
export type SearchStep =
  | { readonly type: 'search'; readonly search: Search }
  | { readonly type: 'found'; readonly buffer: Buffer; readonly passKey: boolean }
  | { readonly type: 'cancelled' };

/** A search that has no query yet. */
export function startSearch(buffer: Buffer): Search {
  return { query: '', buffer, failed: false };
}

/** The search after a key: Ctrl-R looks further back, Esc, Ctrl-G and Ctrl-C give up, any other key takes the line. */
export function continueSearch(search: Search, key: Key, history: readonly string[]): SearchStep {
  if (key.type !== 'key') return { type: 'search', search: find(search, search.query + key.text, history, false) };
  switch (key.name) {
    case 'C-r':
      return { type: 'search', search: find(search, search.query, history, true) };
    case 'Backspace':
    case 'C-h':
      return {
        type: 'search',
        search: find({ ...search, found: undefined }, search.query.slice(0, -1), history, false),
      };
    case 'Esc':
    case 'C-g':
    case 'C-c':
      return { type: 'cancelled' };
    default:
      return { type: 'found', buffer: search.buffer, passKey: true };
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
