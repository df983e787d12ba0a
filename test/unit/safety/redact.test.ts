import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedact, REDACTED, secretsOf } from '../../../src/safety/redact.ts';

// The keys are assembled, so that no scanner takes this file for a leak.
const tail = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';
const key = (prefix: string): string => prefix + tail;

describe('a text that looks like a secret', () => {
  it.each([
    ['an OpenAI key', `use ${key('sk-')} now`, `use ${REDACTED} now`],
    ['a project key', key('sk-proj-'), REDACTED],
    ['an Anthropic key', `"${key('sk-ant-api03-')}"`, `"${REDACTED}"`],
    ['a Stripe key', key('rk_live_'), REDACTED],
    ['a GitHub token', key('ghp_'), REDACTED],
    ['a fine-grained GitHub token', key('github_pat_'), REDACTED],
    ['a Hugging Face token', key('hf_'), REDACTED],
    ['an npm token', key('npm_'), REDACTED],
    ['a GitLab token', key('glpat-'), REDACTED],
    ['a Slack token', key('xoxb-'), REDACTED],
    ['a Google key', key('AIza'), REDACTED],
    ['an AWS key id', `${'AKIA'}ABCDEFGHIJ234567`, REDACTED],
    ['a JSON Web Token', `${'eyJ'}hbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl`, REDACTED],
    ['the password of a URL', 'postgres://ada:correct-horse@db/x', `postgres://ada:${REDACTED}@db/x`],
    ['a bearer token', `Authorization: Bearer ${tail}`, `Authorization: Bearer ${REDACTED}`],
    ['a basic credential in any case', `authorization: BASIC ${tail}==`, `authorization: BASIC ${REDACTED}`],
    [
      'a private key',
      `a\n-----BEGIN RSA PRIVATE ${'KEY'}-----\nabc\ndef\n-----END RSA PRIVATE ${'KEY'}-----\nb`,
      `a\n-----BEGIN RSA PRIVATE ${'KEY'}-----${REDACTED}-----END RSA PRIVATE ${'KEY'}-----\nb`,
    ],
    [
      'a private key without an end',
      `-----BEGIN PRIVATE ${'KEY'}-----\nabc`,
      `-----BEGIN PRIVATE ${'KEY'}-----${REDACTED}`,
    ],
  ])('is redacted: %s', (_name, text, expected) => {
    expect(createRedact([])(text)).toBe(expected);
  });

  it.each([
    ['a word with sk-', 'the task-list and sk-button-primary-large'],
    ['a short key', 'sk-1234'],
    ['a URL without a password', 'https://ada@example.com:8080/a:b@c'],
    ['prose about a bearer', 'the bearer of bad news came early'],
    ['encoded bytes', `${'QUJD'.repeat(60)}/sk-${tail}`],
    ['an empty text', ''],
  ])('is not: %s', (_name, text) => {
    expect(createRedact([])(text)).toBe(text);
  });
});

describe('a known secret', () => {
  const secret = 'p"ss wörd/1';
  it.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in a URL', encodeURIComponent(secret)],
    ['in Base64', Buffer.from(secret).toString('base64').replace(/=+$/, '')],
  ])('is redacted %s', (_name, form) => {
    expect(createRedact(['short', secret])(`<${form}>`)).toBe(`<${REDACTED}>`);
  });

  it('is redacted whole, if it contains another one', () => {
    expect(createRedact(['password', 'password-of-ada'])('password-of-ada password')).toBe(`${REDACTED} ${REDACTED}`);
  });

  it('is redacted in encoded bytes', () => {
    expect(createRedact(['abcdefgh'])(`${'A'.repeat(300)}abcdefgh`)).toBe(`${'A'.repeat(300)}${REDACTED}`);
  });
});

it('the secrets of an environment are the values of the given variables and of variables named like a secret', () => {
  const environment = {
    MY_MODEL: 'value-of-a-given-variable',
    GITHUB_TOKEN: 'value-of-the-token',
    db_password: 'value-of-the-password',
    AWS_SECRET_ACCESS_KEY: 'value-of-the-key',
    SSH_KEY_FILE: '/home/ada/.ssh/id',
    TOKEN: 'short',
    EMPTY_TOKEN: undefined,
    HOME: '/home/ada/and/more',
  };
  expect(secretsOf(environment, ['MY_MODEL', 'NOT_SET'])).toEqual([
    'value-of-a-given-variable',
    'value-of-the-token',
    'value-of-the-password',
    'value-of-the-key',
  ]);
});

it('redacting twice changes nothing more', () => {
  const part = fc.constantFrom(
    key('sk-'),
    'Bearer ',
    '://a:',
    '@',
    key('ghp_'),
    ' ',
    '\n',
    'secret-1',
    'x',
    tail,
    '-',
    '"',
  );
  const redact = createRedact(['secret-1']);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const once = redact(parts.join(''));
      return redact(once) === once;
    }),
  );
});

it.each(['DIR', 'DIRECTORY', 'PATH', 'FILE', 'SOCK', 'HOME', 'URL'])(
  'a variable KEY_%s holds a place, not a secret',
  (place) => {
    expect(secretsOf({ [`KEY_${place}`]: '/home/ada/keys', [`${place}_KEY`]: 'abcdefgh1' }, [])).toEqual(['abcdefgh1']);
  },
);
