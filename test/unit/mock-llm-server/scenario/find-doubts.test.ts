import { describe, expect, it } from 'vitest';
import { matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import { findDoubts } from '../../../../mock-llm-server/scenario/find-warnings.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/parse.ts';
import { conversation, scenarioSet, steps, user } from '../builders.ts';

const named = (file: string, content: object) => ({ file, content: parseScenarioFile(JSON.stringify(content), file) });
const two = (first: unknown, second: unknown) => ({
  scenarios: [
    { name: 'first', trigger: first, steps: steps() },
    { name: 'second', trigger: second, steps: steps() },
  ],
});

describe('triggers that can never start anything', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['a text in a longer one', 'fix', 'please FIX it'],
    ['the same text', 'fix', 'Fix'],
    ['an expression that finds the text', { regex: 'fix (?<what>\\w+)' }, 'fix it'],
    ['the same expression', { regex: 'fix \\w+' }, { regex: 'fix \\w+' }],
    ['a text before one with a condition', 'fix', { text: 'fix it', model: 'haiku' }],
    ['a wider condition', { text: 'fix', model: 'claude' }, { text: 'fix it', model: 'Claude-haiku' }],
    ['the same conditions without a text', { model: 'x' }, { model: 'x', tool: 'y' }],
    ['the same header', { text: 'fix', header: { 'X-A': '1' } }, { text: 'fix', header: { 'x-a': '1' } }],
    ['the same result', { text: 'fix', tool_result: 'FAIL' }, { text: 'fix it', tool_result: 'FAIL' }],
  ])('%s', (_name, first, second) => {
    expect(findDoubts([named('f.json', two(first, second))])).toEqual([
      {
        file: 'f.json',
        path: '$.scenarios[1].trigger',
        reason: expect.stringMatching(/can never start it: the trigger ".*" of "first" in f\.json comes first/),
        fix: 'put this scenario before "first", or make one of the two triggers narrower',
      },
    ]);
  });

  it.each<readonly [string, unknown, unknown]>([
    ['a longer text before a shorter', 'fix it', 'fix'],
    ['another text', 'fix', 'write'],
    ['a narrower condition first', { text: 'fix', model: 'haiku' }, { text: 'fix', model: 'claude' }],
    ['a condition first', { text: 'fix', model: 'haiku' }, 'fix'],
    ['another expression', { regex: 'fix \\w+' }, { regex: 'fix \\w' }],
    ['an expression of a condition', { text: 'fix', model: { regex: 'a' } }, { text: 'fix', model: 'a' }],
    ['a result first', { text: 'fix', tool_result: 'FAIL' }, 'fix'],
    ['a result second', 'fix', { text: 'fix', tool_result: 'FAIL' }],
    ['no text second', 'fix', { model: 'x' }],
    ['no text first, which starts at the first text only', { model: 'x' }, { text: 'fix', model: 'x' }],
  ])('not %s', (_name, first, second) => {
    expect(findDoubts([named('f.json', two(first, second))])).toEqual([]);
  });

  it('are looked for across files', () => {
    const files = [named('a.json', { scenarios: [{ name: 'a', trigger: 'x', steps: steps() }] })];
    files.push(named('b.json', { scenarios: [{ name: 'b', trigger: 'xy', steps: steps() }] }));
    expect(findDoubts(files)).toMatchObject([{ file: 'b.json', path: '$.scenarios[0].trigger' }]);
  });

  it('really do not', () => {
    const outcome = matchConversation(conversation(user('fix it')), scenarioSet(two('fix', 'fix it')));
    expect(outcome).toMatchObject({ scenario: { name: 'first' } });
  });
});

it('an expression that finds something in everything', () => {
  expect(findDoubts([named('f.json', two('x', { regex: 'a*' }))])).toEqual([
    {
      file: 'f.json',
      path: '$.scenarios[1].trigger',
      reason: '/a*/i finds something in every text',
      fix: 'make the expression need at least one character, or use a default_response',
    },
  ]);
});

it('arguments that are not JSON', () => {
  const calls = [
    { name: 'ok' },
    { function: { name: 'ok', arguments: '{"a":1}' } },
    { function: { name: 'cut', arguments: '{"a":' } },
  ];
  const content = { scenarios: [{ name: 'a', trigger: 'x', steps: [{ response: { tool_calls: calls } }] }] };
  expect(findDoubts([named('f.json', content)])).toEqual([
    {
      file: 'f.json',
      path: '$.scenarios[0].steps[0].response.tool_calls[2].function.arguments',
      reason: expect.stringMatching(/^the arguments are not JSON: Unexpected end/),
      fix: 'write the short form, {"name": …, "arguments": {…}}; leave it where the client must cope with it',
    },
  ]);
});

describe('groups that the trigger does not have', () => {
  const write = { intent: 'write_file', path: 'a.txt', content: '{{match.what}} {{match.what}}' };
  const one = (trigger: unknown, ...given: readonly object[]) =>
    findDoubts([named('f.json', { scenarios: [{ name: 'a', trigger, steps: given }] })]);

  it.each<readonly [string, object, string]>([
    ['content', { response: { content: '{{match.what}}' } }, 'response.content'],
    ['reasoning', { response: { reasoning: '{{match.what}}', content: '' } }, 'response.reasoning'],
    [
      'arguments',
      { response: { tool_calls: [{ name: 'a' }, { name: 'b', arguments: { list: [1, { x: '{{match.what}}' }] } }] } },
      'response.tool_calls[1].arguments.list[1].x',
    ],
    [
      'arguments as text',
      { response: { tool_calls: [{ function: { name: 'a', arguments: '"{{match.what}}"' } }] } },
      'response.tool_calls[0].function.arguments',
    ],
    ['an intent', { response: { tool_calls: [write] } }, 'response.tool_calls[0].content'],
    ['an intent on a step', write, 'content'],
  ])('in %s', (_name, step, path) => {
    const expected = {
      file: 'f.json',
      path: `$.scenarios[0].steps[0].${path}`,
      reason: '{{match.what}} has no value: the trigger has no group of that name, it has none',
      fix: 'name a part of the trigger\'s "regex" with (?<what>…)',
    };
    expect(one('x', step)).toEqual([expected]);
    expect(one({ regex: '(?<who>x)(?<where>y)?' }, step)).toEqual([
      { ...expected, reason: expected.reason.replace('none', 'who, where') },
    ]);
  });

  it('not in the message of a fault, which is no template', () => {
    const step = { response: { content: '' }, fault: { status: 500, message: '{{match.what}}' } };
    expect(one('x', step)).toEqual([]);
  });

  it.each([
    { regex: 'x (?<what>.+)' },
    { regex: '^(?:(?<what>a)|(?<what2>b))\\k<what>$', flags: 'u' },
    { regex: '[(?<no>]x(?<what>.)?', model: 'gpt' },
  ])('not where it has them: %j', (trigger) => {
    expect(one(trigger, write)).toEqual([]);
  });
});

describe('results that are not there yet', () => {
  const look = { response: { tool_calls: [{ name: 'look' }, { name: 'look' }] } };
  const says = (content: string) => ({ response: { content } });
  const doubts = (...given: readonly object[]) =>
    findDoubts([named('f.json', { scenarios: [{ name: 'a', trigger: 'x', steps: given }] })]);

  it.each<readonly [string, readonly object[], string, string, string]>([
    [
      'in the first step',
      [says('{{tool_result 1}}')],
      '1',
      'steps[0].response.content',
      'this step answers after 0 tool results',
    ],
    [
      'the last of none',
      [says('{{tool_result last}}')],
      'last',
      'steps[0].response.content',
      'this step answers after 0 tool results',
    ],
    [
      'more than there are',
      [look, says('{{tool_result 3}} {{tool_result 3}}')],
      '3',
      'steps[1].response.content',
      'this step answers after 2 tool results',
    ],
    [
      'in an intent',
      [{ intent: 'shell', command: '{{tool_result 1}}' }],
      '1',
      'steps[0].command',
      'this step answers after 0 tool results',
    ],
    [
      'more than one',
      [{ response: { tool_calls: [{ name: 'look' }] } }, says('{{tool_result 2}}')],
      '2',
      'steps[1].response.content',
      'this step answers after 1 tool result',
    ],
  ])('%s', (_name, given, number, path, there) => {
    expect(doubts(...given)).toEqual([
      {
        file: 'f.json',
        path: `$.scenarios[0].${path}`,
        reason: expect.stringContaining(`{{tool_result ${number}}} has no value: ${there}`),
        fix: expect.stringMatching(
          /^(use it in a step after one with tool calls|name one of 1 to 2, or "last"|write 1 or "last")$/,
        ),
      },
    ]);
  });

  it('not where they are', () => {
    expect(doubts(look, says('{{tool_result 1}} {{tool_result 2}} {{tool_result last}}'))).toEqual([]);
    expect(doubts({ ...says('a b c'), results: 3 }, says('{{tool_result 3}}'))).toEqual([]);
  });

  it('not where a scenario starts at a result', () => {
    const trigger = { text: 'x', tool_result: 'FAIL' };
    const content = { scenarios: [{ name: 'a', trigger, steps: [says('{{tool_result last}}')] }] };
    expect(findDoubts([named('f.json', content)])).toEqual([]);
  });
});

describe('fewer results than calls', () => {
  const calls = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const story = (first: object) =>
    findDoubts([
      named('f.json', { scenarios: [{ name: 'a', trigger: 'x', steps: [first, { response: { content: 'done' } }] }] }),
    ]);

  it('can never be what leads on', () => {
    expect(story({ response: { tool_calls: calls }, results: 2 })).toEqual([
      {
        file: 'f.json',
        path: '$.scenarios[0].steps[0].results',
        reason: 'the next step waits for 2 tool results, but this one brings one for each of 3 calls',
        fix: 'leave "results" out, which means 3',
      },
    ]);
  });

  it.each<readonly [string, object]>([
    ['as many', { response: { tool_calls: calls }, results: 3 }],
    ['more', { response: { tool_calls: calls }, results: 4 }],
    ['calls in the text', { response: { content: 'a b c' }, results: 2 }],
    [
      'calls that a fault keeps back',
      { response: { tool_calls: calls }, results: 1, fault: { tool_call_as_text: true } },
    ],
  ])('not %s', (_name, first) => {
    expect(story(first)).toEqual([]);
  });

  it('not on the last step, which leads nowhere', () => {
    const steps = [{ response: { tool_calls: calls }, results: 1 }];
    expect(findDoubts([named('f.json', { scenarios: [{ name: 'a', trigger: 'x', steps }] })])).toEqual([]);
  });
});
