import { countOf } from './count-of.ts';
import { errorText } from './error-text.ts';
import { escapeControls } from './escape-controls.ts';
import { ScenarioError } from './scenario-error.ts';
import { createScenarioSet, type NamedScenarioFile, type ScenarioSet } from './scenario-set.ts';

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
