import { describe, expect, it } from 'vitest';
import { type Answer, answerConversation } from '../../../../mock-llm-server/answering/choose-reply.ts';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { conversation, scenarioSet, steps, user } from '../builders.ts';
import { ORDINARY_REQUESTS, REAL_REQUESTS } from './auxiliary-prompts.ts';

const hello = { name: 'hello', trigger: 'create hello.txt', steps: steps(1) };
const other = { name: 'other', trigger: 'nobody says this', steps: steps() };

function answer(request: Conversation, ...scenarios: readonly object[]): string {
  return describeAnswer(answerConversation(request, scenarioSet({ scenarios }), 'call_'));
}

function describeAnswer(found: Answer): string {
  if (found.type !== 'reply') return found.type === 'refusal' ? found.code : found.type;
  const { source, toolCalls } = found.reply;
  expect(found.auxiliary === undefined || toolCalls.length === 0).toBe(true);
  return source === undefined ? `auxiliary ${found.auxiliary}` : `${source.scenario} ${source.step}`;
}

describe('what agents send beside their work', () => {
  it.each(REAL_REQUESTS)('%s is a %s, also where a scenario matches', (_name, kind, request) => {
    expect(answer(request, hello)).toBe(`auxiliary ${kind}`);
    expect(answer(request, other)).toBe(`auxiliary ${kind}`);
  });

  it.each(REAL_REQUESTS)('%s: a scenario that says so answers it', (_name, _kind, request) => {
    const any = { ...hello, trigger: { model: '' }, auxiliary: false, steps: steps(1, 1, 1) };
    expect(answer(request, { ...any, trigger: { model: { regex: '.' } } })).toMatch(/^hello \d$/);
  });
});

describe('what only sounds like it', () => {
  it.each(ORDINARY_REQUESTS)('%s', (_name, request) => {
    expect(answer(request, hello)).toBe('hello 0');
  });

  it.each(ORDINARY_REQUESTS)('%s: it is a miss where nothing matches', (_name, request) => {
    expect(answer(request, other)).toBe('no_scenario_matched');
  });
});

describe('a scenario for the instruction itself', () => {
  it.each([
    ['its very words', 'summarize the conversation', 'Please summarize the conversation.'],
    ['a word of it', 'summarize', 'Summarize the conversation, please.'],
    ['an expression', { regex: 'summari[sz]e' }, 'Now, summarize our chat.'],
    ['a title', 'title', 'Write a title for this conversation'],
    ['what the title is for', 'gardens', 'Write a title for this chat about gardens'],
  ])('%s', (_name, trigger, text) => {
    expect(answer(conversation(user(text)), { ...other, trigger })).toBe('other 0');
  });

  it('is none where what the instruction is about has the trigger, too', () => {
    const request = conversation(user('Generate a title for this conversation:'), user('say hi'));
    expect(answer(request, { ...other, trigger: 'hi' })).toBe('auxiliary title');
  });

  it('is none where the scenario looks at no text', () => {
    const request = conversation(user('Generate a title for this conversation'));
    expect(answer(request, { ...other, trigger: { model: 'm' } })).toBe('auxiliary title');
  });
});
