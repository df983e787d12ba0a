import type { ModelEvent } from './ports/language-model.ts';
import type { ToolCall } from './ports/messages.ts';

type ToolCallDelta = Extract<ModelEvent, { type: 'tool_call_delta' }>;

interface PartialCall extends Pick<ToolCall, 'id' | 'name' | 'arguments'> {
  readonly index: number;
  readonly problem?: string | undefined;
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
    const { index, id = '', name = '', arguments: text, problem } = delta;
    return [...calls, { index, id, name, arguments: text, problem }];
  }
  return calls.with(position, {
    ...call,
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

/** Names that every provider accepts in a history; with any other name it would reject the whole conversation. */
const INVALID_IN_NAME = /[^A-Za-z0-9_-]/g;
const MAX_NAME_LENGTH = 64;

/** Ids that a provider accepts when it gets them back: visible ASCII, because every provider has its own form. */
const VALID_ID = /^[\x21-\x7e]{1,64}$/;

/**
 * The finished calls in order of arrival, with names and ids that providers accept in a history. In a name, every
 * invalid character is replaced by `_`. A missing or invalid id is generated from the turn and the position, and a
 * repeated one gets a suffix. Both depend only on the input.
 */
export function finishCalls(calls: readonly PartialCall[], turn: number): ToolCall[] {
  const taken = new Set<string>();
  return calls.map((call, position) => {
    const wanted = VALID_ID.test(call.id) ? call.id : `call_${turn}_${position + 1}`;
    let id = wanted;
    for (let suffix = 2; taken.has(id); suffix += 1) id = `${wanted.slice(0, 56)}_${suffix}`;
    taken.add(id);
    const { name, arguments: text, problem } = call;
    return { id, name: validName(name), arguments: text, ...(problem === undefined ? {} : { problem }) };
  });
}

function validName(name: string): string {
  return name === '' ? 'unnamed' : name.slice(0, MAX_NAME_LENGTH).replace(INVALID_IN_NAME, '_');
}
