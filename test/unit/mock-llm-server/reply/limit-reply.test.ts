import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { countOutputTokens } from '../../../../mock-llm-server/conversation/estimate-tokens.ts';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { applyToolChoice, limitReply } from '../../../../mock-llm-server/reply/limit-reply.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { propertySettings } from '../../../support/random/property.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { anyReply } from '../../../support/wires/any-reply.ts';
import { fullReply } from '../wire/wire-requests.ts';

const text = (content: string) => fullReply({ content, toolCalls: [], finish: 'stop' });
const maxTokens = (value: number) => ({ maxTokens: { name: 'max_tokens', value } });
const stop = (...texts: readonly string[]) => ({ stop: { name: 'stop', texts } });
const calls = (...args: readonly string[]) =>
  args.map((json, index) => ({ id: `call_${index}`, name: 'four', input: 'json' as const, arguments: json }));

describe('a limit of tokens', () => {
  it.each([
    ['the last token', 2, 'abcdefgh', 'abcdefgh', 'stop', 2],
    ['a text that is one byte longer', 2, 'abcdefghi', 'abcdefgh', 'length', 2],
    ['the first token', 1, 'abcdefghi', 'abcd', 'length', 1],
    ['a character of two bytes', 1, 'äääö', 'ää', 'length', 1],
    ['a surrogate pair that does not fit', 1, 'ab🙂', 'ab', 'length', 1],
    ['a letter with a combining mark that does not fit', 1, 'abce\u0301x', 'abc', 'length', 1],
    ['a family, which is one character', 2, 'x👩‍👩‍👧', 'x', 'length', 1],
    ['a flag, which is two code points', 2, '🇩🇪🇫🇷', '🇩🇪', 'length', 2],
    ['a line break of two characters', 1, 'abc\r\n', 'abc', 'length', 1],
    ['half a surrogate pair in the scenario', 1, 'a\ud83d\ud83d', 'a\ud83d', 'length', 1],
  ] as const)('is kept by %s', (_what, limit, content, sent, finish, tokens) => {
    const { reply } = limitReply(text(content), maxTokens(limit));
    expect(reply).toMatchObject({ content: sent, finish });
    expect(countOutputTokens(reply)).toBe(tokens);
  });

  it('leaves nothing of an answer whose first character does not fit', () => {
    const { reply } = limitReply(text('👩‍👩‍👧 all'), maxTokens(1));
    expect(reply).toMatchObject({ content: undefined, finish: 'length', usage: { outputTokens: 0 } });
  });

  it('counts the reasoning before the content, and the content before the calls', () => {
    const whole = fullReply({ reasoning: 'a'.repeat(8), content: 'b'.repeat(8), toolCalls: calls('{"a":1}', '{}') });
    const cut = (value: number) => {
      const { reply } = limitReply(whole, maxTokens(value));
      return [reply.reasoning, reply.content, ...reply.toolCalls.map((call) => call.arguments)];
    };
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(cut)).toEqual([
      ['aaaa', undefined],
      ['aaaaaaaa', undefined],
      ['aaaaaaaa', 'bbbb'],
      ['aaaaaaaa', 'bbbbbbbb'],
      ['aaaaaaaa', 'bbbbbbbb', ''],
      ['aaaaaaaa', 'bbbbbbbb', '{"a"'],
      ['aaaaaaaa', 'bbbbbbbb', '{"a":1}'],
      ['aaaaaaaa', 'bbbbbbbb', '{"a":1}', '{'],
    ]);
    expect(limitReply(whole, maxTokens(9))).toEqual({ reply: whole, notes: [] });
  });

  it('is named in a note, with the tokens before and after', () => {
    const { notes } = limitReply(text('x'.repeat(400)), maxTokens(16));
    expect(notes).toEqual(['cut at max_tokens 16: 16 of 100 tokens are sent']);
  });

  it('replaces the usage and the reason that the step states for the whole answer, but not those of the request', () => {
    const usage = { inputTokens: 70, cachedTokens: 60, outputTokens: 900, reasoningTokens: 800 };
    const stated = fullReply({ reasoning: 'aaaa', content: 'x'.repeat(40), toolCalls: [], finish: 'refusal', usage });
    expect(limitReply(stated, maxTokens(3)).reply).toMatchObject({
      finish: 'length',
      usage: { inputTokens: 70, cachedTokens: 60, outputTokens: 3, reasoningTokens: 1 },
    });
    expect(limitReply(stated, maxTokens(11)).reply).toBe(stated);
  });

  it('leaves of any answer a start that has at most that many tokens and no part of a character', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const boundaries = (whole: string) => [...segmenter.segment(whole)].map(({ index }) => index);
    const isStart = (part: string | undefined, whole: string | undefined) =>
      part === undefined ||
      part === whole ||
      [0, ...boundaries(whole ?? '')].some((end) => whole?.slice(0, end) === part);
    fc.assert(
      fc.property(anyReply, fc.integer({ min: 1, max: 60 }), (reply, limit) => {
        const { reply: cut, notes } = limitReply(reply, maxTokens(limit));
        const isCut = countOutputTokens(reply) > limit;
        expect([cut.finish, notes.length]).toEqual(isCut ? ['length', 1] : [reply.finish, 0]);
        expect(countOutputTokens(cut)).toBeLessThanOrEqual(limit);
        expect(isStart(cut.reasoning, reply.reasoning) && isStart(cut.content, reply.content)).toBe(true);
        for (const [index, call] of cut.toolCalls.entries()) {
          expect(isStart(call.arguments, reply.toolCalls[index]?.arguments)).toBe(true);
        }
      }),
      propertySettings(100),
    );
  });
});

describe('a stop sequence', () => {
  it.each([
    ['in the middle', 'one two three', ['two'], 'one ', 'two'],
    ['at the start', 'one two', ['one'], '', 'one'],
    ['that comes first, of several', 'one two three', ['three', 'two'], 'one ', 'two'],
    ['that is first in the list, of two at the same place', 'one two', ['two', 'tw'], 'one ', 'two'],
  ])('%s ends the content before it', (_where, content, texts, sent, stopSequence) => {
    const { reply, notes } = limitReply(fullReply({ content }), stop(...texts));
    expect(reply).toMatchObject({ content: sent, toolCalls: [], finish: 'stop', stopSequence });
    expect(reply.usage.outputTokens).toBe(countOutputTokens(reply));
    expect(notes).toEqual([`ended at stop ${JSON.stringify(stopSequence)}`]);
  });

  it('is not searched in the reasoning or in calls', () => {
    const reply = fullReply({ reasoning: 'one two', content: 'three', toolCalls: calls('{"two":2}') });
    expect(limitReply(reply, stop('two'))).toEqual({ reply, notes: [] });
    const silent = fullReply({ content: undefined });
    expect(limitReply(silent, stop('two'))).toEqual({ reply: silent, notes: [] });
  });

  it('gives way to a limit of tokens that comes before it', () => {
    const both = { ...stop('END'), ...maxTokens(2) };
    const late = limitReply(text('one two three END four'), both);
    expect(late.reply).toMatchObject({ content: 'one two ', finish: 'length' });
    expect(late.reply).not.toHaveProperty('stopSequence');
    expect(late.notes).toEqual(['cut at max_tokens 2: 2 of 4 tokens are sent']);
    expect(limitReply(text('one END two three four'), both).reply).toMatchObject({ finish: 'stop', content: 'one ' });
  });
});

describe('a rule for tool calls', () => {
  const choice = { text: 'tool_choice "x"' };
  const noted = (notes: readonly string[]) => expect.objectContaining({ notes });

  it('leaves out the calls that it forbids, and keeps the text', () => {
    const { reply, notes } = applyToolChoice(fullReply({ content: 'Hm.' }), { ...choice, mode: 'none' });
    expect(reply).toMatchObject({ content: 'Hm.', toolCalls: [], finish: 'stop', usage: { outputTokens: 1 } });
    expect(notes).toEqual(['tool_choice "x": the calls of read_file, write_file are left out']);
  });

  it('leaves an empty text of an answer that has only calls', () => {
    const { reply } = applyToolChoice(fullReply({ content: undefined, finish: 'length' }), { ...choice, mode: 'none' });
    expect(reply).toMatchObject({ content: '', toolCalls: [], finish: 'length' });
  });

  it.each([
    ['a text where calls are forbidden', text('Hm.'), { mode: 'none' }, []],
    ['calls where they are required', fullReply(), { mode: 'required' }, []],
    ['calls of allowed tools', fullReply(), { mode: 'auto', names: ['read_file', 'write_file'] }, []],
    ['a text where calls are optional', text('Hm.'), { mode: 'auto', names: ['read_file'] }, []],
    [
      'a text where a call is required',
      text('Hm.'),
      { mode: 'required' },
      ['tool_choice "x": a provider would call a tool, the answer calls none'],
    ],
    [
      'a call of another tool than the required one',
      fullReply(),
      { mode: 'required', names: ['read_file'] },
      ['tool_choice "x": a provider would not call write_file'],
    ],
  ] as const)('leaves %s as it is', (_what, reply, rule, notes) => {
    expect(applyToolChoice(reply, { ...choice, ...rule })).toEqual(noted(notes));
    expect(applyToolChoice(reply, { ...choice, ...rule }).reply).toBe(reply);
  });
});

describe('a conversation whose answer was cut between two calls', () => {
  const scenarios = scenarioSet({
    scenarios: [
      {
        name: 'two',
        trigger: 'go',
        steps: [
          {
            response: {
              tool_calls: [
                { name: 'read_file', arguments: { path: 'a' } },
                { name: 'write_file', arguments: { path: 'a', content: 'x'.repeat(400) } },
              ],
            },
          },
          { response: { content: 'Done.' } },
        ],
      },
    ],
  });
  const messageSchema = z.looseObject({
    content: z.string().nullish(),
    tool_calls: z.array(z.looseObject({ id: z.string() })).default([]),
  });
  const answerSchema = z.object({
    choices: z.array(z.object({ message: messageSchema })).default([]),
  });

  async function ask(messages: readonly unknown[], max_tokens: number | undefined) {
    const app = createMockServer({ scenarios, journal: createJournal(), log: () => {} });
    const body = JSON.stringify({ model: 'm', messages, max_tokens });
    const response = await app.request('/v1/chat/completions', { method: 'POST', body });
    const { choices } = answerSchema.parse(await response.json());
    return { status: response.status, message: choices[0]?.message };
  }

  it.each([
    ['goes on with the same limit', 5, 200],
    ['is refused without a limit, because the client lost a call', undefined, 400],
    ['is refused with a limit for the whole answer', 1_000, 400],
  ])('%s', async (_what, limit, status) => {
    const prompt = { role: 'user', content: 'go' };
    const { message } = await ask([prompt], 5);
    const calls = message?.tool_calls ?? [];
    expect(calls).toHaveLength(1);
    const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' }));
    const next = await ask([prompt, { role: 'assistant', ...message }, ...results], limit);
    expect(next).toMatchObject({ status, ...(status === 200 && { message: { content: 'Done.' } }) });
  });
});
