import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createScenarioOverlays } from '../../../../../mock-llm-server/scenario/loading/overlays.ts';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { scenarioSet, steps } from '../../../../support/stories/builders.ts';

const story = (name: string, text = name, trigger = name) => ({
  name,
  trigger,
  steps: [{ response: { content: text } }],
});
const set = scenarioSet({ scenarios: [story('first'), story('second')] });
const AnswerSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).optional(),
});
const ReportSchema = z.looseObject({ scenarios: z.array(z.looseObject({ name: z.string() })) });

let app: ReturnType<typeof createMockServer>;
beforeEach(() => {
  app = createMockServer({ scenarios: set });
});

/** Sends a request below `/__mock/scenarios`; returns the status and the JSON of the answer. */
async function manage(method: string, body?: unknown, { test, query = '' }: { test?: string; query?: string } = {}) {
  const response = await app.request(`/__mock/scenarios${query}`, {
    method,
    headers: test === undefined ? {} : { 'x-test-id': test },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return [response.status, text === '' ? undefined : JSON.parse(text)];
}

/** The text of the answer to a prompt, or the status of a refusal. */
async function ask(prompt: string, test?: string): Promise<string> {
  const response = await app.request('/v1/chat/completions', {
    method: 'POST',
    headers: test === undefined ? {} : { 'x-test-id': test },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] }),
  });
  const { choices } = AnswerSchema.parse(await response.json());
  return choices?.[0]?.message.content ?? String(response.status);
}

describe('/__mock/scenarios', () => {
  it('adds scenarios before all others, and lists them', async () => {
    expect(await manage('POST', { scenarios: [story('new', 'from POST', 'first of all')] })).toEqual([
      201,
      { scenarios: ['new'] },
    ]);
    expect([await ask('first of all'), await ask('first')]).toEqual(['from POST', 'first']);
    expect(await manage('GET')).toEqual([
      200,
      {
        scenarios: [
          { name: 'new', steps: 1, added: 'all' },
          { name: 'first', steps: 1 },
          { name: 'second', steps: 1 },
        ],
      },
    ]);
  });

  it('replaces a scenario where it stands, and restores it', async () => {
    expect(await manage('PUT', { scenarios: [story('second', 'replaced')] })).toMatchObject([200, {}]);
    expect(await ask('second')).toBe('replaced');
    expect((await manage('GET'))[1].scenarios.map(({ name }: { name: string }) => name)).toEqual(['first', 'second']);
    expect(await manage('PUT', { scenarios: [story('second', 'replaced again')] })).toMatchObject([200, {}]);
    expect(await ask('second')).toBe('replaced again');
    expect(await manage('DELETE')).toEqual([204, undefined]);
    expect(await ask('second')).toBe('second');
  });

  it('removes a scenario of a file, and one that was added', async () => {
    await manage('POST', { scenarios: [story('new')] });
    for (const name of ['new', 'first']) {
      expect(await manage('DELETE', undefined, { query: `?name=${name}` })).toEqual([204, undefined]);
      expect(await ask(name)).toBe('400');
      expect((await manage('DELETE', undefined, { query: `?name=${name}` }))[0]).toBe(404);
    }
    await manage('POST', { scenarios: [story('first', 'back')] });
    expect(await ask('first')).toBe('back');
  });

  it('changes the scenarios of one test only', async () => {
    await manage('PUT', { scenarios: [story('first', 'of test a'), story('own')] }, { test: 'a' });
    await manage('DELETE', undefined, { query: '?name=second', test: 'b' });
    const answers = await Promise.all(
      ['a', 'b', undefined].flatMap((test) => ['first', 'second', 'own'].map((text) => ask(text, test))),
    );
    expect(answers).toEqual(['of test a', 'second', 'own', 'first', '400', '400', 'first', 'second', '400']);
    expect((await manage('GET', undefined, { test: 'a' }))[1].scenarios).toContainEqual({
      name: 'own',
      steps: 1,
      added: 'test',
    });
    expect((await manage('GET', undefined, { query: '?test=a' }))[1].scenarios).toHaveLength(3);
    await manage('DELETE', undefined, { test: 'a' });
    expect([await ask('first', 'a'), await ask('second', 'b')]).toEqual(['first', '400']);
    await manage('DELETE');
    expect(await ask('second', 'b')).toBe('second');
  });

  it('uses the default response of a body', async () => {
    await manage('POST', { scenarios: [story('new')], default_response: { content: 'Pardon?' } }, { test: 'a' });
    expect([await ask('x', 'a'), await ask('x')]).toEqual(['Pardon?', '400']);
  });

  it('reads YAML', async () => {
    const body = 'scenarios:\n  - name: y\n    trigger: yaml\n    steps:\n      - response: { content: read }\n';
    const headers = { 'content-type': 'application/yaml' };
    const response = await app.request('/__mock/scenarios', { method: 'POST', headers, body });
    expect([response.status, await ask('yaml')]).toEqual([201, 'read']);
  });

  it.each([
    ['{', 'body: line 1, column 2: not valid JSON'],
    ['{"scenarios": []}', 'body: $.scenarios: must not be empty\n  fix: add an item to "scenarios"'],
    [{ scenarios: [{ ...story('a'), trigr: 1 }] }, 'write "trigger" instead of "trigr"'],
    [story('a'), 'this is a scenario, not a file of them'],
    [{ scenarios: [story('a'), story('a')] }, 'body: $.scenarios[1].name: the name "a" is taken by a scenario in body'],
    [
      { scenarios: [story('x'), story('second')] },
      'body: $.scenarios[1].name: the name "second" is taken by another scenario',
    ],
  ])('refuses a broken body with the message for a file, and changes nothing: %j', async (body, message) => {
    const [status, { error, problems }] = await manage('POST', body);
    expect([status, error]).toEqual([400, expect.stringContaining(message)]);
    expect(problems[0]).toMatchObject({ file: 'body', reason: expect.any(String), fix: expect.any(String) });
    expect((await manage('GET'))[1].scenarios).toHaveLength(2);
  });

  it('judges a test by its own scenarios', async () => {
    await manage('POST', { scenarios: [{ name: 'own', trigger: 'own', steps: steps(1) }] }, { test: 'a' });
    await ask('own', 'a');
    const report = await (await app.request('/__mock/verify?test=a')).json();
    expect(report).toMatchObject({
      passed: false,
      problems: [
        { kind: 'expectation', scenario: 'own' },
        { kind: 'unused', scenario: 'own' },
      ],
    });
    const other = ReportSchema.parse(await (await app.request('/__mock/verify')).json());
    expect(other.scenarios.map(({ name }) => name)).toEqual(['first', 'second']);
  });
});

describe('createScenarioOverlays', () => {
  const file = (...scenarios: ReturnType<typeof story>[]) => [{ file: 'f', content: { scenarios } }];

  it('returns the very set of the files as long as nothing was changed, and indexes a change once', () => {
    const overlays = createScenarioOverlays(() => set);
    expect(overlays.current('a')).toBe(set);
    overlays.add(file(story('new')), { testId: 'a' });
    expect(overlays.current()).toBe(set);
    expect(overlays.current('a')).not.toBe(set);
    expect(overlays.current('a')).toBe(overlays.current('a'));
    overlays.reset();
    expect(overlays.current('a')).toBe(set);
  });

  it('keeps changes when the files below change', () => {
    let base = set;
    const overlays = createScenarioOverlays(() => base);
    overlays.add(file(story('new')));
    base = scenarioSet({ scenarios: [story('third'), story('new', 'of a file')] });
    expect(overlays.current().scenarios.map(({ name }) => name)).toEqual(['third', 'new']);
    expect(overlays.current().byTag.size).toBe(2);
    expect(overlays.current().scenarios[1]?.steps[0]?.content).toBe('new');
  });

  it('refuses the scenarios of more tests than it can keep', () => {
    const overlays = createScenarioOverlays(() => set);
    for (let test = 0; test < 1000; test++) overlays.add(file(story('new')), { testId: String(test) });
    expect(() => overlays.add(file(story('new')), { testId: 'more' })).toThrow(
      '1000 tests already have their own scenarios',
    );
    expect(() => overlays.add(file(story('newer')), { testId: '7' })).not.toThrow();
    overlays.reset({ testId: '7' });
    expect(() => overlays.add(file(story('new')), { testId: 'more' })).not.toThrow();
  });
});
