import { expect, it } from 'vitest';
import {
  checkRequests,
  describeUnused,
  type MockRequest,
  refusedRequests,
} from '../../../src/stories/check-requests.ts';

const step = { response: { content: 'x' } };
const file = {
  scenarios: [
    { name: 'two', trigger: 't', steps: [step, step] },
    { name: 'one', trigger: 'o', steps: [step] },
  ],
};
const request = (more: Partial<MockRequest>): MockRequest => ({
  method: 'POST',
  path: '/v1/m',
  status: 200,
  ...more,
});
const at = (scenario: string, number: number) => request({ scenario, step: number });
const refused = request({ status: 400, error: 'No scenario.' });

it.each<[string, readonly MockRequest[], readonly string[]]>([
  ['its last step', [at('two', 0), at('two', 1)], []],
  ['a step that was sent again', [at('two', 0), at('two', 0), at('two', 1)], []],
  ['the last step of another scenario', [at('two', 0), at('one', 0)], []],
  ['a default response', [request({})], []],
  ['a title after its last step', [at('one', 0), request({ auxiliary: 'title' })], []],
  ['a fault before its last step', [request({ status: 429, error: 'Slow down.', fault: '429' }), at('one', 0)], []],
  ['nothing', [], ['the agent sent no request to the model']],
  ['a title only', [request({ auxiliary: 'title' })], ['the agent sent no request to the model']],
  [
    'an earlier step',
    [at('two', 0)],
    ['the agent ended after step 0 of the scenario "two", whose last step is 1; steps count from 0'],
  ],
  [
    'an unmet expectation',
    [{ ...at('one', 0), unmet: [{ field: 'messages', wanted: '1', found: '3' }] }],
    ['step 0 of "one" expected messages: 1, and found "3"'],
  ],
  ['a refusal', [refused, at('one', 0)], ['POST /v1/m was answered 400: No scenario.']],
])('the problems of an agent that got %s', (_name, requests, problems) => {
  expect(checkRequests(requests, file)).toEqual(problems);
});

it.each<[string, readonly MockRequest[], string | undefined]>([
  ['every step', [at('two', 0), at('two', 1), at('one', 0), at('one', 0)], undefined],
  ['one scenario', [at('one', 0)], 'never used: scenario "two"'],
  ['a part of one', [at('two', 1)], 'never used: step 0 of "two"; scenario "one"'],
])('an agent that used %s leaves the others unused', (_name, requests, warning) => {
  expect(describeUnused(requests, file)).toBe(warning);
});

it('a scenario that starts at a tool result may stay unused entirely, but not partly', () => {
  const failure = { name: 'failure', trigger: { tool_result: 'FAIL' }, steps: [step, step] };
  const optional = { scenarios: [...file.scenarios.slice(1), failure] };
  expect(describeUnused([at('one', 0)], optional)).toBeUndefined();
  expect(describeUnused([at('one', 0), at('failure', 0)], optional)).toBe('never used: step 1 of "failure"');
});

it('the unused steps of a scenario are named together', () => {
  const three = { scenarios: [{ name: 'three', trigger: 't', steps: [step, step, step] }] };
  expect(describeUnused([at('three', 0)], three)).toBe('never used: steps 1, 2 of "three"');
});

it('a refusal that the message of the agent explains is not listed again', () => {
  expect(refusedRequests([refused], 'The model failed: No scenario.')).toEqual([]);
  expect(refusedRequests([refused], 'exit code 1')).toEqual(['POST /v1/m was answered 400: No scenario.']);
});
