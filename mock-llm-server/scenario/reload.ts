import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { countOf, errorText, escapeControls } from '../text.ts';
import { createScenarioSet, type NamedScenarioFile, type ScenarioSet } from './prepare.ts';
import { ScenarioError } from './problems.ts';

/** The scenarios of a server whose files may change while it runs. */
export interface ScenarioStore {
  /** The last set that was sound. */
  current(): ScenarioSet;
  /** Loads the files again. Never rejects: what is broken is logged, and the last sound set stays. */
  reload(): Promise<void>;
}

/** What came of loading again: a set to use from now on, a reason to keep the last one, or nothing new. */
type Reloaded =
  | {
      readonly type: 'changed';
      readonly set: ScenarioSet;
      readonly fingerprint: string;
      readonly lines: readonly string[];
    }
  | { readonly type: 'broken'; readonly fingerprint: string; readonly lines: readonly string[] }
  | { readonly type: 'unchanged' };

/** What was loaded, or what loading threw. */
type Loaded = { readonly files: readonly NamedScenarioFile[] } | { readonly failure: unknown };

/** Decides what becomes of files that were loaded again; `last` is the fingerprint of the time before. Pure. */
function judgeReload(loaded: Loaded, last: string): Reloaded {
  if ('failure' in loaded) return judgeFailure(loaded.failure, last);
  const fingerprint = JSON.stringify(loaded.files);
  if (fingerprint === last) return { type: 'unchanged' };
  try {
    const set = createScenarioSet(loaded.files);
    return { type: 'changed', set, fingerprint, lines: [`${countOf(set.scenarios.length, 'scenario')} loaded again`] };
  } catch (error) {
    return judgeFailure(error, last);
  }
}

function judgeFailure(failure: unknown, last: string): Reloaded {
  const problems = failure instanceof ScenarioError ? failure.message.split('\n') : [errorText(failure)];
  const lines = ['the scenarios are broken; the last sound ones stay in use:', ...problems.map(escapeControls)];
  const fingerprint = `broken: ${problems.join('\n')}`;
  return fingerprint === last ? { type: 'unchanged' } : { type: 'broken', fingerprint, lines };
}

/** Keeps the scenarios of `files` until `reload` finds others. `load` may throw; `log` takes one line. */
export function createScenarioStore(options: {
  readonly files: readonly NamedScenarioFile[];
  readonly load: () => Promise<readonly NamedScenarioFile[]>;
  readonly log: (line: string) => void;
}): ScenarioStore {
  const { files, load, log } = options;
  let set = createScenarioSet(files);
  let fingerprint = JSON.stringify(files);
  let queue = Promise.resolve();

  const reload = async () => {
    const loaded = await load().then(
      (found): Loaded => ({ files: found }),
      (failure: unknown): Loaded => ({ failure }),
    );
    const outcome = judgeReload(loaded, fingerprint);
    if (outcome.type === 'unchanged') return;
    if (outcome.type === 'changed') set = outcome.set;
    fingerprint = outcome.fingerprint;
    outcome.lines.forEach(log);
  };
  return {
    current: () => set,
    reload() {
      // One after the other, so that an older state of the files never comes last.
      queue = queue.then(reload);
      return queue;
    },
  };
}

/** An editor writes a file in several steps; the changes of this many milliseconds count as one. */
const QUIET = 50;

/**
 * Calls `onChange` after something has changed in the directories that scenarios are loaded from: the given ones, what
 * lies directly in them, and those of given files. `onError` gets a text when a directory cannot be watched. Keeps no
 * process alive. Returns how to stop.
 */
export function watchScenarios(
  paths: readonly string[],
  { onChange, onError }: { readonly onChange: () => void; readonly onError: (message: string) => void },
): { readonly ready: Promise<void>; readonly close: () => void } {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const forget = (directory: string) => {
    watchers.get(directory)?.close();
    watchers.delete(directory);
  };
  const add = (directory: string) => {
    if (closed || watchers.has(directory)) return;
    try {
      const watcher = watch(directory, { persistent: false }, changed);
      watchers.set(directory, watcher);
      watcher.on('error', () => forget(directory));
    } catch (error) {
      onError(`cannot watch ${directory}, so its changes need a restart: ${errorText(error)}`);
    }
  };
  const addAll = async () => {
    const directories = (await Promise.all(paths.map(directoriesOf))).flat();
    // One that was taken away and is there again needs a new watcher.
    for (const known of watchers.keys()) if (!directories.includes(known)) forget(known);
    for (const directory of directories) add(directory);
  };
  function changed(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // First the watchers, then the files: what changes between the two is seen.
      void addAll().then(() => {
        if (!closed) onChange();
      });
    }, QUIET);
    timer.unref();
  }
  return {
    ready: addAll(),
    close() {
      closed = true;
      clearTimeout(timer);
      for (const directory of [...watchers.keys()]) forget(directory);
    },
  };
}

async function directoriesOf(given: string): Promise<string[]> {
  try {
    if (!(await stat(given)).isDirectory()) return [path.dirname(given)];
    const entries = await readdir(given, { withFileTypes: true });
    const inner = entries.filter((entry) => !entry.isFile()).map(({ name }) => path.join(given, name));
    const kinds = await Promise.all(inner.map((name) => stat(name).catch(() => undefined)));
    return [given, ...inner.filter((_name, index) => kinds[index]?.isDirectory() === true)];
  } catch {
    return [path.dirname(given)];
  }
}
