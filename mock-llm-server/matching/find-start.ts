import { parseCallId, scenarioTagOf } from '../conversation/ids.ts';
import type { Scenario, ScenarioSet } from '../scenario/prepare.ts';
import type { RequestFacts, Trigger } from '../scenario/trigger/trigger.ts';
import { notesInterruption, withoutAgentBlocks } from './agent-texts.ts';
import { type Turn, toolResultsOf, userTextsOf } from './turns.ts';

/** The start of a scenario: the turn at `position` (-1: before the run), and the number of results after it. */
export interface Start {
  readonly position: number;
  readonly scenario: Scenario;
  /** Named groups of the trigger. */
  readonly groups: Readonly<Record<string, string>>;
  readonly results: number;
}

type Found = Pick<Start, 'scenario' | 'groups'>;

/**
 * Searches the run from its last turn to its first: tool results, and the texts before the first answer or after an
 * interruption. A text that the user sends while the run goes on starts nothing. Pure.
 */
export function findStart(run: readonly Turn[], set: ScenarioSet, facts: RequestFacts): Start | undefined {
  const opening = openingTurns(run);
  return (
    searchRun(run, (position) => {
      if (run[position]?.type === 'tool_results') return startAtResults(run, position, set.startedByResults, facts);
      return opening.has(position) ? startAtTexts(run, position, set, facts, withoutAgentBlocks) : undefined;
    }) ?? searchRun(run, (position) => (opening.has(position) ? startAtTexts(run, position, set, facts) : undefined))
  );
}

/** The start at the last text of the run with a trigger, also while the run goes on: for one that is in no scenario. Pure. */
export function findLateStart(run: readonly Turn[], set: ScenarioSet, facts: RequestFacts): Start | undefined {
  return (
    searchRun(run, (position) => startAtTexts(run, position, set, facts, withoutAgentBlocks)) ??
    searchRun(run, (position) => startAtTexts(run, position, set, facts))
  );
}

/** The start of a pinned scenario: the last text that can start it and has its trigger, or else the first text. */
export function pinnedStart(run: readonly Turn[], scenario: Scenario): Start {
  const first = run.findIndex((turn) => turn.type === 'user_texts');
  const { trigger } = scenario;
  const opening = openingTurns(run);
  const at = (isPossible: (position: number) => boolean, read?: (text: string) => string) =>
    searchRun(run, (position) => {
      const turn = run[position];
      if (turn?.type !== 'user_texts' || !isPossible(position)) return undefined;
      const groups = findInTexts(trigger, turn.texts, read);
      return groups && { scenario, groups };
    });
  const found = trigger.needsText
    ? (at((position) => opening.has(position), withoutAgentBlocks) ??
      at((position) => opening.has(position)) ??
      at(() => true))
    : undefined;
  return found ?? { position: first, scenario, groups: {}, results: toolResultsOf(run.slice(first + 1)).length };
}

/** The last turn of the run at which something is found, and the number of results after it. */
function searchRun(run: readonly Turn[], find: (position: number) => Found | undefined): Start | undefined {
  let results = 0;
  for (let position = run.length - 1; position >= 0; position--) {
    const found = find(position);
    if (found !== undefined) return { ...found, position, results };
    const turn = run[position];
    if (turn?.type === 'tool_results') results += turn.results.length;
  }
  return undefined;
}

/** The positions of texts that open the run: those before the first answer, or after an interruption. */
function openingTurns(run: readonly Turn[]): ReadonlySet<number> {
  const positions = new Set<number>();
  let isOpen = true;
  for (const [position, turn] of run.entries()) {
    if (turn.type === 'assistant') isOpen = false;
    isOpen ||= textsIn(turn).some(notesInterruption);
    if (isOpen && turn.type === 'user_texts') positions.add(position);
  }
  return positions;
}

function textsIn(turn: Turn): readonly string[] {
  switch (turn.type) {
    case 'user_texts':
      return turn.texts;
    case 'tool_results':
      return [...turn.results.map(({ content }) => content), ...turn.beside];
    case 'assistant':
      return [];
    default:
      return turn satisfies never;
  }
}

function startAtTexts(
  run: readonly Turn[],
  position: number,
  set: ScenarioSet,
  facts: RequestFacts,
  read: (text: string) => string = (text) => text,
): Found | undefined {
  const turn = run[position];
  if (turn?.type !== 'user_texts') return undefined;
  // A trigger without a text must not start again at each reminder that a client adds.
  const isFirst = run.findIndex(({ type }) => type === 'user_texts') === position;
  for (const text of turn.texts.toReversed()) {
    const found = startAtText(read(text), isFirst, set, facts);
    if (found !== undefined) return found;
  }
  return undefined;
}

function startAtText(text: string, isFirst: boolean, set: ScenarioSet, facts: RequestFacts): Found | undefined {
  const lowerCased = text.toLowerCase();
  for (const index of set.triggers.candidates(lowerCased)) {
    const scenario = set.scenarios[index];
    if (scenario === undefined) continue;
    const { trigger } = scenario;
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
  // Some protocols have one message per result; the results of one answer belong together.
  if (scenarios.length === 0 || run[last + 1]?.type === 'tool_results') return undefined;
  let first = last;
  while (run[first - 1]?.type === 'tool_results') first--;
  const results = toolResultsOf(run.slice(first, last + 1));
  const caller = run[first - 1];
  for (const scenario of scenarios) {
    const { name, trigger } = scenario;
    const isOwn = (id: string) => parseCallId(id)?.scenarioTag === scenarioTagOf(name);
    // A scenario does not start at results of its own calls.
    if (caller?.type === 'assistant' && caller.calls.some(({ id }) => isOwn(id))) continue;
    const groups = trigger.needsText ? findInTexts(trigger, userTextsOf(run.slice(0, first))) : {};
    if (groups === undefined || !results.some((result) => trigger.toolResult?.accepts(result))) continue;
    if (holds(trigger, facts)) return { scenario, groups };
  }
  return undefined;
}

function findInTexts(
  trigger: Trigger,
  texts: readonly string[],
  read: (text: string) => string = (text) => text,
): Start['groups'] | undefined {
  for (const text of texts.map(read).toReversed()) {
    const groups = trigger.find(text, text.toLowerCase());
    if (groups !== undefined) return groups;
  }
  return undefined;
}

function holds(trigger: Trigger, facts: RequestFacts): boolean {
  return trigger.conditions.every((condition) => condition.holds(facts));
}
