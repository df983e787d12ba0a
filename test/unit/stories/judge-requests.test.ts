import { expect, it } from 'vitest';
import { judgeRequests, type ModelRequest, refusedRequests } from '../../../src/stories/judge-requests.ts';

const step = { response: { content: 'x' } };
const file = {
  scenarios: [
    { name: 'two', trigger: 't', steps: [step, step] },
    { name: 'one', trigger: 'o', steps: [step] },
  ],
};
const request = (more: Partial<ModelRequest>): ModelRequest => ({
  method: 'POST',
  path: '/v1/m',
  status: 200,
  ...more,
});
const at = (scenario: string, number: number) => request({ scenario, step: number });
const refused = request({ status: 400, error: 'No scenario.' });

it.each<[string, readonly ModelRequest[], readonly string[]]>([
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
  ['a refusal', [refused, at('one', 0)], ['POST /v1/m was answered 400: No scenario.']],
])('the problems of an agent that got %s', (_name, requests, problems) => {
  expect(judgeRequests(requests, file)).toEqual(problems);
});

it('a refusal that the message of the agent explains is not listed again', () => {
  expect(refusedRequests([refused], 'The model failed: No scenario.')).toEqual([]);
  expect(refusedRequests([refused], 'exit code 1')).toEqual(['POST /v1/m was answered 400: No scenario.']);
});
