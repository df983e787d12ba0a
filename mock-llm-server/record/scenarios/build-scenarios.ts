import { answerConversation } from '../../answering/choose-reply.ts';
import { scenarioTagOf } from '../../conversation/ids.ts';
import { matchConversation } from '../../matching/match.ts';
import type { ScenarioFile, ScenarioSpecification } from '../../scenario/format.ts';
import { createScenarioSet, type ScenarioSet } from '../../scenario/prepare.ts';
import { callsOf } from '../../scenario/step-calls.ts';
import { freeName, slugOf } from '../../text.ts';
import type { Exchange } from '../exchange.ts';
import { findDifference, firstTrigger, type TriggerParts, writeTrigger } from './choose-trigger.ts';
import { groupRuns, type Run } from './group-runs.ts';
import { type WrittenStep, writeStep } from './write-step.ts';

export interface BuiltScenarios {
  /** The new scenarios, and the loaded ones that got more steps. */
  readonly scenarios: readonly ScenarioSpecification[];
  readonly places: ReadonlyMap<number, { readonly scenario: string; readonly step: number }>;
  /** Sentences on what the scenarios do not reproduce. */
  readonly notes: readonly string[];
}

/** A run that becomes a scenario. */
interface Draft {
  readonly run: Run;
  readonly name: string;
  readonly steps: WrittenStep[];
  readonly trigger: TriggerParts;
  /** The loaded scenario that the steps extend. */
  readonly base: ScenarioSpecification | undefined;
  auxiliary: boolean;
}

/** Scenarios that are loaded before those of a recording. */
export interface LoadedScenarios {
  readonly all: ScenarioFile['scenarios'];
  /** Those of the recorded story, which may get more steps. */
  readonly own: ScenarioFile['scenarios'];
}

const NONE: LoadedScenarios = { all: [], own: [] };

/**
 * Builds scenarios that answer the recorded requests as the upstream did. Triggers begin as short quotes of the prompts
 * and become more specific only where the requests would get each other's answers. Pure.
 */
export function buildScenarios(exchanges: readonly Exchange[], loaded = NONE): BuiltScenarios {
  const notes: string[] = [];
  const taken = new Set(loaded.all.map(({ name }) => name));
  const baseOf = baseFinder(loaded);
  const drafts = groupRuns(exchanges).flatMap((run) => draftOf(run, taken, baseOf(run), notes) ?? []);
  const left = settle(drafts, loaded.all, notes);
  const set = setOf(mergeScenarios(loaded.all, left.map(writeScenario)));
  const answered = left.flatMap(({ run }) => run.steps.flatMap(({ attempts }) => attempts.slice(-1)));
  for (const exchange of answered.filter((each) => placeIn(each, set).isUnpaired)) {
    notes.push(`Request ${exchange.number} has results that do not fit its calls, so only --lint warn accepts it.`);
  }
  const places = new Map(left.flatMap(placesOf));
  return { scenarios: left.map(writeScenario), places, notes };
}

/** Finds the scenario of the story whose last step a run continues. */
function baseFinder({ all, own }: LoadedScenarios): (run: Run) => ScenarioSpecification | undefined {
  if (own.length === 0) return () => undefined;
  const set = setOf(all);
  return ({ first }) => {
    const { conversation, headers, pairing } = first;
    const outcome = matchConversation(conversation, set, { headers, pairing });
    if (outcome.type !== 'past_last_step') return undefined;
    return own.find(({ name }) => name === outcome.scenario.name);
  };
}

function draftOf(
  run: Run,
  taken: Set<string>,
  base: ScenarioSpecification | undefined,
  notes: string[],
): Draft | undefined {
  const sorted = run.steps.toSorted((one, other) => one.results - other.results);
  const written: { readonly results: number; readonly step: WrittenStep }[] = [];
  for (const each of sorted) {
    const result = writeStep(each);
    const number = each.attempts.at(-1)?.number;
    if (result === undefined) continue;
    for (const note of result.notes) notes.push(`Request ${number}: ${note}.`);
    written.push({ results: each.results, step: result.step });
  }
  run.steps.splice(
    0,
    run.steps.length,
    ...sorted.filter((each) => written.some(({ results }) => results === each.results)),
  );
  if (written.length === 0) return undefined;
  const steps = written.map(({ results, step }, index) => {
    const next = written[index + 1];
    const calls = callsOf(step).length;
    return next === undefined || next.results - results === calls ? step : { ...step, results: next.results - results };
  });
  const trigger = firstTrigger(run);
  const { auxiliary } = run.first;
  const title = trigger.text ?? run.first.conversation.model;
  const slug = slugOf(auxiliary === undefined ? title : `${auxiliary} ${title}`);
  const name = base?.name ?? freeName(slug, (each) => taken.has(each));
  taken.add(name);
  return { run, name, steps, trigger, base, auxiliary: auxiliary !== undefined && auxiliary !== 'schema' };
}

function writeScenario({ run, name, steps, trigger, base, auxiliary }: Draft): ScenarioSpecification {
  if (base !== undefined) return { ...base, steps: [...base.steps, ...steps] };
  return {
    name,
    trigger: writeTrigger(trigger, run.texts),
    ...(auxiliary && { auxiliary: false }),
    steps: [...steps],
  };
}

/** Makes the triggers specific and orders the drafts until each answers its own requests. Returns those that do. */
function settle(drafts: readonly Draft[], others: ScenarioFile['scenarios'], notes: string[]): readonly Draft[] {
  let left = [...drafts];
  // Each round makes one trigger more specific, moves one draft or drops one.
  for (let round = 0; round < 6 * drafts.length + 1; round++) {
    const set = setOf(mergeScenarios(others, left.map(writeScenario)));
    const miss = findMiss(left, set);
    if (miss === undefined) return left;
    const { draft, exchange, step, got } = miss;
    const rival = left.find(({ name }) => name === got.scenario);
    if (got.type === 'auxiliary' && !draft.auxiliary) {
      draft.auxiliary = true;
    } else if (rival !== undefined && rival !== draft && (moveBefore(left, draft, rival) || tellApart(draft, rival))) {
    } else {
      // The steps before the one that does not fit are kept.
      draft.steps.splice(step);
      draft.run.steps.splice(draft.steps.length);
      left = left.filter(({ steps }) => steps.length > 0);
      notes.push(`Request ${exchange.number} is in no scenario: ${reasonOf(draft, rival, got)}.`);
    }
  }
  return left;
}

/** A request that a set answers otherwise than the upstream did. */
interface Miss {
  readonly draft: Draft;
  readonly exchange: Exchange;
  readonly step: number;
  readonly got: { readonly type: string; readonly scenario?: string | undefined; readonly step?: number | undefined };
}

function findMiss(drafts: readonly Draft[], set: ScenarioSet): Miss | undefined {
  for (const draft of drafts) {
    for (const [step, { attempts }] of draft.run.steps.entries()) {
      const exchange = attempts.at(-1);
      if (exchange === undefined) continue;
      const got = placeIn(exchange, set);
      if (got.scenario !== draft.name || got.step !== stepOffset(draft) + step) return { draft, exchange, step, got };
    }
  }
  return undefined;
}

/** The loaded scenarios with the changes of a recording, and then its new ones, which did not answer its requests. */
export function mergeScenarios(
  loaded: ScenarioFile['scenarios'],
  built: readonly ScenarioSpecification[],
): ScenarioSpecification[] {
  const changed = new Map(built.map((scenario) => [scenario.name, scenario]));
  const names = new Set(loaded.map(({ name }) => name));
  return [
    ...loaded.map((scenario) => changed.get(scenario.name) ?? scenario),
    ...built.filter(({ name }) => !names.has(name)),
  ];
}

function stepOffset({ base }: Draft): number {
  return base?.steps.length ?? 0;
}

/** The scenario and the step with which a set answers a request, even if its results do not fit its calls. */
export function placeIn(
  {
    conversation,
    headers,
    callIdPrefix,
    pairing,
  }: Pick<Exchange, 'conversation' | 'headers' | 'callIdPrefix' | 'pairing'>,
  set: ScenarioSet,
): Miss['got'] & { readonly isUnpaired?: boolean } {
  const answer = answerConversation(conversation, set, callIdPrefix, { headers, pairing });
  if (answer.type === 'unpaired_results' && pairing !== 'none') {
    const place = placeIn({ conversation, headers, callIdPrefix, pairing: 'none' }, set);
    return { ...place, isUnpaired: true };
  }
  if (answer.type !== 'reply') return { type: answer.type };
  if (answer.auxiliary !== undefined) return { type: 'auxiliary' };
  return { type: 'reply', ...answer.reply.source };
}

/** Moves a draft before its rival if its text is the longer one, so that both answer their own prompts. */
function moveBefore(drafts: Draft[], draft: Draft, rival: Draft): boolean {
  const [from, to] = [drafts.indexOf(draft), drafts.indexOf(rival)];
  const [text = '', other = ''] = [draft.trigger.text, rival.trigger.text].map((each) => each?.toLowerCase());
  if (from < to || text === other || !text.includes(other)) return false;
  drafts.splice(from, 1);
  drafts.splice(to, 0, draft);
  return true;
}

/** Adds conditions that hold for only one of two runs. False if there are no further ones. */
function tellApart(draft: Draft, rival: Draft): boolean {
  const [one, other] = [draft.trigger, rival.trigger];
  const before = JSON.stringify([one, other]);
  if (!one.exact && !other.exact && draft.run.texts.join('\n') !== rival.run.texts.join('\n')) {
    one.exact = true;
    other.exact = true;
    return true;
  }
  const difference = findDifference(draft.run.first, rival.run.first);
  if (difference !== undefined) {
    Object.assign(one.conditions, difference.one);
    Object.assign(other.conditions, difference.other);
  } else {
    one.testId = draft.run.first.headers['x-test-id'];
    other.testId = rival.run.first.headers['x-test-id'];
    if (one.testId === other.testId) {
      one.testId = undefined;
      other.testId = undefined;
    }
  }
  return JSON.stringify([one, other]) !== before;
}

function reasonOf(draft: Draft, rival: Draft | undefined, got: Miss['got']): string {
  if (rival === draft) return `the tool results before it do not fit the steps of "${draft.name}"`;
  if (rival === undefined) return `no trigger finds it (${got.type})`;
  return `it equals a request of "${rival.name}", and equal requests get equal answers`;
}

function placesOf(draft: Draft): [number, { scenario: string; step: number }][] {
  const { run, name } = draft;
  return run.steps.flatMap(({ attempts }, index) => {
    const place = { scenario: name, step: stepOffset(draft) + index };
    return attempts.map(({ number }): [number, typeof place] => [number, place]);
  });
}

function setOf(scenarios: readonly ScenarioSpecification[]): ScenarioSet {
  const tags = new Set(scenarios.map(({ name }) => scenarioTagOf(name)));
  if (tags.size < scenarios.length) throw new Error('two scenarios have the same name');
  return createScenarioSet([{ file: 'recording', content: { scenarios: [...scenarios] } }]);
}
