import { FileSystemError } from '../../agent/errors.ts';
import { displayPath, pathFlavour } from '../../policy/paths/path-policy.ts';
import { decodeFile } from '../../text/bytes/decode.ts';
import {
  compileGlob,
  compileRegex,
  createBytesTest,
  createLineFinder,
  type FindInLine,
  requiredTexts,
} from './match-text.ts';
import { createSkippedFiles, MAX_SEARCHED_MEGABYTES } from './search-notes.ts';
import type { LineFinding, LineQuery, PathQuery, SkippedFiles, TreeFile, TreeFiles } from './text-search.ts';
import { createTreeWalk, type WalkedPart } from './walk-files.ts';

/** A message to a thread. A query comes first; `walk` and `search` then give parts of it, relative to its root. */
export type TreeRequest =
  | { readonly type: 'find_paths'; readonly query: PathQuery }
  | { readonly type: 'find_lines'; readonly query: LineQuery; readonly withSizes: boolean }
  | { readonly type: 'walk'; readonly directories: readonly string[] }
  | { readonly type: 'search'; readonly paths: readonly string[] };

/** The end of a request. */
export type TreeOutcome =
  | { readonly type: 'ready' }
  | (WalkedPart & { readonly type: 'walked' })
  | { readonly type: 'searched'; readonly files: number; readonly skipped: SkippedFiles }
  | { readonly type: 'failed'; readonly reason: string };

/** The compiler of patterns, which a test can limit. */
export interface Compilers {
  readonly glob: typeof compileGlob;
  readonly regex: typeof compileRegex;
}

/** Larger files are not searched. */
export const MAX_BYTES = MAX_SEARCHED_MEGABYTES * 1_000_000;

/** Creates the function that answers the requests of one thread: the findings one by one, and the outcome. */
export function createTreeServer(
  files: TreeFiles,
  compile: Compilers = { glob: compileGlob, regex: compileRegex },
): (request: TreeRequest) => Generator<LineFinding, TreeOutcome> {
  let walk: ReturnType<typeof createTreeWalk> = notAsked;
  let openSearch: () => SearchFile = notAsked;

  return function* answer(request) {
    switch (request.type) {
      case 'find_paths': {
        const { glob } = request.query;
        const matches = compile.glob(glob);
        const listsDirectories = !glob.includes('**') || glob.endsWith('/');
        const test = (path: string): boolean => (listsDirectories || !path.endsWith('/')) && matches(path);
        walk = createTreeWalk(request.query, { type: 'paths', test }, files);
        return { type: 'ready' };
      }
      case 'find_lines': {
        const { query, withSizes } = request;
        const test = query.glob === undefined ? () => true : compile.glob(query.glob);
        walk = createTreeWalk(query, { type: 'contents', test, maxBytes: withSizes ? MAX_BYTES : undefined }, files);
        const find = compile.regex(query.lines);
        openSearch = () => createFileSearch(query, find, files);
        return { type: 'ready' };
      }
      case 'walk':
        return { type: 'walked', ...walk(request.directories) };
      case 'search': {
        const skipped = createSkippedFiles();
        const searchFile = openSearch();
        let searched = 0;
        for (const path of request.paths) if (yield* searchFile(path, skipped)) searched++;
        files.close();
        return { type: 'searched', files: searched, skipped };
      }
    }
  };
}

function notAsked(): never {
  throw new Error('a part came before its query');
}

/** Searches one file, or counts it as skipped and returns false. */
type SearchFile = (path: string, skipped: SkippedFiles) => Generator<LineFinding, boolean>;

function createFileSearch(
  { root, isFile, pathRules, lines }: LineQuery,
  findInLine: FindInLine,
  files: TreeFiles,
): SearchFile {
  const { sep } = pathFlavour(pathRules.platform);
  const base = root.endsWith(sep) ? root : `${root}${sep}`;
  const find = createLineFinder(lines, findInLine);
  const texts = requiredTexts(lines.source);
  const mayMatch = texts === undefined ? () => true : createBytesTest(texts, lines.flags.includes('i'));
  return function* searchFile(path, skipped) {
    const realPath = isFile ? root : `${base}${sep === '/' ? path : path.replaceAll('/', sep)}`;
    const display = (): string => displayPath(realPath, pathRules);
    const file = readFile(realPath, display, skipped, files);
    if (file === undefined) return false;
    if (file.size > MAX_BYTES) {
      skipped.tooLarge++;
      return false;
    }
    if (!isUtf16(file.bytes) && !mayMatch(file)) return true;
    const content = decodeFile(file.bytes);
    if (content.type === 'text') yield* find(display(), content.text);
    else skipped.binary++;
    return content.type === 'text';
  };
}

function readFile(
  realPath: string,
  display: () => string,
  skipped: SkippedFiles,
  files: TreeFiles,
): TreeFile | undefined {
  try {
    return files.read(realPath, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    // A file that was deleted since it was listed is not an error.
    if (error.code !== 'not_found') skipped.unreadable.push(display());
    return undefined;
  }
}

/** True for a file that begins with a byte order mark of UTF-16, whose texts are not in its bytes as they are. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
