import { diffWordsWithSpace } from 'diff';
import type { Conversation } from './conversation.ts';
import { currentRun, readTurns, toolResultsOf, userTextsOf } from './current-run.ts';
import { cutText, startOfText } from './cut-text.ts';
import { factsOf } from './match.ts';
import { findNearest, findNearestTrigger, isAlike, lastOf } from './near-trigger.ts';
import { REDACTED, type RequestFields, redactFirst, redactLast, secretsOf } from './redact.ts';
import type { Scenario, ScenarioSet } from './scenario-set.ts';
import { shortTitle } from './short-title.ts';
import type { RequestFacts } from './trigger.ts';

/** Why nothing matched: for the person, and in one word for a header: what failed of the nearest scenario. */
export interface MissExplanation {
  readonly message: string;
  readonly nearest: string | undefined;
  /** `text`, `tool_result`, or the field of a condition: `model`, `system`, `tool`, `header NAME`. */
  readonly failed: string | undefined;
}

const MAX_QUOTE = 200;
const MAX_TRIGGER = 60;
/** A diff of more is of no use to anybody. */
const MAX_DIFF = 400;

/**
 * Explains why no scenario matches, and what to paste so that one does. There is no key in it, nor a part of one. Pure.
 */
export function explainMiss(
  conversation: Conversation,
  set: ScenarioSet,
  { headers = {}, query = {} }: RequestFields = {},
): MissExplanation {
  const run = currentRun(readTurns(conversation));
  const texts = userTextsOf(run).filter((text) => text !== '');
  const facts = factsOf(conversation, headers);
  // A scenario whose text is there and whose conditions are not is nearer than any that is merely alike.
  const nearest = findWithText(texts, set) ?? findNearestTrigger(texts, set.scenarios);
  if (nearest === undefined) {
    const message =
      'No scenario matches this request: none is loaded. ' +
      'Start the server with some: --scenarios PATH, in code the option scenarios.';
    return { message, nearest: undefined, failed: undefined };
  }
  const secrets = secretsOf(headers, query);
  const quote = (text: string) => JSON.stringify(cutText(redactFirst(text, MAX_QUOTE, secrets), MAX_QUOTE));
  const last = texts.at(-1);
  const said =
    last === undefined ? 'The request has no text of the user to look in.' : `The user said: ${quote(last)}.`;
  const shown = lastOf(texts, (text, length) => redactLast(text, length, secrets));
  const request = { texts, shown, results: toolResultsOf(run).length, facts };
  const failure = findFailure(nearest, request, quote);
  const trigger = `${JSON.stringify(nearest.trigger.text)} of scenario "${nearest.name}"`;
  const isNear = failure.field !== 'text' || last === undefined || isAlike(lastOf(texts), nearest.trigger.text);
  const compared = isNear
    ? `The nearest trigger is ${trigger} (${set.scenarios.length} loaded). ${failure.reason}`
    : `No trigger is like it; the first of ${set.scenarios.length} is ${trigger}.`;
  const message =
    `No scenario matches this request. ${said} ${compared} Put a trigger into the user's text, add a ` +
    `default_response, or add this to "scenarios":\n${writeScenario(shown, nearest, set)}`;
  return { message, nearest: nearest.name, failed: failure.field };
}

/** What matters of a request. `shown` is the last of its texts, without keys. */
interface Missed {
  readonly texts: readonly string[];
  readonly shown: readonly string[];
  /** How many tool results there are. */
  readonly results: number;
  readonly facts: RequestFacts;
}

interface Failure {
  readonly field: string;
  readonly reason: string;
}

function findFailure(
  { trigger }: Scenario,
  { texts, shown, results, facts }: Missed,
  quote: (text: string) => string,
): Failure {
  if (texts.length === 0) return { field: 'text', reason: 'A trigger is looked for in what the user says.' };
  if (trigger.needsText && findText(trigger, texts) === undefined) {
    return { field: 'text', reason: describeText(trigger, shown) };
  }
  const condition = trigger.conditions.find((each) => !each.holds(facts));
  if (condition !== undefined) {
    const { field, wanted } = condition;
    const found = quote(condition.found(facts));
    const reason = `Its condition on ${field}, ${JSON.stringify(wanted)}, does not hold: the request has ${found}.`;
    return { field, reason };
  }
  const wanted = JSON.stringify(trigger.toolResult?.wanted ?? '');
  const which = results === 0 ? 'there are no tool results' : 'no result that another scenario asked for has it';
  return { field: 'tool_result', reason: `Its condition on tool_result, ${wanted}, does not hold: ${which}.` };
}

/** The first scenario whose trigger is in one of the texts, whatever its conditions say. */
function findWithText(texts: readonly string[], set: ScenarioSet): Scenario | undefined {
  let first: number | undefined;
  for (const text of texts) {
    const lowerCased = text.toLowerCase();
    for (const place of set.triggers.candidates(lowerCased)) {
      if (first !== undefined && place >= first) break;
      const trigger = set.scenarios[place]?.trigger;
      if (trigger?.needsText && trigger.find(text, lowerCased) !== undefined) first = place;
    }
  }
  return first === undefined ? undefined : set.scenarios[first];
}

function findText(trigger: Scenario['trigger'], texts: readonly string[]): string | undefined {
  return texts.findLast((text) => trigger.find(text, text.toLowerCase()) !== undefined);
}

function describeText(trigger: Scenario['trigger'], shown: readonly string[]): string {
  if (trigger.literal === undefined) return 'Its expression finds nothing in the text.';
  const line = nearestLine(shown, trigger.text);
  const diff = diffWordsWithSpace(startOfText(trigger.text, MAX_DIFF), startOfText(line, MAX_DIFF), {
    ignoreCase: true,
  });
  const pieces = diff.map(({ value, added, removed }) => {
    if (added) return `{+${value}+}`;
    return removed ? `[-${value}-]` : value;
  });
  return `From the trigger to the text: ${pieces.join('')}.`;
}

/** The line that is most like `wanted`, without spaces around it; the first line where none is. */
function nearestLine(shown: readonly string[], wanted: string): string {
  const lines = [...shown].reverse().flatMap((text) => text.split('\n').filter(saysSomething));
  return (findNearest([wanted], lines, (line) => line) ?? shown.at(-1) ?? '').trim();
}

function saysSomething(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line.replaceAll(REDACTED, ''));
}

/** A scenario that answers this request. */
function writeScenario(shown: readonly string[], nearest: Scenario, set: ScenarioSet): string {
  const line = longestPart(nearestLine(shown, nearest.trigger.text));
  const trigger = cutAtWord(line === '' ? 'what the user says' : line);
  const slug = shortTitle(trigger)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  const taken = set.scenarios.map(({ name }) => name);
  let name = slug;
  for (let number = 2; taken.includes(name); number++) name = `${slug}-${number}`;
  return JSON.stringify({ name, trigger, steps: [{ response: { content: 'The answer.' } }] });
}

/** The user said no word that stands for a key. */
function longestPart(line: string): string {
  const parts = line.split(REDACTED).map((part) => part.trim());
  return parts.sort((one, other) => other.length - one.length)[0] ?? '';
}

function cutAtWord(text: string): string {
  const start = startOfText(text, MAX_TRIGGER);
  return start === text ? text : start.replace(/(?<=\S)\s+\S*$/, '');
}
