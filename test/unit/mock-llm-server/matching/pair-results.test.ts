import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import { type PairingRule, pairResults, resultsByCall } from '../../../../mock-llm-server/matching/pair-results.ts';
import { readTurns } from '../../../../mock-llm-server/matching/turns.ts';
import {
  assistant,
  call,
  conversation,
  generated,
  ok,
  results,
  scenarioSet,
  steps,
  type TestMessage,
  user,
} from '../../../support/stories/builders.ts';

const a = call('a');
const b = call('b');
const go = user('go');
const NONE = 'fine';

const histories = {
  'results right after their calls': conversation(go, [a, b], ok('a', 'b')),
  'one message for each result': conversation(go, [a, b], ok('b'), ok('a')),
  'a text before the results': conversation(go, [a, b], 'be quick', ok('a'), ok('b')),
  'a text between the results': conversation(go, [a, b], ok('a'), 'be quick', ok('b')),
  'results of two answers at the end': conversation(go, [a], 'be quick', [b], ok('a', 'b')),
  'a result twice': conversation(go, [a, b], ok('a', 'a', 'b')),
  'a result again, after another answer': conversation(go, [a], ok('a'), [b], ok('a', 'b')),
  'an id that two answers have': conversation(go, [a], ok('a'), [a], ok('a')),
  'no result for one of two calls': conversation(go, [a, b], ok('a')),
  'no results and a text': conversation(go, [a], 'be quick'),
  'a result without a call': conversation(go, ok('x')),
  both: conversation(go, [a], ok('x')),
};

describe('results and calls', () => {
  it.each<readonly [keyof typeof histories, string, string]>([
    ['results right after their calls', NONE, NONE],
    ['one message for each result', NONE, NONE],
    ['a text before the results', 'at 1 missing a b', NONE],
    ['a text between the results', 'at 1 missing b', NONE],
    ['results of two answers at the end', 'at 1 missing a', NONE],
    ['a result twice', 'at 2 orphans a', NONE],
    ['a result again, after another answer', 'at 4 orphans a', NONE],
    ['an id that two answers have', NONE, NONE],
    ['no result for one of two calls', 'at 1 missing b', 'at 1 missing b'],
    ['no results and a text', 'at 1 missing a', 'at 1 missing a'],
    ['a result without a call', 'at 1 orphans x', 'at 1 orphans x'],
    ['both', 'at 1 missing a orphans x', 'at 1 missing a orphans x'],
  ])('%s: right after %s, by id %s', (name, rightAfter, byCallId) => {
    const judge = (rule: PairingRule) => {
      const fault = pairResults(readTurns(histories[name]), rule);
      if (fault.type === 'paired') return NONE;
      const ids = (word: string, list: readonly string[]) => (list.length > 0 ? ` ${word} ${list.join(' ')}` : '');
      return `at ${fault.index}${ids('missing', fault.missing)}${ids('orphans', fault.orphans)}`;
    };
    expect([judge('right_after'), judge('by_call_id'), judge('none')]).toEqual([rightAfter, byCallId, NONE]);
  });
});

describe('the step that results lead to', () => {
  const set = scenarioSet({
    scenarios: [
      { name: 'pair', trigger: 'go', steps: steps(2, 1, 1) },
      { name: 'other', trigger: 'instead', steps: steps(1) },
    ],
  });
  const outcome = (input: Conversation, pairing: PairingRule) => {
    const found = matchConversation(input, set, { pairing });
    return found.type === 'match' ? `${found.scenario.name} ${found.stepIndex}` : found.type;
  };

  it.each<readonly [string, Conversation, string, string]>([
    ['in order', histories['results right after their calls'], 'pair 1', 'pair 1'],
    ['a text before them', histories['a text before the results'], 'pair 1', 'pair 1'],
    ['a text between them', histories['a text between the results'], 'pair 1', 'pair 1'],
    ['one of them twice', histories['a result twice'], 'pair 1', 'pair 1'],
    [
      'one of them thrice, after the next answer',
      conversation(go, [a, b], ok('a', 'b', 'a'), [call('c')], ok('a', 'c')),
      'pair 2',
      'pair 2',
    ],
    ['an id that two answers have', conversation(go, [a, b], ok('a', 'b'), [a], ok('a')), 'pair 2', 'pair 2'],
    [
      'an id that two answers have, and a repeated result',
      conversation(go, [a, b], ok('a', 'b', 'b'), [a], ok('a')),
      'pair 2',
      'pair 2',
    ],
    ['a trigger before them', conversation(go, [a, b], 'do that instead', ok('a', 'b')), 'pair 1', 'pair 1'],
    ['only one of two', histories['no result for one of two calls'], 'unpaired_results', 'pair 1'],
    ['without a call', conversation(go, ok('x', 'y')), 'unpaired_results', 'pair 1'],
    ['an output before its call', conversation(go, ok('a'), [a, b], ok('b')), 'pair 1', 'pair 1'],
  ])('%s', (_name, input, byCallId, none) => {
    expect([outcome(input, 'by_call_id'), outcome(input, 'none')]).toEqual([byCallId, none]);
  });
});

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
