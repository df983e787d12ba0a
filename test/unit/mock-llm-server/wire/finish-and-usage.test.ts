import { describe, expect, it } from 'vitest';
import type { FinishReason, Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { PROTOCOLS } from '../../../../mock-llm-server/conversation/conversation.ts';
import { isNativeFinish, NATIVE_FINISHES } from '../../../../mock-llm-server/conversation/native-finish.ts';
import { askedAbout } from '../ask-protocols.ts';

/**
 * The reasons in the words of each protocol. Sources: `finish_reason` and `refusal` of `CreateChatCompletionResponse`,
 * `status`, `incomplete_details` and `RefusalContent` of `Response` (openai-openapi 2.3.0); `StopReason` and
 * `RefusalStopDetails` of Anthropic's API (types of @anthropic-ai/sdk); `StopReason` of
 * Bedrock's service model in botocore; `FinishReason` of @google/genai; `done_reason`
 * of `ChatResponse` in ollama/ollama, docs/openapi.yaml and server/routes.go.
 */
const REFUSAL_DETAILS = { type: 'refusal', category: null, explanation: null };
const ENDS: Readonly<Record<FinishReason, Readonly<Record<Protocol, unknown>>>> = {
  stop: {
    'openai-chat': 'stop',
    'openai-responses': ['completed', undefined, 'completed'],
    'anthropic-messages': ['end_turn', null, null],
    'bedrock-converse': 'end_turn',
    gemini: 'STOP',
    'gemini-interactions': 'completed',
    ollama: 'stop',
  },
  tool_calls: {
    'openai-chat': 'tool_calls',
    'openai-responses': ['completed', undefined, 'completed'],
    'anthropic-messages': ['tool_use', null, null],
    'bedrock-converse': 'tool_use',
    gemini: 'STOP',
    'gemini-interactions': 'requires_action',
    ollama: 'stop',
  },
  length: {
    'openai-chat': 'length',
    'openai-responses': ['incomplete', 'max_output_tokens', 'incomplete'],
    'anthropic-messages': ['max_tokens', null, null],
    'bedrock-converse': 'max_tokens',
    gemini: 'MAX_TOKENS',
    'gemini-interactions': 'incomplete',
    ollama: 'length',
  },
  content_filter: {
    'openai-chat': 'content_filter',
    'openai-responses': ['incomplete', 'content_filter', 'incomplete'],
    'anthropic-messages': ['refusal', null, REFUSAL_DETAILS],
    'bedrock-converse': 'content_filtered',
    gemini: 'SAFETY',
    'gemini-interactions': 'failed',
    ollama: 'stop',
  },
  refusal: {
    'openai-chat': ['stop', 'I cannot help with that.'],
    'openai-responses': ['completed', undefined, 'completed', 'I cannot help with that.'],
    'anthropic-messages': ['refusal', null, REFUSAL_DETAILS],
    'bedrock-converse': 'content_filtered',
    gemini: 'SAFETY',
    'gemini-interactions': 'completed',
    ollama: 'stop',
  },
};

const reasons = Object.entries(ENDS).flatMap(([finish, ends]) =>
  PROTOCOLS.flatMap((protocol) => [false, true].map((stream) => [finish, protocol, stream, ends[protocol]] as const)),
);

/**
 * Reasons in the words of one protocol. Sources: `StopReason` of @anthropic-ai/sdk and of Bedrock's service model in
 * botocore, `FinishReason` of @google/genai, `FinishReason` of mistralai, the documentation of Together and Z.ai.
 */
const natives = Object.keys(NATIVE_FINISHES)
  .filter(isNativeFinish)
  .flatMap((finish) =>
    PROTOCOLS.flatMap((protocol) => [false, true].map((stream) => [finish, protocol, stream] as const)),
  );

describe('the reason for the end of an answer', () => {
  it.each(reasons)('%s is stated as %s does, streamed: %s', async (finish, protocol, stream, expected) => {
    const { ask } = askedAbout({ content: 'I cannot help with that.', finish });
    const { end, text } = await ask(protocol, stream);
    const event =
      stream && protocol === 'openai-responses' && Array.isArray(expected) ? [`response.${expected[0]}`] : [];
    expect(end).toEqual(event.length > 0 && Array.isArray(expected) ? [...event, ...expected] : expected);
    const hasRefusal = finish === 'refusal' && protocol.startsWith('openai');
    expect(text).toBe(hasRefusal ? '' : 'I cannot help with that.');
  });

  it.each(natives)('%s is stated by %s in its words or the nearest, streamed: %s', async (finish, protocol, stream) => {
    const { as, protocols }: { as: FinishReason; protocols: readonly Protocol[] } = NATIVE_FINISHES[finish];
    const { end } = await askedAbout({ content: 'So far.', finish }).ask(protocol, stream);
    const nearest = await askedAbout({ content: 'So far.', finish: as }).ask(protocol, stream);
    const own = protocol === 'anthropic-messages' ? [finish, null, null] : finish;
    expect(end).toEqual(protocols.includes(protocol) ? own : nearest.end);
  });

  it('is that of a limit of the request, whatever the step states', async () => {
    const answer = await askedAbout({ content: 'one two three four', finish: 'pause_turn' }).ask(
      'anthropic-messages',
      false,
      { max_tokens: 1 },
    );
    expect(answer.end).toEqual(['max_tokens', null, null]);
    const stopped = await askedAbout({ content: 'one STOP two', finish: 'pause_turn' }).ask(
      'anthropic-messages',
      false,
      { stop_sequences: ['STOP'] },
    );
    expect(stopped.end).toEqual(['stop_sequence', 'STOP', null]);
  });

  it.each(PROTOCOLS)('of %s can precede the first word', async (protocol) => {
    const { ask } = askedAbout({ finish: 'content_filter' });
    for (const stream of [false, true]) expect(await ask(protocol, stream)).toMatchObject({ text: '', calls: [] });
  });

  it('streams a refusal in the events that Responses has for it', async () => {
    const { ask } = askedAbout({ content: 'No, never.', finish: 'refusal' });
    const { objects } = await ask('openai-responses', true);
    const part = { type: 'refusal', refusal: 'No, never.' };
    expect(objects.slice(2, -1)).toMatchObject([
      { type: 'response.output_item.added', item: { status: 'in_progress', content: [] } },
      { type: 'response.content_part.added', part: { type: 'refusal', refusal: '' } },
      { type: 'response.refusal.delta', content_index: 0, delta: 'No,' },
      { type: 'response.refusal.delta', content_index: 0, delta: ' never.' },
      { type: 'response.refusal.done', content_index: 0, refusal: 'No, never.' },
      { type: 'response.content_part.done', part },
      { type: 'response.output_item.done', item: { status: 'completed', content: [part] } },
    ]);
  });

  it('holds the content of Chat Completions at null while a refusal is streamed', async () => {
    const { ask } = askedAbout({ content: 'No, never.', finish: 'refusal' });
    const [plain] = (await ask('openai-chat', false)).objects;
    expect(plain).toMatchObject({ choices: [{ message: { content: null, refusal: 'No, never.' } }] });
    const { objects } = await ask('openai-chat', true);
    expect(objects.slice(0, 3)).toMatchObject([
      { choices: [{ delta: { role: 'assistant', content: null, refusal: '' } }] },
      { choices: [{ delta: { refusal: 'No,' } }] },
      { choices: [{ delta: { refusal: ' never.' } }] },
    ]);
  });

  // As in tests/models/cassettes/test_google/test_google_model_max_tokens_thinking_model_empty_response.yaml of pydantic-ai.
  it('leaves out the parts of an answer of Gemini that has none', async () => {
    const { ask } = askedAbout({ finish: 'length' });
    const [body] = (await ask('gemini', false)).objects;
    expect(body?.['candidates']).toEqual([{ content: { role: 'model' }, finishReason: 'MAX_TOKENS', index: 0 }]);
  });
});

describe('a call that ends in its arguments', () => {
  const cut = { type: 'function', function: { name: 'write_file', arguments: '{"path": "a.txt", "content": "one tw' } };
  const whole = { name: 'read_file', arguments: { path: 'b.txt' } };
  const both = [
    { name: 'read_file', arguments: '{"path":"b.txt"}' },
    { name: 'write_file', arguments: cut.function.arguments },
  ];

  const EARLY: readonly FinishReason[] = ['length', 'content_filter', 'refusal'];
  const sent: readonly (readonly [Protocol, readonly object[]])[] = [
    ['openai-chat', both],
    ['openai-responses', both],
    // Clients of Anthropic parse the pieces of a stream as far as they go; a plain body has the result of that.
    ['anthropic-messages', both],
    ['gemini', both.slice(0, 1)],
    ['ollama', both.slice(0, 1)],
  ];

  it.each(sent.flatMap(([protocol, calls]) => EARLY.map((finish) => [protocol, finish, calls] as const)))(
    'is sent as %s does, with %s',
    async (protocol, finish, calls) => {
      const { ask } = askedAbout({ tool_calls: [whole, cut], finish });
      const plain = await ask(protocol, false);
      const streamed = await ask(protocol, true);
      expect(streamed.calls).toEqual(calls);
      const parsed = { name: 'write_file', arguments: '{"path":"a.txt","content":"one tw"}' };
      expect(plain.calls).toEqual(protocol === 'anthropic-messages' ? [both[0], parsed] : calls);
      expect(plain.text).toBe(streamed.text);
      // Ollama writes a call that it cannot parse into the text.
      const written = `{"name": "write_file", "arguments": ${cut.function.arguments}`;
      expect(plain.text).toBe(protocol === 'ollama' ? written : '');
      expect(JSON.stringify([plain.end, streamed.end])).not.toContain('MALFORMED');
    },
  );
});

describe('the usage that a step states', () => {
  const usage = { input_tokens: 1000, cached_tokens: 800, output_tokens: 50, reasoning_tokens: 20 };
  // `CompletionUsage` and `ResponseUsage` of openai-openapi; `Usage` of @anthropic-ai/sdk, whose input tokens leave the
  // cached ones out; `GenerateContentResponseUsageMetadata` of @google/genai; `ChatResponse` of the client ollama.
  const detailed = (tokens: number) => [{ modality: 'TEXT', tokenCount: tokens }];
  it.each([
    [
      'openai-chat',
      {
        prompt_tokens: 1000,
        completion_tokens: 50,
        total_tokens: 1050,
        prompt_tokens_details: { cached_tokens: 800, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 0 },
      },
    ],
    [
      'openai-responses',
      {
        input_tokens: 1000,
        input_tokens_details: { cached_tokens: 800, cache_write_tokens: 0 },
        output_tokens: 50,
        output_tokens_details: { reasoning_tokens: 20 },
        total_tokens: 1050,
      },
    ],
    [
      'anthropic-messages',
      { input_tokens: 200, cache_read_input_tokens: 800, cache_creation_input_tokens: 0, output_tokens: 50 },
    ],
    [
      'gemini',
      {
        promptTokenCount: 1000,
        cachedContentTokenCount: 800,
        candidatesTokenCount: 30,
        thoughtsTokenCount: 20,
        totalTokenCount: 1050,
        promptTokensDetails: detailed(1000),
        cacheTokensDetails: detailed(800),
      },
    ],
    ['ollama', { prompt_eval_count: 1000, eval_count: 50 }],
  ] as const)('is reported by %s, plain and streamed', async (protocol, expected) => {
    const { ask } = askedAbout({ reasoning: 'Hm.', content: 'Yes.', usage });
    expect((await ask(protocol, false)).usage).toMatchObject(expected);
    expect((await ask(protocol, true)).usage).toMatchObject(expected);
  });

  it('leaves the other counts to the estimate, which does not contradict it', async () => {
    const chatUsage = async (stated: object) => {
      const { ask } = askedAbout({ reasoning: 'x'.repeat(40), content: 'y'.repeat(40), usage: stated });
      return (await ask('openai-chat', false)).usage;
    };
    const details = (cached_tokens: number, reasoning_tokens: number) => ({
      prompt_tokens_details: { cached_tokens },
      completion_tokens_details: { reasoning_tokens },
    });
    expect(await chatUsage({})).toMatchObject({ prompt_tokens: 5, completion_tokens: 20, ...details(0, 10) });
    expect(await chatUsage({ cached_tokens: 90 })).toMatchObject({ prompt_tokens: 90, ...details(90, 10) });
    expect(await chatUsage({ reasoning_tokens: 90 })).toMatchObject({ completion_tokens: 90, ...details(0, 90) });
    expect(await chatUsage({ output_tokens: 7 })).toMatchObject({ completion_tokens: 7, ...details(0, 7) });
  });

  it('is counted up to each frame of Gemini', async () => {
    // Recorded: 31, 79 and 80 candidate tokens, 35 thought tokens in each frame, in test_google_stream_usage_is_live_mid_stream.yaml
    // of pydantic-ai.
    const { ask } = askedAbout({ reasoning: 'Think hard.', content: 'One two three.' });
    const { objects } = await ask('gemini', true);
    const counts = objects.map(({ usageMetadata }) => usageMetadata);
    expect(counts).toMatchObject([
      { candidatesTokenCount: 0, thoughtsTokenCount: 2, totalTokenCount: 7 },
      { candidatesTokenCount: 0, thoughtsTokenCount: 3, totalTokenCount: 8 },
      { candidatesTokenCount: 1, thoughtsTokenCount: 3, totalTokenCount: 9 },
      { candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 10 },
      { candidatesTokenCount: 4, thoughtsTokenCount: 3, totalTokenCount: 12 },
      { candidatesTokenCount: 4, thoughtsTokenCount: 3, totalTokenCount: 12 },
    ]);
  });
});
