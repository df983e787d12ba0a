import { diffWordsWithSpace } from 'diff';
import type { Conversation } from './conversation.ts';
import { currentRun, readTurns, toolResultsOf, userTextsOf } from './current-run.ts';
import { cutText, startOfText } from './cut-text.ts';
import { factsOf } from './match.ts';
import { findNearest, findNearestTrigger, lastOf } from './near-trigger.ts';
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

/** Explains why no scenario matches, and what to paste so that one does. `headers` have lower-case names. Pure. */
export function explainMiss(
  conversation: Conversation,
  set: ScenarioSet,
  headers: Readonly<Record<string, string>> = {},
): MissExplanation {
  const run = currentRun(readTurns(conversation));
  const texts = userTextsOf(run);
  const facts = factsOf(conversation, headers);
  // A scenario whose text is there and whose conditions are not is nearer than any that is merely alike.
  const nearest = findWithText(texts, set) ?? findNearestTrigger(texts, set.scenarios);
  if (nearest === undefined) {
    const message =
      'No scenario matches this request: none is loaded. ' +
      'Start the server with some: --scenarios PATH, in code the option scenarios.';
    return { message, nearest: undefined, failed: undefined };
  }
  const last = texts.at(-1);
  const said =
    last === undefined
      ? 'The request has no text of the user to look in.'
      : `The user said: ${JSON.stringify(cutText(last, MAX_QUOTE))}.`;
  const failure = findFailure(nearest, texts, toolResultsOf(run).length, facts);
  const message =
    `No scenario matches this request. ${said} The nearest trigger is ${JSON.stringify(nearest.trigger.text)} of ` +
    `scenario "${nearest.name}" (${set.scenarios.length} loaded). ${failure.reason} Put a trigger into the user's ` +
    `text, add a default_response, or add this to "scenarios":\n${writeScenario(texts, nearest, set)}`;
  return { message, nearest: nearest.name, failed: failure.field };
}

interface Failure {
  readonly field: string;
  readonly reason: string;
}

function findFailure({ trigger }: Scenario, texts: readonly string[], results: number, facts: RequestFacts): Failure {
  if (texts.length === 0) return { field: 'text', reason: 'A trigger is looked for in what the user says.' };
  if (trigger.needsText && findText(trigger, texts) === undefined) {
    return { field: 'text', reason: describeText(trigger, texts) };
  }
  const condition = trigger.conditions.find((each) => !each.holds(facts));
  if (condition !== undefined) {
    const { field, wanted } = condition;
    const found = JSON.stringify(cutText(condition.found(facts), MAX_QUOTE));
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

function describeText(trigger: Scenario['trigger'], texts: readonly string[]): string {
  if (trigger.literal === undefined) return 'Its expression finds nothing in the text.';
  const line = nearestLine(texts, trigger.text);
  const diff = diffWordsWithSpace(startOfText(trigger.text, MAX_DIFF), startOfText(line, MAX_DIFF), {
    ignoreCase: true,
  });
  const pieces = diff.map(({ value, added, removed }) => {
    if (added) return `{+${value}+}`;
    return removed ? `[-${value}-]` : value;
  });
  return `From the trigger to the text: ${pieces.join('')}.`;
}

/** The line of the last texts that is most like `wanted`, without spaces around it; the first line where none is. */
function nearestLine(texts: readonly string[], wanted: string): string {
  const last = lastOf(texts);
  const lines = last.reverse().flatMap((text) => text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line)));
  return (findNearest([wanted], lines, (line) => line) ?? texts.at(-1) ?? '').trim();
}

/** A scenario that answers this request. */
function writeScenario(texts: readonly string[], nearest: Scenario, set: ScenarioSet): string {
  const line = nearestLine(texts, nearest.trigger.text);
  const trigger = cutAtWord(line === '' ? 'what the user says' : line);
  const slug = shortTitle(trigger)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  const taken = set.scenarios.map(({ name }) => name);
  let name = slug;
  for (let number = 2; taken.includes(name); number++) name = `${slug}-${number}`;
  return JSON.stringify({ name, trigger, steps: [{ response: { content: 'The answer.' } }] });
}

function cutAtWord(text: string): string {
  const start = startOfText(text, MAX_TRIGGER);
  return start === text ? text : start.replace(/(?<=\S)\s+\S*$/, '');
}
