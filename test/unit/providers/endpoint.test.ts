import { describe, expect, it } from 'vitest';
import { readEndpoint } from '../../../src/providers/endpoint.ts';

const urls: readonly (readonly [string, string])[] = [
  ['http://localhost:11434', 'http://localhost:11434/v1'],
  ['http://localhost:11434/', 'http://localhost:11434/v1'],
  ['http://localhost:11434/v1', 'http://localhost:11434/v1'],
  ['http://localhost:11434/v1///', 'http://localhost:11434/v1'],
  ['http://localhost:11434/v1/chat/completions', 'http://localhost:11434/v1'],
  ['http://localhost:11434/chat/completions/', 'http://localhost:11434/v1'],
  ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
  ['https://Example.COM:443/openai', 'https://example.com/openai'],
];

const exposures: readonly (readonly [string, boolean])[] = [
  ['https://example.com', false],
  ['http://localhost:1', false],
  ['http://127.0.0.1:1', false],
  ['http://127.9.9.9:1', false],
  ['http://[::1]:1', false],
  ['http://example.com', true],
  ['http://192.168.1.5:11434', true],
  ['http://localhost.example.com', true],
  ['http://127.0.0.1.example.com', true],
];

const invalid: readonly (readonly [string, string])[] = [
  ['', '"" is not a URL. Write it like http://localhost:11434/v1'],
  ['not a url', '"not a url" is not a URL'],
  ['localhost:11434', 'starts with neither http:// nor https://'],
  ['file:///etc/passwd', 'starts with neither http:// nor https://'],
  ['https://me@example.com/v1', 'cannot contain a user name or password'],
  ['https://:secret@example.com/v1', 'cannot contain a user name or password'],
  ['https://example.com/v1?api-version=1', 'Remove it; a key belongs'],
  ['https://example.com/v1#x', 'Remove it; a key belongs'],
];

describe('readEndpoint', () => {
  it.each(urls)('reads %s as %s', (text, url) => {
    expect(readEndpoint(text, 'openai-chat')).toMatchObject({ type: 'endpoint', url, origin: new URL(url).origin });
  });

  it.each(exposures)('reports whether %s exposes a key: %s', (text, exposed) => {
    expect(readEndpoint(text, 'openai-chat')).toMatchObject({ exposed });
  });

  it.each(invalid)('rejects %j: %s', (text, reason) => {
    expect(readEndpoint(text, 'openai-chat')).toEqual({ type: 'invalid', reason: expect.stringContaining(reason) });
  });

  it.each([
    'https://me:hunter2@example.com/v1',
    'https://example.com/v1?key=hunter2',
    'https://example.com/v1#hunter2',
  ])('repeats no password or key of %s', (text) => {
    expect(JSON.stringify(readEndpoint(text, 'openai-chat'))).not.toContain('hunter2');
  });
});
