import { describe, expect, it } from 'vitest';
import { resultsByCall } from '../../../../mock-llm-server/matching/pair-results.ts';
import { readTurns } from '../../../../mock-llm-server/matching/turns.ts';
import { assistant, call, conversation, generated, results, type TestMessage, user } from '../builders.ts';

const [one, two] = [generated('s', 0, 0), generated('s', 0, 1)];

const times = <T>(length: number, item: T): T[] => Array.from({ length }, () => item);

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
    const read = readTurns(conversation([call('a'), call('a')], { role: 'user', parts: both }));
    expect(resultsByCall(read)).toEqual(both);
  });

  it('accepts more calls than a function takes arguments', () => {
    const result = { type: 'tool_result' as const, callId: 'a', content: 'ok' };
    const turns = readTurns(
      conversation(
        { role: 'assistant', parts: times(130_000, call('a')) },
        { role: 'user', parts: times(130_000, result) },
      ),
    );
    const read = resultsByCall(turns);
    expect([read.length, read.filter((part) => part !== result)]).toEqual([130_000, []]);
  });
});
