import { type EmbeddingIndex, indexEmbeddings } from '../embeddings.ts';
import {
  indexScenarios,
  type NamedScenarioFile,
  prepareScenarios,
  type Scenario,
  type ScenarioSet,
} from '../prepare.ts';
import { ScenarioError } from '../problems.ts';

/** A change of the scenarios, for the requests of one test or for all of them. */
export interface ScenarioChange {
  /** Value of the header `x-test-id`; all requests without it. */
  readonly testId?: string | undefined;
}

export interface ListedScenario {
  readonly name: string;
  readonly steps: number;
  /** Absent if it was there from the start; otherwise whether it was added for all requests or for the test. */
  readonly added?: 'all' | 'test';
}

/** The scenarios of a server, and their changes while it runs. */
export interface ScenarioOverlays {
  current(testId?: string): ScenarioSet;
  list(change?: ScenarioChange): readonly ListedScenario[];
  /**
   * Adds scenarios before all others. With `replace`, one whose name is in use replaces that one; without it, such a
   * name is an error. Throws `ScenarioError`, and then changes nothing.
   */
  add(files: readonly NamedScenarioFile[], change?: ScenarioChange & { readonly replace?: boolean }): void;
  /** Removes a scenario, wherever it comes from. False if there is none of this name. */
  remove(name: string, change?: ScenarioChange): boolean;
  /** Reverts the changes for one test; without a test, all changes. */
  reset(change?: ScenarioChange): void;
}

/** Changes of the scenarios below. */
interface Layer {
  /** Newest first. */
  readonly added: readonly Scenario[];
  readonly removed: ReadonlySet<string>;
  readonly defaultResponse: string | undefined;
  readonly embeddings: EmbeddingIndex;
}

const NO_CHANGE: Layer = { added: [], removed: new Set(), defaultResponse: undefined, embeddings: new Map() };

/** A server keeps changes for at most this many tests. */
const MAX_TESTS = 1000;

/** Lets the scenarios of `base` change. Sets are indexed once for each change, not for each request. */
export function createScenarioOverlays(base: () => ScenarioSet): ScenarioOverlays {
  let common: Layer | undefined;
  const tests = new Map<string, Layer>();
  const combined = new WeakMap<Layer, { readonly below: ScenarioSet; readonly set: ScenarioSet }>();

  const combine = (below: ScenarioSet, layer: Layer | undefined): ScenarioSet => {
    if (layer === undefined) return below;
    const known = combined.get(layer);
    if (known?.below === below) return known.set;
    const set = applyLayer(below, layer);
    combined.set(layer, { below, set });
    return set;
  };
  const layerOf = (testId: string | undefined) => (testId === undefined ? common : tests.get(testId));
  const setLayer = (testId: string | undefined, layer: Layer) => {
    if (testId === undefined) common = layer;
    else tests.set(testId, layer);
  };
  const current = (testId?: string): ScenarioSet => {
    if (common === undefined && tests.size === 0) return base();
    return combine(combine(base(), common), testId === undefined ? undefined : tests.get(testId));
  };

  return {
    current,
    list({ testId } = {}) {
      const all = new Set(common?.added);
      const own = new Set(testId === undefined ? undefined : tests.get(testId)?.added);
      return current(testId).scenarios.map((scenario) => {
        const { name, steps } = scenario;
        const added = own.has(scenario) ? 'test' : all.has(scenario) ? 'all' : undefined;
        return { name, steps: steps.length, ...(added && { added }) };
      });
    },
    add(files, { testId, replace = false } = {}) {
      const scenarios = prepareScenarios(files);
      const known = layerOf(testId);
      if (known === undefined && testId !== undefined && tests.size >= MAX_TESTS) throw tooManyTests(files);
      const { added, removed, defaultResponse, embeddings } = known ?? NO_CHANGE;
      const names = new Map(scenarios.map(({ name }, index) => [name, index]));
      const taken = replace ? undefined : current(testId).scenarios.find(({ name }) => names.has(name));
      if (taken !== undefined) throw nameTaken(files, taken.name);
      setLayer(testId, {
        added: [...scenarios, ...added.filter(({ name }) => !names.has(name))],
        removed: new Set([...removed].filter((name) => !names.has(name))),
        defaultResponse:
          files.find(({ content }) => content.default_response)?.content.default_response?.content ?? defaultResponse,
        embeddings: new Map([
          ...embeddings,
          ...indexEmbeddings(files.flatMap(({ content }) => content.embeddings ?? [])),
        ]),
      });
    },
    remove(name, { testId } = {}) {
      if (!current(testId).scenarios.some((scenario) => scenario.name === name)) return false;
      const { added, removed, ...others } = layerOf(testId) ?? NO_CHANGE;
      const rest = added.filter((scenario) => scenario.name !== name);
      setLayer(testId, { added: rest, removed: new Set([...removed, name]), ...others });
      return true;
    },
    reset({ testId } = {}) {
      if (testId !== undefined) return void tests.delete(testId);
      common = undefined;
      tests.clear();
    },
  };
}

function applyLayer(below: ScenarioSet, { added, removed, defaultResponse, embeddings }: Layer): ScenarioSet {
  const byName = new Map(added.map((scenario) => [scenario.name, scenario]));
  const kept = below.scenarios.flatMap((scenario) => {
    const replacement = byName.get(scenario.name);
    byName.delete(scenario.name);
    if (replacement !== undefined) return [replacement];
    return removed.has(scenario.name) ? [] : [scenario];
  });
  const all = new Map([...below.embeddings, ...embeddings]);
  return indexScenarios([...byName.values(), ...kept], defaultResponse ?? below.defaultResponse, all);
}

function nameTaken(files: readonly NamedScenarioFile[], name: string): ScenarioError {
  const [problem] = files.flatMap(({ file, content }) => {
    const index = content.scenarios.findIndex((scenario) => scenario.name === name);
    return index === -1 ? [] : [{ file, path: `$.scenarios[${index}].name` }];
  });
  const reason = `the name "${name}" is taken by another scenario`;
  return ScenarioError.of(
    problem?.file ?? '',
    problem?.path ?? '$',
    reason,
    'give each scenario its own name, or replace it',
  );
}

function tooManyTests([first]: readonly NamedScenarioFile[]): ScenarioError {
  const fix = 'remove those of tests that have ended, with DELETE and their x-test-id';
  return ScenarioError.of(first?.file ?? '', '$', `${MAX_TESTS} tests already have their own scenarios`, fix);
}
