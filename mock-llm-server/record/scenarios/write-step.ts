import type { Protocol } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import type { Fault } from '../../scenario/format/faults/fault-format.ts';
import type {
  BlockSpecification,
  StepSpecification,
  ToolCallSpecification,
} from '../../scenario/format/step-format.ts';
import { escapeTemplates } from '../../text.ts';
import type { DecodedAnswer, DecodedBlock, DecodedCall } from '../decode/decoded-answer.ts';
import { type Exchange, isAnswered } from '../exchange.ts';
import type { RunStep } from './group-runs.ts';
import { type Json, writeNative } from './write-native.ts';

/** A step in the form of a file, without intents. */
export type WrittenStep = Extract<StepSpecification, { readonly response: unknown }>;

/** A step, and notes on the parts that it cannot express. */
export interface StepResult {
  readonly step: WrittenStep;
  readonly notes: readonly string[];
}

/**
 * The step of the attempts to get one answer: the answer of the last one, after the fault of those before it. Undefined
 * if the upstream was never reached. Pure.
 */
export function writeStep({ attempts }: RunStep): StepResult | undefined {
  const reached = attempts.filter(({ end }) => end !== 'unreachable');
  const last = reached.at(-1);
  if (last === undefined) return undefined;
  const { omitted = [], native } = last.answer ?? {};
  const lost = native === undefined ? 'a scenario cannot express it' : `only requests of ${native.protocol} get it`;
  const notes = omitted.map((part) => `${part}: ${lost}`);
  for (const { status, error } of reached) {
    if (status !== undefined && status >= 300 && status < 400)
      notes.push(`the redirect ${status} (${error?.message}): it becomes a status of 500`);
  }
  if (!isAnswered(last)) {
    const { native, ...response } = responseOf(last);
    const fault = faultOf(last, true);
    // An error or a cut in an answer of status 200 is part of its native form.
    const isNative = native !== undefined && last.end === 'complete';
    return {
      step: { response: { ...response, ...(isNative && { native: { ...native, replaces_fault: true } }) }, fault },
      notes,
    };
  }
  const failed = reached.slice(0, -1);
  const [first] = failed;
  const malformed = last.answer?.isMalformed ? { malformed_chunk: true as const } : undefined;
  if (first === undefined)
    return { step: { response: responseOf(last), ...(malformed && { fault: malformed }) }, notes };
  const fault = faultOf(first, false);
  const kinds = new Set(failed.map((attempt) => JSON.stringify(faultOf(attempt, false))));
  if (kinds.size > 1) notes.push(`the ${failed.length} failures before the answer differ: all become the first one`);
  return { step: { response: responseOf(last), fault: { ...fault, times: failed.length } }, notes };
}

/** The fault of an attempt without a whole answer. If it `isLast`, the step has just what arrived, so that it ends there. */
function faultOf({ status, error, retryAfter, answer, end, body }: Exchange, isLast: boolean): Fault {
  const wait = retryAfter !== undefined && { retry_after: retryAfter };
  if (body !== undefined && status !== undefined) return { status, body, ...wait };
  const failure = error ?? answer?.error;
  const arrived = lengthOf(answer);
  if (failure !== undefined || (status !== undefined && status >= 300)) {
    const { message, code, type } = failure ?? {};
    return {
      status: faultStatus(answer === undefined ? status : failure?.status),
      ...(message !== undefined && { message }),
      ...(code !== undefined && { code }),
      ...(type !== undefined && { type }),
      ...wait,
      ...(answer !== undefined && { at: isLast ? 'before_finish' : { characters: arrived } }),
    };
  }
  if (status === undefined)
    return { ...(end === 'reset' ? { reset: true } : { stall: 'forever' }), at: 'before_headers' };
  const at = isLast ? 'before_finish' : { characters: arrived };
  if (end === 'reset') return { reset: true, at };
  if (end === 'client_left') return { stall: 'forever', at };
  return isLast ? { cut: 'before_finish' } : { cut: true, at };
}

/** A status that a fault can have. An error in a stream may have none, or a number of the provider in its place. */
function faultStatus(status = 500): number {
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500;
}

/** Number of characters of reasoning, text and arguments, as faults count them. */
function lengthOf(answer: DecodedAnswer | undefined): number {
  const { reasoning = '', content = '', toolCalls = [] } = answer ?? {};
  return [reasoning, content, ...toolCalls.map((call) => call.arguments)].reduce(
    (sum, text) => sum + [...text].length,
    0,
  );
}

function responseOf({ answer, echo = {} }: Exchange): WrittenStep['response'] {
  const { reasoning, content, toolCalls = [], usage, native, blocks = [] } = answer ?? {};
  const finish = answer?.nativeFinish ?? answer?.finish;
  const calls = toolCalls.filter(({ name }) => name.trim() !== '');
  const usual = calls.length > 0 ? 'tool_calls' : 'stop';
  const isInBlocks = blocks.filter(({ type }) => type === 'call').length === calls.length && blocks.length > 0;
  const texts = isInBlocks ? blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : [content ?? ''];
  const thoughts = blocks.flatMap((block) => (block.type === 'reasoning' ? [block.text] : []));
  const reasonings = isInBlocks ? thoughts : [reasoning ?? ''];
  return {
    ...(isInBlocks && native
      ? { content: writeBlocks(blocks, calls, native.protocol) }
      : {
          ...(reasoning !== undefined && { reasoning: escapeTemplates(reasoning) }),
          ...((content || calls.length === 0) && { content: escapeTemplates(content ?? '') }),
          ...(calls.length > 0 && { tool_calls: calls.map(writeCall) }),
        }),
    ...(finish !== undefined && finish !== usual && { finish }),
    ...(usage !== undefined && { usage }),
    ...(native !== undefined && { native: writeNative(native, { texts, reasonings, calls, echo }) }),
  };
}

function writeBlocks(
  blocks: readonly DecodedBlock[],
  calls: readonly DecodedCall[],
  protocol: Protocol,
): BlockSpecification[] {
  const left = [...calls];
  return blocks.flatMap((block): BlockSpecification[] => {
    switch (block.type) {
      case 'text': {
        const citations = block.citations.map(escapeObject);
        return [{ text: escapeTemplates(block.text), ...(citations.length > 0 && { citations }) }];
      }
      case 'reasoning': {
        const { text, signature, encrypted } = block;
        return [{ reasoning: escapeTemplates(text), ...(signature && { signature }), ...(encrypted && { encrypted }) }];
      }
      case 'call': {
        const call = left.shift();
        return call === undefined ? [] : [{ call: writeCall(call) }];
      }
      case 'grounding':
        return [{ grounding: escapeObject(block.metadata) }];
      case 'raw':
        return [{ raw: escapeObject(block.item), protocol }];
      default:
        return block satisfies never;
    }
  });
}

/** Arguments are an object, as a person writes them, unless that would send another text. */
function writeCall({ name, input, arguments: text }: DecodedCall): ToolCallSpecification {
  const written = escapeTemplates(name);
  const value = input === 'json' ? readArguments(text) : undefined;
  if (value === undefined) return { function: { name: written, arguments: escapeTemplates(text) } };
  return Object.keys(value).length === 0 ? { name: written } : { name: written, arguments: value };
}

function readArguments(text: string): Record<string, Json> | undefined {
  if (text.trim() === '') return {};
  const value = tryJson(text);
  // A number that loses digits, or a repeated field, would change.
  return isJsonObject(value) && JSON.stringify(value) === withoutSpace(text) ? escapeObject(value) : undefined;
}

/** A JSON text without the white space between its tokens, and with every string in the form of `JSON.stringify`. */
function withoutSpace(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (token) =>
    token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : '',
  );
}

function escapeObject(value: object): Record<string, Json> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [escapeTemplates(key), escapeIn(item)]));
}

function escapeIn(value: unknown): Json {
  if (typeof value === 'string') return escapeTemplates(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(escapeIn);
  return isJsonObject(value) ? escapeObject(value) : null;
}
