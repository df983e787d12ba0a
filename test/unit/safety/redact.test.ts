import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../../src/safety/redact.ts';
import { propertySettings } from '../../support/property.ts';

describe('redactSecrets', () => {
  it.each([
    ['a key', 'Bearer sk-12345678!', ['sk-12345678'], 'Bearer [redacted]!'],
    ['every occurrence', 'k=abcdefgh&k=abcdefgh', ['abcdefgh'], 'k=[redacted]&k=[redacted]'],
    ['the longest first', 'abcdefghij', ['abcdefgh', 'abcdefghij'], '[redacted]'],
    ['special characters', 'x a.b*c+d[e(f x', ['a.b*c+d[e(f'], 'x [redacted] x'],
    ['what looks alike', 'axbxcxdx', ['a.b.c.d.'], 'axbxcxdx'],
    ['a short secret', 'none of it', ['none'], 'none of it'],
    ['no secret', 'text', [], 'text'],
    ['a secret that is in the replacement', 'redacted', ['redacted'], '[redacted]'],
  ])('%s', (_name, text, secrets, expected) => {
    expect(redactSecrets(text, secrets)).toBe(expected);
  });

  it('changes nothing the second time', () => {
    const secret = fc.string({
      minLength: 1,
      maxLength: 12,
      unit: fc.constantFrom('r', 'e', 'd', 'a', 'c', 't', '[', ']'),
    });
    fc.assert(
      fc.property(fc.string(), fc.array(secret), (rest, secrets) => {
        const once = redactSecrets(secrets.join(rest), secrets);
        expect(redactSecrets(once, secrets)).toBe(once);
      }),
      propertySettings(),
    );
  });
});
