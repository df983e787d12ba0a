import { describe, expect, it } from 'vitest';
import { createSearchServer, type SearchRequest } from '../../../../src/node/search/search-worker.ts';

function responsesTo(...requests: readonly SearchRequest[]): readonly unknown[] {
  const responses: unknown[] = [];
  const serve = createSearchServer((response) => responses.push(response));
  for (const request of requests) serve(request);
  return responses;
}

const DONE = { type: 'done' };

describe('createSearchServer', () => {
  it('responds to a path query batch by batch', () => {
    expect(
      responsesTo(
        { type: 'path_query', query: { glob: '*', maxPaths: 1 } },
        { type: 'paths', batch: ['a'] },
        { type: 'paths', batch: ['b'] },
      ),
    ).toEqual([
      DONE,
      { type: 'finding', finding: { type: 'path', path: 'a' } },
      DONE,
      { type: 'finding', finding: { type: 'more_paths', count: 1 } },
      DONE,
    ]);
  });

  it('responds to a line query until a new query replaces it', () => {
    const query = { source: 'x', flags: '', contextLines: 0, maxLines: 1, maxLineLength: 10 };
    const files = { type: 'files', batch: [{ path: 'f', bytes: new TextEncoder().encode('x') }] } as const;
    const line = { type: 'line', path: 'f', number: 1, text: 'x', before: [], after: [] };
    const once = [DONE, { type: 'finding', finding: line }, DONE];
    expect(responsesTo({ type: 'line_query', query }, files, { type: 'line_query', query }, files)).toEqual([
      ...once,
      ...once,
    ]);
  });

  it('finds nothing before the first query', () => {
    const batch = [{ path: 'f', bytes: new Uint8Array() }];
    expect(responsesTo({ type: 'paths', batch: ['a'] }, { type: 'files', batch })).toEqual([DONE, DONE]);
  });

  it('reports a failure and handles the next request', () => {
    const query = { source: '(', flags: '', contextLines: 0, maxLines: 1, maxLineLength: 10 };
    expect(
      responsesTo({ type: 'line_query', query }, { type: 'path_query', query: { glob: '*', maxPaths: 1 } }),
    ).toEqual([{ type: 'failed', reason: 'Invalid regular expression: /(/: Unterminated group' }, DONE]);
  });
});
