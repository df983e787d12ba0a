import { parseCallId, scenarioTagOf } from '../conversation/ids.ts';
import type { Scenario, ScenarioSet } from '../scenario/prepare.ts';
import type { RequestFacts, Trigger } from '../scenario/trigger/trigger.ts';
import { type Turn, toolResultsOf, userTextsOf } from './turns.ts';

/** The start of a scenario: the turn at `position` (-1: before the run), and the number of results after it. */
export interface Start {
  readonly position: number;
  readonly scenario: Scenario;
  /** Named groups of the trigger. */
  readonly groups: Readonly<Record<string, string>>;
  readonly results: number;
}

/** Searches the run from its last turn to its first for triggers; the first scenario of the set wins. Pure. */
export function findStart(run: readonly Turn[], set: ScenarioSet, facts: RequestFacts): Start | undefined {
  const firstText = run.findIndex((turn) => turn.type === 'user_texts');
  let results = 0;
  for (let position = run.length - 1; position >= 0; position--) {
    const turn = run[position];
    if (turn?.type === 'tool_results') {
      // Some protocols have one message per result; the results of one answer belong together.
      if (run[position + 1]?.type !== 'tool_results' && set.startedByResults.length > 0) {
        const found = startAtResults(run, position, set.startedByResults, facts);
        if (found !== undefined) return { ...found, position, results };
      }
      results += turn.results.length;
    }
    if (turn?.type !== 'user_texts') continue;
    for (const text of [...turn.texts].reverse()) {
      const found = startAtText(text, position === firstText, set, facts);
      if (found !== undefined) return { ...found, position, results };
    }
  }
  return undefined;
}

/** The start of a pinned scenario: the last text with its trigger, or else the first text. */
export function pinnedStart(run: readonly Turn[], scenario: Scenario): Start {
  let position = run.findIndex((turn) => turn.type === 'user_texts');
  let groups: Start['groups'] = {};
  for (const [index, turn] of run.entries()) {
    const found = scenario.trigger.needsText ? findInTexts(scenario.trigger, userTextsOf([turn])) : undefined;
    if (found === undefined) continue;
    position = index;
    groups = found;
  }
  return { position, scenario, groups, results: toolResultsOf(run.slice(position + 1)).length };
}

type Found = Pick<Start, 'scenario' | 'groups'>;

function startAtText(text: string, isFirst: boolean, set: ScenarioSet, facts: RequestFacts): Found | undefined {
  const lowerCased = text.toLowerCase();
  for (const index of set.triggers.candidates(lowerCased)) {
    const scenario = set.scenarios[index];
    if (scenario === undefined) continue;
    const { trigger } = scenario;
    // A trigger without a text must not start again at each reminder that a client adds.
    if (trigger.toolResult !== undefined || (!trigger.needsText && !isFirst)) continue;
    const groups = trigger.find(text, lowerCased);
    if (groups !== undefined && holds(trigger, facts)) return { scenario, groups };
  }
  return undefined;
}

function startAtResults(
  run: readonly Turn[],
  last: number,
  scenarios: readonly Scenario[],
  facts: RequestFacts,
): Found | undefined {
  let first = last;
  while (run[first - 1]?.type === 'tool_results') first--;
  const results = toolResultsOf(run.slice(first, last + 1));
  const caller = run[first - 1];
  for (const scenario of scenarios) {
    const { name, trigger } = scenario;
    const isOwn = (id: string) => parseCallId(id)?.scenarioTag === scenarioTagOf(name);
    // A scenario does not start at results of its own calls.
    if (caller?.type === 'assistant' && caller.calls.some(({ id }) => isOwn(id))) continue;
    const groups = findInTexts(trigger, userTextsOf(run.slice(0, first)));
    if (groups === undefined || !results.some((result) => trigger.toolResult?.accepts(result))) continue;
    if (holds(trigger, facts)) return { scenario, groups };
  }
  return undefined;
}

function findInTexts(trigger: Trigger, texts: readonly string[]): Start['groups'] | undefined {
  if (!trigger.needsText) return {};
  for (const text of [...texts].reverse()) {
    const groups = trigger.find(text, text.toLowerCase());
    if (groups !== undefined) return groups;
  }
  return undefined;
}

function holds(trigger: Trigger, facts: RequestFacts): boolean {
  return trigger.conditions.every((condition) => condition.holds(facts));
}
