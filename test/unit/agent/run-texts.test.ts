import { expect, it } from 'vitest';
import { endOfRun } from '../../../src/agent/run-texts.ts';

it.each([
  ['done', 'Done.'],
  ['aborted', 'Stopped.'],
  ['limit', 'Stopped after 25 requests to the model (agent.max_iterations). Say "go on" to continue.'],
  ['stuck', 'Stopped: the model keeps repeating the same calls with the same results.'],
  ['denied', 'Stopped: the same call was denied twice. Say what to do instead.'],
  ['failed', 'The run failed.'],
] as const)('a run that ends as %s has its message', (outcome, text) => {
  expect(endOfRun(outcome, 25, undefined)).toBe(text);
});

it('a limit of one request is reported in the singular', () => {
  expect(endOfRun('limit', 1, undefined)).toContain('Stopped after 1 request to the model');
});
