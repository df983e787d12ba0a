import { describe, expect, it } from 'vitest';
import { isSignatureOf, signThinking } from '../../../../../mock-llm-server/wire/anthropic/reply.ts';

describe('signThinking', () => {
  it('gives equal texts equal signatures in base64, and different texts different ones', () => {
    expect(signThinking('hm')).toBe(signThinking('hm'));
    expect(signThinking('hm')).not.toBe(signThinking('hmm'));
    expect(signThinking('漢字')).toMatch(/^[A-Za-z0-9+/]{51}=$/);
  });
});

describe('isSignatureOf', () => {
  it.each([
    ['its own', signThinking('hm'), true],
    ['the one of another text', signThinking('hmm'), false],
    ['its own with its end cut', signThinking('hm').slice(0, -4), false],
    ['one that is not of this server', 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h', true],
    ['an empty one', '', false],
  ])('checks %s', (_name, signature, fits) => {
    expect(isSignatureOf(signature, 'hm')).toBe(fits);
  });
});
