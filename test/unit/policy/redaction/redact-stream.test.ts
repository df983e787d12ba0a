import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../../src/policy/redaction/redact.ts';
import { RedactStream } from '../../../../src/policy/redaction/redact-stream.ts';

// The keys are assembled, so that no scanner takes this file for a leak.
const tail = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';
const redactor = createRedactor(['hunter2hunter2', 'pass word-1']);

/** The pieces that come out for the pieces that go in; the last one comes at the end. */
function pass(...pieces: readonly string[]): string[] {
  const stream = new RedactStream(redactor);
  return [...pieces.map((piece) => stream.add(piece)), stream.end()];
}

describe('a text that arrives in pieces', () => {
  it.each([
    [
      'ordinary words at once',
      ['The tests ', 'pass, and it', ' works.'],
      ['The tests ', 'pass, and it', ' works.', ''],
    ],
    ['a word that is the start of a key', ['a list of s', 'econds'], ['a list of ', 'seconds', '']],
    ['a key in two pieces', ['use sk-abcdefgh', `${tail} now`], ['use ', '[redacted:key] now', '']],
    ['a token at the end', ['use ', `ghp_${tail}`], ['use ', '', '[redacted:token]']],
    ['the end of a word that resembles a key', [`task-${tail} `], [`task-${tail} `, '']],
    ['a word that continues like a key', ['disk', `-${tail} `], ['disk', `-${tail} `, '']],
    ['such a word after an empty piece', ['wi', '', `sk-${tail} `], ['wi', '', `sk-${tail} `, '']],
    ['a known secret', ['x hunter2hun', 'ter2 z'], ['x ', '[redacted:secret] z', '']],
    ['a known secret with a blank', ['x pass', ' word-', '1'], ['x ', '', '[redacted:secret]', '']],
    ['a known secret whose start is repeated', ['hunter2hunter2hunter2'], ['[redacted:secret]', 'hunter2']],
    ['the password of a URL', ['db://ada:corr', 'ect@host/x'], ['db', '://ada:[redacted:password]@host/', 'x']],
    ['a URL', ['see https://example.com', '/a for more'], ['see https', '://example.com/a for more', '']],
    [
      'a bearer token',
      ['Authorization: Bea', 'rer ', tail, '\n'],
      ['', '', '', 'Authorization: Bearer [redacted:credentials]\n', ''],
    ],
    [
      'a private key',
      [`a\n-----BEGIN PRIVATE ${'KEY'}-----\nabc\n`, `def\n-----END PRIV`, `ATE ${'KEY'}-----\nb`],
      ['a\n', `-----BEGIN PRIVATE ${'KEY'}-----[redacted:private-key]-----END `, `PRIVATE ${'KEY'}-----\n`, 'b'],
    ],
  ])('passes %s', (_name, pieces, expected) => {
    expect(pass(...pieces)).toEqual(expected);
  });

  it('waits for at most 64 KB of a private key', () => {
    const begin = `-----BEGIN PRIVATE ${'KEY'}-----\n`;
    const line = `${'M'.repeat(1_023)}\n`;
    const parts = pass(begin, ...Array.from({ length: 70 }, () => line));
    expect(parts.findIndex((part) => part !== '')).toBe(64);
    expect(parts[64]).toBe(`${begin.trimEnd()}[redacted:private-key]`);
  });

  it('waits for at most 65,536 characters', () => {
    const begin = `-----BEGIN PRIVATE ${'KEY'}-----`;
    const [first, second] = pass(begin.padEnd(65_536, 'M'), 'M');
    expect([first, second]).toEqual(['', `${begin}[redacted:private-key]`]);
  });

  it('waits for a key after a long text, which passes', () => {
    const before = 'a '.repeat(20_000);
    expect(pass(`${before}sk-abcdefgh`, tail)).toEqual([before, '', '[redacted:key]']);
  });

  it('starts anew after the end of the previous one', () => {
    const stream = new RedactStream(redactor);
    stream.add('disk');
    stream.end();
    expect([stream.add(`sk-${tail}`), stream.end()]).toEqual(['', '[redacted:key]']);
  });

  const part = fc.constantFrom(
    `sk-${tail}`,
    `ghp_${tail}`,
    `dop_v1_${tail}`,
    'tskey-auth-k1',
    'DEPLOY_TOKEN=',
    '"password": "',
    'authorization: ',
    'hooks.slack.com/services/',
    ':AA',
    'Bearer ',
    'hunter2',
    'pass word-1',
    '://a:',
    '@',
    ' ',
    '\n',
    'x',
    tail,
    '-',
    '"',
    'eyJ',
    '.',
    `-----BEGIN PRIVATE ${'KEY'}-----`,
    `-----END PRIVATE ${'KEY'}-----`,
  );
  // What could be encoded bytes is not searched for patterns in one text, but is in pieces.
  const text = fc
    .array(part, { maxLength: 12 })
    .map((parts) => parts.join(''))
    .filter((whole) => !/[\w+/=-]{200}/.test(whole));

  it('is redacted like the whole text, wherever it is split', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(400), { maxLength: 8 }), (whole, cuts) => {
        const borders = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
        const pieces = borders.slice(1).map((border, index) => whole.slice(borders[index], border));
        expect(pass(...pieces).join('')).toBe(redactor.redact(whole));
      }),
      { numRuns: 1_000 },
    );
  });
});
