import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import {
  assistant,
  call,
  conversation,
  generated,
  scenarioSet,
  steps,
  type TestMessage,
  user,
} from '../../../support/stories/builders.ts';

const set = scenarioSet({
  scenarios: [
    { name: 'red', trigger: { regex: 'run (?<what>\\w+)', tool_result: 'FAIL' }, steps: steps(1) },
    { name: 'oops', trigger: { tool_result: { regex: '^error \\d+' }, model: 'strict' }, steps: steps(1) },
    { name: 'failed', trigger: { text: 'try it', tool_result: { is_error: true } }, steps: steps(1) },
    { name: 'worked', trigger: { text: 'try it', tool_result: { regex: 'done', is_error: false } }, steps: steps(1) },
    { name: 'by-model', trigger: { text: 'hello', model: 'HAIKU' }, steps: steps(1) },
    { name: 'by-regex', trigger: { text: 'hello', model: { regex: '^gpt-\\d$', flags: '' } }, steps: steps(1) },
    { name: 'by-system', trigger: { text: 'hello', system: 'plan mode' }, steps: steps(1) },
    { name: 'by-tool', trigger: { text: 'hello', tool: 'apply_' }, steps: steps(1) },
    { name: 'by-header', trigger: { text: 'hello', header: { 'User-Agent': 'cli/2' } }, steps: steps(1) },
    { name: 'by-two', trigger: { header: { 'x-a': '1', 'x-b': '2' }, model: 'two' }, steps: steps(1, 1) },
    { name: 'tests', trigger: 'run tests', steps: steps(1, 1) },
  ],
});

const say = (text: string, more: Partial<Conversation> = {}): Conversation => ({
  ...conversation(user(text)),
  ...more,
});
const returned = (id: string, content: string, isError = false): TestMessage => ({
  role: 'user',
  parts: [{ type: 'tool_result', callId: id, content, ...(isError && { isError }) }],
});
const tried = (content: string, isError?: boolean) =>
  conversation('try it', [call('a')], returned('a', content, isError));
const tests0 = generated('tests', 0);
const red0 = generated('red', 0);
const two0 = generated('by-two', 0);

const cases: readonly (readonly [string, Conversation, Record<string, string>, string])[] = [
  ['nothing but the text', say('hello'), {}, 'none'],
  ['a model, in any case', say('hello', { model: 'claude-haiku-5' }), {}, 'by-model 0'],
  ['a model by expression', say('hello', { model: 'gpt-5' }), {}, 'by-regex 0'],
  ['a model by expression, in another case', say('hello', { model: 'GPT-5' }), {}, 'none'],
  ['the model without the text', say('goodbye', { model: 'claude-haiku-5' }), {}, 'none'],
  ['a system text', say('hello', { system: ['You code.', 'You are in plan mode.'] }), {}, 'by-system 0'],
  ['a tool', say('hello', { tools: [{ name: 'apply_patch', input: 'text' }] }), {}, 'by-tool 0'],
  ['two of which both hold: the first', say('hello', { model: 'gpt-5', system: ['plan mode'] }), {}, 'by-regex 0'],
  ['a header', say('hello'), { 'user-agent': 'agent-CLI/2.1' }, 'by-header 0'],
  ['another header', say('hello'), { 'user-agents': 'agent-cli/2.1' }, 'none'],
  ['one of two conditions', say('x', { model: 'two' }), { 'x-a': '1' }, 'none'],
  ['all conditions and no text', say('x', { model: 'two' }), { 'x-a': '1', 'x-b': '2' }, 'by-two 0'],
  [
    'no text, a result and a reminder after it',
    { ...conversation(user('x'), assistant(call('a')), returned('a', 'ok'), user('be brief')), model: 'two' },
    { 'x-a': '1', 'x-b': '2' },
    'by-two 1',
  ],
  [
    'no text, and ids of the server',
    { ...conversation(user('x'), assistant(two0), returned(two0.id, 'ok')), model: 'two' },
    { 'x-a': '1', 'x-b': '2' },
    'by-two 1',
  ],
  [
    'no user text at all, as with a stored prompt',
    { ...conversation(), model: 'two' },
    { 'x-a': '1', 'x-b': '2' },
    'by-two 0',
  ],
  // Tool results
  ['a story', conversation('run tests', [tests0], returned(tests0.id, 'pass')), {}, 'tests 1'],
  [
    'a result that starts another scenario',
    conversation('run tests', [tests0], returned(tests0.id, '1 fail')),
    {},
    'red 0 what=tests',
  ],
  [
    'the results of that one, the same again',
    conversation('run tests', [tests0], returned(tests0.id, '1 fail'), [red0], returned(red0.id, '1 fail')),
    {},
    'red 1 what=tests',
  ],
  [
    'one of several results of one answer',
    conversation('run tests', [call('a'), call('b')], returned('a', 'fail'), returned('b', 'ok')),
    {},
    'red 0 what=tests',
  ],
  ['a result without the text it needs', conversation('rerun', [call('a')], returned('a', 'fail')), {}, 'none'],
  [
    'a result by expression, after a shortened history',
    { ...conversation(assistant(call('a')), returned('a', 'error 12')), model: 'strict' },
    {},
    'oops 0',
  ],
  ['a result that is an error, whatever it says', tried('done', true), {}, 'failed 0'],
  ['a result that is no error', tried('done'), {}, 'worked 0'],
  ['a result that is no error and has another text', tried('odd'), {}, 'none'],
  ['a result without the condition on the model', conversation([call('a')], returned('a', 'error 12')), {}, 'none'],
];

describe('the conditions of a trigger', () => {
  it.each(cases)('choose the scenario for %s', (_name, input, headers, expected) => {
    const outcome = matchConversation(input, set, { headers });
    if (outcome.type !== 'match') return expect(outcome.type === 'unmatched' ? 'none' : outcome.type).toBe(expected);
    const groups = Object.entries(outcome.groups).map(([name, value]) => ` ${name}=${value}`);
    expect(`${outcome.scenario.name} ${outcome.stepIndex}${groups.join('')}`).toBe(expected);
  });
});
