import type { ModelEvent } from '../ports/language-model.ts';
import type { ToolCall } from '../ports/messages.ts';

type ToolCallDelta = Extract<ModelEvent, { type: 'tool_call_delta' }>;

interface PartialCall extends ToolCall {
  readonly index: number;
}

/**
 * Adds one piece to the calls of an answer. A piece without an id belongs to the latest call at its index. A piece with
 * an id belongs to the call with that index and id, or to the latest call at its index if that call has no id yet;
 * otherwise it starts a new call. Calls that share an index therefore stay separate.
 */
export function addDelta(calls: readonly PartialCall[], delta: ToolCallDelta): readonly PartialCall[] {
  const position = positionOf(calls, delta);
  const call = calls[position];
  if (call === undefined) {
    const { index, id = '', name = '', arguments: text } = delta;
    return [...calls, { index, id, name, arguments: text }];
  }
  return calls.with(position, {
    index: call.index,
    id: call.id === '' ? (delta.id ?? '') : call.id,
    name: call.name === '' ? (delta.name ?? '') : call.name,
    arguments: call.arguments + delta.arguments,
  });
}

function positionOf(calls: readonly PartialCall[], delta: ToolCallDelta): number {
  const atIndex = calls.findLastIndex((call) => call.index === delta.index);
  if (delta.id === undefined || delta.id === '') return atIndex;
  const withId = calls.findIndex((call) => call.id === delta.id && call.index === delta.index);
  if (withId !== -1) return withId;
  return calls[atIndex]?.id === '' ? atIndex : -1;
}

/**
 * The finished calls in order of arrival, each with a unique id: a missing id is generated from the turn and the
 * position, a repeated one gets a suffix. The ids depend only on the input.
 */
export function finishCalls(calls: readonly PartialCall[], turn: number): ToolCall[] {
  const taken = new Set<string>();
  return calls.map((call, position) => {
    const wanted = call.id === '' ? `call_${turn}_${position + 1}` : call.id;
    let id = wanted;
    for (let suffix = 2; taken.has(id); suffix += 1) id = `${wanted}_${suffix}`;
    taken.add(id);
    return { id, name: call.name, arguments: call.arguments };
  });
}
