import type { Conversation } from '../conversation/conversation.ts';
import { BYTES_PER_TOKEN, outputBytes } from '../conversation/estimate-tokens.ts';
import type { Scenario, ScenarioSet, Step, StepToolCall } from '../scenario/prepare.ts';
import type { RequestFacts } from '../scenario/trigger/trigger.ts';
import { countSteps, dueStep, textsAtEnd } from './due-step.ts';
import { findLateStart, findStart, pinnedStart, type Start } from './find-start.ts';
import { type PairingRule, pairResults, type UnpairedResults } from './pair-results.ts';
import { type EchoedCall, findEchoedCalls, findMissingCalls } from './recall-calls.ts';
import { isResultText } from './text-forms.ts';
import { readTextResults, textsAroundResults } from './text-results.ts';
import { currentRun, type Turn, toolResultsOf, turnsOf, userTextsOf } from './turns.ts';

/** The step that answers. `groups` are the named groups of the trigger, empty if the run has no text with it. */
export interface Match {
  readonly type: 'match';
  readonly scenario: Scenario;
  readonly stepIndex: number;
  readonly step: Step;
  readonly groups: Readonly<Record<string, string>>;
  /** The current run, with its results paired. */
  readonly run: readonly Turn[];
}

/** No trigger matches, and no tool call id is known. `texts` are the user's texts of the current run, in order. */
export interface Unmatched {
  readonly type: 'unmatched';
  readonly texts: readonly string[];
}

/** The request has more tool results than the steps of the scenario account for. */
export interface PastLastStep {
  readonly type: 'past_last_step';
  readonly scenario: Scenario;
}

export type MatchOutcome = Match | Unmatched | PastLastStep | UnpairedResults;

/** Further input of a match. */
export interface MatchOptions {
  /** Names are lower-case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The scenario that answers, regardless of triggers, and the step, regardless of the history. */
  readonly pin?: { readonly scenario: Scenario; readonly step: number | undefined };
  /** The required place of tool results. With `none`, a step also continues with fewer results than calls. */
  readonly pairing?: PairingRule;
  /** The output limit of the request. The server cut earlier answers that are longer, so that later calls are missing. */
  readonly maxTokens?: number | undefined;
}

/** Finds the step that answers a conversation. Pure and total; equal conversations have equal outcomes. */
export function matchConversation(
  conversation: Conversation,
  set: ScenarioSet,
  options: MatchOptions = {},
): MatchOutcome {
  const read = readTextResults(conversation);
  const outcome = matchTurns(turnsOf(read), conversation, set, options);
  if (outcome.type === 'unmatched' && set.resultTexts.length > 0) {
    const isResult = (text: string) => isResultText(text) || set.resultTexts.some((accepts) => accepts(text));
    const stated = matchTurns(turnsOf(readTextResults(conversation, isResult)), conversation, set, options);
    if (stated.type === 'match') return stated;
  }
  if (read === conversation.messages || (outcome.type !== 'past_last_step' && outcome.type !== 'unmatched')) {
    return outcome;
  }
  // The user pasted results in texts that no step waits for. But a prompt that a client repeats next to its results must
  // not start the same scenario again.
  const blocks = readTextResults(conversation, () => false);
  const around = matchTurns(turnsOf(textsAroundResults(blocks)), conversation, set, options);
  if (around.type !== 'match') return outcome;
  return outcome.type === 'past_last_step' && outcome.scenario === around.scenario ? outcome : around;
}

function matchTurns(
  turns: readonly Turn[],
  conversation: Conversation,
  set: ScenarioSet,
  { headers = {}, pin, pairing = 'right_after', maxTokens }: MatchOptions,
): MatchOutcome {
  const paired = pairResults(turns, pairing);
  if (paired.type === 'unpaired_results') return paired;
  const maxBytes = pairing === 'none' ? 0 : maxTokens && maxTokens * BYTES_PER_TOKEN;
  const run = currentRun(paired.turns);
  if (pin?.step !== undefined) return atStep(run, pin.scenario, pin.step, pinnedStart(run, pin.scenario).groups);
  const facts = factsOf(conversation, headers);
  const start = pin === undefined ? findStart(run, set, facts) : pinnedStart(run, pin.scenario);
  const outcome = locateStep(run, set, { start, isPinned: pin !== undefined, maxBytes });
  if (pin !== undefined || (outcome.type !== 'unmatched' && outcome.type !== 'past_last_step')) return outcome;
  // No step is due, so a text that came while a run went on may be a prompt: that of a run before was stopped.
  const late = findLateStart(run, set, facts);
  if (late === undefined || late.position === start?.position) return outcome;
  return locateStep(run, set, { start: late, isPinned: false, maxBytes });
}

/** The step after the last known call of the scenario that started, or else by the number of results. */
function locateStep(
  run: readonly Turn[],
  set: ScenarioSet,
  options: { readonly start: Start | undefined; readonly isPinned: boolean; readonly maxBytes: number | undefined },
): MatchOutcome {
  const { start, isPinned, maxBytes } = options;
  const afterStart = start === undefined ? run : run.slice(start.position + 1);
  const echoed = findEchoedCalls(afterStart, set, start?.scenario).at(-1);
  const isOther = isPinned && echoed?.scenario !== start?.scenario;
  if (echoed !== undefined && !isOther && !isOverruled(echoed, start)) {
    return continueFrom(run, echoed, start, set, maxBytes);
  }
  if (start !== undefined) return countFrom(run, start, maxBytes);
  return { type: 'unmatched', texts: userTextsOf(run) };
}

/** The facts of a request that conditions of triggers test. */
export function factsOf(conversation: Conversation, headers: RequestFacts['headers']): RequestFacts {
  const { protocol, model, system, tools } = conversation;
  return { protocol, model, system, tools: tools.map(({ name }) => name), headers, output: conversation };
}

/** True if more results than its step accounts for overrule an explicit id, which can repeat in a history. */
function isOverruled(echoed: EchoedCall, start: Start | undefined): boolean {
  return echoed.isExplicit && start !== undefined && start.results > echoed.step.resultsAfter;
}

/** Continues after the last echoed call, unless only a part of that step's results is present. */
function continueFrom(
  run: readonly Turn[],
  echoed: EchoedCall,
  start: Start | undefined,
  set: ScenarioSet,
  maxBytes: number | undefined,
): MatchOutcome {
  const { scenario, step, stepIndex } = echoed;
  const isStarted = start?.scenario === scenario;
  if (isStarted && start.results > step.resultsBefore && start.results < step.resultsAfter) {
    const turns = run.slice(start.position + 1);
    const missing = findMissingCalls(echoed, turns, set);
    if (missing.length > 0 && !isLongerThan(step, maxBytes)) return describePartial(scenario, step, missing, turns);
  }
  const { groups } = isStarted ? start : pinnedStart(run, scenario);
  return atStep(run, scenario, dueStep(scenario, stepIndex + 1, textsAtEnd(run)), groups);
}

/** True if the answer of a step has more bytes than the limit, so that a part of it was sent. */
export function isLongerThan({ reasoning, content, toolCalls }: Step, maxBytes: number | undefined): boolean {
  if (maxBytes === undefined) return false;
  const calls = toolCalls.map((call) => {
    return { name: call.name, arguments: call.type === 'intent' ? JSON.stringify(call.intent) : call.arguments };
  });
  return outputBytes({ reasoning, content, toolCalls: calls }) > maxBytes;
}

function countFrom(run: readonly Turn[], start: Start, maxBytes: number | undefined): MatchOutcome {
  const { scenario, results, groups, position } = start;
  if (scenario.steps.some(({ waitsFor }) => waitsFor !== undefined)) return countOptional(run, start);
  const due = scenario.steps.findIndex((step) => step.resultsBefore === results);
  if (due !== -1) return atStep(run, scenario, due, groups);
  const part = scenario.steps.findIndex((step) => results < step.resultsAfter);
  const step = scenario.steps[part];
  if (step === undefined) return { type: 'past_last_step', scenario };
  if (isLongerThan(step, maxBytes)) return atStep(run, scenario, part + 1, groups);
  const missing = step.toolCalls.slice(results - step.resultsBefore);
  return describePartial(scenario, step, missing, run.slice(position + 1));
}

/** Counts the results of a scenario with steps that are due only where the user has said something. */
function countOptional(run: readonly Turn[], { scenario, groups, position }: Start): MatchOutcome {
  const turns = run.slice(Math.max(position, 0));
  const { stepIndex, results } = countSteps(scenario, turns);
  const step = scenario.steps[stepIndex];
  const isPartial = step !== undefined && results > 0;
  if (isPartial) return describePartial(scenario, step, step.toolCalls.slice(results), turns);
  return atStep(run, scenario, stepIndex, groups);
}

function atStep(
  run: readonly Turn[],
  scenario: Scenario,
  stepIndex: number,
  groups: Match['groups'],
): Match | PastLastStep {
  const step = scenario.steps[stepIndex];
  if (step === undefined) return { type: 'past_last_step', scenario };
  return { type: 'match', scenario, stepIndex, step, groups, run };
}

/** Describes messages that are each paired correctly, but together lack calls of a step. */
function describePartial(
  scenario: Scenario,
  step: Step,
  missing: readonly Pick<StepToolCall, 'id' | 'name'>[],
  turns: readonly Turn[],
): UnpairedResults {
  const index = turns.findLast((turn) => turn.type === 'assistant')?.index ?? 0;
  const present = toolResultsOf(turns);
  const unknown = missing.flatMap(({ id, name }) => (id === undefined ? [name] : []));
  const hint =
    `Step ${scenario.steps.indexOf(step)} of scenario "${scenario.name}" expects ${step.resultsAfter - step.resultsBefore} tool ` +
    `results, but the request has results for these calls only: ${present.map(({ callId }) => callId).join(', ')}.` +
    (unknown.length > 0 ? ` It lacks a call to ${unknown.join(', ')}: send every call back, with its result.` : '');
  return { type: 'unpaired_results', index, missing: missing.flatMap(({ id }) => id ?? []), orphans: [], hint };
}
