import { describe, expect, it } from 'vitest';
import { type Answer, answerConversation } from '../../../../mock-llm-server/answering/choose-reply.ts';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import type { ScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { conversation, scenarioSet, steps } from '../builders.ts';
import { ORDINARY_REQUESTS, REAL_REQUESTS } from './auxiliary-prompts.ts';

const HELLO = { name: 'hello', trigger: 'create hello.txt', steps: steps(1) };
const OTHER = { name: 'other', trigger: 'nobody says this', steps: steps() };

const setOf = (...scenarios: readonly object[]) => scenarioSet({ scenarios });
const hello = setOf(HELLO);
const other = setOf(OTHER);
const auxiliary = setOf({ ...HELLO, trigger: { model: { regex: '.' } }, auxiliary: false, steps: steps(1, 1, 1) });

function answer(request: Conversation, set: ScenarioSet): string {
  return describeAnswer(answerConversation(request, set, 'call_'));
}

function describeAnswer(found: Answer): string {
  if (found.type !== 'reply') return found.type === 'refusal' ? found.code : found.type;
  const { source, toolCalls } = found.reply;
  expect(found.auxiliary === undefined || toolCalls.length === 0).toBe(true);
  return source === undefined ? `auxiliary ${found.auxiliary}` : `${source.scenario} ${source.step}`;
}

describe('an auxiliary request of an agent', () => {
  it.each(REAL_REQUESTS)('is recognized although a scenario matches: %s is a %s', (_name, kind, request) => {
    expect(answer(request, hello)).toBe(`auxiliary ${kind}`);
    expect(answer(request, other)).toBe(`auxiliary ${kind}`);
  });

  it.each(REAL_REQUESTS)('is answered by a scenario for auxiliary requests: %s', (_name, _kind, request) => {
    expect(answer(request, auxiliary)).toMatch(/^hello \d$/);
  });
});

describe('a request that only resembles an auxiliary request', () => {
  it.each(ORDINARY_REQUESTS)('is answered by its scenario: %s', (_name, request) => {
    expect(answer(request, hello)).toBe('hello 0');
  });

  it.each(ORDINARY_REQUESTS)('is a miss if no scenario matches: %s', (_name, request) => {
    expect(answer(request, other)).toBe('no_scenario_matched');
  });
});

describe('a scenario for the instruction itself', () => {
  it.each([
    ['its exact words', 'summarize the conversation', 'Please summarize the conversation.'],
    ['one of its words', 'summarize', 'Summarize the conversation, please.'],
    ['a regular expression', { regex: 'summari[sz]e' }, 'Now, summarize our chat.'],
    ['the word title', 'title', 'Write a title for this conversation'],
    ['the subject of the title', 'gardens', 'Write a title for this chat about gardens'],
  ])('answers it if its trigger is %s', (_name, trigger, text) => {
    expect(answer(conversation(text), setOf({ ...OTHER, trigger }))).toBe('other 0');
  });

  it('does not answer it if the text behind the instruction contains the trigger, too', () => {
    const request = conversation('Generate a title for this conversation:', 'say hi');
    expect(answer(request, setOf({ ...OTHER, trigger: 'hi' }))).toBe('auxiliary title');
  });

  it('does not answer it if its trigger does not match texts', () => {
    const request = conversation('Generate a title for this conversation');
    expect(answer(request, setOf({ ...OTHER, trigger: { model: 'm' } }))).toBe('auxiliary title');
  });
});
