import { describe, expect, it } from 'vitest';
import {
  createRedact,
  redact,
  redactFirst,
  redactLast,
  secretsOf,
} from '../../../../mock-llm-server/journal/redact.ts';

// The keys are assembled here, so that no scanner takes them for real ones.
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
  ['Authorization: Bearer my-secret-token', 'Authorization: Bearer [redacted]'],
  ['https://x/?key=abcdefgh', 'https://x/?key=[redacted]'],
  ['api_key="correct-horse-battery"', 'api_key="[redacted]"'],
  ['Bearer SG.abcdefgh', 'Bearer [redacted]'],
  ['x-api-key: API_KEY-hunter', 'x-api-key: [redacted]'],
  [`Bearer ${'ABCDEFGHIJ'.repeat(10)}`, 'Bearer [redacted]'],
])('redacts %s', (text, expected) => {
  expect(redact(text)).toBe(expected);
});

// Those with a bearer are from recorded answers that explain an API: activeagents/activeagent, openai-agents-python.
it.each([
  'a risk-free task, the keyboard and sk-1',
  'fix the test',
  "'Authorization': 'Bearer ACCESS_TOKEN'",
  'Authorization: `Bearer ${token1}`',
  'Bearer <AUTH_TOKEN>',
  'WWW-Authenticate: Bearer realm="OpenAI"',
  'bearer certificates',
  'This is Bearer authentication. Send Bearer YOUR_API_KEY.',
  'api_key = ENV.fetch("KEY_1")',
  'apiKey: process.env.API_KEY_2,',
  'api_key=${API_KEY_2}',
  'Authorization: $OPENAI_API_KEY',
  'api_key={openai_key}',
  '?key=YOUR_KEY&access_token=<token-1>',
])('keeps names and references: %s', (text) => {
  expect(redact(text)).toBe(text);
});

it('redacts the secrets of a request in any form', () => {
  expect(redact('my secret, my secret', ['my secret'])).toBe('[redacted], [redacted]');
});

it.each([
  ['short', 10, 'short'],
  ['0123456789', 10, '0123456789'],
  ['0123456789a', 10, '0123456789…'],
  [`01234 sk-${tail}`, 10, '01234 [red…'],
])('cuts %j and redacts its start', (text, length, expected) => {
  expect(createRedact([text], []).redact(text, length)).toBe(expected);
});

it.each([
  ['that looks like an API key', `sk-${tail}`, []],
  ['that the request contains', 'Opaque7'.repeat(1000), ['Opaque7'.repeat(1000)]],
])('keeps no part of a key %s when a text is cut inside it', (_which, key, secrets) => {
  expect(redactFirst(`ab ${key} ${'x'.repeat(9000)}`, 5, secrets).slice(0, 14)).toBe('ab [redacted] ');
  expect(redactLast(`${'x'.repeat(9000)} ${key} yz`, 20, secrets)).toBe('xxxxxx [redacted] yz');
  expect(redactLast(`${'x'.repeat(9000)} ${key} yz`, 5, secrets)).toBe('d] yz');
});

it.each([0, 7, 13, 20, 25])('keeps no part of a key after many that were shortened, at offset %i', (offset) => {
  const key = 'Zq9xP4mW7rT2vK8nB3cF6hJ1dL5gS0yA';
  const text = 'x'.repeat(offset) + `${key} `.repeat(500) + 'x'.repeat(offset);
  expect(createRedact([text], [key]).redact(text)).not.toMatch(/Zq9|yA/);
  expect(redactFirst(text, 200, [key])).not.toMatch(/Zq9|yA/);
  expect(redactLast(text, 200, [key])).not.toMatch(/Zq9|yA/);
});

describe('secretsOf', () => {
  const other = 'z9y8x7w6v5u4';
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  it.each([
    [{ authorization: `Bearer ${tail}` }, {}, [tail]],
    [{ authorization: tail }, {}, [tail]],
    [{ authorization: `bearer  ${tail}  ` }, {}, [tail]],
    [{ authorization: `Bearer ${tail}, Bearer ${other}` }, {}, [tail, other]],
    [{ authorization: `Token token="${tail}"` }, {}, [tail]],
    [{ 'proxy-authorization': `Key ${tail}==` }, {}, [`${tail}==`, tail]],
    [basic(`user:${tail}`), {}, [`user:${tail}`, tail]],
    [basic(`${tail}:`), {}, [tail]],
    [basic(`${other}:${tail}:1`), {}, [`${tail}:1`, other]],
    [{ 'x-api-key': tail, 'x-goog-api-key': other }, {}, [tail, other]],
    [{ 'x-api-key': `correct horse ${tail}` }, {}, [`correct horse ${tail}`, tail]],
    [{ 'x-custom-api-token': tail, 'x-client-secret': other }, {}, [tail, other]],
    [{ cookie: `session=${tail}; other=${other}` }, {}, [tail, other]],
    [{}, { key: tail, api_key: other }, [tail, other]],
    [{}, { accessToken: `${other} ${tail}`, alt: 'server-sent-events' }, [tail, other]],
  ])(
    'finds the keys of headers %j and query %j',
    (headers: Readonly<Record<string, string>>, query: Readonly<Record<string, string>>, expected) => {
      const found = secretsOf(headers, query);
      expect(found).toEqual(expect.arrayContaining(expected));
      expect(found).toEqual([...found].sort((one, other) => other.length - one.length));
    },
  );

  it.each([
    [
      { authorization: 'Bearer unused', 'x-api-key': 'test', authorisation: tail },
      { key: 'mock', k: tail },
    ],
    [{ 'user-agent': tail, 'x-test-id': tail, 'content-type': 'application/json' }, {}],
  ])(
    'finds no keys in headers %j and query %j',
    (headers: Readonly<Record<string, string>>, query: Readonly<Record<string, string>>) => {
      expect(secretsOf(headers, query)).toEqual([]);
    },
  );

  it('finds a key in JSON and in JSON within JSON', () => {
    const key = 'a "key" with \\ in it';
    const secrets = secretsOf({ 'x-api-key': key }, {});
    const text = JSON.stringify({ key });
    expect(redact(text, secrets)).toBe('{"key":"[redacted]"}');
    expect(redact(JSON.stringify({ text }), secrets)).toBe('{"text":"{\\"key\\":\\"[redacted]\\"}"}');
  });

  it('leaves no part of a key that contains another key', () => {
    const secrets = secretsOf({ cookie: tail, 'x-api-key': `${tail}-${other}` }, {});
    expect(redact(`${tail}-${other}`, secrets)).toBe('[redacted]');
  });
});
