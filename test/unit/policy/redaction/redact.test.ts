import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SECRET_LABELS, TOKEN_STARTS } from '../../../../src/policy/redaction/known-secrets.ts';
import {
  countMarks,
  createRedactor,
  NOTHING_SECRET,
  redactionMark,
  secretsOf,
} from '../../../../src/policy/redaction/redact.ts';

// The keys are assembled, so that no scanner takes this file for a leak.
const tail = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';
const hex = '0123456789abcdef0123456789abcdef';
const key = (prefix: string): string => prefix + tail;

const letters = 'abcdefGHIJKLmnopqrstuvwxyzABCDEFGHIJ'.slice(0, 34);
const uuid = '01234567-89ab-cdef-0123-456789abcdef';

/** A token of each fixed form. */
const FORMS: readonly string[] = [
  ...[`${'hf'}_${letters}`, `${'api'}_org_${letters}`, `${'cio'}${tail.slice(0, 32)}`, `${'oy2'}${hex}abcdefghijk`],
  ...[`${'_auth'}Token=${uuid}`, `${'v1'}.${hex}01234567`, `${'sgp'}_0123456789abcdef_${hex}01234567`],
  ...['pat', 'sat'].map((start) => `${start}.${tail.slice(0, 22)}.${tail.slice(0, 24)}.${tail.slice(0, 20)}`),
  ...['sc', 'ext', 'scauth', 'authress'].map((start) => `${start}_abc12.ab12.acc-${tail}`),
  ...['aat', 'pat', 'sat'].map((kind) => `sm_${kind}_${tail.slice(0, 16)}`),
  ...[`${'A3'}TXABCDEFGHIJ234567`, `${'AB'}IAABCDEFGHIJ234567`, `${'AC'}CAABCDEFGHIJ234567`, `${'4b'}1d${tail}Zz`],
  ...[`${'s'}.${tail.slice(0, 24)}`, `${'A3'}-ASWWYB-798JRYLJVD4-23DC2-86TVM-H43EB`, `${'eyJ'}rIjoi${tail}${tail}`],
  ...[`${'key'}_${hex}${hex}`, `${'pa'}-${tail}abcdefg`, `${'fc'}-${hex}`, `${'BSA'}${tail.slice(0, 28)}`],
  ...[`${'re'}_A1b2C3d4_${tail.slice(0, 24)}`, `${'sk'}.eyJ1Ijoi${tail}.${tail}`, `${'secret'}_${tail}abcdefg`],
  ...['sk', 'rk'].flatMap((start) => ['prod', 'live', 'test'].map((kind) => `${start}_${kind}_A1b2C3d4E5`)),
  ...['sandbox', 'development', 'production'].map((kind) => `access-${kind}-${uuid}`),
  ...['sandbox', 'production'].map((kind) => `access_token$${kind}$0123456789abcdef$${hex}`),
];

describe('a text that looks like a secret', () => {
  it.each<readonly [name: string, text: string, expected: string]>([
    ['an OpenAI key', `use ${key('sk-')} now`, `use [redacted:key] now`],
    ['a project key', key('sk-proj-'), '[redacted:key]'],
    ['an Anthropic key', `"${key('sk-ant-api03-')}"`, `"[redacted:key]"`],
    ['a Stripe key', key('rk_live_'), '[redacted:key]'],
    ['a GitHub token', key('ghp_'), '[redacted:token]'],
    ['a fine-grained GitHub token', key('github_pat_'), '[redacted:token]'],
    ['a Hugging Face token', key('hf_'), '[redacted:token]'],
    ['an npm token', key('npm_'), '[redacted:token]'],
    ['a GitLab token', key('glpat-'), '[redacted:token]'],
    ['a Slack token', key('xoxb-'), '[redacted:token]'],
    ['a Google key', key('AIza'), '[redacted:key]'],
    ['an AWS key id', `${'AKIA'}ABCDEFGHIJ234567`, '[redacted:key]'],
    ['a JSON Web Token', `${'eyJ'}hbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl`, '[redacted:token]'],
    ['the password of a URL without a user', 'redis://:correct-horse@db', 'redis://:[redacted:password]@db'],
    ['the password of a URL', 'postgres://ada:correct-horse@db/x', `postgres://ada:[redacted:password]@db/x`],
    ['a bearer token', `Authorization: Bearer ${tail}`, `Authorization: Bearer [redacted:credentials]`],
    ['a basic credential in any case', `authorization: BASIC ${tail}==`, `authorization: BASIC [redacted:credentials]`],
    [
      'a private key',
      `a\n-----BEGIN RSA PRIVATE ${'KEY'}-----\nabc\ndef\n-----END RSA PRIVATE ${'KEY'}-----\nb`,
      `a\n-----BEGIN RSA PRIVATE ${'KEY'}-----[redacted:private-key]-----END RSA PRIVATE ${'KEY'}-----\nb`,
    ],
    ...TOKEN_STARTS.map((start) => [`a token with ${start}`, `x ${key(start)} y`, 'x [redacted:token] y'] as const),
    ...SECRET_LABELS.map(
      (label) => [`the value of ${label}`, `"${label}": "${tail}"`, `"${label}": "[redacted:credentials]"`] as const,
    ),
    // Forms of the public rules of gitleaks (MIT), which begin with a fixed text
    ...FORMS.map(
      (token) => [`a token of the form ${token.slice(0, 9)}`, `x ${token} y`, 'x [redacted:token] y'] as const,
    ),
    ['a cookie of GitLab', `a=b; ${'_gitlab'}_session=${hex}`, 'a=b; [redacted:token]'],
    ['a hook of Zapier', `hooks.zapier.com/hooks/catch/12345/${tail}`, 'hooks.zapier.com/hooks/catch/[redacted:token]'],
    [
      'a hook of Teams',
      `https://a.webhook.office.com/webhookb2/${hex}${hex}`,
      'https://a.webhook.office.com/webhookb2/[redacted:token]',
    ],
    ['a signature of Azure', `?sv=2022-11-02&sig=${tail}${tail}%3D`, '?sv=2022-11-02&sig=[redacted:token]'],
    ['a variable', `export DEPLOY_TOKEN=${tail}\n`, 'export DEPLOY_TOKEN=[redacted:credentials]\n'],
    ['a variable in hexadecimal', `SALT_KEY: '${hex}'`, "SALT_KEY: '[redacted:credentials]'"],
    ['a scheme', `Authorization: token ${tail}`, 'Authorization: token [redacted:credentials]'],
    [
      'a hook of Slack',
      `https://hooks.slack.com/services/T01/B02/${tail}`,
      'https://hooks.slack.com/services/[redacted:token]',
    ],
    ['a hook of Discord', `discord.com/api/webhooks/12/${tail}`, 'discord.com/api/webhooks/12/[redacted:token]'],
    ['a bot of Telegram', `12345678:AA${tail}`, '12345678:[redacted:token]'],
    ['a key of Twilio', `SK${hex}`, '[redacted:token]'],
    ['a key of Mailgun', `key-${hex}`, '[redacted:token]'],
    ['a token of Airtable', `pat${tail.slice(0, 14)}.${hex}${hex}`, '[redacted:token]'],
    ['an encoded key', `k: ${btoa(`-----BEGIN RSA PRIVATE ${'KEY'}-----\nabc`)}`, 'k: [redacted:token]'],
    [
      'a private key of PGP',
      `-----BEGIN PGP PRIVATE ${'KEY'} BLOCK-----\nabc\n-----END PGP PRIVATE ${'KEY'} BLOCK-----`,
      `-----BEGIN PGP PRIVATE ${'KEY'} BLOCK-----[redacted:private-key]-----END PGP PRIVATE ${'KEY'} BLOCK-----`,
    ],
    [
      'a private key of SSH2',
      `---- BEGIN SSH2 ENCRYPTED PRIVATE ${'KEY'} ----\nabc\n---- END SSH2 ENCRYPTED PRIVATE ${'KEY'} ----`,
      `---- BEGIN SSH2 ENCRYPTED PRIVATE ${'KEY'} ----[redacted:private-key]---- END SSH2 ENCRYPTED PRIVATE ${'KEY'} ----`,
    ],
    [
      'a private key of PuTTY',
      'Private-Lines: 1\nabc\nPrivate-MAC: 12',
      'Private-Lines: 1[redacted:private-key]\nPrivate-MAC: 12',
    ],
    [
      'a private key without an end',
      `-----BEGIN PRIVATE ${'KEY'}-----\nabc`,
      `-----BEGIN PRIVATE ${'KEY'}-----[redacted:private-key]`,
    ],
  ])('is redacted: %s', (_name, text, expected) => {
    expect(createRedactor([]).redact(text)).toBe(expected);
  });

  it.each([
    ['a word with sk-', 'the task-list and sk-button-primary-large'],
    ['a short key', 'sk-1234'],
    ['the name of a variable', 'process.env.npm_package_config_registry_of_tests_2'],
    ['the name of a function', 'hf_load_pretrained_model_weights_v2()'],
    ['a URL without a password', 'https://ada@example.com:8080/a:b@c'],
    ['prose about a bearer', 'the bearer of bad news came early'],
    ['the name of a model', 'pplx-decider-flash-v1.2'],
    ['a function of OpenSSL', 'sk_X509_EXTENSION_pop_free'],
    ['a call that gets a token', 'token: readToken1OfTheSession(), accessToken = session.oauth2Token1.value'],
    ['a word as a password', 'password = "correct-horse-battery"'],
    ['a name of a cache', 'CACHE_KEY: node-modules-v2-abcdef'],
    ['encoded bytes', `${'QUJD'.repeat(60)}/sk-${tail}`],
    ['an empty text', ''],
  ])('is not found in an ordinary text: %s', (_name, text) => {
    expect(createRedactor([]).redact(text)).toBe(text);
  });
});

describe('a known secret', () => {
  const secret = 'p"ss wörd/12';
  it.each([
    ['unencoded', secret],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in a URL', encodeURIComponent(secret)],
    ['in Base64', Buffer.from(secret).toString('base64').replace(/=+$/, '')],
  ])('is redacted %s', (_name, form) => {
    expect(createRedactor(['short', secret]).redact(`<${form}>`)).toBe(`<[redacted:secret]>`);
  });

  it('is redacted whole, if it contains another one', () => {
    expect(createRedactor(['password', 'password-of-ada']).redact('password-of-ada password')).toBe(
      `[redacted:secret] [redacted:secret]`,
    );
  });

  it('is redacted in encoded bytes', () => {
    expect(createRedactor(['abcdefgh']).redact(`${'A'.repeat(300)}abcdefgh`)).toBe(
      `${'A'.repeat(300)}[redacted:secret]`,
    );
  });
});

describe('a text that ends in the middle of a secret', () => {
  const secret = 'correct-horse-1';
  const { unfinishedStart } = createRedactor([secret, 'redredred']);

  it.each([
    ...['sk-', 'sk_', 'pk-', 'pk_', 'rk-', 'rk_live_', 'hf_', 'npm_', 'glpat-', 'xoxb-', 'AIza', 'AKIA', 'ASIA'],
    ...['gho_', 'ghp_', 'ghr_', 'ghs_', 'ghu_', 'github_pat_', `${'eyJ'}hbGciOiJI.eyJzdWIiOiIx.`],
    ...['Bearer ', 'bearer ', 'BASIC ', 'basic  '],
  ])('is held back from the start of the secret, wherever it ends: %s', (prefix) => {
    const whole = `see ${key(prefix)}`;
    for (let end = 5; end <= whole.length; end += 1) expect(unfinishedStart(whole.slice(0, end))).toBe(4);
  });

  it.each([
    ['the password of a URL', `see db${'://'}ada:correct`, 6],
    ['a private key', `see -----BEGIN RSA PRIVATE ${'KEY'}-----\nabc def\n-----END`, 4],
    ['a known secret', `see ${secret.slice(0, -1)}`, 4],
  ])('is held back from the start of the secret, wherever it ends: %s', (_name, whole, start) => {
    for (let end = start + 1; end <= whole.length; end += 1) expect(unfinishedStart(whole.slice(0, end))).toBe(start);
  });

  it.each([
    ['an ordinary word', 'ask', 3],
    ['a word that only ends like a key', 'task-1', 6],
    ['a complete known secret', secret, secret.length],
    ['a complete known secret that begins as it ends', 'redredred', 9],
    ['a key at the start', 'sk-1', 0],
    ['a key that follows a known secret', `${secret}sk-1`, secret.length],
    ['a key after a text of 40,000 characters', `${'a '.repeat(20_000)}sk-1`, 40_000],
    ['a word of 16 KiB', `see ${'eyJ'.padEnd(16_384, 'a')}`, 4],
    ['a longer word, which is not a secret, only in part', `see ${'eyJ'.padEnd(16_385, 'a')}`, 16_389],
    ['no text', '', 0],
  ])('is held back from the right position for %s', (_name, text, start) => {
    expect(unfinishedStart(text)).toBe(start);
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
    KEYBOARD: 'standard',
    SECRET_STAGE: 'PRODUCTION',
    MONKEY_HOME_KEY: '/opt/monkey',
    TOKEN_OF_WORDS: 'abcdefghijklmnop',
    TOKEN_OF_A_WORD: 'abcdefghijklmno',
    SIGNING_PASSPHRASE: '8-chars.',
    API_CREDENTIALS: 'ada:1234567',
    API_CREDENTIAL: '7-chars',
    EMPTY_TOKEN: undefined,
    HOME: '/home/ada/and/more',
  };
  expect(secretsOf(environment, ['MY_MODEL', 'NOT_SET'])).toEqual([
    'value-of-a-given-variable',
    'value-of-the-token',
    'value-of-the-password',
    'value-of-the-key',
    'abcdefghijklmnop',
    '8-chars.',
    'ada:1234567',
  ]);
});

it('redacting twice gives the same text as redacting once', () => {
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
  const { redact } = createRedactor(['secret-1']);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const once = redact(parts.join(''));
      return redact(once) === once;
    }),
  );
});

it.each(['DIR', 'DIRECTORY', 'PATH', 'FILE', 'SOCK', 'HOME', 'URL'])(
  'a variable KEY_%s contains a path, not a secret',
  (place) => {
    expect(secretsOf({ [`KEY_${place}`]: 'keys/of-ada', [`${place}_KEY`]: 'abcdefgh1' }, [])).toEqual(['abcdefgh1']);
  },
);

it('the redaction marks in a text are counted', () => {
  expect(countMarks(`a ${redactionMark('key')} ${redactionMark('private-key')} [redacted] [redacted:other]`)).toBe(2);
  expect(countMarks('')).toBe(0);
  const kinds = ['secret', 'key', 'token', 'private-key', 'password', 'credentials'] as const;
  expect(kinds.map((kind) => countMarks(redactionMark(kind)))).toEqual([1, 1, 1, 1, 1, 1]);
});

it('a redactor without secrets changes nothing and holds back no text', () => {
  const text = `use ${key('sk-')}`;
  expect(NOTHING_SECRET.redact(text)).toBe(text);
  expect(NOTHING_SECRET.unfinishedStart(text)).toBe(text.length);
});

it.each(FORMS)('%s is held back wherever the text that arrived ends in it', (token) => {
  const { unfinishedStart } = createRedactor([]);
  const ends = Array.from({ length: token.length - 1 }, (_, index) => token.slice(0, index + 1));
  expect(ends.filter((end) => unfinishedStart(`x ${end}`) > 2)).toEqual([]);
});
