import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { type MatchOutcome, matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import {
  call,
  conversation,
  generated,
  ok,
  results,
  scenarioSet,
  steps,
  user,
} from '../../../support/stories/builders.ts';

const set = scenarioSet({
  scenarios: [
    { name: 'fix', trigger: 'fix the test', steps: steps(1, 2, 1) },
    { name: 'chat', trigger: 'how are you', steps: steps() },
    { name: 'greet', trigger: { regex: 'greet (?<who>\\w+)' }, steps: steps(1) },
    { name: 'endless', trigger: 'endless', steps: steps(1).slice(0, 1) },
    { name: 'explicit', trigger: 'explicit count', steps: [{ response: { content: 'go' }, results: 2 }, ...steps()] },
    {
      name: 'older',
      trigger: 'older story',
      steps: [
        { response: { tool_calls: [{ id: 'call_001', name: 'read' }] } },
        {
          response: {
            tool_calls: [
              { id: 'call_002', name: 'write' },
              { id: 'call_003', name: 'write' },
            ],
          },
        },
        { response: { tool_calls: [{ id: 'call_004', name: 'read' }] } },
        { response: { content: 'done' } },
      ],
    },
    {
      name: 'older-too',
      trigger: 'another old one',
      steps: [{ response: { tool_calls: [{ id: 'call_001', name: 'read' }] } }, ...steps()],
    },
  ],
});

function describeOutcome(outcome: MatchOutcome): string {
  switch (outcome.type) {
    case 'match':
      return `${outcome.scenario.name} ${outcome.stepIndex}`;
    case 'unmatched':
      return 'none';
    case 'past_last_step':
      return `past the end of ${outcome.scenario.name}`;
    case 'unpaired_results':
      return `at ${outcome.index} missing [${outcome.missing.join(' ')}] orphans [${outcome.orphans.join(' ')}]`;
    default:
      return outcome satisfies never;
  }
}

const id = (scenario: string, step: number, callIndex = 0) => generated(scenario, step, callIndex).id;
const m0 = generated('fix', 0);
const m1a = generated('fix', 1, 0);
const m1b = generated('fix', 1, 1);
const m2 = generated('fix', 2);
const a = call('a');
const b = call('b');
const c = call('c');

const cases: readonly (readonly [string, Conversation, string])[] = [
  // Trigger
  ['a text that is the trigger', conversation('fix the test'), 'fix 0'],
  ['a trigger in other text, in any case', conversation('<task>Please FIX the Test!</task>'), 'fix 0'],
  ['a regular expression', conversation('now greet Ann please'), 'greet 0'],
  ['a regular expression in any case', conversation('now GREET Ann please'), 'greet 0'],
  ['no trigger', conversation('something else'), 'none'],
  ['nothing at all', conversation(), 'none'],
  ['a reminder in its own message after the prompt', conversation('fix the test', 'be brief'), 'fix 0'],
  ['a reminder in a block after the prompt', conversation(user('fix the test', '<reminder>x</reminder>')), 'fix 0'],
  ['a reminder before the prompt', conversation(user('<context/>', 'fix the test')), 'fix 0'],
  ['two triggers in two texts: the last text wins', conversation('fix the test', 'how are you'), 'chat 0'],
  ['two triggers in two blocks: the last block wins', conversation(user('how are you', 'fix the test')), 'fix 0'],
  ['two triggers in one text: file order wins', conversation('how are you? fix the test'), 'fix 0'],
  ['an assistant text never triggers', conversation('x', ['fix the test', a], ok('a')), 'none'],
  [
    'a text beside tool results never triggers',
    conversation('fix the test', [a], results(['a'], ['how are you'])),
    'fix 1',
  ],
  // Texts while the run goes on
  ['a message of the user while the run goes on', conversation('fix the test', [a], ok('a'), 'how are you'), 'fix 1'],
  ['that message, and our ids', conversation('fix the test', [m0], ok(m0.id), 'how are you'), 'fix 1'],
  ['the same trigger while the run goes on', conversation('fix the test', [m0], ok(m0.id), 'fix the test'), 'fix 1'],
  [
    'that trigger before more calls',
    conversation('fix the test', [m0], ok(m0.id), 'fix the test', [m1a, m1b], ok(m1a.id, m1b.id)),
    'fix 2',
  ],
  [
    'a reminder that quotes the task',
    conversation('fix the test', [m0], ok(m0.id), '<reminder>open: Fix the test</reminder>'),
    'fix 1',
  ],
  [
    'a reminder that quotes an older task, after a prompt',
    conversation('fix the test', ['done'], 'how are you', '<reminder>open: Fix the test</reminder>'),
    'chat 0',
  ],
  [
    'that reminder in the message of the prompt',
    conversation(user('how are you', '<system-reminder>fix the test</system-reminder>')),
    'chat 0',
  ],
  [
    'that reminder in the text of the prompt',
    conversation('how are you\n\n<reminder>\nfix the test\n</reminder>'),
    'chat 0',
  ],
  ['a trigger in nothing but a reminder', conversation('go on', '<reminder>fix the test</reminder>'), 'fix 0'],
  [
    'a prompt after an interruption, in a result',
    conversation(
      'fix the test',
      [m0],
      {
        role: 'user',
        parts: [{ type: 'tool_result', callId: m0.id, content: 'Not executed: the user stopped the run.' }],
      },
      'how are you',
    ),
    'chat 0',
  ],
  [
    'a prompt after an interruption, in a text',
    conversation('fix the test', [m0], ok(m0.id), user('[Request interrupted by user]', 'how are you')),
    'chat 0',
  ],
  [
    'the same prompt after an interruption',
    conversation('fix the test', [m0], results([m0.id], ['[Request interrupted by user]']), 'fix the test'),
    'fix 0',
  ],
  [
    'another word after an interruption',
    conversation('fix the test', [m0], ok(m0.id), '<turn_aborted>\n</turn_aborted>', 'go on'),
    'fix 1',
  ],
  [
    'a prompt after a run that has no step left',
    conversation('endless', [generated('endless', 0)], ok(id('endless', 0)), 'how are you'),
    'chat 0',
  ],
  [
    'a reminder after a run that has no step left',
    conversation('endless', [generated('endless', 0)], ok(id('endless', 0)), '<reminder>how are you</reminder>'),
    'past the end of endless',
  ],
  ['a prompt after a run that nobody knows', conversation('x', [a], ok('a'), 'fix the test'), 'fix 0'],
  // Current run
  ['thanks after a finished story', conversation('fix the test', [a], ok('a'), ['done'], 'thanks'), 'none'],
  [
    'a second story after a finished one',
    conversation('fix the test', [a], ok('a'), ['done'], 'how are you'),
    'chat 0',
  ],
  ['a finished story asked for again', conversation('fix the test', [a], ok('a'), ['done'], 'fix the test'), 'fix 0'],
  [
    'results of an older run are not counted',
    conversation('how are you', [a], ok('a'), ['well'], 'fix the test', [b], ok('b')),
    'fix 1',
  ],
  ['ids of an older run are not looked at', conversation('fix the test', [m0], ok(m0.id), ['done'], 'thanks'), 'none'],
  ['an empty assistant message ends no run', conversation('fix the test', [''], 'go on'), 'fix 0'],
  ['nor does one of spaces', conversation('fix the test', [' \n'], 'go on'), 'fix 0'],
  ['nor does one without parts', conversation('fix the test', [], 'go on'), 'fix 0'],
  ['nor does one after tool results', conversation('fix the test', [a], ok('a'), [''], 'go on'), 'fix 1'],
  ['an assistant text before a user text ends a run', conversation('fix the test', ['which?'], 'that one'), 'none'],
  ['an empty user message does not', conversation('fix the test', ['hm'], '', [a], ok('a')), 'fix 1'],
  [
    'an assistant text and its own calls in two messages are one',
    conversation('fix the test', ['I look'], [a], ok('a')),
    'fix 1',
  ],
  [
    'parallel calls in two messages are one message',
    conversation('fix the test', [a], ok('a'), [b], [c], ok('b', 'c')),
    'fix 2',
  ],
  [
    'a text after tool results in its own message ends no run',
    conversation('fix the test', [a], ok('a'), 'be brief'),
    'fix 1',
  ],
  ['a greeting before the prompt', conversation('hi', ['hello'], 'fix the test'), 'fix 0'],
  // Step by count
  ['one result', conversation('fix the test', [a], ok('a')), 'fix 1'],
  ['parallel calls count one by one', conversation('fix the test', [a], ok('a'), [b, c], ok('b', 'c')), 'fix 2'],
  ['results in messages of their own', conversation('fix the test', [a], ok('a'), [b, c], ok('b'), ok('c')), 'fix 2'],
  [
    'parallel calls that the client took one after the other',
    conversation('fix the test', [a], ok('a'), [b], ok('b'), [c], ok('c')),
    'fix 2',
  ],
  ['the last step again', conversation('how are you', ['well']), 'chat 0'],
  ['past the last step, which made calls', conversation('endless', [a], ok('a')), 'past the end of endless'],
  ['more results than the scenario has', conversation('how are you', [a], ok('a')), 'past the end of chat'],
  ['explicit results of the step', conversation('explicit count', [a, b], ok('a', 'b')), 'explicit 1'],
  ['a part of the explicit results', conversation('explicit count', [a], ok('a')), 'at 1 missing [] orphans []'],
  // Results that do not fit
  ['a call without a result', conversation('fix the test', [a]), 'at 1 missing [a] orphans []'],
  [
    'one of two calls without a result',
    conversation('fix the test', [m0], ok(m0.id), [b, c], ok('c')),
    'at 3 missing [b] orphans []',
  ],
  ['a user text where a result is due', conversation('fix the test', [a], 'never mind'), 'at 1 missing [a] orphans []'],
  [
    'a result after a user text',
    conversation('fix the test', [a, b], ok('a'), 'x', ok('b')),
    'at 1 missing [b] orphans []',
  ],
  ['a result without any call', conversation('fix the test', ok('a')), 'at 1 missing [] orphans [a]'],
  ['a result as the first message', conversation(ok('a')), 'at 0 missing [] orphans [a]'],
  [
    'a result of another assistant message',
    conversation('x', [a], ok('a'), [b], ok('b'), ok('a')),
    'at 5 missing [] orphans [a]',
  ],
  ['two results for one call', conversation('x', [a], ok('a', 'a')), 'at 2 missing [] orphans [a]'],
  ['a missing and an orphan result', conversation('x', [a], ok('b')), 'at 1 missing [a] orphans [b]'],
  ['two calls with one id, two results', conversation('explicit count', [a, a], ok('a', 'a')), 'explicit 1'],
  ['a fault in an older run is a fault', conversation('x', [a], 'fix the test'), 'at 1 missing [a] orphans []'],
  ['a fault comes before a miss', conversation('no trigger', [a]), 'at 1 missing [a] orphans []'],
  [
    'a client that lost one of two parallel calls (its own ids)',
    conversation('fix the test', [a], ok('a'), [b], ok('b')),
    'at 3 missing [] orphans []',
  ],
  [
    'a client that lost one of two parallel calls (our ids)',
    conversation('fix the test', [m0], ok(m0.id), [m1b], ok(m1b.id)),
    `at 3 missing [${m1a.id}] orphans []`,
  ],
  // Ids
  ['our id', conversation('fix the test', [m0], ok(m0.id)), 'fix 1'],
  ['our ids in parallel', conversation('fix the test', [m0], ok(m0.id), [m1a, m1b], ok(m1a.id, m1b.id)), 'fix 2'],
  [
    'history shortened, trigger kept: the id wins over the count',
    conversation('fix the test', [m1a, m1b], ok(m1a.id, m1b.id)),
    'fix 2',
  ],
  ['history shortened more: the id wins over the count', conversation('fix the test', [m2], ok(m2.id)), 'fix 3'],
  ['history shortened, trigger gone', conversation('Summary: things happened', [m2], ok(m2.id)), 'fix 3'],
  ['history shortened, no user text left', conversation([m0], ok(m0.id)), 'fix 1'],
  ['a summary with the trigger of another story', conversation('Summary: how are you', [m0], ok(m0.id)), 'fix 1'],
  ['the last of several ids', conversation('Summary', [m0], ok(m0.id), [m2], ok(m2.id)), 'fix 3'],
  ['our id after one of the client', conversation('Summary', [a], ok('a'), [m2], ok(m2.id)), 'fix 3'],
  [
    'an id past the last step',
    conversation('Summary', [generated('endless', 0)], ok(id('endless', 0))),
    'past the end of endless',
  ],
  [
    'an id of a scenario that is not loaded',
    conversation('fix the test', [generated('gone', 2)], ok(id('gone', 2))),
    'fix 1',
  ],
  ['an id of a step that is not there', conversation('fix the test', [generated('fix', 9)], ok(id('fix', 9))), 'fix 1'],
  [
    'an id of a call that is not there',
    conversation('fix the test', [generated('fix', 0, 5)], ok(id('fix', 0, 5))),
    'fix 1',
  ],
  [
    'a client that renamed one of two parallel calls',
    conversation('fix the test', [m0], ok(m0.id), [a, m1b], ok('a', m1b.id)),
    'fix 2',
  ],
  [
    'history shortened between parallel calls that the client took one after the other',
    conversation('fix the test', [m1b], ok(m1b.id)),
    'fix 2',
  ],
  // Ids that files state
  ['an explicit id', conversation('older story', [call('call_001', 'read')], ok('call_001')), 'older 1'],
  [
    'an explicit id, history shortened',
    conversation('older story', [call('call_002', 'write'), call('call_003', 'write')], ok('call_002', 'call_003')),
    'older 2',
  ],
  [
    'an explicit id that occurs once, trigger gone',
    conversation('Summary', [call('call_004', 'read')], ok('call_004')),
    'older 3',
  ],
  [
    'an explicit id that occurs twice, trigger gone',
    conversation('Summary', [call('call_001', 'read')], ok('call_001')),
    'none',
  ],
  ['an explicit id of another tool', conversation('Summary', [call('call_004', 'bash')], ok('call_004')), 'none'],
  [
    'a client that numbers all its calls alike: the count wins over an explicit id',
    conversation(
      'older story',
      [call('call_001', 'read')],
      ok('call_001'),
      [call('call_001', 'read'), call('x')],
      ok('call_001', 'x'),
    ),
    'older 2',
  ],
  [
    'an explicit id of a story that was not started',
    conversation('fix the test', [call('call_004', 'read')], ok('call_004')),
    'fix 1',
  ],
  [
    'one of two explicit parallel calls lost',
    conversation(
      'older story',
      [call('call_001', 'read')],
      ok('call_001'),
      [call('call_002', 'write')],
      ok('call_002'),
    ),
    'at 3 missing [call_003] orphans []',
  ],
];

describe('matchConversation', () => {
  it.each(cases)('finds the step for %s', (_name, input, expected) => {
    expect(describeOutcome(matchConversation(input, set))).toBe(expected);
  });

  it('keeps the named groups of a regular expression through the steps', () => {
    const first = matchConversation(conversation('greet Ann'), set);
    const second = matchConversation(conversation('greet Ann', [generated('greet', 0)], ok(id('greet', 0))), set);
    expect([first, second]).toMatchObject([{ groups: { who: 'Ann' } }, { stepIndex: 1, groups: { who: 'Ann' } }]);
  });

  it('finds the named groups of a scenario that another one started', () => {
    const input = conversation('how are you', [generated('greet', 0)], ok(id('greet', 0)), 'and greet Bob');
    expect(matchConversation(input, set)).toMatchObject({ stepIndex: 1, groups: { who: 'Bob' } });
  });

  it('names the results that a partial answer has', () => {
    const outcome = matchConversation(conversation('fix the test', [a], ok('a'), [b], ok('b')), set);
    expect(outcome).toMatchObject({
      hint:
        'Step 1 of scenario "fix" expects 2 tool results, but the request has results for these calls only: a, b. ' +
        'It lacks a call to tool: send every call back, with its result.',
    });
  });

  it('names only the ids of missing calls', () => {
    const outcome = matchConversation(conversation('fix the test', [m0], ok(m0.id), [m1b], ok(m1b.id)), set);
    expect(outcome).toMatchObject({ missing: [m1a.id], hint: expect.stringMatching(/: call_\w+, call_\w+\.$/) });
  });

  it('returns the texts of the current run with a miss', () => {
    const input = conversation('fix the test', ['done'], user('so', 'thanks'), 'bye');
    expect(matchConversation(input, set)).toEqual({ type: 'unmatched', texts: ['so', 'thanks', 'bye'] });
  });
});
