import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { type MatchOutcome, matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import { assistant, call, conversation, generated, results, scenarioSet, steps, user } from '../builders.ts';

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
  ['a text that is the trigger', conversation(user('fix the test')), 'fix 0'],
  ['a trigger in other text, in any case', conversation(user('<task>Please FIX the Test!</task>')), 'fix 0'],
  ['a regular expression', conversation(user('now greet Ann please')), 'greet 0'],
  ['a regular expression in any case', conversation(user('now GREET Ann please')), 'greet 0'],
  ['no trigger', conversation(user('something else')), 'none'],
  ['nothing at all', conversation(), 'none'],
  ['a reminder in its own message after the prompt', conversation(user('fix the test'), user('be brief')), 'fix 0'],
  ['a reminder in a block after the prompt', conversation(user('fix the test', '<reminder>x</reminder>')), 'fix 0'],
  ['a reminder before the prompt', conversation(user('<context/>', 'fix the test')), 'fix 0'],
  ['two triggers in two texts: the last text wins', conversation(user('fix the test'), user('how are you')), 'chat 0'],
  ['two triggers in two blocks: the last block wins', conversation(user('how are you', 'fix the test')), 'fix 0'],
  ['two triggers in one text: file order wins', conversation(user('how are you? fix the test')), 'fix 0'],
  ['an assistant text never triggers', conversation(user('x'), assistant('fix the test', a), results(['a'])), 'none'],
  [
    'a text beside tool results never triggers',
    conversation(user('fix the test'), assistant(a), results(['a'], ['how are you'])),
    'fix 1',
  ],
  [
    'a text in its own message after tool results does trigger',
    conversation(user('fix the test'), assistant(a), results(['a']), user('how are you')),
    'chat 0',
  ],
  [
    'the same trigger again after a broken-off run starts anew',
    conversation(user('fix the test'), assistant(m0), results([m0.id]), user('fix the test')),
    'fix 0',
  ],
  // Current run
  [
    'thanks after a finished story',
    conversation(user('fix the test'), assistant(a), results(['a']), assistant('done'), user('thanks')),
    'none',
  ],
  [
    'a second story after a finished one',
    conversation(user('fix the test'), assistant(a), results(['a']), assistant('done'), user('how are you')),
    'chat 0',
  ],
  [
    'a finished story asked for again',
    conversation(user('fix the test'), assistant(a), results(['a']), assistant('done'), user('fix the test')),
    'fix 0',
  ],
  [
    'results of an older run are not counted',
    conversation(
      user('how are you'),
      assistant(a),
      results(['a']),
      assistant('well'),
      user('fix the test'),
      assistant(b),
      results(['b']),
    ),
    'fix 1',
  ],
  [
    'ids of an older run are not looked at',
    conversation(user('fix the test'), assistant(m0), results([m0.id]), assistant('done'), user('thanks')),
    'none',
  ],
  ['an empty assistant message ends no run', conversation(user('fix the test'), assistant(''), user('go on')), 'fix 0'],
  ['nor does one of spaces', conversation(user('fix the test'), assistant(' \n'), user('go on')), 'fix 0'],
  ['nor does one without parts', conversation(user('fix the test'), assistant(), user('go on')), 'fix 0'],
  [
    'nor does one after tool results',
    conversation(user('fix the test'), assistant(a), results(['a']), assistant(''), user('go on')),
    'fix 1',
  ],
  [
    'an assistant text before a user text ends a run',
    conversation(user('fix the test'), assistant('which?'), user('that one')),
    'none',
  ],
  [
    'an empty user message does not',
    conversation(user('fix the test'), assistant('hm'), user(''), assistant(a), results(['a'])),
    'fix 1',
  ],
  [
    'an assistant text and its own calls in two messages are one',
    conversation(user('fix the test'), assistant('I look'), assistant(a), results(['a'])),
    'fix 1',
  ],
  [
    'parallel calls in two messages are one message',
    conversation(user('fix the test'), assistant(a), results(['a']), assistant(b), assistant(c), results(['b', 'c'])),
    'fix 2',
  ],
  [
    'a text after tool results in its own message ends no run',
    conversation(user('fix the test'), assistant(a), results(['a']), user('be brief')),
    'fix 1',
  ],
  ['a greeting before the prompt', conversation(user('hi'), assistant('hello'), user('fix the test')), 'fix 0'],
  // Step by count
  ['one result', conversation(user('fix the test'), assistant(a), results(['a'])), 'fix 1'],
  [
    'parallel calls count one by one',
    conversation(user('fix the test'), assistant(a), results(['a']), assistant(b, c), results(['b', 'c'])),
    'fix 2',
  ],
  [
    'results in messages of their own',
    conversation(user('fix the test'), assistant(a), results(['a']), assistant(b, c), results(['b']), results(['c'])),
    'fix 2',
  ],
  [
    'parallel calls that the client took one after the other',
    conversation(
      user('fix the test'),
      assistant(a),
      results(['a']),
      assistant(b),
      results(['b']),
      assistant(c),
      results(['c']),
    ),
    'fix 2',
  ],
  ['the last step again', conversation(user('how are you'), assistant('well')), 'chat 0'],
  [
    'past the last step, which made calls',
    conversation(user('endless'), assistant(a), results(['a'])),
    'past the end of endless',
  ],
  [
    'more results than the scenario has',
    conversation(user('how are you'), assistant(a), results(['a'])),
    'past the end of chat',
  ],
  [
    'explicit results of the step',
    conversation(user('explicit count'), assistant(a, b), results(['a', 'b'])),
    'explicit 1',
  ],
  [
    'a part of the explicit results',
    conversation(user('explicit count'), assistant(a), results(['a'])),
    'at 1 missing [] orphans []',
  ],
  // Results that do not fit
  ['a call without a result', conversation(user('fix the test'), assistant(a)), 'at 1 missing [a] orphans []'],
  [
    'one of two calls without a result',
    conversation(user('fix the test'), assistant(m0), results([m0.id]), assistant(b, c), results(['c'])),
    'at 3 missing [b] orphans []',
  ],
  [
    'a user text where a result is due',
    conversation(user('fix the test'), assistant(a), user('never mind')),
    'at 1 missing [a] orphans []',
  ],
  [
    'a result after a user text',
    conversation(user('fix the test'), assistant(a, b), results(['a']), user('x'), results(['b'])),
    'at 1 missing [b] orphans []',
  ],
  ['a result without any call', conversation(user('fix the test'), results(['a'])), 'at 1 missing [] orphans [a]'],
  ['a result as the first message', conversation(results(['a'])), 'at 0 missing [] orphans [a]'],
  [
    'a result of another assistant message',
    conversation(user('x'), assistant(a), results(['a']), assistant(b), results(['b']), results(['a'])),
    'at 5 missing [] orphans [a]',
  ],
  [
    'two results for one call',
    conversation(user('x'), assistant(a), results(['a', 'a'])),
    'at 2 missing [] orphans [a]',
  ],
  [
    'a missing and an orphan result',
    conversation(user('x'), assistant(a), results(['b'])),
    'at 1 missing [a] orphans [b]',
  ],
  [
    'two calls with one id, two results',
    conversation(user('explicit count'), assistant(a, a), results(['a', 'a'])),
    'explicit 1',
  ],
  [
    'a fault in an older run is a fault',
    conversation(user('x'), assistant(a), user('fix the test')),
    'at 1 missing [a] orphans []',
  ],
  ['a fault comes before a miss', conversation(user('no trigger'), assistant(a)), 'at 1 missing [a] orphans []'],
  [
    'a client that lost one of two parallel calls (its own ids)',
    conversation(user('fix the test'), assistant(a), results(['a']), assistant(b), results(['b'])),
    'at 3 missing [] orphans []',
  ],
  [
    'a client that lost one of two parallel calls (our ids)',
    conversation(user('fix the test'), assistant(m0), results([m0.id]), assistant(m1b), results([m1b.id])),
    `at 3 missing [${m1a.id}] orphans []`,
  ],
  // Ids
  ['our id', conversation(user('fix the test'), assistant(m0), results([m0.id])), 'fix 1'],
  [
    'our ids in parallel',
    conversation(user('fix the test'), assistant(m0), results([m0.id]), assistant(m1a, m1b), results([m1a.id, m1b.id])),
    'fix 2',
  ],
  [
    'history shortened, trigger kept: the id wins over the count',
    conversation(user('fix the test'), assistant(m1a, m1b), results([m1a.id, m1b.id])),
    'fix 2',
  ],
  [
    'history shortened more: the id wins over the count',
    conversation(user('fix the test'), assistant(m2), results([m2.id])),
    'fix 3',
  ],
  [
    'history shortened, trigger gone',
    conversation(user('Summary: things happened'), assistant(m2), results([m2.id])),
    'fix 3',
  ],
  ['history shortened, no user text left', conversation(assistant(m0), results([m0.id])), 'fix 1'],
  [
    'a summary with the trigger of another story',
    conversation(user('Summary: how are you'), assistant(m0), results([m0.id])),
    'fix 1',
  ],
  [
    'the last of several ids',
    conversation(user('Summary'), assistant(m0), results([m0.id]), assistant(m2), results([m2.id])),
    'fix 3',
  ],
  [
    'our id after one of the client',
    conversation(user('Summary'), assistant(a), results(['a']), assistant(m2), results([m2.id])),
    'fix 3',
  ],
  [
    'an id past the last step',
    conversation(user('Summary'), assistant(generated('endless', 0)), results([id('endless', 0)])),
    'past the end of endless',
  ],
  [
    'an id of a scenario that is not loaded',
    conversation(user('fix the test'), assistant(generated('gone', 2)), results([id('gone', 2)])),
    'fix 1',
  ],
  [
    'an id of a step that is not there',
    conversation(user('fix the test'), assistant(generated('fix', 9)), results([id('fix', 9)])),
    'fix 1',
  ],
  [
    'an id of a call that is not there',
    conversation(user('fix the test'), assistant(generated('fix', 0, 5)), results([id('fix', 0, 5)])),
    'fix 1',
  ],
  [
    'a client that renamed one of two parallel calls',
    conversation(user('fix the test'), assistant(m0), results([m0.id]), assistant(a, m1b), results(['a', m1b.id])),
    'fix 2',
  ],
  [
    'history shortened between parallel calls that the client took one after the other',
    conversation(user('fix the test'), assistant(m1b), results([m1b.id])),
    'fix 2',
  ],
  // Ids that files state
  [
    'an explicit id',
    conversation(user('older story'), assistant(call('call_001', 'read')), results(['call_001'])),
    'older 1',
  ],
  [
    'an explicit id, history shortened',
    conversation(
      user('older story'),
      assistant(call('call_002', 'write'), call('call_003', 'write')),
      results(['call_002', 'call_003']),
    ),
    'older 2',
  ],
  [
    'an explicit id that occurs once, trigger gone',
    conversation(user('Summary'), assistant(call('call_004', 'read')), results(['call_004'])),
    'older 3',
  ],
  [
    'an explicit id that occurs twice, trigger gone',
    conversation(user('Summary'), assistant(call('call_001', 'read')), results(['call_001'])),
    'none',
  ],
  [
    'an explicit id of another tool',
    conversation(user('Summary'), assistant(call('call_004', 'bash')), results(['call_004'])),
    'none',
  ],
  [
    'a client that numbers all its calls alike: the count wins over an explicit id',
    conversation(
      user('older story'),
      assistant(call('call_001', 'read')),
      results(['call_001']),
      assistant(call('call_001', 'read'), call('x')),
      results(['call_001', 'x']),
    ),
    'older 2',
  ],
  [
    'an explicit id of a story that was not started',
    conversation(user('fix the test'), assistant(call('call_004', 'read')), results(['call_004'])),
    'fix 1',
  ],
  [
    'one of two explicit parallel calls lost',
    conversation(
      user('older story'),
      assistant(call('call_001', 'read')),
      results(['call_001']),
      assistant(call('call_002', 'write')),
      results(['call_002']),
    ),
    'at 3 missing [call_003] orphans []',
  ],
];

describe('matchConversation', () => {
  it.each(cases)('finds the step for %s', (_name, input, expected) => {
    expect(describeOutcome(matchConversation(input, set))).toBe(expected);
  });

  it('keeps the named groups of a regular expression through the steps', () => {
    const first = matchConversation(conversation(user('greet Ann')), set);
    const second = matchConversation(
      conversation(user('greet Ann'), assistant(generated('greet', 0)), results([id('greet', 0)])),
      set,
    );
    expect([first, second]).toMatchObject([{ groups: { who: 'Ann' } }, { stepIndex: 1, groups: { who: 'Ann' } }]);
  });

  it('names the results that a partial answer has', () => {
    const outcome = matchConversation(
      conversation(user('fix the test'), assistant(a), results(['a']), assistant(b), results(['b'])),
      set,
    );
    expect(outcome).toMatchObject({
      hint:
        'Step 1 of scenario "fix" leads on with 2 tool results; the request has results for these calls only: a, b. ' +
        'It lacks a call to tool: send every call back, with its result.',
    });
  });

  it('names only the ids of missing calls', () => {
    const outcome = matchConversation(
      conversation(user('fix the test'), assistant(m0), results([m0.id]), assistant(m1b), results([m1b.id])),
      set,
    );
    expect(outcome).toMatchObject({ missing: [m1a.id], hint: expect.stringMatching(/: call_\w+, call_\w+\.$/) });
  });

  it('returns the texts of the current run with a miss', () => {
    const input = conversation(user('fix the test'), assistant('done'), user('so', 'thanks'), user('bye'));
    expect(matchConversation(input, set)).toEqual({ type: 'unmatched', texts: ['so', 'thanks', 'bye'] });
  });
});
