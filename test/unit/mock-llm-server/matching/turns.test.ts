import { describe, expect, it } from 'vitest';
import { answerConversation } from '../../../../mock-llm-server/answering/choose-reply.ts';
import type { Continuation, Conversation, Reply } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createResponseId, parseResponseId } from '../../../../mock-llm-server/wire/openai/shared.ts';
import {
  conversation,
  results,
  scenarioSet,
  steps,
  type TestMessage,
  user,
} from '../../../support/stories/builders.ts';

const explicitCall = { id: 'call_001', name: 'tool' };
const set = scenarioSet({
  scenarios: [
    { name: 'two steps', trigger: 'two steps', steps: steps(2, 1) },
    { name: 'explicit', trigger: 'explicit', steps: [{ response: { tool_calls: [explicitCall] } }, ...steps()] },
    // The same id in another scenario: without its position it would be ambiguous.
    { name: 'twin', trigger: 'twin', steps: [{ response: { tool_calls: [explicitCall] } }, ...steps(1)] },
  ],
  default_response: { content: 'default' },
});

const answer = (request: Conversation) => answerConversation(request, set, 'call_');

function reply(request: Conversation): Reply {
  const answered = answer(request);
  if (answered.type !== 'reply') throw new Error(`no reply but ${JSON.stringify(answered)}`);
  return answered.reply;
}

/** A request that goes on from a reply by the id alone. */
function following(previous: Reply, ...messages: readonly TestMessage[]): Conversation {
  const continues = parseResponseId(createResponseId(previous));
  if (continues === undefined) throw new Error('the id of the response says nothing');
  return { ...conversation(...messages), continues };
}

const idsOf = ({ toolCalls }: Reply) => toolCalls.map(({ id = '' }) => id);

describe('a request that continues an answer by its id', () => {
  it('plays a story to its end with tool results only', () => {
    const first = reply(conversation('two steps'));
    const second = reply(following(first, results(idsOf(first))));
    const third = reply(following(second, results(idsOf(second))));
    expect([first, second, third].map(({ source }) => source?.step)).toEqual([0, 1, 2]);
    expect(third.content).toBe('done');
  });

  it.each(['explicit', 'twin'])('locates an explicit id that occurs twice: %s', (scenario) => {
    const first = reply(conversation(scenario));
    expect(reply(following(first, results(['call_001']))).source).toEqual({ scenario, step: 1 });
  });

  it('starts the scenario of a new text of the user', () => {
    const last = reply(following(reply(conversation('explicit')), results(['call_001'])));
    expect(reply(following(last, user('two steps'))).source).toEqual({ scenario: 'two steps', step: 0 });
    expect(reply(following(last, user('thanks'))).content).toBe('default');
    expect(reply(following(reply(conversation('hi')), user('two steps'))).source?.step).toBe(0);
  });

  it('continues the story if a text without a trigger follows the results', () => {
    const first = reply(conversation('two steps'));
    expect(reply(following(first, results(idsOf(first)), user('hurry up'))).source?.step).toBe(1);
  });

  it.each<readonly [string, (ids: readonly string[]) => readonly TestMessage[], object]>([
    ['no result', () => [user('well?')], { missing: [0, 1], orphans: [] }],
    ['one result of two', (ids) => [results(ids.slice(1))], { missing: [0], orphans: [] }],
    ['a result of another call', (ids) => [results([...ids, 'call_x'])], { missing: [], orphans: ['call_x'] }],
  ])('is refused with %s', (_name, messages, expected) => {
    const first = reply(conversation('two steps'));
    const ids = idsOf(first);
    const answered = answer(following(first, ...messages(ids)));
    if (answered.type !== 'unpaired_results') throw new Error(`not refused but ${JSON.stringify(answered)}`);
    const { missing, orphans } = answered;
    expect({ missing: missing.map((id) => ids.indexOf(id)), orphans }).toEqual(expected);
  });

  it.each<readonly [string, Continuation['position']]>([
    ['scenario', { scenarioTag: '00000000', step: 0 }],
    ['step', { scenarioTag: [...set.byTag.keys()][0] ?? '', step: 9 }],
  ])('is refused when the %s is not loaded', (_name, position) => {
    const continues: Continuation = { id: 'resp_x', digest: 'abcdef', ...(position !== undefined && { position }) };
    expect(answer({ ...conversation(user('two steps')), continues })).toEqual({
      type: 'refusal',
      code: 'previous_response_not_found',
      param: 'previous_response_id',
      message:
        "Previous response with id 'resp_x' not found. Its scenario or step is not loaded; " +
        'start the server with the scenarios that gave this response.',
    });
  });
});
