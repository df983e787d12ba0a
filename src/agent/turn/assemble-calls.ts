import { repairArguments } from '../../text/json/lenient-json.ts';
import type { ModelEvent } from '../ports/language-model.ts';
import type { ToolCall } from '../ports/messages.ts';

type ToolCallDelta = Extract<ModelEvent, { type: 'tool_call_delta' }>;

interface PartialCall extends Pick<ToolCall, 'id' | 'name' | 'arguments'> {
  readonly index: number;
  readonly problem?: string | undefined;
}

/**
 * Adds one piece to the calls of an answer. A piece without an id belongs to the latest call at its index. A piece with
 * an id belongs to the call with that index and id, or to the latest call at its index if that call has no id yet;
 * otherwise it starts a new call. A name that continues the earlier one replaces it.
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
    name: delta.name?.startsWith(call.name) === true ? delta.name : call.name,
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
 * The piece `added`, by which the calls `after` differ from those `before`, with the id and the name of its call as
 * `finishCalls` makes them; `undefined` as long as the call has no name, and if nothing was added.
 */
export function writtenPiece(
  before: readonly PartialCall[],
  after: readonly PartialCall[],
  added: string,
  turn: number,
  isTool: IsTool,
): { readonly callId: string; readonly name: string; readonly text: string } | undefined {
  const position = after.findIndex((call, index) => call !== before[index]);
  const { arguments: whole = '', name = '' } = after[position] ?? {};
  const known = before[position]?.name ?? '';
  const callId = idsOf(after, turn)[position];
  if (callId === undefined || name === '' || (known !== '' && added === '')) return undefined;
  return { callId, name: validName(name, isTool), text: known === '' ? whole : added };
}

/** Names that every provider accepts in a history; with any other name it would reject the whole conversation. */
const INVALID_IN_NAME = /[^A-Za-z0-9_-]/g;
const MAX_NAME_LENGTH = 64;

/** Ids that a provider accepts when it gets them back: visible ASCII, because every provider has its own form. */
const VALID_ID = /^[\x21-\x7e]{1,64}$/;

/**
 * A name of a tool with additions of servers and models: namespaces before it, and behind it a number, brackets, or the
 * rest of a header. gpt-oss, Kimi, Gemini, GLM.
 */
const DECORATED = /^[\s"'`]*(?:<\/?\w+>\s*)*(?:[\w-]+[.:/])*([A-Za-z_][\w-]*)(?:<\|.*|:\d+|\(\s*\)|[\s"'`>])*$/s;
const MAX_DECORATED = 256;

/**
 * The finished calls in order of arrival, with names, ids and arguments that providers accept in a history. A name with
 * decoration becomes that of the tool; in any other, every invalid character is replaced by `_`. Arguments with mistakes
 * whose meaning is certain become valid JSON. A missing or invalid id is generated from the turn and the position, and a
 * repeated one gets a suffix. All of it depends only on the input.
 */
export function finishCalls(calls: readonly PartialCall[], turn: number, isTool: IsTool): ToolCall[] {
  const ids = idsOf(calls, turn);
  return calls.map((call, position) => {
    const row = calls.slice(Math.max(0, position - MAX_EQUAL), position + 1);
    const equal = row.filter((other) => other.name === call.name && other.arguments === call.arguments);
    const problem = call.problem ?? (equal.length > MAX_EQUAL ? REPEATED : undefined);
    const [id = '', name] = [ids[position], validName(call.name, isTool)];
    return { id, name, arguments: repairArguments(call.arguments), ...(problem === undefined ? {} : { problem }) };
  });
}

/** The maximum number of equal calls in a row. A model that cannot end its answer writes hundreds of them. */
const MAX_EQUAL = 5;
const REPEATED = `Not executed: the answer has more than ${MAX_EQUAL} equal calls in a row. Make the call once, and read its result before you repeat it.`;

/** True for the name of a tool. */
type IsTool = (name: string) => boolean;

function idsOf(calls: readonly PartialCall[], turn: number): readonly string[] {
  const taken = new Set<string>();
  for (const [position, call] of calls.entries()) {
    const wanted = VALID_ID.test(call.id) ? call.id : `call_${turn}_${position + 1}`;
    let id = wanted;
    for (let suffix = 2; taken.has(id); suffix += 1) id = `${wanted.slice(0, 56)}_${suffix}`;
    taken.add(id);
  }
  return [...taken];
}

function validName(name: string, isTool: IsTool): string {
  const bare = name.length > MAX_DECORATED ? name : DECORATED.exec(name)?.[1];
  const plain = isTool(name) ? name : (bare ?? '');
  if (isTool(plain) && (plain === name || name.split(/[^\w-]+/).filter(isTool).length === 1)) return plain;
  return name === '' ? 'unnamed' : name.slice(0, MAX_NAME_LENGTH).replace(INVALID_IN_NAME, '_');
}
