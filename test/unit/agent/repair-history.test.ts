import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { MISSING_RESULT, repairHistory } from '../../../src/agent/repair-history.ts';
import { propertySettings } from '../../support/random/property.ts';

/** A history from its shorthand: `user`, `text`, `empty`, `calls a b`, `result a`. */
function history(...lines: readonly string[]): Message[] {
  return lines.map((line): Message => {
    const [kind, ...ids] = line.split(' ');
    const toolCalls = ids.map((id) => ({ id, name: 'read_file', arguments: '{}' }));
    if (kind === 'user') return { role: 'user', content: 'hello' };
    if (kind === 'result') return { role: 'tool', toolCallId: ids.join(' '), content: 'content', isError: false };
    return {
      role: 'assistant',
      content: kind === 'text' ? 'answer' : '',
      toolCalls: kind === 'calls' ? toolCalls : [],
    };
  });
}

function shorthand(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    if (message.role === 'user') return 'user';
    if (message.role === 'tool') {
      return `${message.content === MISSING_RESULT ? 'missing' : 'result'} ${message.toolCallId}`;
    }
    return message.toolCalls.length === 0 ? 'text' : `calls ${message.toolCalls.map((call) => call.id).join(' ')}`;
  });
}

const rows: readonly [string, readonly string[], readonly string[]][] = [
  ['an empty history', [], []],
  ['a valid history stays equal', ['user', 'calls a', 'result a', 'text'], ['user', 'calls a', 'result a', 'text']],
  ['a missing result is filled in', ['user', 'calls a'], ['user', 'calls a', 'missing a']],
  ['one of two is missing', ['user', 'calls a b', 'result b'], ['user', 'calls a b', 'missing a', 'result b']],
  [
    'results come in the order of the calls',
    ['calls a b', 'result b', 'result a'],
    ['calls a b', 'result a', 'result b'],
  ],
  ['a result after the next prompt is moved up', ['calls a', 'user', 'result a'], ['calls a', 'result a', 'user']],
  ['a second result is dropped', ['calls a', 'result a', 'result a'], ['calls a', 'result a']],
  ['a result without a call is dropped', ['user', 'result x', 'text'], ['user', 'text']],
  ['a result after the next answer is dropped', ['calls a', 'text', 'result a'], ['calls a', 'missing a', 'text']],
  ['an empty answer is dropped', ['user', 'empty', 'user'], ['user', 'user']],
  ['one id used in two turns', ['calls a', 'result a', 'calls a'], ['calls a', 'result a', 'calls a', 'missing a']],
];

describe('the repair of a history', () => {
  it.each(rows)('%s', (_name, before, after) => {
    expect(shorthand(repairHistory(history(...before)))).toEqual(after);
  });

  it('keeps the first of several results, and does not mistake a prompt for a result', () => {
    const [calls, ...others] = history('calls a', 'user', 'result a', 'result a');
    const told = others.map((message, index): Message => ({ ...message, content: `${index}` }));
    const repaired = repairHistory(calls === undefined ? [] : [calls, ...told]);
    expect(repaired.map(({ content }) => content)).toEqual(['', '1', '0']);
  });

  it('gives two calls with one id the same result', () => {
    const [calls, ...results] = history('calls a a', 'result a', 'result a');
    const told = results.map((message, index): Message => ({ ...message, content: `${index}` }));
    const repaired = repairHistory(calls === undefined ? [] : [calls, ...told]);
    expect(repaired.map(({ content }) => content)).toEqual(['', '0', '0']);
  });

  it('fills in an error which says that the call was not executed', () => {
    const content = 'Not executed: the run ended before this call was started.';
    expect(repairHistory(history('calls a'))[1]).toEqual({ role: 'tool', toolCallId: 'a', content, isError: true });
  });

  const messages = fc
    .array(
      fc.constantFrom('user', 'text', 'empty', 'calls a', 'calls a b', 'calls b c', 'result a', 'result b', 'result c'),
    )
    .map((lines) => history(...lines));

  it('returns a valid history unchanged', () => {
    const valid = history('user', 'calls a b', 'result a', 'result b', 'text', 'user');
    expect(repairHistory(valid)).toBe(valid);
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(messages, (broken) => {
        const repaired = repairHistory(broken);
        expect(repairHistory(repaired)).toEqual(repaired);
      }),
      propertySettings(),
    );
  });

  it('gives every call exactly one result, right after its message', () => {
    fc.assert(
      fc.property(messages, (broken) => {
        const lines = shorthand(repairHistory(broken)).map((line) => line.replace('missing', 'result'));
        const wanted = lines.flatMap((line) => {
          if (line.startsWith('result')) return [];
          const ids = line.startsWith('calls') ? line.split(' ').slice(1) : [];
          return [line, ...ids.map((id) => `result ${id}`)];
        });
        expect(lines).toEqual(wanted);
      }),
      propertySettings(),
    );
  });

  it.each([
    ['many turns', (count: number) => Array.from({ length: count }, () => ['calls a', 'result a', 'user']).flat()],
    [
      'many calls in one answer',
      (count: number) => {
        const ids = Array.from({ length: count }, (_, index) => `${index}`);
        return [`calls ${ids.join(' ')}`, ...ids.toReversed().map((id) => `result ${id}`)];
      },
    ],
  ])('reads each message a bounded number of times, for %s', (_name, lines) => {
    const large = countReads(history(...lines(2_000)));
    expect(large.reads / large.length).toBeLessThan(5);
  });
});

/** Counts how often the entries of a history and the ids of its results are read during the repair. */
function countReads(messages: readonly Message[]): { readonly reads: number; readonly length: number } {
  let reads = 0;
  const count = <Value extends object>(value: Value, counts: (key: string | symbol) => boolean): Value =>
    new Proxy(value, {
      get(target, key) {
        if (counts(key)) reads += 1;
        return Reflect.get(target, key);
      },
    });
  const watched = messages.map((message) => count(message, (key) => key === 'toolCallId'));
  repairHistory(count(watched, (key) => typeof key === 'string' && /^\d+$/.test(key)));
  return { reads, length: messages.length };
}
