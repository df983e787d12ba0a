import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerConversation } from '../../../mock-llm-server/answering/choose-reply.ts';
import type { Conversation, Reply } from '../../../mock-llm-server/conversation/conversation.ts';
import { matchConversation } from '../../../mock-llm-server/matching/match.ts';
import type { ScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { anyText } from '../../support/random/any-text.ts';
import { propertySettings } from '../../support/random/property.ts';
import {
  assistant,
  call,
  conversation,
  generated,
  results,
  scenarioSet,
  steps,
  type TestMessage,
  user,
} from '../../support/stories/builders.ts';

const smallSet = scenarioSet({
  scenarios: [
    { name: 'one', trigger: 'one', steps: steps(1, 2) },
    { name: 'endless', trigger: 'end', steps: steps(1).slice(0, 1) },
    { name: 'two', trigger: { regex: 't(?<rest>wo)' }, steps: steps(2) },
  ],
});

const anyId = fc.constantFrom('a', 'b', 'c', generated('one', 0).id, generated('one', 1, 1).id, generated('two', 7).id);
const blocks = ['a', generated('one', 0).id].map((id) => `<tool_resp id="${id}">one</tool_resp>`);
const anyWords = fc.oneof(fc.constantFrom('', ' ', 'one', 'TWO', 'the end', ...blocks), anyText);
const anyMessage: fc.Arbitrary<TestMessage> = fc.oneof(
  fc.array(anyWords, { maxLength: 3 }).map((texts) => user(...texts)),
  fc
    .array(
      fc.oneof(
        anyWords,
        anyId.map((id) => call(id)),
      ),
      { maxLength: 3 },
    )
    .map((parts) => assistant(...parts)),
  fc.tuple(fc.array(anyId, { maxLength: 3 }), fc.array(anyWords, { maxLength: 1 })).map((parts) => results(...parts)),
);
const anyExchange = anyId.map((id) => [assistant(call(id)), results([id])]);
const anyConversation = fc
  .array(
    fc.oneof(
      anyMessage.map((message) => [message]),
      anyExchange,
    ),
    { maxLength: 10 },
  )
  .map((messages) => conversation(...messages.flat()));

describe('any conversation', () => {
  it('has an outcome, is not changed, and gets the same answer again', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyConversation, (input) => {
        const before = JSON.stringify(input);
        seen.add(matchConversation(input, smallSet).type);
        const answer = JSON.stringify(answerConversation(input, smallSet, 'call_'));
        expect(JSON.stringify(answerConversation(JSON.parse(before), smallSet, 'call_'))).toBe(answer);
        expect(JSON.stringify(input)).toBe(before);
      }),
      { ...propertySettings(100), examples: [[conversation('the end', assistant(call('a')), results(['a']))]] },
    );
    expect([...seen].sort()).toEqual(['match', 'past_last_step', 'unmatched', 'unpaired_results']);
  });
});

interface Play {
  readonly callCounts: readonly number[];
  readonly explicit: boolean;
  readonly oneByOne: boolean;
  readonly ownIds: boolean;
  readonly reminders: boolean;
}

const anyPlay: fc.Arbitrary<Play> = fc.record({
  callCounts: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 }),
  explicit: fc.boolean(),
  oneByOne: fc.boolean(),
  ownIds: fc.boolean(),
  reminders: fc.boolean(),
});

function playSet({ callCounts, explicit }: Play): ScenarioSet {
  const calling = callCounts.map((count, step) => ({
    response: {
      tool_calls: Array.from({ length: count }, (_, index) => ({
        name: 'tool',
        ...(explicit && { id: `call_${step}-${index}` }),
      })),
    },
  }));
  const other = { name: 'other', trigger: 'something else', steps: steps(1, 1) };
  const played = { name: 'played', trigger: 'play it', steps: [...calling, ...steps()] };
  return scenarioSet({ scenarios: [other, played] });
}

function ask(messages: readonly TestMessage[], set: ScenarioSet): Reply {
  const answer = answerConversation(conversation(...messages), set, 'call_');
  if (answer.type !== 'reply') throw new Error(`not a reply: ${JSON.stringify(answer)}`);
  return answer.reply;
}

/** The messages that a client adds to its history for one answer: its calls and their results. */
function clientMessages(reply: Reply, play: Play, turn: number): TestMessage[] {
  const calls = reply.toolCalls.map(({ id = '', name }, index) => call(play.ownIds ? `own${turn}.${index}` : id, name));
  const beside = play.reminders ? ['<reminder>something else</reminder>'] : [];
  if (play.oneByOne) return calls.flatMap((part) => [assistant(part), results([part.id], beside)]);
  return [
    assistant('text', ...calls),
    results(
      calls.map((part) => part.id),
      beside,
    ),
  ];
}

describe('any scenario, played through by a client', () => {
  it('plays its steps in order to the end, even twice in a session', () => {
    fc.assert(
      fc.property(anyPlay, (play) => {
        const set = playSet(play);
        const history: TestMessage[] = [];
        for (const round of [0, 1]) {
          history.push(user('<context>x</context>', 'Please play it!', '<reminder>be brief</reminder>'));
          for (const step of play.callCounts.keys()) {
            const reply = ask(history, set);
            expect(reply.source).toEqual({ scenario: 'played', step });
            history.push(...clientMessages(reply, play, round * 100 + step));
          }
          const last = ask(history, set);
          expect(last).toMatchObject({ source: { step: play.callCounts.length }, content: 'done', toolCalls: [] });
          history.push(assistant('done'));
        }
        expect(answerConversation(conversation(...history, user('thanks')), set, 'call_').type).toBe('refusal');
      }),
      propertySettings(40),
    );
  });

  it('finds its step in a shortened history, with and without the prompt', () => {
    fc.assert(
      fc.property(anyPlay, fc.boolean(), fc.nat(), (play, keepPrompt, cut) => {
        fc.pre(play.callCounts.length > 0);
        const set = playSet(play);
        const rounds: TestMessage[][] = [];
        const prompt = user('play it');
        const head = keepPrompt ? prompt : user('Summary of what happened so far.');
        const echo: Play = { ...play, ownIds: false, oneByOne: false };
        for (const step of play.callCounts.keys()) {
          const reply = ask([prompt, ...rounds.flat()], set);
          rounds.push(clientMessages(reply, echo, step));
          const kept = rounds.slice(cut % rounds.length);
          expect(ask([head, ...kept.flat()], set).source).toEqual({ scenario: 'played', step: step + 1 });
        }
      }),
      propertySettings(40),
    );
  });

  it('never gives two calls of a session the same generated id', () => {
    const set = playSet({ callCounts: [2, 3], explicit: false, oneByOne: false, ownIds: false, reminders: false });
    const ids: string[] = [];
    const history: TestMessage[] = [];
    for (let round = 0; round < 3; round++) {
      history.push(user('play it'));
      for (let step = 0; step < 2; step++) {
        const reply = ask(history, set);
        ids.push(...reply.toolCalls.map(({ id = '' }) => id));
        history.push(assistant(...reply.toolCalls.map(({ id = '' }) => call(id))));
        history.push(results(reply.toolCalls.map(({ id = '' }) => id)));
      }
      history.push(assistant('done'));
    }
    expect(new Set(ids).size).toBe(15);
  });
});

it('different conversations have different digests', () => {
  const base: Conversation = conversation(user('one'));
  const digests = [base, { ...base, model: 'other' }, { ...base, system: ['s'] }].map((input) => {
    const answer = answerConversation(input, smallSet, 'call_');
    return answer.type === 'reply' ? answer.reply.digest : answer.type;
  });
  expect(new Set(digests).size).toBe(3);
});
