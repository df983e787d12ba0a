import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { explainMiss } from '../../../../mock-llm-server/matching/explain-miss.ts';
import { matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { call, conversation, ok, scenarioSet, steps, user } from '../../../support/stories/builders.ts';

const scenarios = [
  { name: 'poem', trigger: 'write a long poem', steps: steps() },
  { name: 'regex', trigger: { regex: 'translate (?<what>.+) to French' }, steps: steps() },
  { name: 'model', trigger: { text: 'deploy it', model: 'opus' }, steps: steps() },
  { name: 'header', trigger: { text: 'release it', system: 'x', header: { 'User-Agent': 'cli' } }, steps: steps() },
  { name: 'tools', trigger: { text: 'roll back', tool: { regex: '^shell$' } }, steps: steps() },
  { name: 'result', trigger: { text: 'check it', tool_result: 'FAIL' }, steps: steps() },
];
const set = scenarioSet({ scenarios });

const REMINDER =
  '<reminder>\nThis is not a message of the user.\nRead a file again before you write a long poem.\n</reminder>';

const cases: readonly (readonly [string, Conversation, string, string, string])[] = [
  [
    'a similar text',
    conversation('Please write a short poem!'),
    'poem',
    'text',
    'From the trigger to the text: {+Please +}write a [-long-]{+short+} poem{+!+}.',
  ],
  [
    'the similar line of a long text',
    conversation(`<env>\n${'date\n'.repeat(500)}</env>\nwrite me a poem\nthanks`),
    'poem',
    'text',
    'From the trigger to the text: write {+me +}a [-long -]poem.',
  ],
  [
    'a text of the user before a reminder of an agent',
    conversation(user('please write a poem'), user(REMINDER)),
    'poem',
    'text',
    'From the trigger to the text: {+please +}write a [-long -]poem.',
  ],
  [
    'a text of the user after a reminder in the same text',
    conversation(`${REMINDER}\nplease write a poem`),
    'poem',
    'text',
    'From the trigger to the text: {+please +}write a [-long -]poem.',
  ],
  [
    'a reminder alone',
    conversation('<reminder>\nwrite a poem\n</reminder>'),
    'poem',
    'text',
    'From the trigger to the text: write a [-long -]poem.',
  ],
  [
    'an expression',
    conversation('translate it into French'),
    'regex',
    'text',
    'Its expression does not match the text.',
  ],
  [
    'a model',
    conversation('now deploy it'),
    'model',
    'model',
    'Its condition on model, "opus", does not hold: the request has "m".',
  ],
  [
    'a header',
    { ...conversation(user('release it')), system: ['x'] },
    'header',
    'header user-agent',
    'Its condition on header user-agent, "cli", does not hold: the request has "".',
  ],
  [
    'a tool',
    {
      ...conversation(user('roll back')),
      tools: [
        { name: 'bash', input: 'json' },
        { name: 'read', input: 'json' },
      ],
    },
    'tools',
    'tool',
    'Its condition on tool, "/^shell$/i", does not hold: the request has "bash, read".',
  ],
  [
    'no results',
    conversation('check it'),
    'result',
    'tool_result',
    'Its condition on tool_result, "FAIL", does not hold: there are no tool results.',
  ],
  [
    'another result',
    conversation('check it', [call('a')], ok('a')),
    'result',
    'tool_result',
    'Its condition on tool_result, "FAIL", does not hold: no result of another scenario matches it.',
  ],
];

describe('explainMiss', () => {
  it.each(cases)('names %s', (_name, input, nearest, failed, reason) => {
    const miss = explainMiss(input, set);
    expect({ nearest: miss.nearest, failed: miss.failed }).toEqual({ nearest, failed });
    expect(miss.message).toContain(` of scenario "${nearest}" (6 loaded). ${reason} Put a trigger`);
  });

  it.each(cases)('%s: the scenario to paste answers the request', (_name, input) => {
    const pasted: unknown = JSON.parse(explainMiss(input, set).message.split('\n').at(-1) ?? '');
    const more = scenarioSet({ scenarios: [...scenarios, pasted] });
    // Tool results stand after the text: the pasted scenario has one step, which they are beyond.
    expect(['match', 'past_last_step']).toContain(matchConversation(input, more).type);
  });

  it.each([
    ['a long line', 'x'.repeat(500), { name: 'x'.repeat(50), trigger: 'x'.repeat(60) }],
    ['many words', `${'word '.repeat(50)}`, { trigger: `${'word '.repeat(11)}word` }],
    ['a name that is used already', 'model: poem', { name: 'model-poem' }],
    ['the name of another', 'Poem', { name: 'poem-2', trigger: 'Poem' }],
    ['signs only', '🙂', { name: 'mock-session', trigger: '🙂' }],
    ['quotes and controls', 'say "hi"\tnow', { trigger: 'say "hi"\tnow' }],
  ])('writes a scenario for %s', (_name, text, expected) => {
    const { message } = explainMiss(conversation(text), set);
    const line = message.slice(message.indexOf('\n') + 1);
    const file = parseScenarioFile(`{"scenarios":[${line}]}`, 'pasted.json');
    expect(file.scenarios[0]).toMatchObject(expected);
    const outcome = matchConversation(conversation(text), createScenarioSet([{ file: 'pasted.json', content: file }]));
    expect(outcome).toMatchObject({ type: 'match', stepIndex: 0 });
  });

  it('searches all texts for triggers, and their end for similar ones', () => {
    const pages = 'a line of a very long prompt\n'.repeat(10_000);
    const miss = explainMiss(conversation(`write a short poem\nnow deploy it\n${pages}`), set);
    expect(miss).toMatchObject({ nearest: 'model', failed: 'model' });
    const alike = explainMiss(conversation(`write a short poem\n${pages}translate it into French`), set);
    expect(alike).toMatchObject({ nearest: 'regex', failed: 'text' });
    expect(alike.message).toContain('"trigger":"translate it into French"');
  });

  it.each([
    ['behind the text', 'my key is Opaque7key9Canary', { name: 'my-key-is', trigger: 'my key is' }],
    ['before the text', 'Opaque7key9Canary is mine', { name: 'is-mine', trigger: 'is mine' }],
    ['on its own line', 'Opaque7key9Canary\nuse it', { name: 'use-it', trigger: 'use it' }],
    ['that looks like one', `AIza${'a1'.repeat(20)} is mine`, { name: 'is-mine', trigger: 'is mine' }],
    ['in place of a text', 'Opaque7key9Canary', { name: 'what-the-user-says', trigger: 'what the user says' }],
  ])('writes a scenario without the key %s', (_where, text, expected) => {
    const { message } = explainMiss(conversation(text), set, { secrets: ['Opaque7key9Canary'] });
    expect(message).toContain(
      `The user said: ${JSON.stringify(text.replace(/Opaque7key9Canary|AIza\w+/, '[redacted]'))}.`,
    );
    expect(JSON.parse(message.split('\n').at(-1) ?? '')).toMatchObject(expected);
  });

  it('names the condition of a trigger without a text', () => {
    const miss = explainMiss(
      conversation('xyz'),
      scenarioSet({ scenarios: [{ name: 'a', trigger: { model: 'opus' }, steps: steps() }] }),
    );
    expect(miss).toMatchObject({ nearest: 'a', failed: 'model' });
  });

  it('names the first scenario whose text matches', () => {
    expect(explainMiss(conversation('release it', 'deploy it'), set).nearest).toBe('model');
  });
});
