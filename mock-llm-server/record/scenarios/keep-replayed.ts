import type { ConversationMessage } from '../../conversation/conversation.ts';
import { parseCallId } from '../../conversation/ids.ts';
import { mapStrings } from '../../conversation/json.ts';
import type { ScenarioFile, ScenarioSpecification } from '../../scenario/format.ts';
import { createScenarioSet } from '../../scenario/prepare.ts';
import { freeName } from '../../text.ts';
import type { DecodedAnswer } from '../decode/decoded-answer.ts';
import type { Exchange } from '../exchange.ts';
import type { ScenarioStep } from '../replay.ts';
import { type BuiltScenarios, buildScenarios, placeIn } from './build-scenarios.ts';

/** A story that answered the first requests of a recording. */
export interface ReplayedStory {
  readonly scenarios: ScenarioFile['scenarios'];
  /** The step that the story has for a request, by its number. */
  readonly places: ReadonlyMap<number, ScenarioStep>;
  /** Number of the first request that the model answered. */
  readonly firstLive: number;
}

/**
 * The scenarios of a recording whose first requests a story answered. They take the place of those of the story: with
 * its names, triggers and first steps as they were, and the recorded steps from the first one that the model answered.
 * The story's other scenarios are kept if they do not answer the recorded requests. Pure.
 */
export function buildFromReplay(exchanges: readonly Exchange[], story: ReplayedStory): BuiltScenarios {
  const anonymous = exchanges.map(withoutPositions);
  return keepReplayed(buildScenarios(anonymous), anonymous, story);
}

/** An exchange without the positions in its call ids: the ids of the story have them, those of the model do not. */
function withoutPositions(exchange: Exchange): Exchange {
  const rename = (id: string) => (parseCallId(id) === undefined ? id : `${id}_replayed`);
  const messages = exchange.conversation.messages.map((message): ConversationMessage => {
    if (message.role === 'assistant') {
      const parts = message.parts.map((part) => (part.type === 'text' ? part : { ...part, id: rename(part.id) }));
      return { ...message, parts };
    }
    const parts = message.parts.map((part) => (part.type === 'text' ? part : { ...part, callId: rename(part.callId) }));
    return { ...message, parts };
  });
  const { answer } = exchange;
  return {
    ...exchange,
    conversation: { ...exchange.conversation, messages },
    answer: answer && renameCalls(answer, rename),
  };
}

/** An answer with other ids of its calls, also in its native form, which then gets holes for them. */
function renameCalls(answer: DecodedAnswer, rename: (id: string) => string): DecodedAnswer {
  const ids = new Set(answer.toolCalls.map(({ id }) => id));
  return {
    ...answer,
    toolCalls: answer.toolCalls.map((call) => ({ ...call, ...(call.id !== undefined && { id: rename(call.id) }) })),
    native: mapStrings(answer.native, (text) => (ids.has(text) ? rename(text) : text)),
  };
}

/** Replaces the scenarios of the replayed story by those of the recording. Pure. */
export function keepReplayed(
  built: BuiltScenarios,
  exchanges: readonly Exchange[],
  story: ReplayedStory,
): BuiltScenarios {
  const names = new Map<string, string>();
  const replaced = new Map<string, ScenarioSpecification>();
  const added: ScenarioSpecification[] = [];
  for (const scenario of built.scenarios) {
    const merged = merge(scenario, built, story);
    if (merged !== undefined && !replaced.has(merged.name)) {
      replaced.set(merged.name, merged);
      names.set(scenario.name, merged.name);
    } else {
      const others = [...story.scenarios, ...added];
      const name = freeName(scenario.name, (each) => others.some((other) => other.name === each));
      added.push({ ...scenario, name });
      names.set(scenario.name, name);
    }
  }
  const places = new Map(
    [...built.places].map(([number, { scenario, step }]) => [
      number,
      { scenario: names.get(scenario) ?? scenario, step },
    ]),
  );
  const own = story.scenarios.flatMap(({ name }) => replaced.get(name) ?? []);
  const all = story.scenarios.map((scenario) => replaced.get(scenario.name) ?? scenario);
  for (const scenarios of [
    [...all, ...added],
    [...own, ...added],
  ]) {
    if (answersAll(scenarios, exchanges, places)) return { ...built, scenarios, places };
  }
  return {
    ...built,
    notes: [...built.notes, 'The earlier steps are rewritten, because their triggers do not match the recording.'],
  };
}

/** The scenario of the story for a recorded one, with the recorded steps from the first that the model answered. */
function merge(
  scenario: ScenarioSpecification,
  { places }: BuiltScenarios,
  story: ReplayedStory,
): ScenarioSpecification | undefined {
  const numbers = scenario.steps.map((_, step) =>
    [...places].flatMap(([number, place]) => (place.scenario === scenario.name && place.step === step ? [number] : [])),
  );
  const earlier = numbers.flatMap((ofStep, step) =>
    ofStep.flatMap((number) => {
      const place = story.places.get(number);
      return place?.step === step ? [place.scenario] : [];
    }),
  )[0];
  const old = story.scenarios.find(({ name }) => name === earlier);
  if (old === undefined) return undefined;
  const changed = numbers.findIndex((ofStep, step) =>
    ofStep.some((number) => {
      const place = story.places.get(number);
      return number >= story.firstLive || place?.scenario !== old.name || place.step !== step;
    }),
  );
  const kept = changed < 0 ? scenario.steps.length : changed;
  return { ...old, steps: [...old.steps.slice(0, kept), ...scenario.steps.slice(kept)] };
}

function answersAll(
  scenarios: readonly ScenarioSpecification[],
  exchanges: readonly Exchange[],
  places: ReadonlyMap<number, ScenarioStep>,
): boolean {
  const set = createScenarioSet([{ file: 'recording', content: { scenarios: [...scenarios] } }]);
  return exchanges.every((exchange) => {
    const place = places.get(exchange.number);
    if (place === undefined) return true;
    const found = placeIn(exchange, set);
    return found.scenario === place.scenario && found.step === place.step;
  });
}
