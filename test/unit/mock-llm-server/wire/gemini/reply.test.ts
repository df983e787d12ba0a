import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { generateCallId } from '../../../../../mock-llm-server/conversation/ids.ts';
import { encodeGeminiFrames, encodeGeminiReply } from '../../../../../mock-llm-server/wire/gemini/reply.ts';
import type { Frame } from '../../../../../mock-llm-server/wire/wire.ts';

const digest = 'd'.repeat(64);
const generated = generateCallId('call_', 's', { step: 0, call: 1 }, digest);
const reply: Reply = {
  digest,
  created: 1_750_000_000,
  model: 'gemini-3-pro',
  reasoning: 'Two files – 漢字.',
  content: 'I look.',
  toolCalls: [
    { id: 'stated', name: 'read_file', input: 'json', arguments: '{"path": "a \\"b\\" 🙂.txt"}' },
    { id: generated, name: 'list_files', input: 'json', arguments: '' },
  ],
  finish: 'tool_calls',
  usage: { inputTokens: 30, cachedTokens: 0, outputTokens: 14, reasoningTokens: 6 },
  source: { scenario: 's', step: 0 },
};
const plain: Reply = {
  ...reply,
  reasoning: undefined,
  toolCalls: [],
  finish: 'stop',
  usage: { ...reply.usage, reasoningTokens: 0 },
};
const older: Reply = {
  ...reply,
  model: 'gemini-2.5-flash',
  reasoning: undefined,
  usage: { ...reply.usage, reasoningTokens: 0 },
};
const malformed: Reply = {
  ...reply,
  toolCalls: [...reply.toolCalls, { id: 'c', name: 'cut', input: 'json', arguments: '{"a' }],
};

/** Git may change line ends, so the golden files show the carriage returns that are sent. */
const showReturns = (pieces: readonly string[]) => pieces.join('').replaceAll('\r', '␍');

const parseEvents = (frames: readonly Frame[]) =>
  frames.map(({ bytes }) => {
    expect(bytes).toMatch(/^data: [^\r\n]+\r\n\r\n$/);
    return JSON.parse(bytes.slice('data: '.length));
  });

describe('a reply of the Gemini API', () => {
  it.each([
    ['thinking-and-tools', reply],
    ['text', plain],
    ['older-model', older],
    ['malformed-call', malformed],
  ])('writes the golden bytes: %s', async (name, value) => {
    const stream = encodeGeminiFrames(value, { array: false }).map(({ bytes }) => bytes);
    await expect(showReturns(stream)).toMatchFileSnapshot(`golden/gemini-${name}.sse`);
    const array = encodeGeminiFrames(value, { array: true }).map(({ bytes }) => bytes);
    await expect(showReturns(array)).toMatchFileSnapshot(`golden/gemini-${name}.array.txt`);
    const body = `${JSON.stringify(encodeGeminiReply(value), null, 2)}\n`;
    await expect(body).toMatchFileSnapshot(`golden/gemini-${name}.json`);
  });

  it('sends the id of a call if it is explicit or the model is Gemini 3 or newer', () => {
    const ids = (value: Reply) => {
      const body = JSON.stringify(encodeGeminiReply(value));
      return [body.includes('"id":"stated"'), body.includes(`"id":"${generated}"`)];
    };
    expect(ids(reply)).toEqual([true, true]);
    expect(ids({ ...reply, model: 'mock-model' })).toEqual([true, true]);
    expect(ids({ ...reply, model: 'gemini-20-pro' })).toEqual([true, true]);
    expect(ids(older)).toEqual([true, false]);
  });

  it('adds one signature: to the first call, or else to the text', () => {
    const signature = Buffer.from(digest, 'hex').toString('base64');
    const count = (value: unknown) => JSON.stringify(value).split(`"thoughtSignature":"${signature}"`).length - 1;
    for (const value of [reply, plain, { ...older, reasoning: 'hm' }]) {
      expect(count(encodeGeminiReply(value))).toBe(1);
      expect(count(parseEvents(encodeGeminiFrames(value, { array: false })))).toBe(1);
    }
    expect(count(encodeGeminiReply(older))).toBe(0);
  });

  it('sends the plain text of a text tool as an argument', () => {
    const call = { id: 'a', name: 'patch', input: 'text' as const, arguments: '*** Begin' };
    expect(encodeGeminiReply({ ...reply, toolCalls: [call] })).toMatchObject({
      candidates: [{ content: { parts: [{}, {}, { functionCall: { args: { input: '*** Begin' } } }] } }],
    });
  });
});
