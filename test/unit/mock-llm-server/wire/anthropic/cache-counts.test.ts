import { describe, expect, it } from 'vitest';
import { countCached } from '../../../../../mock-llm-server/wire/anthropic/cache-counts.ts';

const usage = { inputTokens: 8000, cachedTokens: 0, outputTokens: 1, reasoningTokens: 0 };
const text = (length: number, fields: object = {}) => ({ type: 'text', text: 'a'.repeat(length), ...fields });
const user = (...content: readonly object[]) => ({ role: 'user', content });
const mark = (ttl?: string) => ({ cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } });
const answer = { role: 'assistant', content: [text(1000)] };
const system = [text(20_000, mark())];

describe('countCached', () => {
  it('writes the marked prefix of a first request', () => {
    const { read, write5m, write1h } = countCached({ system, messages: [user(text(20_000))] }, { usage });
    expect([read, write1h]).toEqual([0, 0]);
    expect(write5m).toBeGreaterThan(3900);
    expect(write5m).toBeLessThan(4100);
  });

  it('reads it in the next request, and writes what was added up to the last mark', () => {
    const messages = [user(text(10_000)), answer, user(text(10_000, mark()))];
    const { read, write5m } = countCached({ system, messages }, { usage });
    expect(read).toBeGreaterThan(5500);
    expect(read + write5m).toBe(8000);
    const only = countCached({ system, messages: [user(text(10_000)), answer, user(text(9000))] }, { usage });
    expect([only.read > 3500, only.write5m]).toEqual([true, 0]);
  });

  it('tells the times to live apart, and takes the mark of a result and of the request', () => {
    const hour = countCached({ system: [text(40_000, mark('1h'))], messages: [user(text(10))] }, { usage });
    expect([hour.write5m, hour.write1h > 7000]).toEqual([0, true]);
    const result = { type: 'tool_result', content: [text(40_000, mark())] };
    expect(countCached({ messages: [user(result)] }, { usage }).write5m).toBe(8000);
    const whole = { ...mark(), system: 'a'.repeat(40_000), messages: [{ role: 'user', content: 'go' }] };
    expect(countCached(whole, { usage }).write5m).toBe(8000);
  });

  it.each([
    ['no mark', { messages: [user(text(40_000))] }, usage],
    ['a short prefix', { system: [text(10, mark())], messages: [user(text(40_000))] }, usage],
    ['a short request', { system, messages: [user(text(10))] }, { ...usage, inputTokens: 900 }],
    ['no body', undefined, usage],
    ['no messages', { messages: 'go' }, usage],
  ])('counts nothing for %s', (_name, body, counts) => {
    expect(countCached(body, { usage: counts })).toEqual({ read: 0, write5m: 0, write1h: 0 });
  });

  it('keeps the count of the scenario', () => {
    const counts = countCached({ system, messages: [] }, { usage: { ...usage, cachedTokens: 7 } });
    expect(counts).toEqual({ read: 7, write5m: 0, write1h: 0 });
  });
});
