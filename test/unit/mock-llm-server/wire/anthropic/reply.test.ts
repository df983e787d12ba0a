import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../../../mock-llm-server/conversation/conversation.ts';
import {
  encodeAnthropicFrames,
  encodeAnthropicReply,
  isSignatureOf,
  signThinking,
} from '../../../../../mock-llm-server/wire/anthropic/reply.ts';

const reply: Reply = {
  digest: 'd'.repeat(64),
  created: 1_750_000_000,
  model: 'claude-x',
  reasoning: 'Two files – 漢字.',
  content: 'I look.',
  toolCalls: [
    { id: 'toolu_a', name: 'read_file', input: 'json', arguments: '{"path": "a \\"b\\" 🙂.txt"}' },
    { id: 'toolu_b', name: 'list_files', input: 'json', arguments: '' },
  ],
  finish: 'tool_calls',
  usage: { inputTokens: 3, cachedTokens: 0, outputTokens: 4, reasoningTokens: 0 },
  source: { scenario: 's', step: 0 },
};
const plain: Reply = { ...reply, reasoning: undefined, toolCalls: [], finish: 'stop' };
const empty: Reply = { ...plain, content: '' };

describe('a reply of the Messages API', () => {
  it.each([
    ['thinking-and-tools', reply],
    ['text', plain],
    ['nothing', empty],
  ])('writes the golden bytes: %s', async (name, value) => {
    const stream = encodeAnthropicFrames(value).map(({ bytes }) => bytes);
    await expect(stream.join('')).toMatchFileSnapshot(`golden/anthropic-messages-${name}.sse`);
    const body = `${JSON.stringify(encodeAnthropicReply(value), null, 2)}\n`;
    await expect(body).toMatchFileSnapshot(`golden/anthropic-messages-${name}.json`);
  });

  it.each([
    ['an object', '{"a": 1}', { a: 1 }],
    ['blank', ' ', {}],
    ['truncated', '{"a": ', {}],
    ['a list', '[1]', {}],
  ])('encodes the input of a call whose arguments are %s', (_name, text, input) => {
    const toolCalls = [{ id: 'a', name: 'x', input: 'json' as const, arguments: text }];
    expect(encodeAnthropicReply({ ...plain, toolCalls })).toMatchObject({ content: [{}, { type: 'tool_use', input }] });
  });
});

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
    ['one that is not of this server', `EqQBCgIYAhIM1gbcDa9GJwZA2b3h${'A'.repeat(60)}`, true],
    ['one that Anthropic did not make', 'gAAAAABo', false],
    ['an empty one', '', false],
  ])('checks %s', (_name, signature, fits) => {
    expect(isSignatureOf(signature, 'hm', 'claude-opus-4-5')).toBe(fits);
  });

  it('accepts any base64 with a model of another maker', () => {
    expect(isSignatureOf('gAAAAABo', 'hm', 'kimi-k2')).toBe(true);
  });
});
