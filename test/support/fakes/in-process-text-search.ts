import { constants } from 'node:fs';
import { Volume } from 'memfs';
import { createTreeFiles, type FileSystemSync } from '../../../src/node/search/node-tree-files.ts';
import type { FindCandidates } from '../../../src/tools/search/candidates.ts';
import { compileGlob, compileRegex } from '../../../src/tools/search/match-text.ts';
import { findLines, findPaths, type TreeThread } from '../../../src/tools/search/run-search.ts';
import { type Compilers, createTreeServer } from '../../../src/tools/search/search-tree.ts';
import type { TextSearch, TreeFiles } from '../../../src/tools/search/text-search.ts';

/** Thrown by the matcher when the fake has reached its limit of tests. */
class LimitReached extends Error {}

/** Options of the fake. */
export interface InProcessOptions {
  /** The files; by default an empty disk. */
  readonly volume?: Volume | undefined;
  /** Changes the access to the files. */
  readonly change?: ((files: TreeFiles) => TreeFiles) | undefined;
  /** Number of lines or paths that each search may test before its deadline; no deadline when absent. */
  readonly giveUpAfter?: number | undefined;
  readonly compile?: Compilers | undefined;
  readonly findCandidates?: FindCandidates | undefined;
  /** The number of threads, all of which are this one. */
  readonly threads?: number | undefined;
}

/** The deadline that the fake reports. */
const FAKE_DEADLINE_MS = 5_000;

/** Text search without a thread, over a volume in memory: the same search, with a deadline that counts tests instead of time. */
export function createInProcessTextSearch(options: InProcessOptions = {}): TextSearch {
  const { giveUpAfter = Number.POSITIVE_INFINITY, threads = 1 } = options;
  const volume = options.volume ?? new Volume();
  const { change = (same: TreeFiles) => same, compile = { glob: compileGlob, regex: compileRegex } } = options;
  const files = change(createTreeFiles(syncOf(volume), 'real_path'));
  const open = (signal: AbortSignal) => {
    let tests = 0;
    const limited =
      <Result>(test: (text: string) => Result) =>
      (text: string): Result => {
        if (tests++ >= giveUpAfter) throw new LimitReached();
        return test(text);
      };
    const counted = {
      glob: (glob: string) => limited(compile.glob(glob)),
      regex: (pattern: Parameters<typeof compileRegex>[0]) => limited(compile.regex(pattern)),
    };
    const { findCandidates } = options;
    return { threads: Array.from({ length: threads }, () => threadOf(files, counted, signal)), findCandidates };
  };
  return {
    findPaths: (query, signal) => findPaths(query, open(signal), signal),
    findLines: (query, signal) => findLines(query, open(signal), signal),
  };
}

function threadOf(files: TreeFiles, compile: Compilers, signal: AbortSignal): TreeThread {
  const answer = createTreeServer(files, compile);
  return {
    async *ask(request) {
      if (signal.aborted) return { type: 'stopped', end: { type: 'end', cause: 'aborted' } };
      try {
        return yield* answer(request);
      } catch (error) {
        if (error instanceof LimitReached) {
          return { type: 'stopped', end: { type: 'end', cause: 'deadline', afterMs: FAKE_DEADLINE_MS } };
        }
        return { type: 'failed', reason: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

/** The part of a volume that the search uses, with stricter types. */
function syncOf(volume: Volume): FileSystemSync {
  return {
    constants,
    openSync: (path, flags) => volume.openSync(path, flags),
    closeSync: (descriptor) => volume.closeSync(descriptor),
    fstatSync: (descriptor) => volume.fstatSync(descriptor),
    lstatSync: (path) => volume.lstatSync(path),
    readSync: (descriptor, buffer, offset, length, position) =>
      volume.readSync(
        descriptor,
        Buffer.from(buffer.buffer, buffer.byteOffset, buffer.length),
        offset,
        length,
        position,
      ),
    readdirSync: (path) =>
      volume.readdirSync(path, { withFileTypes: true }) as unknown as ReturnType<FileSystemSync['readdirSync']>,
    readlinkSync: (path) => String(volume.readlinkSync(path)),
    realpathSync: (path) => String(volume.realpathSync(path)),
  };
}
