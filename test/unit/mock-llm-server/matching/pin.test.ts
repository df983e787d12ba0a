import { describe, expect, it } from 'vitest';
import { answerConversation } from '../../../../mock-llm-server/answering/choose-reply.ts';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { call, conversation, generated, ok, scenarioSet, steps, user } from '../../../support/stories/builders.ts';

const set = scenarioSet({
  scenarios: [
    { name: 'fix', trigger: 'fix (the )?test', steps: steps(1, 1) },
    { name: 'greet', trigger: { regex: 'greet (?<who>\\w+)' }, steps: steps(1) },
    { name: 'grüße 100%', trigger: 'grüße', steps: steps() },
    { name: 'odd:latest', trigger: 'odd', steps: steps() },
    { name: 'anything', trigger: { model: 'never' }, steps: steps(1) },
  ],
});
const other = generated('greet', 0);
const own = generated('fix', 0);
const title = { system: ['You are a title generator.'] };

const cases = [
  ['a header', conversation('x'), 'm', { 'x-mock-scenario': 'fix' }, 'fix 0'],
  ['a model', conversation('x'), 'mock/fix', {}, 'fix 0'],
  ['a model as Ollama names it', conversation('x'), 'mock/fix:latest', {}, 'fix 0'],
  ['a model that is called so', conversation('x'), 'mock/odd:latest', {}, 'odd:latest 0'],
  ['a header before a model', conversation('x'), 'mock/greet', { 'x-mock-scenario': 'fix' }, 'fix 0'],
  ['a pin before a trigger', conversation('greet Ann'), 'mock/fix', {}, 'fix 0'],
  [
    'a name that headers cannot hold',
    conversation('x'),
    'm',
    { 'x-mock-scenario': 'gr%C3%BC%C3%9Fe 100%25' },
    'grüße 100% 0',
  ],
  ['a name with a percent sign', conversation('x'), 'mock/grüße 100%', {}, 'grüße 100% 0'],
  ['a step', conversation('x'), 'm', { 'x-mock-scenario': 'fix', 'x-mock-step': '2' }, 'fix 2'],
  ['a model and a step', conversation('x'), 'mock/fix', { 'x-mock-step': '1' }, 'fix 1'],
  ['no user text', conversation([call('a')], ok('a')), 'mock/fix', {}, 'fix 1'],
  ['results that are counted', conversation('x', [call('a')], ok('a')), 'mock/fix', {}, 'fix 1'],
  [
    'results before the trigger that are not',
    conversation('x', [call('a')], ok('a'), 'greet Ann'),
    'mock/greet',
    {},
    'greet 0',
  ],
  ['ids of the pinned scenario', conversation('x', [own], ok(own.id)), 'mock/fix', {}, 'fix 1'],
  ['ids of another scenario', conversation('x', [other], ok(other.id)), 'mock/fix', {}, 'fix 1'],
  ['a scenario without a text', conversation('x', [call('a')], ok('a')), 'mock/anything', {}, 'anything 1'],
  ['a title', { ...conversation(user('x')), ...title }, 'mock/fix', {}, 'auxiliary title'],
  [
    'a title at an explicit step',
    { ...conversation(user('x')), ...title },
    'mock/fix',
    { 'x-mock-step': '2' },
    'fix 2',
  ],
  [
    'an unknown header',
    conversation('x'),
    'm',
    { 'x-mock-scenario': 'gret' },
    'There is no scenario "gret", which the header x-mock-scenario names. The nearest of 5 loaded scenarios is "greet".',
  ],
  [
    'an unknown model',
    conversation('fix the test'),
    'mock/fxi',
    {},
    'There is no scenario "fxi", which the model of the request names. The nearest of 5 loaded scenarios is "fix".',
  ],
  [
    'a name unlike the others',
    conversation('x'),
    'mock/abcdef',
    {},
    'There is no scenario "abcdef", which the model of the request names. No loaded scenario has a similar name; the first of 5 is "fix".',
  ],
  [
    'a name that is no name',
    conversation('x'),
    `mock/${'greet '.repeat(100_000)}`,
    {},
    `There is no scenario "${'greet '.repeat(34).slice(0, 200)}…", which the model of the request names. The nearest of 5 loaded scenarios is "greet".`,
  ],
  [
    'a broken escape',
    conversation('x'),
    'mock/%fix%',
    {},
    'There is no scenario "%fix%", which the model of the request names. The nearest of 5 loaded scenarios is "fix".',
  ],
  [
    'a step that is not there',
    conversation('x'),
    'mock/fix',
    { 'x-mock-step': '3' },
    'Scenario "fix" has no step "3", which the header x-mock-step names: its steps are 0 to 2.',
  ],
  [
    'a step that is no number',
    conversation('x'),
    'mock/fix',
    { 'x-mock-step': '-1' },
    'Scenario "fix" has no step "-1", which the header x-mock-step names: its steps are 0 to 2.',
  ],
  [
    'a step of nothing',
    conversation('fix the test'),
    'm',
    { 'x-mock-step': '1' },
    'The header x-mock-step needs a scenario: add the header x-mock-scenario, or the model mock/NAME.',
  ],
] as const;

describe('a pin', () => {
  it.each(cases)('is read: %s', (_name, input, model, headers, expected) => {
    const answer = answerConversation({ ...input, model }, set, 'call_', { headers });
    if (answer.type === 'refusal') return expect(answer.message).toBe(expected);
    if (answer.type !== 'reply') return expect(answer.type).toBe(expected);
    const { source } = answer.reply;
    expect(source === undefined ? `auxiliary ${answer.auxiliary}` : `${source.scenario} ${source.step}`).toBe(expected);
  });

  it.each([
    ['mock/y', {}, 'model'],
    ['m', { 'x-mock-scenario': 'y' }, null],
    ['mock/fix', { 'x-mock-scenario': 'fix:latest' }, null],
    ['mock/fix', { 'x-mock-step': '9' }, null],
    ['m', { 'x-mock-step': '0' }, null],
  ])('blames what names it: %s %j', (model, headers, param) => {
    const answer = answerConversation({ ...conversation(user('x')), model }, set, 'call_', { headers });
    expect(answer.type === 'refusal' ? [answer.code, answer.param] : answer).toEqual(['unknown_scenario', param]);
  });

  it.each([
    ['a scenario', { scenario: 'fix' }, {}, 'fix 0'],
    ['a scenario and a step', { scenario: 'fix', step: '1' }, {}, 'fix 1'],
    ['a step beside a model', { step: '1' }, {}, 'fix 1'],
    [
      'a header before them',
      { scenario: 'greet', step: '0' },
      { 'x-mock-scenario': 'fix', 'x-mock-step': '2' },
      'fix 2',
    ],
  ] as const)('is read from the metadata: %s', (_name, metadata, headers, expected) => {
    const answer = answerConversation({ ...conversation(user('x')), model: 'mock/fix' }, set, 'call_', {
      headers,
      metadata,
    });
    const source = answer.type === 'reply' ? answer.reply.source : undefined;
    expect(`${source?.scenario} ${source?.step}`).toBe(expected);
  });

  it('answers a request for a title where the metadata name a scenario', () => {
    const answer = answerConversation({ ...conversation(user('x')), ...title }, set, 'call_', {
      metadata: { scenario: 'fix' },
    });
    expect(answer).toMatchObject({ type: 'reply', reply: { source: { scenario: 'fix' } } });
  });

  it.each([
    [
      { scenario: 'fxi' },
      'There is no scenario "fxi", which the metadata mock_scenario names. The nearest of 5 loaded scenarios is "fix".',
    ],
    [
      { scenario: 'fix', step: '9' },
      'Scenario "fix" has no step "9", which the metadata mock_step names: its steps are 0 to 2.',
    ],
    [{ step: '0' }, 'The metadata mock_step needs a scenario: add the metadata mock_scenario, or the model mock/NAME.'],
  ])('blames the metadata: %j', (metadata, message) => {
    const answer = answerConversation(conversation(user('x')), set, 'call_', { metadata });
    expect(answer).toMatchObject({ type: 'refusal', message, param: 'metadata' });
  });

  it('names the only loaded scenario in its error', () => {
    const one = scenarioSet({ scenarios: [{ name: 'fix', trigger: 'x', steps: steps() }] });
    expect(answerConversation({ ...conversation(user('x')), model: 'mock/y' }, one, 'call_')).toMatchObject({
      message:
        'There is no scenario "y", which the model of the request names. No loaded scenario has a similar name; the first of 1 is "fix".',
    });
  });

  it('reports that no scenario is loaded', () => {
    expect(answerConversation({ ...conversation(user('x')), model: 'mock/x' }, createScenarioSet([]), 'call_')).toEqual(
      {
        type: 'refusal',
        code: 'unknown_scenario',
        param: 'model',
        message:
          'There is no scenario "x", which the model of the request names. None is loaded; start the server with some: --scenarios PATH, in code the option scenarios.',
      },
    );
  });
});
