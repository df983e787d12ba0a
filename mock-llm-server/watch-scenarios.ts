import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorText } from './error-text.ts';

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
