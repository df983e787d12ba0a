import { diffWordsWithSpace } from 'diff';
import type { Conversation } from '../conversation/conversation.ts';
import { scenarioTagOf } from '../conversation/ids.ts';
import { REDACTED, type RequestFields, redactFirst, redactLast } from '../journal/redact.ts';
import type { Scenario, ScenarioSet } from '../scenario/prepare.ts';
import type { RequestFacts, Trigger } from '../scenario/trigger.ts';
import { cutText, shortTitle, startOfText } from '../text.ts';
import { factsOf } from './match.ts';
import { createSimilarityIndex, findNearestLine, type SimilarityIndex } from './similarity.ts';
import { currentRun, readTurns, toolResultsOf, userTextsOf } from './turns.ts';

/** The reason why no scenario matches: a message for the user, the nearest scenario, and its condition that failed. */
export interface MissExplanation {
  readonly message: string;
  readonly nearest: string | undefined;
  /** `text`, `tool_result`, or the field of a condition: `model`, `system`, `tool`, `header NAME`. */
  readonly failed: string | undefined;
}

const MAX_QUOTE = 200;
const MAX_TRIGGER = 60;
/** Longer diffs help nobody. */
const MAX_DIFF = 400;
/** Length of the end of the user's texts that is compared with triggers. Limits the cost of a miss. */
const MAX_COMPARED = 4_000;

/**
 * Explains why no scenario matches, with a scenario to paste that does. The message contains no key and no part of
 * one. Pure.
 */
export function explainMiss(
  conversation: Conversation,
  set: ScenarioSet,
  { headers = {}, secrets = [] }: RequestFields = {},
): MissExplanation {
  const run = currentRun(readTurns(conversation));
  const texts = userTextsOf(run).filter((text) => text !== '');
  const found = findNearestScenario(texts, set);
  if (found === undefined) {
    const message =
      'No scenario matches this request: none is loaded. ' +
      'Start the server with some: --scenarios PATH, in code the option scenarios.';
    return { message, nearest: undefined, failed: undefined };
  }
  const { scenario, isSimilar } = found;
  const { trigger } = scenario;
  const quote = (text: string) => JSON.stringify(cutText(redactFirst(text, MAX_QUOTE, secrets), MAX_QUOTE));
  const shown = endOfTexts(texts, (text, length) => redactLast(text, length, secrets));
  const line = nearestLine(shown, trigger.text);
  const request = { texts, line, resultCount: toolResultsOf(run).length, facts: factsOf(conversation, headers) };
  const failure = findFailure(trigger, request, quote);
  const last = texts.at(-1);
  const said = last === undefined ? 'The request has no text of the user.' : `The user said: ${quote(last)}.`;
  const named = `${JSON.stringify(trigger.text)} of scenario "${scenario.name}"`;
  const compared =
    failure.field !== 'text' || last === undefined || isSimilar
      ? `The nearest trigger is ${named} (${set.scenarios.length} loaded). ${failure.reason}`
      : `No trigger is similar; the first of ${set.scenarios.length} is ${named}.`;
  const message =
    `No scenario matches this request. ${said} ${compared} Put a trigger into the user's text, add a ` +
    `default_response, or add this to "scenarios":\n${writeScenario(line, set)}`;
  return { message, nearest: scenario.name, failed: failure.field };
}

interface NearestScenario {
  readonly scenario: Scenario;
  readonly isSimilar: boolean;
}

/** The scenario whose trigger is in a text and whose conditions failed, or else the one with the most similar trigger. */
function findNearestScenario(texts: readonly string[], set: ScenarioSet): NearestScenario | undefined {
  const matching = findWithText(texts, set);
  if (matching !== undefined) return { scenario: matching, isSimilar: true };
  const nearest = similarityIndexOf(set.scenarios).findNearest(endOfTexts(texts));
  const scenario = set.scenarios[nearest?.index ?? 0];
  return scenario && { scenario, isSimilar: nearest !== undefined && nearest.share > 0 };
}

/** The first scenario whose trigger is in one of the texts, whatever its conditions. */
function findWithText(texts: readonly string[], set: ScenarioSet): Scenario | undefined {
  let first = set.scenarios.length;
  for (const text of texts) {
    const lowerCased = text.toLowerCase();
    const found = set.triggers.candidates(lowerCased).find((index) => {
      const trigger = set.scenarios[index]?.trigger;
      return index >= first || (trigger?.needsText && trigger.find(text, lowerCased) !== undefined);
    });
    first = Math.min(first, found ?? first);
  }
  return set.scenarios[first];
}

/** Indexes are made at the first miss: most servers never have one. */
const similarityIndexes = new WeakMap<readonly Scenario[], SimilarityIndex>();

function similarityIndexOf(scenarios: readonly Scenario[]): SimilarityIndex {
  const known = similarityIndexes.get(scenarios);
  if (known !== undefined) return known;
  const index = createSimilarityIndex(scenarios.map(({ trigger }) => trigger.text));
  similarityIndexes.set(scenarios, index);
  return index;
}

/** The parts of a request that triggers look at. `line` is the nearest line, without keys. */
interface MissedRequest {
  readonly texts: readonly string[];
  readonly line: string;
  readonly resultCount: number;
  readonly facts: RequestFacts;
}

interface Failure {
  readonly field: string;
  readonly reason: string;
}

function findFailure(
  trigger: Trigger,
  { texts, line, resultCount, facts }: MissedRequest,
  quote: (text: string) => string,
): Failure {
  if (texts.length === 0) return { field: 'text', reason: 'A trigger must be in a text of the user.' };
  if (trigger.needsText && !texts.some((text) => trigger.find(text, text.toLowerCase()) !== undefined)) {
    return { field: 'text', reason: describeDifference(trigger, line) };
  }
  const condition = trigger.conditions.find((each) => !each.holds(facts));
  if (condition !== undefined) {
    const { field, wanted } = condition;
    const found = quote(condition.found(facts));
    const reason = `Its condition on ${field}, ${JSON.stringify(wanted)}, does not hold: the request has ${found}.`;
    return { field, reason };
  }
  const wanted = JSON.stringify(trigger.toolResult?.wanted ?? '');
  const found = resultCount === 0 ? 'there are no tool results' : 'no result of another scenario matches it';
  return { field: 'tool_result', reason: `Its condition on tool_result, ${wanted}, does not hold: ${found}.` };
}

function describeDifference(trigger: Trigger, line: string): string {
  if (trigger.literal === undefined) return 'Its expression does not match the text.';
  const diff = diffWordsWithSpace(startOfText(trigger.text, MAX_DIFF), startOfText(line, MAX_DIFF), {
    ignoreCase: true,
  });
  const pieces = diff.map(({ value, added, removed }) => {
    if (added) return `{+${value}+}`;
    return removed ? `[-${value}-]` : value;
  });
  return `From the trigger to the text: ${pieces.join('')}.`;
}

/** The line that is most similar to a trigger, without spaces around it; the last text if no line has words. */
function nearestLine(shown: readonly string[], trigger: string): string {
  const lines = shown.toReversed().flatMap((text) => text.split('\n').filter(hasWords));
  return (findNearestLine(lines, trigger) ?? shown.at(-1) ?? '').trim();
}

function hasWords(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line.replaceAll(REDACTED, ''));
}

/** A scenario that answers a request with this line. */
function writeScenario(line: string, set: ScenarioSet): string {
  const text = longestPart(line);
  const trigger = cutAtWord(text === '' ? 'what the user says' : text);
  const slug = shortTitle(trigger)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  let name = slug;
  for (let number = 2; set.byTag.has(scenarioTagOf(name)); number++) name = `${slug}-${number}`;
  return JSON.stringify({ name, trigger, steps: [{ response: { content: 'The answer.' } }] });
}

/** The longest part between redacted keys: a trigger with `[redacted]` in it would never match. */
function longestPart(line: string): string {
  const parts = line.split(REDACTED).map((part) => part.trim());
  return parts.sort((one, other) => other.length - one.length)[0] ?? '';
}

function cutAtWord(text: string): string {
  const start = startOfText(text, MAX_TRIGGER);
  return start === text ? text : start.replace(/(?<=\S)\s+\S*$/, '');
}

/**
 * The last `MAX_COMPARED` characters of texts; the first text may be cut. `endOf` returns at most the given number of
 * characters from the end of a text.
 */
function endOfTexts(
  texts: readonly string[],
  endOf = (text: string, length: number) => text.slice(-length),
): readonly string[] {
  const ends: string[] = [];
  let left = MAX_COMPARED;
  for (const text of texts.toReversed()) {
    if (left === 0) break;
    const end = endOf(text, left);
    left -= end.length;
    ends.push(end);
  }
  return ends.reverse();
}
