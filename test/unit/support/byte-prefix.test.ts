import { describe, expect, it } from 'vitest';
import { prefixProblems } from '../../support/agent/byte-prefix.ts';

const NONE: ReadonlySet<number> = new Set();
const request = (...messages: readonly unknown[]) => ({ system: 'You are.', tools: [{ name: 'a' }], messages });

describe('the check that each request continues the previous one', () => {
  it('passes a conversation that only grows, whatever its cache markers', () => {
    const requests = [
      request({ text: 'one', cache_control: { type: 'ephemeral' } }),
      request({ text: 'one' }, { text: 'two', cache_control: { type: 'ephemeral' } }),
      request({ text: 'one' }, { text: 'two' }),
    ];
    expect(prefixProblems(requests, NONE)).toEqual([]);
  });

  it.each([
    ['a changed message', request({ text: 'two' }, { text: 'three' })],
    ['a longer message', request({ text: 'one more' })],
    ['a removed message', request()],
    ['a new key in a message', request({ text: 'one', at: 1 })],
    ['another system text', { ...request({ text: 'one' }), system: 'You are at 12:00.' }],
    ['another tool', { ...request({ text: 'one' }), tools: [{ name: 'b' }] }],
    ['one more tool', { ...request({ text: 'one' }), tools: [{ name: 'a' }, { name: 'b' }] }],
  ])('reports %s', (_name, second) => {
    expect(prefixProblems([request({ text: 'one' }), second], NONE)).toHaveLength(1);
    expect(prefixProblems([request({ text: 'one' }), second], new Set([1]))).toEqual([]);
  });
});
