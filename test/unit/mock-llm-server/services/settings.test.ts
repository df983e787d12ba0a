import { expect, it } from 'vitest';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { user } from './cases/case.ts';

const call = { content: 'I read it.', tool_calls: [{ name: 'read', arguments: {} }] };
const app = createMockServer({
  scenarios: scenarioSet({
    scenarios: [
      { name: 'text', trigger: 'say', steps: [{ response: { content: 'Hello.' } }] },
      { name: 'call', trigger: 'call', steps: [{ response: call }] },
    ],
  }),
});

async function post(path: string, body: object): Promise<unknown> {
  const headers = { 'anthropic-version': '2023-06-01' };
  const answer = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return JSON.parse(await answer.text());
}

const chat = (fields: object) => post('/v1/chat/completions', { model: 'gpt-4o', messages: [user('say')], ...fields });
const responses = (model: string, input: string, fields: object = {}) => {
  const parameters = { type: 'object', properties: {} };
  return post('/v1/responses', { model, input, tools: [{ type: 'function', name: 'read', parameters }], ...fields });
};

it.each([
  ['flex', 'flex'],
  ['auto', 'default'],
  [undefined, 'default'],
])('the service tier %s is answered with %s', async (asked, said) => {
  expect(await chat({ service_tier: asked })).toMatchObject({ service_tier: said });
  expect(await responses('gpt-4o', 'say', { service_tier: asked })).toMatchObject({ service_tier: said });
});

it.each([
  ['gpt-5.4', 'say', 'final_answer'],
  ['gpt-5.4', 'call', 'commentary'],
  ['gpt-4o', 'say', undefined],
])('a message of %s that follows "%s" has the phase %s', async (model, input, phase) => {
  const answer = JSON.stringify(await responses(model, input));
  expect(/"phase":"(\w+)"/.exec(answer)?.[1]).toBe(phase);
});

it('a request of Messages for no tokens has an empty answer', async () => {
  const answer = await post('/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 0, messages: [user('say')] });
  expect(answer).toMatchObject({ content: [], stop_reason: 'max_tokens', usage: { output_tokens: 0 } });
});
