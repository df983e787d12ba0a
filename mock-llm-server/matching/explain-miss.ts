import { diffWordsWithSpace } from 'diff';
import type { Conversation } from '../conversation/conversation.ts';
import { REDACTED, type RequestFields, redactFirst, redactLast } from '../journal/redact.ts';
import type { Scenario, ScenarioSet } from '../scenario/prepare.ts';
import type { RequestFacts } from '../scenario/trigger.ts';
import { cutText, shortTitle, startOfText } from '../text.ts';
import { factsOf } from './match.ts';
import { currentRun, readTurns, toolResultsOf, userTextsOf } from './turns.ts';

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
  { headers = {}, secrets = [] }: RequestFields = {},
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

/** More characters than these are not looked at; a miss must stay cheap. */
const MAX_LENGTH = 20_000;

/**
 * The last of the texts, as much of them as a person looks through; the first of these may be cut. `endOf` gives the
 * last characters of a text, at most as many as it is told. Pure.
 */
export function lastOf(
  texts: readonly string[],
  endOf = (text: string, length: number) => text.slice(-length),
): string[] {
  const last: string[] = [];
  let left = MAX_LENGTH;
  for (const text of [...texts].reverse()) {
    if (left === 0) break;
    const end = endOf(text, left);
    left -= end.length;
    last.push(end);
  }
  return last.reverse();
}

/**
 * The scenario whose trigger comes nearest to one of the last texts. Nothing only when there are no scenarios. Pure.
 */
export function findNearestTrigger(texts: readonly string[], scenarios: readonly Scenario[]): Scenario | undefined {
  return findNearest(lastOf(texts), scenarios, ({ trigger }) => trigger.text);
}

/**
 * The item whose text comes nearest to one of the texts: the one with the greatest share of its letter triples in the
 * text, the first of equals. Nothing only when there are no items. Pure.
 */
export function findNearest<T>(
  texts: readonly string[],
  items: readonly T[],
  textOf: (item: T) => string,
): T | undefined {
  const known = texts.map(triplesOf);
  let nearest = items[0];
  let best = 0;
  for (const item of items) {
    const wanted = [...triplesOf(textOf(item))];
    for (const triples of known) {
      const share = wanted.filter((triple) => triples.has(triple)).length / wanted.length;
      if (share > best) {
        best = share;
        nearest = item;
      }
    }
  }
  return nearest;
}

/** Whether one of the texts has any three letters in a row that are in `wanted`, too. Pure. */
export function isAlike(texts: readonly string[], wanted: string): boolean {
  const sought = [...triplesOf(wanted)];
  return texts.some((text) => {
    const triples = triplesOf(text);
    return sought.some((triple) => triples.has(triple));
  });
}

/** Words are padded, so that short ones and their first and last letters count. */
function triplesOf(text: string): Set<string> {
  const triples = new Set<string>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const letters = [' ', ...word, ' '];
    for (let start = 0; start + 2 < letters.length; start++) triples.add(letters.slice(start, start + 3).join(''));
  }
  return triples;
}
