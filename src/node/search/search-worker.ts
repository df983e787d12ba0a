import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../agent/errors.ts';
import { compileGlob, compileRegex, createLineFinder, createPathFinder } from '../../tools/search/match-text.ts';
import type { GlobQuery, LineFinding, LineQuery, PathFinding, SearchableFile } from '../../tools/search/text-search.ts';

/** A request to the worker thread. Batches follow their query, each after the response to the previous request. */
export type SearchRequest =
  | { readonly type: 'path_query'; readonly query: GlobQuery }
  | { readonly type: 'line_query'; readonly query: LineQuery }
  | { readonly type: 'paths'; readonly batch: readonly string[] }
  | { readonly type: 'files'; readonly batch: readonly SearchableFile[] };

/** A message of the worker thread. A request gets zero or more findings, then its outcome. */
export type SearchResponse<Finding> = { readonly type: 'finding'; readonly finding: Finding } | SearchOutcome;

/** The end of a request. */
export type SearchOutcome = { readonly type: 'done' } | { readonly type: 'failed'; readonly reason: string };

type AnyFinding = PathFinding | LineFinding;

/** Creates the request handler of the worker thread. It responds to each request before it returns. */
export function createSearchServer(
  respond: (message: SearchResponse<AnyFinding>) => void,
): (request: SearchRequest) => void {
  let findPaths: ReturnType<typeof createPathFinder> = noFindings;
  let findLines: ReturnType<typeof createLineFinder> = noFindings;

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
      for (const finding of handle(request)) respond({ type: 'finding', finding });
      respond({ type: 'done' });
    } catch (error) {
      respond({ type: 'failed', reason: messageOf(error) });
    }
  };
}

function* noFindings(): Generator<never, void> {
  yield* [];
}

// The entry point of the worker thread, which can be terminated at any time without affecting the program.
const port = parentPort;
port?.on(
  'message',
  createSearchServer((response) => port.postMessage(response)),
);
