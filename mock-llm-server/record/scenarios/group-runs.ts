import type { ToolCallPart } from '../../conversation/conversation.ts';
import { tryJson } from '../../conversation/json.ts';
import { readTextResults } from '../../matching/text-results.ts';
import { currentRun, type Turn, toolResultsOf, turnsOf, userTextsOf } from '../../matching/turns.ts';
import type { DecodedCall } from '../decode/decoded-answer.ts';
import { type Exchange, isAnswered } from '../exchange.ts';

/** The attempts to get one answer of a run. */
export interface RunStep {
  /** Number of tool results of the run before the answer. */
  readonly results: number;
  /** Equal requests, in order: only the last one can have a whole answer. */
  readonly attempts: Exchange[];
}

/** The requests from one prompt of the user until the next, or one auxiliary request. Becomes a scenario. */
export interface Run {
  /** The texts of the user that started the run. */
  readonly texts: readonly string[];
  readonly first: Exchange;
  /** The turns of the first request, from the prompt on. They end with tool results if the recording began later. */
  readonly start: readonly Turn[];
  /** In the order of their results. */
  readonly steps: RunStep[];
}

/** Groups exchanges into runs, also those of conversations at the same time. Pure. */
export function groupRuns(exchanges: readonly Exchange[]): Run[] {
  const runs: Run[] = [];
  for (const exchange of exchanges) {
    const turns = currentRun(turnsOf(readTextResults(exchange.conversation)));
    const firstText = turns.findIndex(({ type }) => type === 'user_texts');
    const start = turns.slice(Math.max(firstText, 0));
    const results = toolResultsOf(start).length;
    const run = findRun(runs, exchange, start, results);
    if (run === undefined) {
      // A prompt right after the results of another one, as some clients write their history, starts a run.
      const prompt = start.at(-1)?.type === 'user_texts' ? start.slice(-1) : start;
      const texts = userTextsOf(prompt.slice(0, 1));
      runs.push({ texts, first: exchange, start: prompt, steps: [{ results, attempts: [exchange] }] });
      continue;
    }
    const step = run.steps.find((each) => each.results === results);
    if (step !== undefined) step.attempts.push(exchange);
    else run.steps.push({ results, attempts: [exchange] });
  }
  return runs;
}

/** The prompts of the user, in order: the last text with words of each run that begins with one. Pure. */
export function promptsOf(runs: readonly Run[]): string[] {
  return runs
    .filter(({ first, start }) => first.auxiliary === undefined && start.at(-1)?.type !== 'tool_results')
    .flatMap(({ texts }) => texts.findLast((text) => /[\p{L}\p{N}]/u.test(text)) ?? []);
}

/** The run that a request continues: it repeats a request without a whole answer, or sends the results of calls. */
function findRun(runs: readonly Run[], exchange: Exchange, start: readonly Turn[], results: number): Run | undefined {
  const retried = runs.findLast(({ steps }) => {
    const last = steps.at(-1)?.attempts.at(-1);
    return last !== undefined && last.digest === exchange.digest && !isAnswered(last);
  });
  if (retried !== undefined) return retried;
  const calls = start.findLast((turn) => turn.type === 'assistant')?.calls ?? [];
  if (calls.length === 0) return undefined;
  const withCalls = (isSame: (echo: ToolCallPart, call: DecodedCall) => boolean) =>
    runs.findLast(({ steps }) => {
      const last = steps.at(-1);
      const made = last?.attempts.at(-1)?.answer?.toolCalls ?? [];
      if (last === undefined || results <= last.results || made.length === 0) return false;
      return made.every((call) => calls.some((echo) => isSame(echo, call)));
    });
  const sameIds = withCalls((echo, call) => (call.id === undefined ? isLike(echo, call) : echo.id === call.id));
  if (sameIds !== undefined || !IDS_OPTIONAL.has(exchange.protocol)) return sameIds;
  const known = new Set(runs.flatMap(({ steps }) => steps.flatMap(({ attempts }) => attempts.flatMap(callIdsOf))));
  return calls.some(({ id }) => known.has(id)) ? undefined : withCalls(isLike);
}

/** Protocols whose clients may leave out the ids of calls. pi over gemini does, also if the provider has sent ids. */
const IDS_OPTIONAL: ReadonlySet<string> = new Set(['gemini', 'ollama']);

const callIdsOf = ({ answer }: Exchange) => answer?.toolCalls.map(({ id }) => id) ?? [];

/** True if a call that a client sent back has the content of a call of an answer. */
function isLike(echo: ToolCallPart, { name, arguments: text }: DecodedCall): boolean {
  return echo.name === name && canonical(echo.arguments) === canonical(text);
}

function canonical(text: string): string {
  return JSON.stringify(tryJson(text === '' ? '{}' : text)) ?? text;
}
