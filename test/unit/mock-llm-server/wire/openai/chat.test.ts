import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { openaiChat } from '../../../../../mock-llm-server/wire/openai/chat/chat.ts';
import { encodeChatFrames, encodeChatReply } from '../../../../../mock-llm-server/wire/openai/chat/reply.ts';
import type { Frame } from '../../../../../mock-llm-server/wire/wire.ts';

const reply: Reply = {
  digest: 'd'.repeat(64),
  created: 1_750_000_000,
  model: 'm',
  reasoning: undefined,
  content: 'I look.',
  toolCalls: [
    { id: 'a', name: 'read_file', input: 'json', arguments: '{"path": "a b.txt"}' },
    { id: 'b', name: 'list_files', input: 'json', arguments: '{}' },
  ],
  finish: 'tool_calls',
  usage: { inputTokens: 3, cachedTokens: 0, outputTokens: 4, reasoningTokens: 0 },
  source: { scenario: 's', step: 0 },
};
const plain: Reply = { ...reply, toolCalls: [], finish: 'stop' };

const everything: Reply = {
  ...reply,
  reasoning: 'First I look.',
  usage: { ...reply.usage, reasoningTokens: 4 },
  content: 'I look „here“ – 漢字 🙂.',
  toolCalls: [...reply.toolCalls, { id: 'c', name: 'apply_patch', input: 'text', arguments: '*** "a"\n漢字' }],
};

it.each([
  ['everything', everything],
  ['text', plain],
  ['nothing', { ...plain, content: undefined }],
])('writes the golden bytes: %s', async (name, value) => {
  const stream = encodeChatFrames(value, { includeUsage: true }).map(({ bytes }) => bytes);
  await expect(stream.join('')).toMatchFileSnapshot(`golden/openai-chat-${name}.sse`);
  await expect(`${JSON.stringify(encodeChatReply(value), null, 2)}\n`).toMatchFileSnapshot(
    `golden/openai-chat-${name}.json`,
  );
});

describe('encodeChatReply', () => {
  it('has content null beside calls without text', () => {
    expect(encodeChatReply({ ...reply, content: undefined })).toMatchObject({
      choices: [{ message: { content: null } }],
    });
  });
});

function parseFrames(frames: readonly Frame[]) {
  return frames.map(({ bytes: frame }) => {
    if (!/^data: [^\n]+\n\n$/.test(frame)) throw new Error(`not a frame: ${frame}`);
    const data = frame.slice('data: '.length).trimEnd();
    return data === '[DONE]' ? data : JSON.parse(data);
  });
}

describe('encodeChatFrames', () => {
  it('counts tokens only if the request includes them', () => {
    const frames = encodeChatFrames(plain, { includeUsage: false });
    expect(JSON.stringify(frames)).not.toContain('usage');
  });

  it('starts with content null when there are only calls', () => {
    const [first] = parseFrames(encodeChatFrames({ ...reply, content: undefined }, { includeUsage: false }));
    expect(first).toMatchObject({ choices: [{ delta: { role: 'assistant', content: null } }] });
  });
});

describe('an error', () => {
  const fault = { type: 'unpaired_results' as const, index: 3, missing: [], orphans: [], hint: undefined };

  it.each([
    [
      'missing results',
      { ...fault, missing: ['a', 'b'] },
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The " +
        'following tool_call_ids did not have response messages: a, b',
    ],
    [
      'orphans',
      { ...fault, orphans: ['c'] },
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. The " +
        'following tool_call_ids answer none: c',
    ],
    [
      'both, with a hint',
      { ...fault, missing: ['a'], orphans: ['c'], hint: 'Look.' },
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The " +
        'following tool_call_ids did not have response messages: a. ' +
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. The " +
        'following tool_call_ids answer none: c. Look.',
    ],
    ['a hint alone', { ...fault, hint: 'Look.' }, 'Look.'],
  ])("describes %s with the API's message", (_name, answer, message) => {
    expect(openaiChat.encodeError(openaiChat.unpaired(answer))).toEqual({
      error: { message, type: 'invalid_request_error', param: 'messages.[3].role', code: null },
    });
  });
});
