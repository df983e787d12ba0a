import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runAgent } from '../../src/agent/agent-loop.ts';
import type { Tool } from '../../src/agent/ports/tool.ts';
import { sendWholeHistory } from '../../src/agent/run-input.ts';
import { EMPTY_SESSION } from '../../src/agent/session-state.ts';
import { createNodeFileSystem } from '../../src/node/files/node-file-system.ts';
import { WorkerTextSearch } from '../../src/node/search/worker-text-search.ts';
import { computeDigest, systemClock } from '../../src/node/system.ts';
import { createEditFile } from '../../src/tools/files/edit-file.ts';
import { createReadFile } from '../../src/tools/files/read-file.ts';
import { ReadLedger } from '../../src/tools/files/read-ledger.ts';
import { createWriteFile } from '../../src/tools/files/write-file.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import { createListFiles } from '../../src/tools/search/list-files.ts';
import { createSearchFiles } from '../../src/tools/search/search-files.ts';
import { createScriptedModel } from '../support/fakes/scripted-model.ts';
import { result, scriptedTools } from '../support/fakes/scripted-tools.ts';

/** The time within which the user must see that a Ctrl-C was heard, in milliseconds. */
const LIMIT_MS = 200;
/** The moments at which the run is stopped, after its start. */
const MOMENTS_MS = [5, 20, 50, 100, 200, 400, 800];

const TEN_MEGABYTES = 10_000_000;
const numbered = (word: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${word} number ${index}\n`).join('');

const workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'ybs-responsive-')));
const place = (name: string, content: string): void => writeFileSync(path.join(workspace, name), content);
const textSearch = new WorkerTextSearch();
afterAll(async () => {
  await textSearch.dispose();
  rmSync(workspace, { recursive: true });
});
const ports = {
  fileSystem: createNodeFileSystem(),
  digest: computeDigest,
  ledger: new ReadLedger(),
  textSearch,
  pathRules: { workspace, allowedRoots: [workspace], readOnlyRoots: [], blockedPaths: [], platform: 'posix' as const },
};

/** Runs one call, stops the run after `delay`, and returns how long the end of the run took after that moment. */
async function latency(tool: Tool, args: unknown, delay: number): Promise<number> {
  const controller = new AbortController();
  const { name } = tool.definition;
  const calls = [{ id: 'a', name, arguments: JSON.stringify(args) }];
  const events = runAgent(
    { prompt: 'go', session: { state: EMPTY_SESSION }, signal: controller.signal },
    {
      model: createScriptedModel({ calls }, { text: 'Done.' }),
      tools: createRegistry([tool]),
      approver: { decide: async () => ({ type: 'deny' }) },
      clock: systemClock,
      digest: computeDigest,
    },
    {
      system: '',
      maxIterations: 2,
      dryRun: false,
      // A question that is denied, so that nothing is written.
      decide: ({ definition: { effect } }) =>
        effect === 'read' ? { type: 'allow', rule: 'test' } : { type: 'ask', rule: 'test', reason: '' },
      prepareRequest: sendWholeHistory,
      session: { sessionId: 's', model: 'm', workspace, permissionMode: 'ask' },
    },
  );
  const stopAt = performance.now() + delay;
  setTimeout(() => controller.abort(), delay);
  for await (const event of events) if (event.type === 'run_end') break;
  return performance.now() - stopAt;
}

/** Other programs on the machine may delay one attempt; a stall of this program delays all of them. */
const ATTEMPTS = 4;

/** The longest latency over all moments, of which each is the best of some attempts. */
async function longestLatency(tool: Tool, args: unknown): Promise<number> {
  let longest = 0;
  for (const moment of MOMENTS_MS) {
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS && best >= LIMIT_MS; attempt++) {
      best = Math.min(best, await latency(tool, args, moment));
    }
    longest = Math.max(longest, best);
  }
  return longest;
}

place('line', 'a'.repeat(TEN_MEGABYTES));
place('lines', numbered('line', 300_000));
place('empty-lines', '\n'.repeat(TEN_MEGABYTES));

const WORK: readonly (readonly [string, Tool, Readonly<Record<string, unknown>>])[] = [
  [
    'replacing all of one line',
    createEditFile(ports),
    { path: 'line', old_text: 'a', new_text: 'b', replace_all: true },
  ],
  ['finding an ambiguous text', createEditFile(ports), { path: 'line', old_text: 'a', new_text: 'b' }],
  ['not finding a text', createEditFile(ports), { path: 'line', old_text: `${'a'.repeat(100_000)}b`, new_text: 'b' }],
  ['rewriting many lines', createWriteFile(ports), { path: 'lines', content: numbered('other', 80_000) }],
  [
    'not finding the text of an edit',
    createEditFile(ports),
    { path: 'lines', old_text: 'lime number 299999\n', new_text: 'b' },
  ],
  ['editing many lines', createEditFile(ports), { path: 'lines', old_text: 'er', new_text: 're', replace_all: true }],
  ['reading many lines', createReadFile(ports), { path: 'empty-lines' }],
  ['searching', createSearchFiles(ports), { pattern: '(a|a)*b' }],
  ['listing', createListFiles(ports), { pattern: '**/*' }],
];

describe(`a run that is stopped ends within ${LIMIT_MS} ms`, () => {
  it.each(WORK)('while it is %s', async (_name, tool, args) => {
    expect(await longestLatency(tool, args)).toBeLessThan(LIMIT_MS);
  });

  it('(control: the measurement detects a main thread that is stalled)', async () => {
    const stall = async (): Promise<void> => {
      const end = performance.now() + 3 * LIMIT_MS;
      while (performance.now() < end);
    };
    const [tool] = [
      scriptedTools({
        stall: {
          plan: stall,
          run: async function* () {
            return result('done');
          },
        },
      }).find('stall'),
    ];
    if (tool === undefined) throw new Error('the tool is missing');
    expect(await longestLatency(tool, {})).toBeGreaterThan(LIMIT_MS);
  });
});
