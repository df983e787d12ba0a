import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import { call, conversation, generated, ok, results, scenarioSet, user } from '../../../support/stories/builders.ts';

const calls = (...names: readonly string[]) => ({ response: { tool_calls: names.map((name) => ({ name })) } });

const set = scenarioSet({
  scenarios: [
    {
      name: 'fix',
      trigger: 'fix it',
      steps: [
        calls('look'),
        { ...calls('read', 'read'), waits_for: 'use tabs' },
        calls('write'),
        { response: { content: 'stopped' }, waits_for: { regex: '^stop\\b' } },
        { response: { content: 'done' } },
      ],
    },
    { name: 'last', trigger: 'only then', steps: [calls('look'), { response: { content: 'x' }, waits_for: 'now' }] },
  ],
});

const look = generated('fix', 0);
const tabs = [generated('fix', 1, 0), generated('fix', 1, 1)];
const write = generated('fix', 2);
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => call(id));
if (!(a && b && c && d)) throw new Error('no calls');
const last = generated('last', 0);

const cases: readonly (readonly [string, Conversation, string])[] = [
  ['nothing was said', conversation('fix it', [look], ok(look.id)), 'fix 2'],
  ['the text was said', conversation('fix it', [look], ok(look.id), 'please use tabs'), 'fix 1'],
  ['it was said beside a result', conversation('fix it', [look], results([look.id], ['USE TABS'])), 'fix 1'],
  [
    'an agent put it into a block',
    conversation('fix it', [look], ok(look.id), '<system-reminder>The user sent: use tabs</system-reminder>'),
    'fix 1',
  ],
  ['another text was said', conversation('fix it', [look], ok(look.id), 'be quick'), 'fix 2'],
  [
    'it was said before the last answer',
    conversation('fix it', [look], ok(look.id), 'use tabs', tabs, ok(...tabs.map(({ id }) => id))),
    'fix 2',
  ],
  ['a later step waits for the text', conversation('fix it', [look], ok(look.id), 'stop now'), 'fix 3'],
  ['no step waits for it any more', conversation('fix it', [write], ok(write.id), 'use tabs'), 'fix 4'],
  ['it is a part of the prompt', conversation('fix it, and use tabs'), 'fix 0'],
  // By the number of results
  ['nothing was said, ids of the client', conversation('fix it', [a], ok('a')), 'fix 2'],
  ['all steps, ids of the client', conversation('fix it', [a], ok('a'), [b], ok('b')), 'fix 4'],
  ['the text was said, ids of the client', conversation('fix it', [a], ok('a'), 'use tabs'), 'fix 1'],
  [
    'the text was said earlier, ids of the client',
    conversation('fix it', [a], ok('a'), 'use tabs', [b, c], ok('b', 'c')),
    'fix 2',
  ],
  [
    'all steps, the text was said, ids of the client',
    conversation('fix it', [a], ok('a'), 'use tabs', [b, c], ok('b', 'c'), [d], ok('d'), user('stop')),
    'fix 3',
  ],
  ['a part of the results', conversation('fix it', [a], ok('a'), 'use tabs', [b], ok('b')), 'unpaired_results'],
  ['only steps that wait are left', conversation('only then', [last], ok(last.id)), 'past_last_step'],
  ['only steps that wait are left, ids of the client', conversation('only then', [a], ok('a')), 'past_last_step'],
  ['more results than steps', conversation('only then', [a], ok('a'), 'now', [b], ok('b')), 'past_last_step'],
];

describe('a step that waits for a text', () => {
  it.each(cases)('%s', (_name, input, expected) => {
    const outcome = matchConversation(input, set);
    expect(outcome.type === 'match' ? `${outcome.scenario.name} ${outcome.stepIndex}` : outcome.type).toBe(expected);
  });
});
