import * as z from 'zod';
import type { ComputeDigest } from '../../agent/ports/digest.ts';
import type { LanguageModel, ModelEvent, ModelIdentity, TokenUsage } from '../../agent/ports/language-model.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { type AnswerFacts, answerKey, hidePlaces, type RunPlaces, showPlaces } from './answer-key.ts';

const EventSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text_delta'), text: z.string() }),
  z.strictObject({ type: z.literal('reasoning_delta'), text: z.string() }),
  z.strictObject({
    type: z.literal('tool_call_delta'),
    index: z.int(),
    id: z.string().exactOptional(),
    name: z.string().exactOptional(),
    arguments: z.string(),
    problem: z.string().exactOptional(),
  }),
  z.strictObject({
    type: z.literal('provider_state'),
    state: z.strictObject({ model: z.string(), items: z.array(z.json()) }),
  }),
  z.strictObject({
    type: z.literal('usage'),
    inputTokens: z.number(),
    outputTokens: z.number(),
    cachedTokens: z.number().exactOptional(),
  }),
  z.strictObject({ type: z.literal('warning'), code: z.string(), message: z.string() }),
  z.strictObject({
    type: z.literal('finish'),
    reason: z.enum(['stop', 'tool_calls', 'length', 'window', 'paused', 'content_filter', 'unknown']),
  }),
]);

/** A complete answer of a model. Its texts have names in place of the directories of the run. */
export const AnswerSchema = z.strictObject({
  /** Time from the request to the end of the answer. */
  durationMs: z.number(),
  events: z.array(EventSchema),
});

/** A complete answer of a model. */
export type Answer = z.infer<typeof AnswerSchema>;

export interface AnswerPorts {
  readonly readAnswer: (key: string) => Promise<Answer | undefined>;
  readonly writeAnswer: (key: string, answer: Answer) => Promise<void>;
  readonly digest: ComputeDigest;
  readonly now: () => number;
  /** An answer came from the cache, which once took this time. */
  readonly onCached: (durationMs: number) => void;
  /** The model was asked. Its tokens are estimates if the provider does not count them. */
  readonly onAsked: (usage: TokenUsage, identity: ModelIdentity) => void;
}

/** A model that asks another one only for answers that are not stored. Only complete answers are stored. */
export function rememberAnswers(
  model: LanguageModel,
  { places: placesOf, ...facts }: Omit<AnswerFacts, 'identity' | 'places'> & { readonly places: () => RunPlaces },
  ports: AnswerPorts,
): LanguageModel {
  const { identity } = model;
  return {
    ...(model.contextWindow !== undefined && { contextWindow: model.contextWindow.bind(model) }),
    identity,
    async *stream(request, signal) {
      const places = placesOf();
      const key = answerKey(request, { ...facts, places, identity }, ports.digest);
      const stored = await ports.readAnswer(key);
      if (stored !== undefined) {
        ports.onCached(stored.durationMs);
        yield* stored.events.map((event) => withTexts(event, (text) => showPlaces(text, places)));
        return;
      }
      const started = ports.now();
      let events: readonly ModelEvent[] = [];
      for await (const event of model.stream(request, signal)) {
        if (event.type !== 'held_delta') events = event.type === 'retry' ? [] : addEvent(events, event);
        yield event;
      }
      const usage = events.findLast((event) => event.type === 'usage');
      ports.onAsked(usage ?? estimateUsage(JSON.stringify(request), JSON.stringify(events)), identity);
      const answer = AnswerSchema.safeParse({
        durationMs: ports.now() - started,
        events: events.map((event) => withTexts(event, (text) => hidePlaces(text, places))),
      });
      if (answer.success && events.some(({ type }) => type === 'finish')) await ports.writeAnswer(key, answer.data);
    },
  };
}

function estimateUsage(request: string, answer: string): TokenUsage {
  return { inputTokens: estimateTokens(request), outputTokens: estimateTokens(answer) };
}

/** Adds an event to an answer. Pieces of one text become one piece, so that no border cuts the name of the directory. */
function addEvent(events: readonly ModelEvent[], event: ModelEvent): readonly ModelEvent[] {
  const last = events.at(-1);
  if (last?.type === 'text_delta' && event.type === 'text_delta') {
    return [...events.slice(0, -1), { ...last, text: last.text + event.text }];
  }
  if (last?.type === 'reasoning_delta' && event.type === 'reasoning_delta') {
    return [...events.slice(0, -1), { ...last, text: last.text + event.text }];
  }
  if (last?.type === 'tool_call_delta' && event.type === 'tool_call_delta' && last.index === event.index) {
    return [...events.slice(0, -1), { ...last, ...event, arguments: last.arguments + event.arguments }];
  }
  return [...events, event];
}

function withTexts(event: ModelEvent, change: (text: string) => string): ModelEvent {
  switch (event.type) {
    case 'text_delta':
    case 'reasoning_delta':
      return { ...event, text: change(event.text) };
    case 'tool_call_delta':
      return { ...event, arguments: change(event.arguments) };
    default:
      return event;
  }
}
