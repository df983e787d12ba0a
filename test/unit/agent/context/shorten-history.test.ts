import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizeOf, sizeOfAll } from '../../../../src/agent/context/request-size.ts';
import {
  fitHistory,
  splitHistory,
  startOfTail,
  truncateMessages,
} from '../../../../src/agent/context/shorten-history.ts';
import { REMOVED_MESSAGES, summaryMessage } from '../../../../src/agent/context/texts.ts';
import type { Message, ToolMessage } from '../../../../src/agent/ports/messages.ts';
import { repairHistory } from '../../../../src/agent/repair-history.ts';
import { anyHistory } from '../../../support/agent/random-history.ts';
import { propertySettings } from '../../../support/random/property.ts';

/** A text of the given number of tokens, less those of its message. */
const tokens = (count: number, letter = 'x'): string => letter.repeat(Math.floor((count - 8) / 0.33));
const user = (name: string, size = 20): Message => ({ role: 'user', content: tokens(size, name) });
const says = (name: string, size = 20): Message => ({ role: 'assistant', content: tokens(size, name), toolCalls: [] });
const result = (id: string, size = 20): ToolMessage => ({
  role: 'tool',
  toolCallId: id,
  content: tokens(size, id),
  isError: false,
});
/** An answer with one call for each result, and the results. */
const turn = (...results: readonly ToolMessage[]): readonly Message[] => [
  {
    role: 'assistant',
    content: '',
    toolCalls: results.map(({ toolCallId }) => ({ id: toolCallId, name: 'read', arguments: '{}' })),
  },
  ...results,
];
/**
 * An answer of exactly the given number of tokens, whose reasoning does not count. Such a size is 8 more than a
 * multiple of 1.5.
 */
const exactly = (size: number): Message => ({
  role: 'assistant',
  content: '漢'.repeat((size - 8) / 1.5),
  toolCalls: [],
  reasoning: 'why',
});
/** The first letter of each message. */
const names = (messages: readonly Message[]): string =>
  messages.map((message) => (message.role === 'assistant' ? (message.content[0] ?? '+') : message.content[0])).join('');

describe('a split history', () => {
  const history = [user('a'), ...turn(result('b')), user('c'), ...turn(result('d'), result('e')), says('f')];

  it.each([
    ['the last message', 0, 'acf', '+b+de'],
    ['as many of the last messages as fit', 20, 'acf', '+b+de'],
    ['an answer with all its results or not at all', 70, 'acf', '+b+de'],
    ['an answer with its results', 110, 'ac+def', '+b'],
    ['everything', 1_000, 'a+bc+def', ''],
  ])('keeps the first and the last prompt, and %s', (_name, tail, kept, dropped) => {
    const split = splitHistory(history, tail);
    expect([names(split.kept), names(split.dropped)]).toEqual([kept, dropped]);
  });

  it('keeps the last summary only on demand', () => {
    const summary = summaryMessage('What happened.');
    const summarized = [user('a'), summaryMessage('Older.'), summary, says('b'), user('c'), says('d')];
    expect(names(splitHistory(summarized, 0).kept)).toBe('acd');
    expect(splitHistory(summarized, 0, true).kept).toEqual([user('a'), summary, user('c'), says('d')]);
  });

  it('does not count a message that stands for others as a prompt', () => {
    const marked = [user('a'), REMOVED_MESSAGES, says('b'), says('c')];
    expect(names(splitHistory(marked, 0).kept)).toBe('ac');
  });

  it('keeps the last messages that fill their part exactly', () => {
    const history = [user('a'), says('b'), exactly(20), exactly(20)];
    expect(startOfTail(history, 40)).toBe(2);
  });

  it('of no messages is empty', () => {
    expect(splitHistory([], 100)).toEqual({ kept: [], dropped: [] });
    expect(startOfTail([], 100)).toBe(0);
  });
});

describe('a history fitted into a room', () => {
  it('does not change if it fits', () => {
    const history = [user('a'), says('b')];
    expect(fitHistory(history, sizeOfAll(history))).toBe(history);
  });

  it('keeps both prompts and the last whole turns, and marks what is left out', () => {
    const history = [
      user('a'),
      says('b', 500),
      user('c'),
      ...turn(result('d', 500)),
      ...turn(result('e', 100)),
      says('f'),
    ];
    const fitted = fitHistory(history, 600);
    expect(names(fitted)).toBe('a[c+ef');
    expect(fitted[1]).toEqual(REMOVED_MESSAGES);
  });

  it('keeps a summary, which marks what is left out', () => {
    const summary = summaryMessage('What happened.');
    const fitted = fitHistory([user('a'), summary, says('b', 500), user('c'), says('d')], 300);
    expect(fitted).toEqual([user('a'), summary, user('c'), says('d')]);
  });

  it('keeps the last prompt rather than a later reminder', () => {
    const reminder: Message = { role: 'user', content: tokens(50, 'r'), reminder: true };
    expect(names(fitHistory([user('a'), says('b', 500), user('c'), reminder, says('d', 500), says('e')], 300))).toBe(
      'a[ce',
    );
  });

  it('keeps as many further messages as fit beside the prompts and the summary', () => {
    const end = [says('b', 500), user('c', 100), says('d', 100), says('e', 100)];
    expect(names(fitHistory([user('a', 200), ...end], 900))).toBe('a[cde');
    const summary: Message = { role: 'user', content: tokens(200, 's'), summary: true };
    expect(names(fitHistory([user('a', 100), summary, ...end], 900))).toBe('asce');
  });

  it('may begin with an answer', () => {
    expect(names(fitHistory([says('a', 500), says('b')], 100))).toBe('[b');
  });

  it('truncates the longest results of the last turn in the middle', () => {
    const last = turn(result('b', 30), result('c', 2_000), result('d', 3_000)).map((message) =>
      message.role === 'assistant' ? { ...message, providerState: { model: 'm', items: ['signed'] } } : message,
    );
    const history = [user('a', 100), ...last];
    const fitted = fitHistory(history, 1_000);
    expect(fitted.slice(0, 3)).toEqual(history.slice(0, 3));
    expect(
      fitted
        .map(sizeOf)
        .slice(3)
        .every((size) => size > 200 && size < 300),
    ).toBe(true);
    expect(fitted[3]?.content).toMatch(/^c+\n\[… \d+ characters omitted …\]\nc+$/);
  });

  it('truncates a file that the user named before the prompt, not the prompt', () => {
    const file: Message = { role: 'user', content: tokens(200, 'f'), reminder: true, file: 'a.md' };
    const [shorter, prompt] = truncateMessages([file, user('a', 100)], 180);
    expect(sizeOf(shorter ?? file)).toBeLessThan(80);
    expect(prompt).toEqual(user('a', 100));
  });

  it('replaces long arguments by a valid object, and drops provider state and pictures of what it truncates', () => {
    const call = { id: 'b', name: 'write', arguments: JSON.stringify({ content: tokens(1_000) }) };
    const small = { id: 'c', name: 'read', arguments: '{"path":"x"}' };
    const history: readonly Message[] = [
      user('a'),
      { role: 'assistant', content: '', toolCalls: [call, small], providerState: { model: 'm', items: ['signed'] } },
      { ...result('b'), images: [{ mediaType: 'image/png', data: 'AAAA' }] },
      result('c'),
    ];
    expect(fitHistory(history, 600)).toEqual([
      user('a'),
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ ...call, arguments: `{"omitted":"${call.arguments.length} characters"}` }, small],
      },
      result('b'),
      result('c'),
    ]);
  });

  it('truncates the first prompt only when it alone is too large', () => {
    const long = user('a', 900);
    expect(fitHistory([long, ...turn(result('b', 500))], 1_000)[0]).toBe(long);
    const [cut] = fitHistory([user('a', 2_000)], 1_000);
    expect(cut?.content).toMatch(/^a+\n\[… \d+ characters omitted …\]\na+$/);
  });

  it('omits a turn whose calls alone are too large', () => {
    const history = [user('a', 100), ...turn(...Array.from({ length: 100 }, (_, index) => result(`${index}`)))];
    expect(fitHistory(history, 500)).toEqual([user('a', 100), REMOVED_MESSAGES]);
    expect(fitHistory(history.slice(1), 500)).toEqual([REMOVED_MESSAGES]);
    const prompts = [user('a', 400), user('b', 50), user('c', 50)];
    expect(names(fitHistory([...prompts, ...history.slice(1)], 500))).toBe('a[c');
  });

  it('fits, is valid and does not change when it is fitted again, whatever the history and the room', () => {
    fc.assert(
      fc.property(anyHistory, fc.integer({ min: 200, max: 20_000 }), (history, room) => {
        const fitted = fitHistory(history, room);
        expect(sizeOfAll(fitted)).toBeLessThanOrEqual(room);
        expect(repairHistory(fitted)).toEqual(fitted);
        expect(fitHistory(fitted, room)).toBe(fitted);
        const [first] = history;
        if (first !== undefined && sizeOf(first) <= room - 300) expect(fitted[0]).toBe(first);
        for (const message of fitted) {
          if (message.role === 'assistant') for (const call of message.toolCalls) JSON.parse(call.arguments);
        }
      }),
      propertySettings(),
    );
  });
});

describe('truncated messages', () => {
  it('do not change if they fit exactly', () => {
    const messages = [exactly(20), exactly(50)];
    expect(truncateMessages(messages, 70)).toEqual(messages);
  });

  it('are those longer than a limit, which is halved until the others fit', () => {
    const [first, second, ...long] = [user('a'), exactly(101), user('b', 1_000), user('c', 1_000)] as const;
    const shorter = truncateMessages([first, second, ...long], 404);
    expect(shorter.slice(0, 2)).toEqual([first, second]);
    expect(shorter.map(sizeOf).slice(2)).toEqual([expect.closeTo(109, -1), expect.closeTo(109, -1)]);
    const call = { id: 'd', name: 'read', arguments: JSON.stringify({ path: 'x'.repeat(189) }) };
    const calls = { role: 'assistant', content: '', toolCalls: [call] } as const;
    expect(call.arguments).toHaveLength(200);
    expect(truncateMessages([first, calls, ...long], 264)[1]).toEqual(calls);
  });

  it('have at least 16 tokens for their texts', () => {
    const many = Array.from({ length: 8 }, () => user('a', 41));
    const shorter = truncateMessages(many, 256);
    expect(shorter).toHaveLength(8);
    expect(shorter.map(sizeOf).every((size) => size > 20)).toBe(true);
  });

  it('include the first and the last prompt with a third of the room each, if the calls alone are too long', () => {
    const calls = turn(...Array.from({ length: 40 }, (_, index) => result(`${index}`)));
    const shorter = truncateMessages([user('a', 1_000), ...calls, user('b'), ...calls, user('c', 1_000)], 300);
    expect(names(shorter)).toBe('a[c');
    expect(shorter.map(sizeOf)).toEqual([expect.closeTo(108, 0), sizeOf(REMOVED_MESSAGES), expect.closeTo(108, 0)]);
  });
});
