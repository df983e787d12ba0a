import { expect, it } from 'vitest';
import { parseScenarioFile } from '../../../mock-llm-server/parse-scenario-file.ts';

/** What the loader says of a scenario with this step, without the names of file and scenario. */
function faultsOf(step: object): string[] {
  const text = JSON.stringify({ scenarios: [{ name: 'n', trigger: 't', steps: [step] }] });
  try {
    parseScenarioFile(text, 'f.json');
    return [];
  } catch (error) {
    return String(error)
      .replace('ScenarioError: ', '')
      .split('\n')
      .map((line) =>
        line.replace('f.json: $.scenarios[0].steps[0].', '').replace('f.json: $.scenarios[0].steps[0]: ', ''),
      );
  }
}

const bad = '{{user}}';
const why =
  '{{user}} is no template; there are {{match.NAME}}, {{last_user}}, {{tool_result N}} and {{tool_result last}}; write {{{{ for literal braces';

it.each<[string, object, string[]]>([
  ['content', { response: { content: bad } }, [`response.content: ${why}`]],
  [
    'arguments as an object, each at its place',
    { response: { tool_calls: [{ name: 'x', arguments: { a: ['ok', { b: bad }], c: bad, d: null } }] } },
    [`response.tool_calls[0].arguments.a[1].b: ${why}`, `response.tool_calls[0].arguments.c: ${why}`],
  ],
  [
    'arguments as a text',
    { response: { tool_calls: [{ function: { name: 'x', arguments: `{"a":"${bad}"}` } }] } },
    [`response.tool_calls[0].function.arguments: ${why}`],
  ],
  ['a field of an intent', { intent: 'shell', command: bad }, [`command: ${why}`]],
  [
    'an intent without a field',
    { intent: 'write_file', path: 'a' },
    ['content: Invalid input: expected string, received undefined'],
  ],
  ['an intent with a field of another', { intent: 'shell', command: 'ls', path: 'a' }, ['Unrecognized key: "path"']],
  ['an intent with nothing to look for', { intent: 'list_files' }, ['list_files needs a pattern or a path']],
  [
    'an unknown intent',
    { intent: 'fly' },
    [
      "intent: Invalid discriminator value. Expected 'write_file' | 'read_file' | 'edit_file' | 'shell' | 'list_files' | 'search_files'",
    ],
  ],
  [
    'an unknown intent among tool calls',
    { response: { tool_calls: [{ intent: 'fly' }] } },
    [
      "response.tool_calls[0].intent: Invalid discriminator value. Expected 'write_file' | 'read_file' | 'edit_file' | 'shell' | 'list_files' | 'search_files'",
    ],
  ],
  ['sound templates', { response: { content: '{{last_user}} {{{{user}}' } }, []],
])('%s', (_name, step, expected) => {
  expect(faultsOf(step)).toEqual(expected);
});
