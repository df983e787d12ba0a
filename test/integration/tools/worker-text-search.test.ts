import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { WorkerTextSearch } from '../../../src/node/search/worker-text-search.ts';

const MODULE = fileURLToPath(new URL('../../../src/node/search/worker-text-search.ts', import.meta.url));
const QUERY = { glob: '*', maxPaths: 10 };

async function* once<Item>(batch: readonly Item[]): AsyncGenerator<readonly Item[], void> {
  yield batch;
}

/** Runs a program with a `search` and returns its output. A program that does not end lets the test time out. */
async function runWithSearch(body: string): Promise<string> {
  const program = `
    import { WorkerTextSearch } from ${JSON.stringify(MODULE)};
    const search = new WorkerTextSearch();
    const never = new AbortController().signal;
    async function* once(batch) { yield batch; }
    ${body}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  return stdout;
}

describe('WorkerTextSearch', () => {
  it('keeps the process alive during a search, but not while its threads are idle', async () => {
    const printed = await runWithSearch(`
      for await (const finding of search.matchPaths(${JSON.stringify(QUERY)}, once(['a']), never)) {
        console.log(finding.type);
      }`);
    expect(printed).toBe('path\nend\n');
  });

  it('does not keep the process alive if its consumer stops early', async () => {
    const printed = await runWithSearch(`
      for await (const finding of search.matchPaths(${JSON.stringify(QUERY)}, once(['a', 'b']), never)) {
        console.log(finding.path);
        break;
      }`);
    expect(printed).toBe('a\n');
  });

  it('ends running searches on dispose and can search again afterwards', async () => {
    const search = new WorkerTextSearch();
    const received: string[] = [];
    const never = new AbortController().signal;
    const endless = { source: '^(a+)+$', flags: '', contextLines: 0, maxLines: 10, maxLineLength: 500 };
    const file = { path: 'f', bytes: new TextEncoder().encode(`a\n${'a'.repeat(60)}!`) };
    for await (const finding of search.matchLines(endless, once([file]), never)) {
      received.push(finding.type === 'end' ? finding.cause : finding.type);
      await search.dispose();
    }
    for await (const finding of search.matchPaths(QUERY, once(['z']), never)) {
      received.push(finding.type === 'end' ? finding.cause : finding.type);
    }
    expect(received).toEqual(['line', 'aborted', 'path', 'completed']);
    await search.dispose();
  });

  it('reuses two threads and ends the others', async () => {
    const search = new WorkerTextSearch();
    const never = new AbortController().signal;
    const run = async (): Promise<number> => {
      let findings = 0;
      for await (const _finding of search.matchPaths(QUERY, once(['a']), never)) findings++;
      return findings;
    };
    expect(await Promise.all([run(), run(), run()])).toEqual([2, 2, 2]);
    expect(await run()).toBe(2);
    await search.dispose();
  });

  it('ends only the search that needs too much memory', async () => {
    const search = new WorkerTextSearch({ deadlineMs: 600_000, memoryMegabytes: 24 });
    const never = new AbortController().signal;
    const query = { source: 'x', flags: '', contextLines: 0, maxLines: 10, maxLineLength: 500 };
    const file = { path: 'f', bytes: new TextEncoder().encode('a line\n'.repeat(1_000_000)) };
    const received: string[] = [];
    for await (const finding of search.matchLines(query, once([file]), never)) {
      received.push(finding.type === 'end' && finding.cause === 'failed' ? finding.reason : JSON.stringify(finding));
    }
    for await (const finding of search.matchPaths(QUERY, once(['a']), never)) {
      received.push(finding.type === 'end' ? finding.cause : finding.type);
    }
    expect(received).toEqual([
      'Worker terminated due to reaching memory limit: JS heap out of memory',
      'path',
      'completed',
    ]);
    await search.dispose();
  });
});
