import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { encodeOllamaFrames, encodeOllamaReply } from '../../../../../mock-llm-server/wire/ollama/reply.ts';

const settings = { endpoint: 'chat', contextLength: 4096 } as const;
const reply: Reply = {
  digest: 'd'.repeat(64),
  created: 1_750_000_000,
  model: 'qwen3:8b',
  reasoning: 'Two files – 漢字.',
  content: 'I look.',
  toolCalls: [
    { id: 'call_a', name: 'read_file', input: 'json', arguments: '{"path": "a \\"b\\" 🙂.txt"}' },
    { id: 'call_b', name: 'list_files', input: 'json', arguments: '' },
  ],
  finish: 'tool_calls',
  usage: { inputTokens: 30, cachedTokens: 0, outputTokens: 14, reasoningTokens: 0 },
  source: { scenario: 's', step: 0 },
};
const plain: Reply = { ...reply, reasoning: undefined, toolCalls: [], finish: 'stop' };
const malformed: Reply = {
  ...reply,
  toolCalls: [...reply.toolCalls, { id: 'c', name: 'cut', input: 'json', arguments: '{"a' }],
};

describe("a reply of Ollama's chat", () => {
  it.each([
    ['thinking-and-tools', reply],
    ['text', plain],
    ['malformed-call', malformed],
  ])('writes the golden bytes: %s', async (name, value) => {
    const stream = encodeOllamaFrames(value, settings).map(({ bytes }) => bytes);
    await expect(stream.join('')).toMatchFileSnapshot(`golden/ollama-${name}.ndjson`);
    const body = `${JSON.stringify(encodeOllamaReply(value, settings), null, 2)}\n`;
    await expect(body).toMatchFileSnapshot(`golden/ollama-${name}.json`);
  });

  it('counts at most as many input tokens as fit into the context window', () => {
    expect(encodeOllamaReply(reply, { ...settings, contextLength: 20 })).toMatchObject({
      prompt_eval_count: 20,
      prompt_eval_duration: 20_000_000,
      eval_count: 14,
      eval_duration: 280_000_000,
      load_duration: 50_000_000,
      total_duration: 350_000_000,
    });
  });

  it('leaves a call with malformed arguments in the text and numbers the others from 0', () => {
    const calls = [...malformed.toolCalls].reverse();
    expect(encodeOllamaReply({ ...malformed, content: undefined, toolCalls: calls }, settings)).toMatchObject({
      message: {
        content: '{"name": "cut", "arguments": {"a}',
        tool_calls: [{ function: { index: 0, name: 'list_files' } }, { function: { index: 1, name: 'read_file' } }],
      },
    });
  });

  it('sends the plain text of a text tool as an argument', () => {
    const call = { id: 'a', name: 'patch', input: 'text' as const, arguments: '*** Begin' };
    expect(encodeOllamaReply({ ...plain, toolCalls: [call] }, settings)).toMatchObject({
      message: { tool_calls: [{ id: 'a', function: { name: 'patch', arguments: { input: '*** Begin' } } }] },
    });
  });
});
