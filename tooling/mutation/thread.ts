// The thread in which the tests of mutants run. Modules stay loaded from one run to the next, except those that a
// message names and all that import one of them.
import { parentPort } from 'node:worker_threads';
import type { EvaluatedModuleNode, EvaluatedModules } from 'vite/module-runner';
import { init, runBaseTests, setupEnvironment } from 'vitest/worker';
import { forgottenFile } from './warm-thread.ts';

const port = parentPort;
if (port === null) throw new Error('thread.ts is the file of a thread');
let modules: EvaluatedModules | undefined;

port.on('message', (message: unknown) => {
  const file = forgottenFile(message);
  if (file === undefined || modules === undefined) return;
  for (const module of withImporters(modules, modules.getModulesByFile(file))) modules.invalidateModule(module);
});

/** The modules, and those that import one of them, directly or through others. */
function withImporters(
  { idToModuleMap }: EvaluatedModules,
  changed: Iterable<EvaluatedModuleNode> = [],
): ReadonlySet<EvaluatedModuleNode> {
  const found = new Set(changed);
  // The set grows during the iteration.
  for (const { importers } of found) {
    for (const id of importers) {
      const importer = idToModuleMap.get(id);
      if (importer !== undefined) found.add(importer);
    }
  }
  return found;
}

init({
  post: (response) => port.postMessage(response),
  on: (listener) => port.on('message', listener),
  off: (listener) => port.off('message', listener),
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  setup: setupEnvironment,
  onModuleRunner: (runner) => {
    modules = runner.evaluatedModules;
  },
});
