import { expect, it } from 'vitest';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';

/** The problems of a scenario with this step, without the names of file and scenario, and without fixes. */
function faultsOf(step: object): string[] {
  const text = JSON.stringify({ scenarios: [{ name: 'n', trigger: 't', steps: [step] }] });
  try {
    parseScenarioFile(text, 'f.json');
    return [];
  } catch (error) {
    return String(error)
      .replace('ScenarioError: ', '')
      .split('\n')
      .filter((line) => !line.startsWith('  fix: '))
      .map((line) =>
        line.replace('f.json: $.scenarios[0].steps[0].', '').replace('f.json: $.scenarios[0].steps[0]: ', ''),
      );
  }
}

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
