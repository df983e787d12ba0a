// Measures search_files and list_files beside ripgrep: `npm run bench:search -- [rounds]`. Writes a tree of 39,000 files
// (620 MB) once, and searches it in turns with rg and with the tools, with and without rg. The start of ybs is not part of
// the figures, but that of its threads is. Needs ripgrep and Linux. The page search.md has figures.
import { execFile } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { Tool } from '../../src/agent/ports/tool.ts';
import { createNodeFileSystem } from '../../src/node/files/node-file-system.ts';
import { createRipgrep } from '../../src/node/search/ripgrep.ts';
import { WorkerTextSearch } from '../../src/node/search/worker-text-search.ts';
import { createListFiles } from '../../src/tools/search/list-files.ts';
import { createSearchFiles } from '../../src/tools/search/search-files.ts';
import type { SearchPorts } from '../../src/tools/search/search-root.ts';
import { type Cost, columns, conditions, cpuTime, interleave, median } from './measure.ts';
import { NEEDLE, writeSearchTree } from './search-tree.ts';

const rounds = Number(process.argv[2] ?? 9);
const tree = path.join(os.tmpdir(), 'ybs-bench-search');
writeSearchTree(tree);

/** The result of a call, and what it cost. */
interface Measured extends Cost {
  readonly result: string;
}

async function measure(run: () => Promise<string>): Promise<Measured> {
  const [cpu, wall] = [cpuTime(), performance.now()];
  const result = await run();
  return { result, wall: performance.now() - wall, cpu: cpuTime() - cpu };
}

function ripgrep(...args: readonly string[]): () => Promise<Measured> {
  const options = { cwd: tree, maxBuffer: 2 ** 28 };
  return () =>
    measure(async () => `${(await promisify(execFile)('rg', args, options)).stdout.split('\n').length - 1} lines`);
}

/** A call of a tool with threads of its own, as in the first call of a session. */
function tool(create: (ports: SearchPorts) => Tool, args: object, withRipgrep: boolean): () => Promise<Measured> {
  const findCandidates = createRipgrep({ searchPath: process.env['PATH'] ?? '', workspace: tree });
  return async () => {
    const textSearch = new WorkerTextSearch({ deadlineMs: 60_000, ...(withRipgrep && { findCandidates }) });
    const pathRules = {
      workspace: tree,
      allowedRoots: [tree],
      readOnlyRoots: [],
      blockedPaths: [],
      platform: 'posix',
    } as const;
    const context = { callId: 'bench', signal: new AbortController().signal, pause: async () => {} };
    const created = create({ fileSystem: createNodeFileSystem(), textSearch, pathRules });
    const measured = await measure(async () => {
      const running = (await created.plan(args, context)).run();
      let step = await running.next();
      while (step.done !== true) step = await running.next();
      return step.value.summary;
    });
    await textSearch.dispose();
    return measured;
  };
}

const search = { pattern: NEEDLE, max_results: 200, context_lines: 0 };
const list = { pattern: '**/*.ts' };
const results = await interleave(rounds, {
  rg: ripgrep('-n', NEEDLE, '.'),
  'search_files with rg': tool(createSearchFiles, search, true),
  'search_files without rg': tool(createSearchFiles, search, false),
  'rg --files': ripgrep('--files', '.'),
  list_files: tool(createListFiles, list, false),
});
console.log(conditions(`${rounds} rounds`));
for (const [name, reference] of [
  ['rg', 'rg'],
  ['search_files with rg', 'rg'],
  ['search_files without rg', 'rg'],
  ['rg --files', 'rg --files'],
  ['list_files', 'rg --files'],
] as const) {
  const measured = results(name);
  const [cpu = '', wall = ''] = columns(measured, ['cpu', 'wall'], 0);
  const times = (key: 'cpu' | 'wall') =>
    (median(measured.map((one) => one[key])) / median(results(reference).map((one) => one[key]))).toFixed(2);
  const found = [...new Set(measured.map(({ result }) => result))].join(' / ');
  console.log(`${name}: processor ${cpu} (${times('cpu')} times), wall ${wall} (${times('wall')} times), ${found}`);
}
