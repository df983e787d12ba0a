import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { countOf, errorText, escapeControls } from '../../text.ts';
import { createScenarioSet, type NamedScenarioFile, type ScenarioSet } from '../prepare.ts';
import { ScenarioError } from '../problems.ts';
import { globBase, isGlob, nodeScenarioFiles } from './load.ts';

/** The scenarios of a server whose files may change while it runs. */
export interface ScenarioStore {
  /** The last valid set. */
  current(): ScenarioSet;
  /** Loads the files again. Never rejects: problems are logged, and the last valid set stays in use. */
  reload(): Promise<void>;
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

  /** Notes the state of the files; false if they were in that state before. */
  const isNew = (state: string) => {
    const changed = state !== fingerprint;
    fingerprint = state;
    return changed;
  };
  const reload = async () => {
    try {
      const loaded = await load();
      const next = createScenarioSet(loaded);
      if (!isNew(JSON.stringify(loaded))) return;
      set = next;
      log(`${countOf(set.scenarios.length, 'scenario')} loaded again`);
    } catch (error) {
      const problems = error instanceof ScenarioError ? error.message.split('\n') : [errorText(error)];
      if (!isNew(`broken: ${problems.join('\n')}`)) return;
      log('the scenarios are broken; the last valid ones stay in use:');
      problems.map(escapeControls).forEach(log);
    }
  };
  return {
    current: () => set,
    reload() {
      // One reload at a time, so that an older state of the files never comes last.
      queue = queue.then(reload);
      return queue;
    },
  };
}

/** Changes within this many milliseconds count as one, because an editor writes a file in several steps. */
const QUIET_MS = 50;

/**
 * Calls `onChange` after a change in a directory that scenarios are loaded from, and `onError` with a message if such a
 * directory cannot be watched. Keeps no process alive.
 */
export function watchScenarios(
  paths: readonly string[],
  { onChange, onError }: { readonly onChange: () => void; readonly onError: (message: string) => void },
): { readonly ready: Promise<void>; readonly close: () => void } {
  let watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const closeAll = (open: readonly FSWatcher[]) => {
    for (const watcher of open) watcher.close();
  };
  const watchDirectory = (directory: string): FSWatcher[] => {
    try {
      const watcher = watch(directory, { persistent: false }, changed);
      return [watcher.on('error', () => watcher.close())];
    } catch (error) {
      onError(`cannot watch ${directory}, so its changes need a restart: ${errorText(error)}`);
      return [];
    }
  };
  const watchAll = async () => {
    const directories = new Set((await Promise.all(paths.map(directoriesOf))).flat());
    // A directory that was removed and created again needs a new watcher. The old ones close last, to miss no change.
    const old = watchers;
    watchers = closed ? [] : [...directories].flatMap(watchDirectory);
    closeAll(old);
  };
  function changed(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // First the watchers, then the files, so that no change between the two is missed.
      void watchAll().then(() => {
        if (!closed) onChange();
      });
    }, QUIET_MS);
    timer.unref();
  }
  return {
    ready: watchAll(),
    close() {
      closed = true;
      clearTimeout(timer);
      closeAll(watchers);
    },
  };
}

async function directoriesOf(source: string): Promise<string[]> {
  const kind = await nodeScenarioFiles.kindOf(source);
  if (kind === 'missing' && isGlob(source)) {
    const matches = await nodeScenarioFiles.glob(source);
    const directories = matches.map((match) => (match.endsWith('/') ? path.join(match, '.') : path.dirname(match)));
    return [...new Set([globBase(source), ...directories])];
  }
  if (kind !== 'directory') return [path.dirname(source)];
  // The directory may be gone by now.
  const names = await nodeScenarioFiles.list(source).catch(() => []);
  const inner = names.map((name) => path.join(source, name));
  const kinds = await Promise.all(inner.map(nodeScenarioFiles.kindOf));
  return [source, ...inner.filter((_name, index) => kinds[index] === 'directory')];
}
