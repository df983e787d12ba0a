import { describe, expect, it } from 'vitest';
import { createSearchServer, type SearchRequest } from '../../../../src/adapters/search/search-server.ts';

function answersTo(...requests: readonly SearchRequest[]): readonly unknown[] {
  const answers: unknown[] = [];
  const serve = createSearchServer((answer) => answers.push(answer));
  for (const request of requests) serve(request);
  return answers;
}

const DONE = { type: 'done' };

describe('createSearchServer', () => {
  it('answers a path query batch by batch', () => {
    expect(
      answersTo(
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

  it('answers a line query, which a new query replaces', () => {
    const query = { source: 'x', flags: '', contextLines: 0, maxLines: 1, maxLineLength: 10 };
    const files = { type: 'files', batch: [{ path: 'f', bytes: new TextEncoder().encode('x') }] } as const;
    const line = { type: 'line', path: 'f', number: 1, text: 'x', before: [], after: [] };
    const once = [DONE, { type: 'finding', finding: line }, DONE];
    expect(answersTo({ type: 'line_query', query }, files, { type: 'line_query', query }, files)).toEqual([
      ...once,
      ...once,
    ]);
  });

  it('finds nothing before there is a query', () => {
    const batch = [{ path: 'f', bytes: new Uint8Array() }];
    expect(answersTo({ type: 'paths', batch: ['a'] }, { type: 'files', batch })).toEqual([DONE, DONE]);
  });

  it('reports a failure and continues', () => {
    const query = { source: '(', flags: '', contextLines: 0, maxLines: 1, maxLineLength: 10 };
    expect(answersTo({ type: 'line_query', query }, { type: 'path_query', query: { glob: '*', maxPaths: 1 } })).toEqual(
      [{ type: 'failed', reason: 'Invalid regular expression: /(/: Unterminated group' }, DONE],
    );
  });
});
