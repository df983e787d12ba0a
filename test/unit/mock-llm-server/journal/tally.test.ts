import { describe, expect, it } from 'vitest';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { describeUnused, findUnusedSteps } from '../../../../mock-llm-server/journal/tally.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { mockLlmFetch } from '../../../../mock-llm-server/testing.ts';
import { scenarioSet, steps } from '../../../support/stories/builders.ts';

const CHAT = '/v1/chat/completions';
const scenarios = [
  { name: 'one', trigger: 'go one', steps: steps() },
  { name: 'two', trigger: 'go two', steps: steps(1) },
  { name: 'three', trigger: 'go three', steps: steps(1, 1) },
];
const set = scenarioSet({ scenarios });
const prompt = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] });

function server(journal = createJournal()) {
  const app = createMockServer({ scenarios: set, journal });
  const ask = (text: string, headers: Record<string, string> = {}) =>
    app.request(CHAT, { method: 'POST', headers, body: JSON.stringify(prompt(text)) });
  const read = async (query = ''): Promise<unknown> => (await app.request(`/__mock/journal${query}`)).json();
  return { app, ask, read, journal };
}

const used = (...names: readonly string[]) => ({
  isUsed: (scenario: string, step: number) => names.includes(`${scenario} ${step}`),
});

describe('GET /__mock/journal', () => {
  it('has the steps that answered no request', async () => {
    const { ask, read } = server();
    await ask('go one');
    await ask('go three');
    await ask('nothing matches');
    expect(await read()).toMatchObject({
      unused: [
        { scenario: 'two', steps: [0, 1] },
        { scenario: 'three', steps: [1, 2] },
      ],
    });
  });

  it('has none for the requests of one test', async () => {
    expect(await server().read('?test=x')).not.toHaveProperty('unused');
  });

  it('counts a step whose entry was dropped, until the journal is cleared', async () => {
    const { app, ask, read } = server(createJournal({ maxEntries: 1 }));
    for (const step of ['0', '1']) await ask('go two', { 'x-mock-scenario': 'two', 'x-mock-step': step });
    await ask('go one', { 'x-test-id': 't' });
    const rest = { scenario: 'three', steps: [0, 1, 2] };
    expect(await read()).toMatchObject({ entries: [{ scenario: 'one' }], unused: [rest] });
    await app.request('/__mock/journal?test=t', { method: 'DELETE' });
    expect(await read()).toMatchObject({ unused: [rest] });
    await app.request('/__mock/journal', { method: 'DELETE' });
    expect(await read()).toMatchObject({ unused: [{ scenario: 'one' }, { scenario: 'two' }, { scenario: 'three' }] });
  });
});

describe('findUnusedSteps', () => {
  it('finds nothing when each step was used', () => {
    expect(findUnusedSteps(set.scenarios.slice(0, 2), used('one 0', 'two 0', 'two 1'))).toEqual([]);
  });
});

describe('describeUnused', () => {
  it.each<readonly [string, readonly string[], string]>([
    [
      'every step',
      ['one 0', 'two 0', 'two 1', 'three 0', 'three 1', 'three 2'],
      'every step of every scenario was used',
    ],
    ['whole scenarios', ['one 0'], 'never used: 2 scenarios of 3 (two, three)'],
    ['one scenario', ['two 0', 'two 1', 'three 0', 'three 1', 'three 2'], 'never used: 1 scenario of 3 (one)'],
    [
      'scenarios and steps',
      ['two 0', 'three 0'],
      'never used: 1 scenario of 3 (one); step 1 of "two", steps 1, 2 of "three"',
    ],
  ])('describes %s', (_name, names, text) => {
    expect(describeUnused(set.scenarios, used(...names))).toBe(text);
  });

  it('names a few of many scenarios', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ name: `s${index}`, steps: [1] }));
    expect(describeUnused(many, used())).toBe('never used: 30 scenarios of 30 (s0, s1, s2, s3, s4, 25 more)');
  });
});

it('mockLlmFetch has the steps that no request used', async () => {
  const fetch = mockLlmFetch({ scenarios: [{ name: 'a', trigger: 'go', steps: [{ response: { content: 'x' } }] }] });
  expect(fetch.unused()).toEqual([]);
  await fetch(`http://any.test${CHAT}`, { method: 'POST', body: JSON.stringify(prompt('else')) });
  expect(fetch.unused()).toEqual([{ scenario: 'a', steps: [0] }]);
  await fetch(`http://any.test${CHAT}`, { method: 'POST', body: JSON.stringify(prompt('go')) });
  expect(fetch.unused()).toEqual([]);
});
