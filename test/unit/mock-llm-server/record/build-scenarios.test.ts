import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { digestConversation } from '../../../../mock-llm-server/conversation/outline.ts';
import type { DecodedAnswer } from '../../../../mock-llm-server/record/decode/decoded-answer.ts';
import type { Exchange } from '../../../../mock-llm-server/record/exchange.ts';
import { buildScenarios } from '../../../../mock-llm-server/record/scenarios/build-scenarios.ts';
import { assistant, call, conversation, results, type TestMessage, user } from '../../../support/stories/builders.ts';

const NOTHING: DecodedAnswer = {
  id: undefined,
  reasoning: undefined,
  content: undefined,
  toolCalls: [],
  finish: undefined,
  usage: undefined,
  error: undefined,
  blocks: undefined,
  native: undefined,
  isMalformed: false,
  omitted: [],
};

const says = (content: string): DecodedAnswer => ({ ...NOTHING, content, finish: 'stop' });
const calls = (...ids: readonly string[]): DecodedAnswer => ({
  ...NOTHING,
  toolCalls: ids.map((id) => ({ id, name: 'tool', input: 'json', arguments: '{"path":"a.txt"}' })),
  finish: 'tool_calls',
});

/** Exchanges in order: the messages of each request, what became of it, and changes of the conversation. */
type Row = readonly [
  messages: readonly TestMessage[],
  outcome: DecodedAnswer | Partial<Exchange>,
  change?: Partial<Conversation>,
];

function exchangesOf(rows: readonly Row[]): Exchange[] {
  return rows.map(([messages, outcome, change], index) => {
    const whole = { ...conversation(...messages), ...change };
    const base = {
      number: index + 1,
      protocol: whole.protocol,
      pairing: 'right_after',
      callIdPrefix: 'call_',
      conversation: whole,
      digest: digestConversation(whole).digest,
      headers: {},
      auxiliary: undefined,
      status: 200,
      retryAfter: undefined,
      end: 'complete',
      answer: undefined,
      error: undefined,
    } as const;
    return 'toolCalls' in outcome ? { ...base, answer: outcome } : { ...base, ...outcome };
  });
}

const build = (...rows: readonly Row[]) => buildScenarios(exchangesOf(rows));

describe('buildScenarios', () => {
  test('writes a conversation with tool calls as a person would', () => {
    const prompt = user('Fix the failing test');
    const { scenarios, notes } = build(
      [[prompt], calls('a', 'b')],
      [[prompt, assistant(call('a'), call('b')), results(['a', 'b'])], says('Done.')],
    );
    const made = { name: 'tool', arguments: { path: 'a.txt' } };
    expect(scenarios).toEqual([
      {
        name: 'fix-the-failing-test',
        trigger: 'Fix the failing test',
        steps: [{ response: { tool_calls: [made, made] } }, { response: { content: 'Done.' } }],
      },
    ]);
    expect(notes).toEqual([]);
  });

  test.each([
    ['gemini', 1],
    ['openai-chat', 2],
  ] as const)('recognizes a call without its id over %s as one that may leave it out, or not', (protocol, count) => {
    const prompt = user('Fix the failing test');
    const generated = { ...call('contents[1].parts[0]'), name: 'tool', arguments: '{ "path": "a.txt" }' };
    const { scenarios } = build(
      [[prompt], calls('a'), { protocol }],
      [[prompt, assistant(generated), results([generated.id])], says('Done.'), { protocol }],
    );
    expect(scenarios).toHaveLength(count);
  });

  test('keeps simultaneous conversations over gemini apart by the ids of their calls', () => {
    const [one, other] = [user('one'), user('other')];
    const protocol = 'gemini';
    const { scenarios } = build(
      [[one], calls('a'), { protocol }],
      [[other], calls('b'), { protocol }],
      [[one, assistant(call('a')), results(['a'])], says('One.'), { protocol }],
      [[other, assistant(call('b')), results(['b'])], says('Other.'), { protocol }],
    );
    expect(scenarios.map(({ steps }) => steps.length)).toEqual([2, 2]);
  });

  test('writes each prompt of a conversation as a scenario of its own', () => {
    const { scenarios } = build(
      [[user('hello there')], says('Hi.')],
      [[user('hello there'), assistant('Hi.'), user('hello')], says('Hi again.')],
    );
    expect(scenarios.map(({ trigger }) => trigger)).toEqual(['hello there', 'hello']);
  });

  test('puts the longer of two prompts first if one contains the other', () => {
    const { scenarios, notes } = build([[user('hello')], says('1')], [[user('hello there')], says('2')]);
    expect(scenarios.map(({ trigger }) => trigger)).toEqual(['hello there', 'hello']);
    expect(notes).toEqual([]);
  });

  test('tells conversations with the same prompt at the same time apart by what differs', () => {
    const prompt = user('go on');
    const { scenarios, notes } = build(
      [[prompt], calls('a'), { model: 'big' }],
      [[prompt], calls('b'), { model: 'small' }],
      [[prompt, assistant(call('b')), results(['b'])], says('small done'), { model: 'small' }],
      [[prompt, assistant(call('a')), results(['a'])], says('big done'), { model: 'big' }],
    );
    expect(notes).toEqual([]);
    expect(scenarios.map(({ trigger, steps }) => [trigger, steps.at(-1)])).toEqual([
      [{ text: 'go on', model: 'big' }, { response: { content: 'big done' } }],
      [{ text: 'go on', model: 'small' }, { response: { content: 'small done' } }],
    ]);
  });

  test('keeps the first of equal requests and says so', () => {
    const { scenarios, notes } = build([[user('hello')], says('1')], [[user('hello')], says('2')]);
    expect(scenarios).toHaveLength(1);
    expect(notes).toEqual([
      'Request 2 is in no scenario: it equals a request of "hello", and equal requests get equal answers.',
    ]);
  });

  test.for<[string, Partial<Exchange>, object]>([
    [
      'an error',
      { status: 429, error: { message: 'slow down', type: 'rate_limit_error' }, retryAfter: 2 },
      { status: 429, message: 'slow down', type: 'rate_limit_error', retry_after: 2 },
    ],
    ...[402, 409, 422, 504, 520].map((status): [string, Partial<Exchange>, object] => [
      `the status ${status}`,
      { status, error: { message: 'no' } },
      { status, message: 'no' },
    ]),
    [
      'a page of HTML',
      { status: 502, error: { message: '<html>' }, body: '<html>{{x}}', retryAfter: 1 },
      { status: 502, body: '<html>{{x}}', retry_after: 1 },
    ],
    ['a page with status 200', { status: 200, answer: undefined, body: '<html>' }, { status: 200, body: '<html>' }],
    ['an error without a body', { status: 503, error: { message: '' }, body: '' }, { status: 503, body: '' }],
    [
      'an error in a stream with a number of its own',
      { answer: { ...NOTHING, content: 'Hel', error: { status: 1302, message: 'no' } } },
      { status: 500, message: 'no', at: { characters: 3 } },
    ],
    ['a cut stream', { answer: { ...NOTHING, content: 'Hel' } }, { cut: true, at: { characters: 3 } }],
    ['a reset', { end: 'reset', answer: { ...NOTHING, content: 'Hel' } }, { reset: true, at: { characters: 3 } }],
    ['a client that left', { end: 'client_left', answer: NOTHING }, { stall: 'forever', at: { characters: 0 } }],
    ['no response', { end: 'client_left', status: undefined }, { stall: 'forever', at: 'before_headers' }],
  ])('records %s and the retry after it as a fault that occurs once', ([, failure, fault]) => {
    const { scenarios, notes } = build([[user('hello')], failure], [[user('hello')], says('Hello.')]);
    expect(notes).toEqual([]);
    expect(scenarios[0]?.steps).toEqual([{ response: { content: 'Hello.' }, fault: { ...fault, times: 1 } }]);
  });

  test('records a stream that was never whole with what arrived', () => {
    const { scenarios } = build([[user('hello')], { answer: { ...NOTHING, content: 'Hel' } }]);
    expect(scenarios[0]?.steps).toEqual([{ response: { content: 'Hel' }, fault: { cut: 'before_finish' } }]);
  });

  test('starts a scenario at a tool result if the recording began there', () => {
    const prompt = user('Fix it');
    const { scenarios, notes } = build([[prompt, assistant(call('a')), results(['a'])], says('Done.')]);
    expect(notes).toEqual([]);
    expect(scenarios[0]?.trigger).toEqual({ text: 'Fix it', tool_result: 'ok' });
  });

  test('marks the scenario of a request for a title', () => {
    const titled = exchangesOf([
      [[user('Fix the test')], says('Fix test'), { system: ['You are a title generator.'] }],
      [[user('Fix the test')], says('Done.'), { system: ['You are an agent.'] }],
    ]).map((exchange, index): Exchange => (index === 0 ? { ...exchange, auxiliary: 'title' } : exchange));
    const { scenarios, notes } = buildScenarios(titled);
    expect(notes).toEqual([]);
    expect(scenarios).toMatchObject([
      { name: 'title-fix-the-test', auxiliary: false, trigger: { system: 'You are a title generator.' } },
      { name: 'fix-the-test' },
    ]);
  });

  test('quotes the words of the user, not the context that a client adds', () => {
    const { scenarios } = build([
      [
        user(
          '<env>\ncwd: /tmp\n</env>',
          '<reminder>be nice</reminder>\nWrite the docs\nand more',
          '<date>today</date>',
        ),
      ],
      says('Ok.'),
    ]);
    expect(scenarios[0]?.trigger).toBe('Write the docs');
  });

  test('keeps arguments that an object would change as text, and braces as they are', () => {
    const odd = { id: 'a', name: 'tool', input: 'json', arguments: '{"n": 1.0, "t": "{{x}}"}' } as const;
    const plain = { id: 'b', name: 'tool', input: 'json', arguments: '{ "t": "{{x}}" }' } as const;
    const { scenarios } = build([[user('hello')], { ...NOTHING, toolCalls: [odd, plain], finish: 'tool_calls' }]);
    expect(scenarios[0]?.steps[0]).toEqual({
      response: {
        tool_calls: [
          { function: { name: 'tool', arguments: '{"n": 1.0, "t": "{{{{x}}"}' } },
          { name: 'tool', arguments: { t: '{{{{x}}' } },
        ],
      },
    });
  });
});
