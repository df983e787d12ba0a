import { diffWordsWithSpace } from 'diff';
import type { Conversation } from '../conversation/conversation.ts';
import { scenarioTagOf } from '../conversation/ids.ts';
import { REDACTED, type RequestFields, redactFirst, redactLast } from '../journal/redact.ts';
import type { Scenario, ScenarioSet } from '../scenario/prepare.ts';
import type { Trigger } from '../scenario/trigger/trigger.ts';
import { cutText, freeName, slugOf, startOfText } from '../text.ts';
import { isAgentNote, withoutAgentBlocks } from './agent-texts.ts';
import { factsOf } from './match.ts';
import { createSimilarityIndex, findNearestLine, type SimilarityIndex } from './similarity.ts';
import { currentRun, readTurns, toolResultsOf, userTextsOf } from './turns.ts';

/** The reason why no scenario matches: a message for the user, the nearest scenario, and its condition that failed. */
export interface MissExplanation {
  readonly message: string;
  readonly nearest: string | undefined;
  /** `text`, `tool_result`, or the field of a condition, such as `model` or `header NAME`. */
  readonly failed: string | undefined;
}

const MAX_QUOTE = 200;
const MAX_TRIGGER = 60;
/** Longer diffs help nobody. */
const MAX_DIFF = 400;
/** The last texts of the user, and the end of each, that are compared with triggers. Limits the cost of a miss. */
const MAX_TEXTS = 4;
const MAX_COMPARED = 4_000;

/** Explains why no scenario matches, with a scenario to paste that does. The message quotes no part of a key. Pure. */
export function explainMiss(
  conversation: Conversation,
  set: ScenarioSet,
  { headers = {}, secrets = [] }: RequestFields = {},
): MissExplanation {
  const run = currentRun(readTurns(conversation));
  const said = userTextsOf(run);
  // What an agent adds to the messages of the user explains nothing.
  const own = said.map(withoutAgentBlocks).filter((text) => text.trim() !== '' && !isAgentNote(text));
  const texts = own.length > 0 ? own : said.filter((text) => text !== '');
  const lastTexts = texts.slice(-MAX_TEXTS).reverse();
  const ends = lastTexts.map((text) => redactLast(text, MAX_COMPARED, secrets));
  const { scenario, isSimilar } = findNearestScenario(texts, ends, set);
  if (scenario === undefined) {
    const message =
      'No scenario matches this request: none is loaded. ' +
      'Start the server with some: --scenarios PATH, in code the option scenarios.';
    return { message, nearest: undefined, failed: undefined };
  }
  const quote = (text: string) => JSON.stringify(cutText(redactFirst(text, MAX_QUOTE, secrets), MAX_QUOTE));
  const { trigger } = scenario;
  const named = `${JSON.stringify(trigger.text)} of scenario "${scenario.name}"`;
  const nearest = `The nearest trigger is ${named} (${set.scenarios.length} loaded).`;
  const lines = ends.flatMap((text) => text.split('\n').filter(hasWords));
  const line = (findNearestLine(lines, trigger.text) ?? ends[0] ?? '').trim();
  const explain = (failed: string, prompt: string, reason: string): MissExplanation => ({
    message:
      `No scenario matches this request. ${prompt} ${reason} Put a trigger into the user's text, add a ` +
      `default_response, or add this to "scenarios":\n${JSON.stringify(writeScenario(line, set))}`,
    nearest: scenario.name,
    failed,
  });
  const last = texts.at(-1);
  if (last === undefined) {
    const reason = `${nearest} A trigger must be in a text of the user.`;
    return explain('text', 'The request has no text of the user.', reason);
  }
  const prompt = `The user said: ${quote(last)}.`;
  if (trigger.needsText && !isSimilar) {
    return explain('text', prompt, `No trigger is similar; the first of ${set.scenarios.length} is ${named}.`);
  }
  if (trigger.needsText && !texts.some((text) => trigger.find(text, text.toLowerCase()) !== undefined)) {
    return explain('text', prompt, `${nearest} ${describeDifference(trigger, line)}`);
  }
  const explainCondition = (field: string, wanted: string, found: string) =>
    explain(field, prompt, `${nearest} Its condition on ${field}, ${JSON.stringify(wanted)}, does not hold: ${found}.`);
  const facts = factsOf(conversation, headers);
  const condition = trigger.conditions.find((each) => !each.holds(facts));
  if (condition !== undefined) {
    return explainCondition(condition.field, condition.wanted, `the request has ${quote(condition.found(facts))}`);
  }
  const found =
    toolResultsOf(run).length === 0 ? 'there are no tool results' : 'no result of another scenario matches it';
  return explainCondition('tool_result', trigger.toolResult?.wanted ?? '', found);
}

/** The scenario whose trigger is in a text and whose conditions failed, or else the one with the most similar trigger. */
function findNearestScenario(texts: readonly string[], ends: readonly string[], set: ScenarioSet) {
  const matching = findWithText(texts, set);
  if (matching !== undefined) return { scenario: matching, isSimilar: true };
  const { index, share } = similarityIndexOf(set.scenarios)(ends);
  return { scenario: set.scenarios[index], isSimilar: share > 0 };
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

function describeDifference(trigger: Trigger, line: string): string {
  if (trigger.literal === undefined) return 'Its expression does not match the text.';
  const texts = [startOfText(trigger.text, MAX_DIFF), startOfText(line, MAX_DIFF)] as const;
  const pieces = diffWordsWithSpace(...texts, { ignoreCase: true }).map(({ value, added, removed }) => {
    if (added) return `{+${value}+}`;
    return removed ? `[-${value}-]` : value;
  });
  return `From the trigger to the text: ${pieces.join('')}.`;
}

function hasWords(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line.replaceAll(REDACTED, ''));
}

/** A scenario that answers a request with this line, with a name that is not in use. Its text may have been redacted. */
export function writeScenario(line: string, set: ScenarioSet, steps: readonly object[] = ANSWER) {
  // A trigger with a redacted key in it would never match.
  const parts = line.split(REDACTED).map((part) => startOfText(part.trim(), MAX_TRIGGER).trim());
  const trigger = parts.sort((one, other) => other.length - one.length)[0] || 'what the user says';
  const name = freeName(slugOf(trigger), (each) => set.byTag.has(scenarioTagOf(each)));
  return { name, trigger, steps };
}

const ANSWER = [{ response: { content: 'The answer.' } }];
