import { isJsonObject, type JsonObject } from '../../text/json/json.ts';

const MAX_PAGES = 100;

/** Reads a page of a list; `cursor` is absent for the first. */
export type ReadPage = (cursor: string | undefined) => Promise<unknown>;

/**
 * Reads a list page by page, as long as `add` finds something new in a page. `isModern`: the revision knows "" as a cursor.
 * Resolves to one line for each page that cannot be read; rejects if that is the first.
 */
export async function readPages(
  readPage: ReadPage,
  key: string,
  isModern: boolean,
  add: (item: unknown) => boolean,
): Promise<readonly string[]> {
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    let read: unknown;
    try {
      read = await readPage(cursor);
    } catch (error) {
      if (page === 0) throw error;
      return [`page ${page + 1} of the ${key} cannot be read; those before it are kept`];
    }
    const given: JsonObject = isJsonObject(read) ? read : {};
    const listed = Array.isArray(given[key]) ? given[key] : [];
    if (page === 0 && isJsonObject(given[key])) return [`the list of ${key} is no list, and cannot be read`];
    const isNew = listed.map(add).includes(true);
    const next = given['nextCursor'];
    if (typeof next !== 'string' || (next === '' && !isModern) || cursors.has(next) || !isNew) break;
    cursors.add(next);
    cursor = next;
  }
  return [];
}
