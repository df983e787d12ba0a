import type { AgentEvent } from '../../agent/ports/events.ts';

/** The work of an agent in one play of a story: all its runs together. */
export interface PlayMeasure {
  /** Requests to the model, one per turn. */
  readonly turns: number;
  readonly toolCalls: number;
  /** Calls that failed or were denied. */
  readonly toolErrors: number;
  /** Tokens of all requests, as the provider counts them. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of `inputTokens` that came from the provider's cache. */
  readonly cachedTokens: number;
  /** Commands that the agent ran, in order. */
  readonly commands: readonly string[];
  /** The commands of calls without a result yet, by the id of the call. */
  readonly open: Readonly<Record<string, string>>;
}

/** The measure of a play that has not begun. */
export const NOTHING_DONE: PlayMeasure = {
  turns: 0,
  toolCalls: 0,
  toolErrors: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  commands: [],
  open: {},
};

export function addToMeasure(measure: PlayMeasure, event: AgentEvent): PlayMeasure {
  switch (event.type) {
    case 'turn_start':
      return { ...measure, turns: measure.turns + 1 };
    case 'usage':
      return {
        ...measure,
        inputTokens: measure.inputTokens + event.inputTokens,
        outputTokens: measure.outputTokens + event.outputTokens,
        cachedTokens: measure.cachedTokens + (event.cachedTokens ?? 0),
      };
    case 'tool_call': {
      const { command } = event.effect ?? {};
      return command === undefined ? measure : { ...measure, open: { ...measure.open, [event.call.id]: command } };
    }
    case 'tool_result': {
      const { [event.callId]: command, ...open } = measure.open;
      const isError = event.outcome === 'failed' || event.outcome === 'denied';
      const ran = command !== undefined && event.outcome !== 'denied' && event.outcome !== 'not_run';
      return {
        ...measure,
        open,
        toolCalls: measure.toolCalls + 1,
        toolErrors: measure.toolErrors + (isError ? 1 : 0),
        commands: ran ? [...measure.commands, command] : measure.commands,
      };
    }
    default:
      return measure;
  }
}
