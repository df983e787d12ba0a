import { describe, expect, it, test } from 'vitest';
import { createRedaction } from '../../../../mock-llm-server/record/redaction.ts';

describe('a redaction', () => {
  test.for([
    ['an API key', 'key sk-abcdefghij1234567890 end', 'key [redacted] end'],
    ['a GitHub token', 'ghp_abcdefghijklmnopqrst', '[redacted]'],
    ['an npm token', 'npm_abcdefghijklmnopqrstuvwxyz', '[redacted]'],
    ['an AWS access key', 'AKIAABCDEFGHIJKLMNOP', '[redacted]'],
    ['a bearer token', 'Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [redacted]'],
    ['a password in a URL', 'postgres://me:hunter22@host/db', 'postgres://me:[redacted]@host/db'],
    [
      'a private key',
      'a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b',
      'a -----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY----- b',
    ],
  ] as const)('finds and removes %s', ([name, text, clean]) => {
    const redaction = createRedaction();
    expect(redaction.find(text)).toBe(name);
    expect(redaction.text(text)).toBe(clean);
    expect(redaction.find(clean)).toBeUndefined();
    expect(redaction.text(clean)).toBe(clean);
  });

  it('learns the keys of requests, and removes them from every string of a value', () => {
    const redaction = createRedaction(['the-known-key-1']);
    redaction.learn({ 'x-api-key': 'key-of-a-request', accept: 'text/event-stream' }, {});
    expect(
      redaction.value({ 'key-of-a-request': ['a the-known-key-1 b', { c: 'key-of-a-request' }, 7, null] }),
    ).toEqual({
      '[redacted]': ['a [redacted] b', { c: '[redacted]' }, 7, null],
    });
  });

  const KEY = 'the-known-key+1';
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  test.for([
    ['a key of a request', KEY, '[redacted]'],
    ['a key of a request in Base64', `x${base64(KEY)}`, 'x[redacted]'],
    ['a key of a request in Base64', base64(`u:${KEY}`), 'dTp[redacted]E='],
    ['a key of a request in Base64', base64(`user:${KEY}\n`), 'dXNlcjp[redacted]EK'],
    ['a key of a request in Base64', `?k=${Buffer.from('the~~?key').toString('base64url')}`, '?k=[redacted]'],
    ['a key of a request in hexadecimal form', Buffer.from(KEY).toString('hex'), '[redacted]'],
    ['a key of a request in hexadecimal form', Buffer.from(KEY).toString('hex').toUpperCase(), '[redacted]'],
    ['a key of a request in the form of a URL', `?k=${encodeURIComponent(KEY)}`, '?k=[redacted]'],
    ['a key of a request in the form of a URL', '?k=the-known-key%2b1', '?k=[redacted]'],
  ] as const)('finds and removes %s: %s', ([name, text, clean]) => {
    const redaction = createRedaction([KEY, 'the~~?key']);
    expect(redaction.find(text)).toBe(name);
    expect(redaction.text(text)).toBe(clean);
    expect(redaction.find(clean)).toBeUndefined();
  });

  it.each([
    'class pk-button-primary',
    'task-list-of-the-day1234567',
    'https://host:8080/a@b',
    '{"url":"http://localhost:8000","email":"ada@example.org"}',
    'bearer of certificates',
    'hf_tokenizer_of_the_model',
  ])('finds nothing in %j', (text) => {
    expect(createRedaction().find(text)).toBeUndefined();
  });
});
