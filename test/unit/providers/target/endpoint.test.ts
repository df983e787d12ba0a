import { describe, expect, it } from 'vitest';
import { readEndpoint } from '../../../../src/providers/target/endpoint.ts';
import { WIRES, type Wire } from '../../../../src/providers/wires.ts';

const CHAT = WIRES['openai-chat'];

const byWire: readonly (readonly [Wire, string, string])[] = [
  ['openai-responses', 'https://h/v1/responses/', 'https://h/v1'],
  ['anthropic-messages', 'https://h', 'https://h'],
  ['anthropic-messages', 'https://h/v1', 'https://h'],
  ['anthropic-messages', 'https://h/anthropic/v1/messages', 'https://h/anthropic'],
  ['gemini', 'https://h', 'https://h/v1beta'],
  ['gemini', 'https://h/v1/models/gemini-x:streamGenerateContent', 'https://h/v1'],
  ['ollama-chat', 'http://localhost:11434/', 'http://localhost:11434'],
  ['ollama-chat', 'http://localhost:11434/api/chat', 'http://localhost:11434'],
  ['ollama-chat', 'http://localhost:11434/api', 'http://localhost:11434'],
  ['ollama-chat', 'https://h/ollama', 'https://h/ollama'],
];

const urls: readonly (readonly [string, string])[] = [
  ['http://localhost:11434', 'http://localhost:11434/v1'],
  ['http://localhost:11434/', 'http://localhost:11434/v1'],
  ['http://localhost:11434/v1', 'http://localhost:11434/v1'],
  ['http://localhost:11434/v1///', 'http://localhost:11434/v1'],
  ['http://localhost:11434/v1/chat/completions', 'http://localhost:11434/v1'],
  ['http://localhost:11434/chat/completions/', 'http://localhost:11434'],
  ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
  ['https://Example.COM:443/openai', 'https://example.com/openai'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
  ['localhost:8080/v1/chat/completions', 'http://localhost:8080/v1'],
  ['[::1]:8080/v1', 'http://[::1]:8080/v1'],
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
  ['', '"" is not a URL. Write it like http://localhost:8080/v1'],
  ['not a url', '"not a url" is not a URL'],
  ['localhost:models', 'starts with neither http:// nor https://'],
  ['file:///etc/passwd', 'starts with neither http:// nor https://'],
  ['https://me@example.com/v1', 'cannot contain a user name or password'],
  ['https://:secret@example.com/v1', 'cannot contain a user name or password'],
  ['https://example.com/v1?api-version=1', 'Remove it; a key belongs'],
  ['https://example.com/v1#x', 'Remove it; a key belongs'],
];

describe('readEndpoint', () => {
  it.each(urls)('reads %s as %s', (text, url) => {
    expect(readEndpoint(text, CHAT)).toMatchObject({ type: 'endpoint', url, origin: new URL(url).origin });
  });

  it.each(byWire)('reads, for %s, %s as %s', (wire, text, url) => {
    expect(readEndpoint(text, WIRES[wire])).toMatchObject({ type: 'endpoint', url });
  });

  it.each(exposures)('reports whether %s exposes a key: %s', (text, exposed) => {
    expect(readEndpoint(text, CHAT)).toMatchObject({ exposed });
  });

  it.each(invalid)('rejects %j: %s', (text, reason) => {
    expect(readEndpoint(text, CHAT)).toEqual({ type: 'invalid', reason: expect.stringContaining(reason) });
  });

  it.each([
    'https://me:hunter2@example.com/v1',
    'https://example.com/v1?key=hunter2',
    'https://example.com/v1#hunter2',
  ])('repeats no password or key of %s', (text) => {
    expect(JSON.stringify(readEndpoint(text, CHAT))).not.toContain('hunter2');
  });
});
