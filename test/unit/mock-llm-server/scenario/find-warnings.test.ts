import { describe, expect, it } from 'vitest';
import { matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import { findWarnings } from '../../../../mock-llm-server/scenario/loading/find-warnings.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { conversation, scenarioSet, steps } from '../../../support/stories/builders.ts';

const named = (file: string, content: object) => ({ file, content: parseScenarioFile(JSON.stringify(content), file) });
/** The warnings about a file with one scenario. */
const warningsOfOne = (trigger: unknown, ...given: readonly object[]) =>
  findWarnings([named('f.json', { scenarios: [{ name: 'a', trigger, steps: given }] })]);
const two = (first: unknown, second: unknown) => ({
  scenarios: [
    { name: 'first', trigger: first, steps: steps() },
    { name: 'second', trigger: second, steps: steps() },
  ],
});

describe('a warning about a trigger that can never match', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['a text in a longer one', 'fix', 'please FIX it'],
    ['the same text', 'fix', 'Fix'],
    ['an expression that finds the text', { regex: 'fix (?<what>\\w+)' }, 'fix it'],
    ['the same expression', { regex: 'fix \\w+' }, { regex: 'fix \\w+' }],
    ['a text before one with a condition', 'fix', { text: 'fix it', model: 'haiku' }],
    ['a wider condition', { text: 'fix', model: 'claude' }, { text: 'fix it', model: 'Claude-haiku' }],
    ['the same conditions without a text', { model: 'x' }, { model: 'x', tool: 'y' }],
    ['the same header', { text: 'fix', header: { 'X-A': '1' } }, { text: 'fix', header: { 'x-a': '1' } }],
    ['the same protocol', { text: 'fix', protocol: 'gemini' }, { text: 'fix it', protocol: 'gemini' }],
    ['a wider form', { response_format: 'json' }, { response_format: 'json_schema' }],
    ['the same result', { text: 'fix', tool_result: 'FAIL' }, { text: 'fix it', tool_result: 'FAIL' }],
  ])('is given for %s', (_name, first, second) => {
    expect(findWarnings([named('f.json', two(first, second))])).toEqual([
      {
        file: 'f.json',
        path: '$.scenarios[1].trigger',
        reason: expect.stringMatching(/can never start it: the trigger ".*" of "first" in f\.json comes first/),
        fix: 'move this scenario before "first", or make one of the two triggers narrower',
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
    ['another protocol', { text: 'fix', protocol: 'gemini' }, { text: 'fix', protocol: 'ollama' }],
    ['another form', { response_format: 'text' }, { response_format: 'json' }],
    ['a result first', { text: 'fix', tool_result: 'FAIL' }, 'fix'],
    ['a result second', 'fix', { text: 'fix', tool_result: 'FAIL' }],
    ['no text second', 'fix', { model: 'x' }],
    ['no text first, which starts at the first text only', { model: 'x' }, { text: 'fix', model: 'x' }],
  ])('is not given for %s', (_name, first, second) => {
    expect(findWarnings([named('f.json', two(first, second))])).toEqual([]);
  });

  it('is given across files', () => {
    const files = [named('a.json', { scenarios: [{ name: 'a', trigger: 'x', steps: steps() }] })];
    files.push(named('b.json', { scenarios: [{ name: 'b', trigger: 'xy', steps: steps() }] }));
    expect(findWarnings(files)).toMatchObject([{ file: 'b.json', path: '$.scenarios[0].trigger' }]);
  });

  it('is true: the earlier scenario answers', () => {
    const outcome = matchConversation(conversation('fix it'), scenarioSet(two('fix', 'fix it')));
    expect(outcome).toMatchObject({ scenario: { name: 'first' } });
  });
});

it('warns of an expression that matches every text', () => {
  expect(findWarnings([named('f.json', two('x', { regex: 'a*' }))])).toEqual([
    {
      file: 'f.json',
      path: '$.scenarios[1].trigger',
      reason: '/a*/i matches every text',
      fix: 'make the expression need at least one character, or use a default_response',
    },
  ]);
});

it('warns of a text in the form of an expression', () => {
  expect(findWarnings([named('f.json', two('/usr/', '/fix .*total/i'))])).toEqual([
    {
      file: 'f.json',
      path: '$.scenarios[1].trigger',
      reason: '"/fix .*total/i" is compared as a text',
      fix: 'write {"regex": "fix .*total"} if it is an expression',
    },
  ]);
});

it('warns of arguments that are not JSON', () => {
  const calls = [
    { name: 'ok' },
    { name: 'ok', arguments: '{{last_user}}' },
    { function: { name: 'ok', arguments: '{"a":1}' } },
    { function: { name: 'ok', arguments: '{"a": {{last_user}}, "b": "{{last_user}}"}' } },
    { function: { name: 'ok', arguments: '{{last_user}}' } },
    { function: { name: 'cut', arguments: '{"a":' } },
  ];
  expect(warningsOfOne('x', { response: { tool_calls: calls } })).toEqual([
    {
      file: 'f.json',
      path: '$.scenarios[0].steps[0].response.tool_calls[5].function.arguments',
      reason: expect.stringMatching(/^the arguments are not JSON: Unexpected end/),
      fix: 'write the short form, {"name": …, "arguments": {…}}, unless the client must cope with broken JSON',
    },
  ]);
});

it('warns of broken arguments of an answer that reaches its length limit, except those of the last call', () => {
  const cut = { function: { name: 'cut', arguments: '{"a":' } };
  const warningsOf = (calls: readonly (typeof cut)[]) =>
    warningsOfOne('x', { response: { tool_calls: [...calls], finish: 'length' } });
  expect(warningsOf([cut])).toEqual([]);
  expect(warningsOf([cut, cut])).toMatchObject([{ path: expect.stringContaining('tool_calls[0]') }]);
});

describe('a warning about a group that the trigger does not have', () => {
  const write = { intent: 'write_file', path: 'a.txt', content: '{{match.what}} {{match.what}}' };

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
  ])('is given for a template in %s', (_name, step, path) => {
    const expected = {
      file: 'f.json',
      path: `$.scenarios[0].steps[0].${path}`,
      reason: '{{match.what}} has no value: the trigger has no group of that name, it has none',
      fix: 'name a part of the trigger\'s "regex" with (?<what>…)',
    };
    expect(warningsOfOne('x', step)).toEqual([expected]);
    expect(warningsOfOne({ regex: '(?<who>x)(?<where>y)?' }, step)).toEqual([
      { ...expected, reason: expected.reason.replace('none', 'who, where') },
    ]);
  });

  it('is not given for the message of a fault, which is not a template', () => {
    const step = { response: { content: '' }, fault: { status: 500, message: '{{match.what}}' } };
    expect(warningsOfOne('x', step)).toEqual([]);
  });

  it.each([
    { regex: 'x (?<what>.+)' },
    { regex: '^(?:(?<what>a)|(?<what2>b))\\k<what>$', flags: 'u' },
    { regex: '[(?<no>]x(?<what>.)?', model: 'gpt' },
  ])('is not given if the trigger has it: %j', (trigger) => {
    expect(warningsOfOne(trigger, write)).toEqual([]);
  });
});

describe('a warning about a result that does not exist yet', () => {
  const look = { response: { tool_calls: [{ name: 'look' }, { name: 'look' }] } };
  const lookOnce = { response: { tool_calls: [{ name: 'look' }] } };
  const says = (content: string) => ({ response: { content } });

  it.each<readonly [string, readonly object[], string, string, string]>([
    ['a result in the first step', [says('{{tool_result 1}}')], '1', 'steps[0].response.content', '0 tool results'],
    ['the last of none', [says('{{tool_result last}}')], 'last', 'steps[0].response.content', '0 tool results'],
    ['more than there are', [look, says('{{tool_result 3}}')], '3', 'steps[1].response.content', '2 tool results'],
    [
      'a result twice',
      [says('{{tool_result 1}} {{tool_result 1}}')],
      '1',
      'steps[0].response.content',
      '0 tool results',
    ],
    ['an intent', [{ intent: 'shell', command: '{{tool_result 1}}' }], '1', 'steps[0].command', '0 tool results'],
    ['more than one', [lookOnce, says('{{tool_result 2}}')], '2', 'steps[1].response.content', '1 tool result'],
  ])('is given for %s', (_name, given, number, path, there) => {
    expect(warningsOfOne('x', ...given)).toEqual([
      {
        file: 'f.json',
        path: `$.scenarios[0].${path}`,
        reason: expect.stringContaining(`{{tool_result ${number}}} has no value: this step answers after ${there}`),
        fix: expect.stringMatching(
          /^(use it in a step after one with tool calls|use a number from 1 to [12], or "last")$/,
        ),
      },
    ]);
  });

  it('is not given for results of earlier steps', () => {
    expect(warningsOfOne('x', look, says('{{tool_result 1}} {{tool_result 2}} {{tool_result last}}'))).toEqual([]);
    expect(warningsOfOne('x', { ...says('a b c'), results: 3 }, says('{{tool_result 3}}'))).toEqual([]);
  });

  it('is not given if the scenario starts at a result', () => {
    const trigger = { text: 'x', tool_result: 'FAIL' };
    expect(warningsOfOne(trigger, says('{{tool_result last}}'))).toEqual([]);
  });
});

describe('a warning about fewer results than calls', () => {
  const calls = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const story = (first: object) => warningsOfOne('x', first, { response: { content: 'done' } });

  it('is given for a step with a next step', () => {
    expect(story({ response: { tool_calls: calls }, results: 2 })).toEqual([
      {
        file: 'f.json',
        path: '$.scenarios[0].steps[0].results',
        reason: 'the next step waits for 2 tool results, but a client sends one for each of 3 calls',
        fix: 'remove "results", which means 3',
      },
    ]);
  });

  it.each<readonly [string, object]>([
    ['as many results', { response: { tool_calls: calls }, results: 3 }],
    ['more results', { response: { tool_calls: calls }, results: 4 }],
    ['calls in the text', { response: { content: 'a b c' }, results: 2 }],
    ['calls that a fault hides', { response: { tool_calls: calls }, results: 1, fault: { tool_call_as_text: true } }],
  ])('is not given for %s', (_name, first) => {
    expect(story(first)).toEqual([]);
  });

  it('is not given for the last step', () => {
    expect(warningsOfOne('x', { response: { tool_calls: calls }, results: 1 })).toEqual([]);
  });
});
