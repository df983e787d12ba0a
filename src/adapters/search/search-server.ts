import { messageOf } from '../../core/errors.ts';
import type { GlobQuery, LineFinding, LineQuery, PathFinding, SearchableFile } from '../../ports/text-search.ts';
import { compileGlob, compileRegex, createLineFinder, createPathFinder } from '../../tools/search/match-text.ts';

/** What the worker thread is sent. A query is followed by its batches, one after the answer to the other. */
export type SearchRequest =
  | { readonly type: 'path_query'; readonly query: GlobQuery }
  | { readonly type: 'line_query'; readonly query: LineQuery }
  | { readonly type: 'paths'; readonly batch: readonly string[] }
  | { readonly type: 'files'; readonly batch: readonly SearchableFile[] };

/** What the worker thread says: findings, as many as there are, then how the request ended. */
export type SearchAnswer<Finding> =
  | { readonly type: 'finding'; readonly finding: Finding }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly reason: string };

type AnyFinding = PathFinding | LineFinding;

/** The worker thread's side of a search, without the thread: answers each request before it returns. */
export function createSearchServer(
  answer: (message: SearchAnswer<AnyFinding>) => void,
): (request: SearchRequest) => void {
  let findPaths: ReturnType<typeof createPathFinder> = nothing;
  let findLines: ReturnType<typeof createLineFinder> = nothing;

  function* handle(request: SearchRequest): Generator<AnyFinding, void> {
    switch (request.type) {
      case 'path_query':
        findPaths = createPathFinder(request.query, compileGlob(request.query.glob));
        break;
      case 'line_query':
        findLines = createLineFinder(request.query, compileRegex(request.query));
        break;
      case 'paths':
        yield* findPaths(request.batch);
        break;
      case 'files':
        for (const file of request.batch) yield* findLines(file);
        break;
      default:
        request satisfies never;
    }
  }

  return (request) => {
    try {
      for (const finding of handle(request)) answer({ type: 'finding', finding });
      answer({ type: 'done' });
    } catch (error) {
      answer({ type: 'failed', reason: messageOf(error) });
    }
  };
}

function* nothing(): Generator<never, void> {
  yield* [];
}
