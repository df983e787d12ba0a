import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { openaiChat } from '../../../../../mock-llm-server/wire/openai/chat/chat.ts';
import { encodeChatFrames, encodeChatReply } from '../../../../../mock-llm-server/wire/openai/chat/reply.ts';
import type { Frame } from '../../../../../mock-llm-server/wire/wire.ts';
import { anyText } from '../../../../support/random/any-text.ts';
import { propertySettings } from '../../../../support/random/property.ts';

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
const usage = {
  prompt_tokens: 3,
  completion_tokens: 4,
  total_tokens: 7,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

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
  it('writes text and parallel calls', () => {
    expect(encodeChatReply(reply)).toEqual({
      id: `chatcmpl-${'d'.repeat(29)}`,
      object: 'chat.completion',
      created: 1_750_000_000,
      model: 'm',
      service_tier: 'default',
      system_fingerprint: 'fp_mock',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'I look.',
            refusal: null,
            annotations: [],
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path": "a b.txt"}' } },
              { id: 'b', type: 'function', function: { name: 'list_files', arguments: '{}' } },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage,
    });
  });

  it('never has an empty list of calls', () => {
    expect(JSON.stringify(encodeChatReply(plain))).not.toContain('tool_calls');
    expect(encodeChatReply(plain)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  });

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
  it('sends the role, the text, the calls with their index, the finish reason and the end', () => {
    const frames = parseFrames(encodeChatFrames(reply, { includeUsage: false }));
    expect(frames.pop()).toBe('[DONE]');
    const head = encodeChatReply(reply);
    for (const { id, created, model, object } of frames) {
      expect({ id, created, model }).toEqual({ id: head['id'], created: head['created'], model: head['model'] });
      expect(object).toBe('chat.completion.chunk');
    }
    expect(frames.map(({ choices: [{ delta, finish_reason: finish }] }) => [delta, finish])).toEqual([
      [{ role: 'assistant', content: '', refusal: null }, null],
      [{ content: 'I' }, null],
      [{ content: ' look.' }, null],
      [{ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'read_file', arguments: '' } }] }, null],
      [{ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }, null],
      [{ tool_calls: [{ index: 0, function: { arguments: ' "a' } }] }, null],
      [{ tool_calls: [{ index: 0, function: { arguments: ' b.txt"}' } }] }, null],
      [
        { tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'list_files', arguments: '' } }] },
        null,
      ],
      [{ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }, null],
      [{}, 'tool_calls'],
    ]);
    expect(JSON.stringify(frames)).not.toContain('"usage"');
  });

  it('starts with content null when there are only calls', () => {
    const [first] = parseFrames(encodeChatFrames({ ...reply, content: undefined }, { includeUsage: false }));
    expect(first).toMatchObject({ choices: [{ delta: { role: 'assistant', content: null } }] });
  });

  it('has usage null in every frame and the usage in the last one when the request includes it', () => {
    const frames = parseFrames(encodeChatFrames(plain, { includeUsage: true })).slice(0, -1);
    const last = frames.pop();
    expect(last).toMatchObject({ choices: [], usage });
    expect(frames.every((frame) => frame.usage === null)).toBe(true);
    expect(frames.at(-1)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }] });
  });

  it('streams exactly the content of any reply', () => {
    fc.assert(
      fc.property(anyText, anyText, (content, args) => {
        const call = { id: 'a', name: 'x', input: 'json' as const, arguments: args };
        const frames = parseFrames(
          encodeChatFrames({ ...reply, content, toolCalls: [call] }, { includeUsage: false }),
        ).slice(0, -1);
        const deltas = frames.map((frame) => frame.choices[0].delta);
        expect(deltas.map((delta) => delta.content ?? '').join('')).toBe(content);
        expect(deltas.map((delta) => delta.tool_calls?.[0].function.arguments ?? '').join('')).toBe(args);
      }),
      propertySettings(50),
    );
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

  it('names the code of a miss', () => {
    const miss = {
      type: 'error',
      status: 400,
      code: 'no_scenario_matched',
      message: 'none',
      param: 'messages',
    } as const;
    expect(openaiChat.encodeError(miss)).toEqual({
      error: { message: 'none', type: 'invalid_request_error', param: 'messages', code: 'no_scenario_matched' },
    });
  });
});
