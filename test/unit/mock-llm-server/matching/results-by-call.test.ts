import { describe, expect, it } from 'vitest';
import { resultsByCall } from '../../../../mock-llm-server/matching/pair-results.ts';
import { readTurns } from '../../../../mock-llm-server/matching/turns.ts';
import { assistant, call, conversation, generated, results, type TestMessage, user } from '../builders.ts';

const [one, two] = [generated('s', 0, 0), generated('s', 0, 1)];

describe('resultsByCall', () => {
  it.each<readonly [string, readonly TestMessage[], readonly string[]]>([
    ['nothing', [user('x')], []],
    ['the order of the calls', [assistant(call('a'), call('b')), results(['a', 'b'])], ['a', 'b']],
    ['the other order', [assistant(call('a'), call('b')), results(['b', 'a'])], ['a', 'b']],
    ['a message for each', [assistant(call('a'), call('b')), results(['b']), results(['a'])], ['a', 'b']],
    ['ids of the server', [assistant(one, two), results([two.id, one.id])], [one.id, two.id]],
    ['calls in two messages', [assistant(call('a')), assistant(call('b')), results(['b', 'a'])], ['a', 'b']],
    [
      'two answers',
      [assistant(call('a'), call('b')), results(['b', 'a']), assistant(call('c'), call('d')), results(['d', 'c'])],
      ['a', 'b', 'c', 'd'],
    ],
    ['an id that two answers have', [assistant(call('a')), results(['a']), assistant(call('a'))], ['a', 'no a']],
    ['no result for the first', [assistant(call('a'), call('b')), results(['b'])], ['no a', 'b']],
    ['results of no call', [results(['y', 'x']), assistant(call('a')), results(['z', 'a'])], ['y', 'x', 'a', 'z']],
    ['results in a text', [user('x'), assistant('y'), user('<tool_result>1</tool_result>')], ['(no id)']],
  ])('orders %s', (_name, messages, expected) => {
    const read = resultsByCall(readTurns(conversation(...messages)));
    expect(read.map((part) => (part.type === 'tool_result' ? part.callId : `no ${part.id}`))).toEqual(expected);
  });

  it('keeps the order of results whose calls share an id', () => {
    const both = ['first', 'second'].map((content) => ({ type: 'tool_result' as const, callId: 'a', content }));
    const read = readTurns(conversation(assistant(call('a'), call('a')), { role: 'user', parts: both }));
    expect(resultsByCall(read)).toEqual(both);
  });

  it('accepts more calls than a function takes arguments', () => {
    const ids = Array.from({ length: 150_000 }, (_, at) => `c${at}`);
    const calls = { role: 'assistant' as const, parts: ids.map((id) => call(id)) };
    const turns = readTurns(conversation(calls, results([...ids].reverse())));
    // As one text, because a comparison of so many items takes seconds.
    expect(
      resultsByCall(turns)
        .map((part) => (part.type === 'tool_result' ? part.callId : ''))
        .join(),
    ).toBe(ids.join());
  });
});
