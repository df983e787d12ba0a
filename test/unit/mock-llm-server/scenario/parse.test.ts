import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { ScenarioError } from '../../../../mock-llm-server/scenario/problems.ts';
import { anyText } from '../../../support/random/any-text.ts';
import { propertySettings } from '../../../support/random/property.ts';

const olderFile = readFileSync(new URL('fixtures/older-format.json', import.meta.url), 'utf8');
const done = { response: { content: 'done' } };

function withStep(step: unknown): unknown {
  return { scenarios: [{ name: 'n', trigger: 't', steps: [step, done] }] };
}

function withLastStep(step: unknown): unknown {
  return { scenarios: [{ name: 'n', trigger: 't', steps: [step] }] };
}

function withTrigger(trigger: unknown): unknown {
  return { scenarios: [{ name: 'n', trigger, steps: [done] }] };
}

function withStory(story: unknown): unknown {
  return { scenarios: [{ name: 'n', trigger: 't', steps: [done] }], story };
}

function problemsOf(text: string): ScenarioError['problems'] {
  try {
    parseScenarioFile(text, 'f.json');
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems;
    throw error;
  }
  return [];
}

describe('a valid file', () => {
  it('loads in the older format, unchanged', () => {
    expect(parseScenarioFile(olderFile, 'older.json')).toEqual(JSON.parse(olderFile));
  });

  it.each<readonly [string, unknown]>([
    ['a short tool call', withStep({ response: { tool_calls: [{ name: 'x', arguments: { path: 'a' } }] } })],
    ['a short tool call without arguments', withStep({ response: { tool_calls: [{ name: 'x' }] } })],
    ['a short tool call with an id', withStep({ response: { tool_calls: [{ id: 'a', name: 'x' }] } })],
    ['a call without type', withStep({ response: { tool_calls: [{ function: { name: 'x', arguments: '' } }] } })],
    ['content null beside calls', withStep({ response: { content: null, tool_calls: [{ name: 'x' }] } })],
    ['a step with results', withStep({ response: { content: 'go' }, results: 1 })],
    ['an empty content', withLastStep({ response: { content: '' } })],
    ['a regex trigger', withTrigger({ regex: '(?<what>.*)', flags: 'isu' })],
    ['an editor schema', { $schema: './x.json', ...Object(withTrigger('t')) }],
    ['the smallest story', withStory({ prompts: ['t'] })],
    [
      'a whole story',
      withStory({
        prompts: ['t', 'u'],
        approvals: ['once', 'session', 'deny', { deny: 'not there' }],
        expected_outcome: 'denied',
        permission_mode: 'accept-edits',
        workspace: '../../examples/playground',
        expected: 'after',
        expected_result_contains: ['ok'],
        check: ['npm test', { command: 'npm run lint', timeout_seconds: 60 }],
        limits: { turns: 12, tokens: 40_000 },
        forbid: { files: ['test/**'], commands: ['git push', { regex: '^rm ', flags: '' }] },
        policy: { usually: 0.9, runs: 20 },
        dry_run: true,
        tool_protocol: 'xnl',
      }),
    ],
  ])('loads with %s', (_name, content) => {
    expect(parseScenarioFile(JSON.stringify(content), 'f.json')).toEqual(content);
  });

  it('may start with a byte order mark', () => {
    expect(problemsOf(`\uFEFF${olderFile}`)).toEqual([]);
  });
});

const load = (content: string) => {
  const scenarios = [{ name: 'a', trigger: 'a', steps: [{ response: { content: 'x' } }] }];
  return parseScenarioFile(JSON.stringify({ scenarios, default_response: { content } }), 'f.json');
};

it('a default response may have the last text of the user', () => {
  expect(load('{{last_user}} {{{{x}}').default_response).toEqual({ content: '{{last_user}} {{{{x}}' });
});

const LITERAL = 'write {{last_user}}, or {{{{ for literal braces';

it.each([
  ['{{last_user}} {{match.name}}', '{{match.name}} has no value in a default_response', LITERAL],
  ['{{tool_result last}}', '{{tool_result last}} has no value in a default_response', LITERAL],
  ['{{user}}', '{{user}} is not a template', LITERAL],
])('the default response %s is refused', (content, reason, fix) => {
  expect(() => load(content)).toThrow(`f.json: $.default_response.content: ${reason}\n  fix: ${fix}`);
});

/** The problems of a scenario with this step, without the path to the step. */
const faultsOf = (step: object) =>
  problemsOf(JSON.stringify(withLastStep(step))).map(({ path, reason }) => `${path.split('steps[0].')[1]}: ${reason}`);

const bad = '{{user}}';
const why = '{{user}} is not a template';

it.each<[string, object, string[]]>([
  ['content', { response: { content: bad } }, [`response.content: ${why}`]],
  [
    'arguments as an object',
    { response: { tool_calls: [{ name: 'x', arguments: { a: ['ok', { b: bad }], c: bad, d: null } }] } },
    [`response.tool_calls[0].arguments.a[1].b: ${why}`, `response.tool_calls[0].arguments.c: ${why}`],
  ],
  [
    'the names of arguments',
    { response: { tool_calls: [{ name: 'x', arguments: { [bad]: 1, a: { '{{last_user}}': 2 } } }] } },
    [`response.tool_calls[0].arguments.{{user}}: ${why}`],
  ],
  [
    'arguments as a text',
    { response: { tool_calls: [{ function: { name: 'x', arguments: `{"a":"${bad}"}` } }] } },
    [`response.tool_calls[0].function.arguments: ${why}`],
  ],
  ['a tool name', { response: { tool_calls: [{ name: bad }] } }, [`response.tool_calls[0].name: ${why}`]],
  [
    'the tool name of the long form',
    { response: { tool_calls: [{ function: { name: bad, arguments: '{}' } }] } },
    [`response.tool_calls[0].function.name: ${why}`],
  ],
  [
    'arguments as a template',
    { response: { tool_calls: [{ name: 'x', arguments: bad }] } },
    [`response.tool_calls[0].arguments: ${why}`],
  ],
  [
    'arguments as a text with a template',
    { response: { tool_calls: [{ name: 'x', arguments: 'x{{last_user}}' }] } },
    ['response.tool_calls[0].arguments: must be an object, or one template'],
  ],
  ['a field of an intent', { intent: 'shell', command: bad }, [`command: ${why}`]],
  ['sound templates', { response: { content: '{{last_user}} {{{{user}}' } }, []],
])('the loader checks the templates in %s', (_name, step, expected) => {
  expect(faultsOf(step)).toEqual(expected);
});

/** The problems of a text in short: `line:column reason / fix`. */
const problemsOfText = (text: string) =>
  problemsOf(text).map(({ path, reason, fix }) => {
    const position = path.replace(/^line (\d+), column (\d+)$/, '$1:$2');
    return `${position} ${reason.replace('not valid JSON: ', '')} / ${fix}`;
  });

describe('parseScenarioFile', () => {
  it.each<readonly [string, ...string[]]>([
    ['{"a": 1,\n}', '2:1 there is a comma before } / remove the comma'],
    ['[1, 2,\n]', '2:1 there is a comma before ] / remove the comma'],
    ['{"a": }', '1:7 a value is expected here / write a value'],
    ['[,]', '1:2 a value is expected here / write a value'],
    ['{"a" 1}', '1:6 a colon is missing before this / write a : after the field name'],
    ['{"a": 1\n "b": 2}', '2:2 a comma is missing before this / put a comma between the two'],
    ['{"a": [1}', '1:9 } closes what another bracket opened / close the inner bracket first'],
    ['{1: 2}', '1:2 a field name is expected here / write a field name in double quotes'],
    ['{a: 2}', '1:2 a is not a value / write a string in double quotes'],
    ["{'a': 2}", '1:2 a string is in single quotes / use double quotes'],
    ['{"a": "b\n"}', '1:7 the string is not closed / close it with "; write a line break as \\n'],
    ['{"a": "\\d"}', '1:7 the string has an invalid escape / write a \\ as \\\\'],
    ['{"a": "\\u12"}', '1:7 the string has an invalid escape / write \\u with four hexadecimal digits'],
    ['{"a": "b\tc"}', '1:7 the string has a control character / write a tab as \\t'],
    ['{\n // why\n}', '2:2 JSON has no comments / remove the comment, or write the file as YAML'],
    ['{\n # why\n}', '2:2 JSON has no comments / remove the comment, or write the file as YAML'],
    ['{"a": [{"b": 1', '1:15 the text ends too early / close every { and [ that is open'],
    [' \n', '2:1 the file is empty / write {"scenarios": [ … ]}'],
    ['{} {}', '1:4 a second object follows / put the scenarios of both into one list'],
    ['[1.]', '1:2 the number is incomplete / write it like 1, -2.5 or 1e3'],
    ['[01]', '1:3 a number begins with 0 / remove the 0'],
    ['[;]', '1:2 ; is not a value / write a string in double quotes'],
    [
      '{\n"a": 1,\n"\\u0061": 2,\n"a": 3}',
      '3:1 the field "a" occurs twice, in line 2 and line 3 / remove one of the two',
      '4:1 the field "a" occurs twice, in line 2 and line 4 / remove one of the two',
    ],
  ])('reports the position, the reason and the fix for %j', (text, ...expected) => {
    expect(problemsOfText(text)).toEqual(expected);
  });

  it('accepts equal fields of different objects', () => {
    const text = '{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}';
    expect(problemsOfText(text).filter((problem) => problem.includes('twice'))).toEqual([]);
  });

  it('reports a syntax error exactly for the texts that JSON.parse rejects', () => {
    const json = fc.jsonValue().map((value) => JSON.stringify(value, null, 1));
    const pieces = fc.constantFrom('', ',', '"', '}', ']', '{', ':', '1', '\\', '\u0001', ' ');
    const broken = fc.tuple(json, fc.nat(), pieces).map(([text, index, piece]) => {
      const start = index % (text.length + 1);
      return text.slice(0, start) + piece + text.slice(start + 1);
    });
    fc.assert(
      fc.property(fc.oneof(json, broken, anyText), (text) => {
        const problems = problemsOfText(text);
        const isSyntaxError = problems.some((problem) => /^(?:\d+:\d+|\$ looks like YAML)/.test(problem));
        expect([text, isSyntaxError && !problems.some((problem) => problem.includes('occurs twice'))]).toEqual([
          text,
          !isJson(text.replace(/^\uFEFF/, '')),
        ]);
      }),
      propertySettings(120),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('a JSON file of several lines', () => {
  it.each([
    [
      '{\n"scenarios": [\n{"name": "a",\n"trigger": "b",\n"steps": [\n{"contents": "x"}]}]}',
      '$.scenarios[0].steps[0] (line 6)',
    ],
    [
      '{\n"scenarios": [\n{"name": "a",\n"steps": [{"response": {"content": "x"}}]}]}',
      '$.scenarios[0].trigger (line 3)',
    ],
  ])('%j has the line of each mistake', (text, place) => {
    expect(() => parseScenarioFile(text, 'f.json')).toThrow(`f.json: ${place}: `);
  });
});
