import { describe, expect, it } from 'vitest';
import { redact, redactStart, secretsOf } from '../../../mock-llm-server/redact.ts';

// Put together here, so that no scanner takes them for real ones.
const tail = 'abcDEF0123456789abcDEF0123456789abcdef';

it.each([
  [`my key is sk-${tail}.`, 'my key is [redacted].'],
  [`sk-ant-api03-${tail}`, '[redacted]'],
  [`{"key":"AIza${tail}"}`, '{"key":"[redacted]"}'],
  [`ghp_${tail} and AKIA${'A1'.repeat(8)}`, '[redacted] and [redacted]'],
  [`eyJ${tail}.eyJ${tail}.${tail}`, '[redacted]'],
  [`Authorization: Bearer ${tail}`, 'Authorization: Bearer [redacted]'],
  [`/v1beta/models?alt=sse&key=${tail}&x=1`, '/v1beta/models?alt=sse&key=[redacted]&x=1'],
  [`x-api-key: ${tail}`, 'x-api-key: [redacted]'],
  [`{"api_key": "${tail}"}`, '{"api_key": "[redacted]"}'],
  [`"{\\"api_key\\":\\"${tail}\\"}"`, '"{\\"api_key\\":\\"[redacted]\\"}"'],
  [`{"apiKey":"${tail}"}`, '{"apiKey":"[redacted]"}'],
  ['a risk-free task, the keyboard and sk-1', 'a risk-free task, the keyboard and sk-1'],
  ['fix the test', 'fix the test'],
])('%s', (text, expected) => {
  expect(redact(text)).toBe(expected);
});

it('takes out what it is told, whatever it looks like', () => {
  expect(redact('my secret, my secret', ['my secret'])).toBe('[redacted], [redacted]');
});

it.each([
  ['eyJ-', 250_000],
  ['sk-', 300_000],
  ['authorization ', 70_000],
  ['bearer ', 140_000],
  ['AIza', 250_000],
])('is through with a million characters of %j at once', (piece, times) => {
  expect(redact(piece.repeat(times)).length).toBeGreaterThan(0);
});

it.each([
  ['short', 10, 'short'],
  ['0123456789', 10, '0123456789'],
  ['0123456789a', 10, '0123456789…'],
  [`01234 sk-${tail}`, 10, '01234 [red…'],
])('keeps the start of %j', (text, length, expected) => {
  expect(redactStart(text, length)).toBe(expected);
});

describe('secretsOf', () => {
  it.each([
    [{ authorization: `Bearer ${tail}` }, {}, [tail]],
    [{ authorization: tail }, {}, [tail]],
    [{ 'x-api-key': tail, 'x-goog-api-key': 'g'.repeat(12) }, {}, [tail, 'g'.repeat(12)]],
    [{}, { key: tail }, [tail]],
    [{ authorization: 'Bearer unused', 'x-api-key': 'test' }, { key: 'mock' }, []],
  ])('finds the keys of %j %j', (headers, query, expected) => {
    expect(secretsOf(headers, query)).toEqual(expected);
  });
});
