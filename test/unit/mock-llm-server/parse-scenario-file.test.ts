import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScenarioFile } from '../../../mock-llm-server/parse-scenario-file.ts';
import { ScenarioError } from '../../../mock-llm-server/scenario-error.ts';

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

function problemsOf(text: string): readonly string[] {
  try {
    parseScenarioFile(text, 'f.json');
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('a good file', () => {
  it('loads in the older format, unchanged', () => {
    expect(parseScenarioFile(olderFile, 'older.json')).toEqual(JSON.parse(olderFile));
  });

  it.each<readonly [string, unknown]>([
    ['a short tool call', withStep({ response: { tool_calls: [{ name: 'x', arguments: { path: 'a' } }] } })],
    ['a short tool call without arguments', withStep({ response: { tool_calls: [{ name: 'x' }] } })],
    ['a short tool call with an id', withStep({ response: { tool_calls: [{ id: 'a', name: 'x' }] } })],
    ['a call without type', withStep({ response: { tool_calls: [{ function: { name: 'x', arguments: '' } }] } })],
    ['content null beside calls', withStep({ response: { content: null, tool_calls: [{ name: 'x' }] } })],
    ['results stated', withStep({ response: { content: 'go' }, results: 1 })],
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
        dry_run: true,
      }),
    ],
  ])('%s', (_name, content) => {
    expect(parseScenarioFile(JSON.stringify(content), 'f.json')).toEqual(content);
  });

  it('may begin with a byte order mark', () => {
    expect(problemsOf(`\uFEFF${olderFile}`)).toEqual([]);
  });
});

describe('a bad file', () => {
  it.each<readonly [string, unknown, readonly string[]]>([
    ['a list', [], ['$: Invalid input: expected object, received array']],
    ['no scenarios', { scenarios: [] }, ['$.scenarios: Too small: expected array to have >=1 items']],
    ['an unknown field', { ...Object(withTrigger('t')), stroy: 1 }, ['$: Unrecognized key: "stroy"']],
    ['a blank trigger', withTrigger(' '), ['$.scenarios[0].trigger: must not be blank']],
    [
      'a trigger of another kind',
      withTrigger(5),
      [
        '$.scenarios[0].trigger: Invalid input: expected string, received number, or Invalid input: expected object, ' +
          'received number',
      ],
    ],
    [
      'a regex that does not compile',
      withTrigger({ regex: '(' }),
      ['$.scenarios[0].trigger.regex: Invalid regular expression: /(/: Unterminated group'],
    ],
    [
      'flags that carry state',
      withTrigger({ regex: 'a', flags: 'g' }),
      ['$.scenarios[0].trigger.flags: may hold the flags d, i, m, s, u and v'],
    ],
    [
      'flags that exclude each other',
      withTrigger({ regex: 'a', flags: 'uv' }),
      ["$.scenarios[0].trigger.regex: Invalid flags supplied to RegExp constructor 'uv'"],
    ],
    [
      'a step without calls before the last',
      withStep({ response: { content: 'hm' } }),
      [
        '$.scenarios[0].steps[0]: a step without tool calls must be the last; no tool result can lead to the step after it',
      ],
    ],
    [
      'an empty response',
      withLastStep({ response: {} }),
      ['$.scenarios[0].steps[0].response: a response needs content or tool_calls'],
    ],
    [
      'results of none',
      withLastStep({ response: { content: 'x' }, results: 0 }),
      ['$.scenarios[0].steps[0].results: Too small: expected number to be >=1'],
    ],
    [
      'a misspelt field of a short call',
      withStep({ response: { tool_calls: [{ name: 'x', argments: {} }] } }),
      ['$.scenarios[0].steps[0].response.tool_calls[0]: Unrecognized key: "argments"'],
    ],
    [
      'arguments of a long call as an object',
      withStep({ response: { tool_calls: [{ function: { name: 'x', arguments: {} } }] } }),
      [
        '$.scenarios[0].steps[0].response.tool_calls[0].function.arguments: Invalid input: expected string, received object',
      ],
    ],
    [
      'an id that no provider takes',
      withStep({ response: { tool_calls: [{ id: 'a b', name: 'x' }] } }),
      [
        '$.scenarios[0].steps[0].response.tool_calls[0].id: must be 1 to 64 of the characters A-Z a-z 0-9 _ -, as providers demand',
      ],
    ],
    [
      'an id used twice in one answer',
      withStep({
        response: {
          tool_calls: [
            { id: 'a', name: 'x' },
            { id: 'a', name: 'y' },
          ],
        },
      }),
      ['$.scenarios[0].steps[0].response.tool_calls[1].id: the id a is used twice'],
    ],
    [
      'a story without prompts',
      withStory({ prompts: [] }),
      ['$.story.prompts: Too small: expected array to have >=1 items'],
    ],
    [
      'an absolute workspace',
      withStory({ prompts: ['t'], workspace: '/tmp' }),
      ['$.story.workspace: must be a relative path'],
    ],
    [
      'an answer that nobody can give',
      withStory({ prompts: ['t'], approvals: ['maybe'] }),
      [
        '$.story.approvals[0]: Invalid option: expected one of "once"|"session"|"deny", or Invalid input: expected object, received string',
      ],
    ],
  ])('%s', (_name, content, expected) => {
    expect(problemsOf(JSON.stringify(content))).toEqual(expected.map((line) => `f.json: ${line}`));
  });

  it('names every problem at once', () => {
    expect(problemsOf(JSON.stringify({ scenarios: [{ name: '', trigger: '', steps: [] }] }))).toEqual([
      'f.json: $.scenarios[0].name: must not be blank',
      'f.json: $.scenarios[0].trigger: must not be blank',
      'f.json: $.scenarios[0].steps: Too small: expected array to have >=1 items',
    ]);
  });

  it('says where the JSON breaks', () => {
    expect(problemsOf('{"scenarios": [}')).toEqual([
      expect.stringMatching(/^f\.json: \$: not valid JSON: Unexpected token '}'.*$/),
    ]);
  });
});
