import { describe, expect, it } from 'vitest';
import type { Conversation, ToolCallPart } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { createJournal } from '../../../../../mock-llm-server/journal/journal.ts';
import { checkHistory } from '../../../../../mock-llm-server/matching/history/check-history.ts';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { checkRuleIds } from '../../../../../mock-llm-server/services/explain-name.ts';
import { verifyJournal } from '../../../../../mock-llm-server/verify/report.ts';
import { call, conversation, generated, ok, scenarioSet } from '../../../../support/stories/builders.ts';

const set = scenarioSet({
  scenarios: [
    {
      name: 'fix',
      trigger: 'fix it',
      steps: [
        {
          response: {
            content: 'I look\nat it.',
            tool_calls: [{ name: 'read', arguments: { path: 'a', deep: { n: [1] } } }],
          },
        },
        {
          response: {
            tool_calls: [
              { name: 'read', arguments: { path: 'a' } },
              { name: 'read', arguments: { path: 'b' } },
            ],
          },
        },
        { response: { content: 'Broken.', tool_calls: [{ name: 'read' }] }, fault: { tool_call_as_text: true } },
        { response: { content: 'Cut.', finish: 'length', tool_calls: [{ name: 'read' }] } },
        {
          response: {
            content: 'You said {{last_user}}',
            tool_calls: [{ name: 'x{{tool_result 1}}', arguments: { a: '{{last_user}}' } }],
          },
        },
        { response: { content: 'Now.', tool_calls: [{ intent: 'read_file', path: 'a' }] } },
        { response: { content: '<think>Hm.</think>So.', tool_calls: [{ name: 'read' }] } },
        { response: { content: 'done' } },
      ],
    },
  ],
});

const part = (
  step: number,
  index: number,
  name: string,
  args: unknown,
  more: Partial<ToolCallPart> = {},
): ToolCallPart => ({
  ...generated('fix', step, index, name),
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
  ...more,
});
const look = part(0, 0, 'read', { path: 'a', deep: { n: [1] } });
const a = part(1, 0, 'read', { path: 'a' });
const b = part(1, 1, 'read', { path: 'b' });
const TEXT = 'I look\nat it.';
const one = (...parts: readonly (string | ToolCallPart)[]) => conversation('fix it', parts, ok(look.id));
const two = (...parts: readonly ToolCallPart[]) =>
  conversation('fix it', [TEXT, look], ok(look.id), parts, ok(a.id, b.id));

const rows: readonly (readonly [string, Conversation, readonly string[]])[] = [
  // Changed
  ['the text is dropped', one(look), ['history/text']],
  ['the text is another one', one('I see.', look), ['history/text']],
  ['the tool is renamed', one(TEXT, { ...look, name: 'write' }), ['history/tool']],
  ['the arguments are emptied', one(TEXT, { ...look, arguments: '{}' }), ['history/arguments']],
  ['an argument is changed', one(TEXT, { ...look, arguments: '{"path":"b","deep":{"n":[1]}}' }), ['history/arguments']],
  [
    'an inner argument is changed',
    one(TEXT, { ...look, arguments: '{"path":"a","deep":{"n":[1,2]}}' }),
    ['history/arguments'],
  ],
  ['the arguments are no JSON any more', one(TEXT, { ...look, arguments: 'path: a' }), ['history/arguments']],
  ['all of it', one({ ...look, name: 'x', arguments: '{}' }), ['history/text', 'history/tool', 'history/arguments']],
  ['the calls are in another order', two(b, a), ['history/order']],
  ['a call is dropped', two(b), ['history/call']],
  // As it was, or changed on purpose
  ['as it was sent', one(TEXT, look), []],
  ['parallel calls as they were sent', two(a, b), []],
  [
    'other spaces in text and JSON',
    one(' I look at it. ', { ...look, arguments: '{ "deep": {"n": [1]}, "path": "a" }' }),
    [],
  ],
  [
    'a default that the client fills in',
    one(TEXT, { ...look, arguments: '{"path":"a","deep":{"n":[1]},"limit":9}' }),
    [],
  ],
  ['a tool in a namespace', one(TEXT, { ...look, name: 'functions.read' }), []],
  ['a text that a limit has cut', one('I look', look), []],
  ['the answer before it in the same message', conversation('fix it', ['Hm.'], [TEXT, look], ok(look.id)), []],
  ['ids of the client', conversation('fix it', [call('a', 'read')], ok('a')), []],
  ['ids of a scenario that is not loaded', conversation([generated('gone', 0)], ok(generated('gone', 0).id)), []],
  ['a call that the step does not have', conversation([generated('fix', 0, 4)], ok(generated('fix', 0, 4).id)), []],
  ['a shortened beginning', conversation('Summary', [b], ok(b.id)), []],
  ['calls one after the other', conversation('fix it', [a], ok(a.id), [b], ok(b.id)), []],
  ['the last of two calls is missing', two(a), ['history/call']],
  ['calls of two answers in one message', conversation('fix it', [look, a, b], ok(look.id, a.id, b.id)), []],
  ['the repair of a step with a fault', conversation('fix it', [part(2, 0, 'write', { a: 1 })], ok('x')), []],
  ['the repair of an answer that was cut', conversation('fix it', [part(3, 0, 'write', { a: 1 })], ok('x')), []],
  ['templates', conversation('fix it', ['You said a', part(4, 0, 'xy', { a: 'b' })], ok('x')), []],
  ['an intent', conversation('fix it', ['Now.', part(5, 0, 'cat', { file: 'a' })], ok('x')), []],
  ['thinking tags in the text', conversation('fix it', ['So.', part(6, 0, 'read', {})], ok('x')), []],
  ['a reference to an item', one('msg_123', { ...look, name: '', arguments: '{}' }), []],
  ['an answer that the request continues', continued(), []],
];

/** The messages of a request after an answer that it does not repeat. */
function continued(): Conversation {
  const input = conversation('x', [{ ...look, arguments: '{}' }], ok(look.id));
  return {
    ...input,
    messages: input.messages.map((message) => (message.role === 'assistant' ? { ...message, index: -1 } : message)),
  };
}

describe('an answer that a client sends back', () => {
  it.each(rows)('is compared with its step: %s', (_name, input, expected) => {
    expect(checkHistory(input, set).map(({ rule }) => rule)).toEqual(expected);
  });

  it('is named in the finding', () => {
    expect(checkHistory(one(TEXT, { ...look, name: 'write' }), set)).toEqual([
      {
        rule: 'history/tool',
        message: `The history has changed: the call ${look.id} of step 0 of scenario "fix" was to read, not to write. (rule history/tool)`,
      },
    ]);
  });
});

describe('a changed history', () => {
  const body = {
    model: 'm',
    messages: [
      { role: 'user', content: 'fix it' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: look.id, type: 'function', function: { name: 'read', arguments: look.arguments } }],
      },
      { role: 'tool', tool_call_id: look.id, content: 'ok' },
    ],
  };
  const send = async (allow: readonly string[]) => {
    const journal = createJournal();
    const app = createMockServer({ scenarios: set, journal, allow });
    const answers = [1, 2].map(() =>
      app.request('/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) }),
    );
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    return { statuses, journal, report: verifyJournal(journal, set.scenarios) };
  };
  const message =
    'The history has changed: the text of step 0 of scenario "fix" is missing beside its calls. (rule history/text)';

  it('is answered, noted in the journal, and fails a report once', async () => {
    const { statuses, journal, report } = await send([]);
    expect(statuses).toEqual([200, 200]);
    expect(journal.entries.map(({ lint, history }) => [lint, history])).toEqual([
      [[message], [message]],
      [[message], [message]],
    ]);
    expect(report.problems.filter(({ kind }) => kind === 'history')).toEqual([
      { kind: 'history', request: 1, message: `request 1: ${message}` },
    ]);
  });

  it('is allowed by the name of the rule', async () => {
    const { journal, report } = await send(checkRuleIds(['history/text']));
    expect(journal.entries[0]?.lint).toEqual([]);
    expect(report.history).toEqual([]);
  });
});
