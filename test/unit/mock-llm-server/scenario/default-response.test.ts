import { expect, it } from 'vitest';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';

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
  ['{{user}}', '{{user}} is not a template', 'write one of {{match.NAME}}, {{last_user}}'],
])('the default response %s is refused', (content, reason, fix) => {
  expect(() => load(content)).toThrow(`f.json: $.default_response.content: ${reason}\n  fix: ${fix}`);
});
