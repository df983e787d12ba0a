import { messageOf } from '../../core/errors.ts';
import type { GlobQuery, LineFinding, LineQuery, PathFinding, SearchableFile } from '../../ports/text-search.ts';
import { compileGlob, compileRegex, createLineFinder, createPathFinder } from '../../tools/search/match-text.ts';

/** A request to the worker thread. A query is followed by its batches, each after the answer to the previous one. */
export type SearchRequest =
  | { readonly type: 'path_query'; readonly query: GlobQuery }
  | { readonly type: 'line_query'; readonly query: LineQuery }
  | { readonly type: 'paths'; readonly batch: readonly string[] }
  | { readonly type: 'files'; readonly batch: readonly SearchableFile[] };

/** A message of the worker thread: any number of findings, then the outcome of the request. */
export type SearchAnswer<Finding> =
  | { readonly type: 'finding'; readonly finding: Finding }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly reason: string };

type AnyFinding = PathFinding | LineFinding;

/** The request handler of the worker thread. It answers each request before it returns. */
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
