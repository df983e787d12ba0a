import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { WorkerTextSearch } from '../../../src/node/search/worker-text-search.ts';
import type { LineQuery, PathQuery } from '../../../src/tools/search/text-search.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { workspaceRules } from '../../support/tools/search-workspace.ts';

const MODULE = fileURLToPath(new URL('../../../src/node/search/worker-text-search.ts', import.meta.url));
const never = new AbortController().signal;

function treeOf(files: Readonly<Record<string, string>>) {
  const root = temporaryDirectory();
  writeFiles(root, files);
  return { root, pathRules: workspaceRules({ workspace: root, allowedRoots: [root] }) };
}

const pathsIn = (tree: ReturnType<typeof treeOf>): PathQuery => ({ ...tree, glob: '*', maxPaths: 10 });
const linesIn = (tree: ReturnType<typeof treeOf>, source: string): LineQuery => ({
  ...{ ...tree, glob: undefined, isFile: false },
  lines: { source, flags: '', contextLines: 0, maxLines: 10, maxLineLength: 500 },
});

describe('WorkerTextSearch', () => {
  it('keeps the process alive during a search, but not while its threads are idle', async () => {
    const query = pathsIn(treeOf({ a: '' }));
    const program = `
      import { WorkerTextSearch } from ${JSON.stringify(MODULE)};
      const result = await new WorkerTextSearch().findPaths(${JSON.stringify(query)}, new AbortController().signal);
      console.log(result.paths.join());`;
    // If the program does not end, the test times out.
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    expect(stdout).toBe('a\n');
  });

  it('ends running searches on dispose and can search again afterwards', async () => {
    const search = new WorkerTextSearch();
    const tree = treeOf({ f: `a\n${'a'.repeat(60)}!` });
    const running = search.findLines(linesIn(tree, '^(a+)+$'), never);
    await search.findPaths(pathsIn(tree), never);
    await search.dispose();
    expect((await running).end).toEqual({ type: 'end', cause: 'aborted' });
    expect(await search.findPaths(pathsIn(tree), never)).toMatchObject({ paths: ['f'], end: { cause: 'completed' } });
    await search.dispose();
  });

  it.each([
    ['after its time if the processor has worked for it', 1_000, 1],
    ['after 12 times as long if it has waited for a processor or a disk', 0, 12],
  ])('ends a search %s', async (_end, eachMs, times) => {
    let used = 0;
    const clock = { now: () => 0, sleep: async () => {} };
    const search = new WorkerTextSearch({ deadlineMs: 1_000, clock, processorMs: () => (used += eachMs) });
    const { end } = await search.findPaths(pathsIn(treeOf({ f: '' })), never);
    expect(end).toEqual({ type: 'end', cause: 'deadline', afterMs: times * 1_000 });
    await search.dispose();
  });

  it('ends only the search that needs too much memory', async () => {
    const search = new WorkerTextSearch({ deadlineMs: 600_000, memoryMegabytes: 24 });
    const tree = treeOf({ f: 'a b\n'.repeat(480_000) });
    const { end } = await search.findLines(linesIn(tree, '(?:)x'), never);
    const reason = 'Worker terminated due to reaching memory limit: JS heap out of memory';
    expect(end).toEqual({ type: 'end', cause: 'failed', reason });
    expect(await search.findPaths(pathsIn(tree), never)).toMatchObject({ paths: ['f'], end: { cause: 'completed' } });
    await search.dispose();
  });
});
