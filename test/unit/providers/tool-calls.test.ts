import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { argumentsObject, argumentsText, withUniqueCallIds } from '../../../src/providers/tool-calls.ts';
import { propertySettings } from '../../support/random/property.ts';

describe('argumentsObject and argumentsText', () => {
  it.each([
    ['{"path": "a.js", "n": [1, null]}', { path: 'a.js', n: [1, null] }],
    ['', {}],
    ['{"path": "a', {}],
    ['[1]', {}],
    ['"a"', {}],
  ])('reads %j', (text, expected) => {
    const call = { id: 'c1', name: 'read_file', arguments: text };
    expect(argumentsObject(call)).toEqual(expected);
    expect(argumentsText(call)).toBe(Object.keys(expected).length === 0 ? '{}' : text);
  });
});

const argumentsOf = (text: string): string => argumentsText({ id: 'c1', name: 'read_file', arguments: text });

it.each([
  ['{"a": "\\ud83d"}', '{"a":"\ufffd"}'],
  ['{"a": "\ude00", "b": 1}', '{"a":"\ufffd","b":1}'],
  ['{"a": "\\ud83d\\ude00"}', '{"a": "\\ud83d\\ude00"}'],
  ['{"a": "\\\\ud83d"}', '{"a": "\\\\ud83d"}'],
])('replaces only the halves of characters in the arguments %j', (text, expected) => {
  expect(argumentsOf(text)).toBe(expected);
});

/** A user message, then an answer with these calls and their results. */
const turn = (...ids: readonly string[]): readonly Message[] => [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: '', toolCalls: ids.map((id) => ({ id, name: 'read_file', arguments: '{}' })) },
  ...ids.map((id) => ({ role: 'tool', toolCallId: id, content: id, isError: false }) as const),
];

const idsOf = (messages: readonly Message[]) => ({
  calls: messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [])),
  results: messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : [])),
});

describe('withUniqueCallIds', () => {
  it('keeps valid ids, and calls that have them', () => {
    const messages = turn('toolu_01-a', 'call_2');
    const calls = (all: readonly Message[]) => all.flatMap((each) => (each.role === 'assistant' ? each.toolCalls : []));
    expect(withUniqueCallIds(messages)).toEqual(messages);
    expect(calls(withUniqueCallIds(messages))[0]).toBe(calls(messages)[0]);
  });

  it('replaces characters that a wire refuses, and tells apart what becomes equal', () => {
    const ids = ['call:1', 'call.1', 'call_1'];
    expect(idsOf(withUniqueCallIds(turn(...ids))).calls).toEqual(['call_1', 'call_1_2', 'call_1_3']);
  });

  it('renames an id that an earlier answer used, with its result', () => {
    const messages = [...turn('call_1', 'call_2'), ...turn('call_1'), ...turn('call_1')];
    const expected = ['call_1', 'call_2', 'call_1_2', 'call_1_3'];
    expect(idsOf(withUniqueCallIds(messages))).toEqual({ calls: expected, results: expected });
  });

  it('keeps the id of a result without a call', () => {
    const orphan: Message = { role: 'tool', toolCallId: 'x', content: '', isError: false };
    expect(withUniqueCallIds([orphan])).toEqual([orphan]);
  });

  it('gives any history distinct ids, pairs every result with its call, and keeps the ids of a shorter history', () => {
    const anyId: fc.Arbitrary<string> = fc.oneof(
      fc.constantFrom('a', 'a_2', 'a.2', 'a:2', 'x'.repeat(64)),
      fc.string({ minLength: 1 }),
    );
    const anyHistory: fc.Arbitrary<readonly (readonly string[])[]> = fc.array(
      fc.uniqueArray(anyId, { minLength: 1, maxLength: 4 }),
      { maxLength: 8 },
    );
    return fc.assert(
      fc.property(anyHistory, fc.nat(8), (turns, count) => {
        const { calls, results } = idsOf(withUniqueCallIds(turns.flatMap((ids) => turn(...ids))));
        expect(new Set(calls).size).toBe(calls.length);
        expect(results).toEqual(calls);
        expect(calls.filter((id) => !/^[A-Za-z0-9_-]{1,64}$/.test(id.slice(0, 64)))).toEqual([]);
        const shorter = idsOf(withUniqueCallIds(turns.slice(0, count).flatMap((ids) => turn(...ids))));
        expect(calls.slice(0, shorter.calls.length)).toEqual(shorter.calls);
      }),
      propertySettings(50),
    );
  });
});
