import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Volume } from 'memfs';
import { expect, it } from 'vitest';
import type { Clock } from '../../../src/agent/ports/clock.ts';
import { createRipgrep } from '../../../src/node/search/ripgrep.ts';
import { WorkerTextSearch, type WorkerTextSearchOptions } from '../../../src/node/search/worker-text-search.ts';
import { type TextSearchSubject, textSearchContract } from '../../support/contracts/text-search.ts';
import { createInProcessTextSearch } from '../../support/fakes/in-process-text-search.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const DEADLINE_MS = 1_500;

function inProcess(threads: number): TextSearchSubject {
  const volume = new Volume();
  const root = '/work';
  volume.mkdirSync(root);
  return {
    root,
    write(files) {
      for (const [name, content] of Object.entries(files)) {
        volume.mkdirSync(path.posix.dirname(`${root}/${name}`), { recursive: true });
        volume.writeFileSync(`${root}/${name}`, content);
      }
    },
    link: (target, name) => volume.symlinkSync(target, `${root}/${name}`),
    search: (options) =>
      createInProcessTextSearch({ volume, threads: options === undefined ? threads : 1, ...options }),
    passDeadline: async () => {},
    dispose: async () => {},
  };
}

function onDisk({ threads = 2, ...options }: WorkerTextSearchOptions): TextSearchSubject {
  const root = temporaryDirectory();
  const clock = createManualClock();
  /** The queries that threads have received, and the unanswered ones: each has a deadline. */
  const questions = { asked: 0, open: 0 };
  const counting: Clock = {
    now: clock.now,
    async sleep(ms, signal) {
      questions.asked += 1;
      questions.open += 1;
      signal?.addEventListener('abort', () => (questions.open -= 1), { once: true });
      await clock.sleep(ms, signal);
    },
  };
  const search = new WorkerTextSearch({
    deadlineMs: DEADLINE_MS,
    clock: counting,
    processorMs: clock.now,
    threads,
    ...options,
  });
  return {
    root,
    write(files) {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
        writeFileSync(path.join(root, name), content);
      }
    },
    link: (target, name) => symlinkSync(target, path.join(root, name)),
    search: () => search,
    async passDeadline() {
      // The query for each thread, the walk and two parts have been asked, and only the endless part is open.
      while (questions.asked < threads + 3 || questions.open > 1) await new Promise(setImmediate);
      await clock.advance(DEADLINE_MS);
    },
    dispose: () => search.dispose(),
  };
}

const ripgrep = createRipgrep({ findSearchPath: () => process.env['PATH'] ?? '', workspace: '/nowhere' });
const isInstalled =
  (await ripgrep(
    {
      ...{ root: import.meta.dirname, trees: [], directories: [], files: ['text-search.test.ts'], maxBytes: 1e6 },
      ...{ texts: ['isInstalled'], ignoresCase: false },
    },
    new AbortController().signal,
  )) !== undefined;

it.runIf(process.env['YBS_REQUIRE_SHELLS'] === '1')('ripgrep is installed where all tests must run', () => {
  expect(isInstalled).toBe(true);
});

textSearchContract([
  { name: 'in process', create: () => inProcess(1) },
  { name: 'in process, in several parts at once', create: () => inProcess(3) },
  { name: 'worker threads', create: () => onDisk({}) },
  { name: 'one worker thread', create: () => onDisk({ threads: 1 }) },
  ...(isInstalled ? [{ name: 'ripgrep', create: () => onDisk({ findCandidates: ripgrep }) }] : []),
]);
