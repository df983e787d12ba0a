import type { Wire } from '../../../src/providers/wires.ts';
import { FRAMES, sse, streamOf, textReply } from './frames.ts';
import type { ReplyRow } from './run-reply.ts';

/** Reasons with which an answer is not complete, and where each was seen. */
const INCOMPLETE: readonly (readonly [wire: Wire, reason: string, source: string])[] = [
  ['openai-chat', 'abort', 'vllm-project/vllm#57082'],
  ['openai-chat', 'error', 'mistral.rs 0.8.1, recorded; OpenRouter'],
  ['openai-chat', 'network_error', 'Z.ai'],
  ['openai-chat', 'insufficient_system_resource', 'DeepSeek'],
  ['openai-chat', 'cancelled', 'gateways'],
  ['openai-chat', 'OTHER', 'Gemini behind gateways'],
  ['openai-chat', 'some_new_reason', 'nobody yet'],
  ['openai-responses', 'steered', 'nobody yet'],
  ['openai-responses', 'cancelled', 'nobody yet'],
  ['anthropic-messages', 'some_new_reason', 'nobody yet'],
  ['gemini', 'OTHER', 'agentjido/req_llm#935'],
  ['gemini', 'FINISH_REASON_UNSPECIFIED', 'published enum'],
  ['gemini', 'MALFORMED_FUNCTION_CALL', 'NousResearch/hermes-agent#83869'],
  ['gemini', 'UNEXPECTED_TOOL_CALL', 'published enum'],
  ['gemini', 'TOO_MANY_TOOL_CALLS', 'published enum'],
  ['gemini', 'MISSING_THOUGHT_SIGNATURE', 'published enum'],
  ['gemini', 'IMAGE_OTHER', 'published enum'],
  ['gemini', 'NO_IMAGE', 'published enum'],
  ['ollama-chat', 'load', 'Ollama'],
  ['ollama-chat', 'unload', 'Ollama'],
  ['ollama-chat', 'error', 'nobody yet'],
];

/** Reasons of complete answers in the words of other wires. */
const COMPLETE: readonly (readonly [wire: Wire, reason: string, source: string])[] = [
  ['openai-chat', 'eos', 'Together'],
  ['openai-chat', 'eos_token', 'Text Generation Inference'],
  ['openai-chat', 'stop_sequence', 'Text Generation Inference'],
  ['openai-chat', 'STOP', 'Gemini behind gateways'],
  ['openai-chat', 'end_turn', 'Anthropic behind gateways'],
  ['openai-chat', 'COMPLETE', 'Cohere'],
  ['openai-chat', 'tool_calls', 'servers that always say so'],
  ['anthropic-messages', 'stop_sequence', 'published enum'],
];

/** Reasons of answers that the service withheld. */
const FILTERED: readonly (readonly [wire: Wire, reason: string, source: string])[] = [
  ['openai-chat', 'content_filter', 'OpenAI, Azure'],
  ['openai-chat', 'sensitive', 'Z.ai'],
  ['openai-chat', 'SAFETY', 'Gemini behind gateways'],
  ['openai-responses', 'content_filter', 'OpenAI'],
  ['anthropic-messages', 'refusal', 'Anthropic'],
  ['gemini', 'SAFETY', 'published enum'],
  ['gemini', 'RECITATION', 'published enum'],
  ['gemini', 'LANGUAGE', 'published enum'],
  ['gemini', 'BLOCKLIST', 'published enum'],
  ['gemini', 'PROHIBITED_CONTENT', 'published enum'],
  ['gemini', 'SPII', 'published enum'],
];

const refused = { type: 'message', id: 'msg_1', content: [{ type: 'refusal', refusal: 'I will not.' }] };
const completed = (output: readonly object[]) =>
  sse({ type: 'response.completed', response: { status: 'completed', output } });

/** Answers of which the words are those of a refusal, beside the reason of a complete answer. */
const REFUSED: readonly (readonly [wire: Wire, name: string, source: string, frames: readonly string[]])[] = [
  [
    'openai-responses',
    'a refusal in pieces',
    'published schema',
    [
      sse({ type: 'response.refusal.delta', output_index: 0, item_id: 'msg_1', delta: 'I will ' }),
      sse({ type: 'response.refusal.delta', output_index: 0, item_id: 'msg_1', delta: 'not.' }),
      completed([]),
    ],
  ],
  [
    'openai-responses',
    'a whole refusal',
    'published schema',
    [sse({ type: 'response.refusal.done', output_index: 0, item_id: 'msg_1', refusal: 'I will not.' }), completed([])],
  ],
  [
    'openai-responses',
    'an item with a refusal',
    'published schema',
    [sse({ type: 'response.output_item.done', output_index: 0, item: refused }), completed([refused])],
  ],
  [
    'openai-responses',
    'a part with a refusal',
    'published schema',
    [
      sse({ type: 'response.content_part.done', output_index: 0, item_id: 'msg_1', part: refused.content[0] }),
      completed([]),
    ],
  ],
  ['openai-responses', 'a refusal in the last event alone', 'published schema', [completed([refused])]],
  [
    'openai-chat',
    'a refusal',
    'published schema',
    [
      sse({ choices: [{ index: 0, delta: { role: 'assistant', content: null, refusal: '' } }] }),
      sse({ choices: [{ index: 0, delta: { refusal: 'I will not.' } }] }),
      ...FRAMES['openai-chat'].end('stop'),
    ],
  ],
  [
    'openai-chat',
    'a part with a refusal',
    'published schema',
    [sse({ choices: [{ index: 0, delta: { content: refused.content } }] }), ...FRAMES['openai-chat'].end('stop')],
  ],
  [
    'openai-chat',
    'a refusal beside the reason of a filter',
    'published schema',
    [
      sse({ choices: [{ index: 0, delta: { refusal: 'I will not.' } }] }),
      ...FRAMES['openai-chat'].end('content_filter'),
    ],
  ],
];

const endingWith = (wire: Wire, reason: string, call = false) =>
  streamOf(wire, [
    ...FRAMES[wire].text('Half of it'),
    ...(call ? FRAMES[wire].call('read_file', { path: 'notes.txt' }) : []),
    ...FRAMES[wire].end(reason),
  ]);

/** The last reasons of answers, on each wire. */
export const FINISH_ROWS: readonly ReplyRow[] = [
  ...INCOMPLETE.map(
    ([wire, reason, source]): ReplyRow => ({
      name: `an answer that ends with ${reason} is asked for again, and its call does not run`,
      ...{ wire, source },
      replies: [endingWith(wire, reason, true), textReply(wire, 'All of it.')],
      ...{ code: 0, requests: 2, shows: ['All of it.', JSON.stringify(reason)], sends: ['Read notes.txt'] },
    }),
  ),
  ...(['openai-chat', 'gemini', 'ollama-chat'] as const).map(
    (wire): ReplyRow => ({
      name: 'an answer that always ends without being complete fails the run',
      ...{ wire, source: 'vllm-project/vllm#57082' },
      replies: [endingWith(wire, wire === 'openai-chat' ? 'abort' : 'OTHER')],
      ...{ code: 1, requests: 4, shows: ['so it is not complete. Try again.'] },
    }),
  ),
  ...COMPLETE.map(
    ([wire, reason, source]): ReplyRow => ({
      name: `${reason} ends a complete answer`,
      ...{ wire, source },
      replies: [endingWith(wire, reason)],
      ...{ code: 0, requests: 1, shows: ['Half of it'] },
    }),
  ),
  ...FILTERED.map(
    ([wire, reason, source]): ReplyRow => ({
      name: `${reason} fails the run as filtered`,
      ...{ wire, source },
      replies: [endingWith(wire, reason)],
      ...{ code: 1, requests: 1, shows: ["The provider's content filter withheld the answer."] },
    }),
  ),
  ...REFUSED.map(
    ([wire, name, source, frames]): ReplyRow => ({
      name: `${name} fails the run as filtered`,
      ...{ wire, source },
      replies: [streamOf(wire, frames)],
      ...{ code: 1, requests: 1, shows: ['I will not.', "The provider's content filter withheld the answer."] },
    }),
  ),
  {
    name: 'pause_turn goes on with the same answer',
    ...{ wire: 'anthropic-messages', source: 'published enum' },
    replies: [endingWith('anthropic-messages', 'pause_turn'), textReply('anthropic-messages', ' and the rest.')],
    ...{ code: 0, requests: 2, shows: ['Half of it', ' and the rest.'], sends: ['Half of it'] },
  },
  {
    name: '"null" is no reason',
    ...{ wire: 'openai-chat', source: 'DashScope' },
    replies: [
      streamOf('openai-chat', [
        'data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":"null"}]}\n\n',
        'data: {"choices":[{"delta":{"content":" you"},"finish_reason":"stop"}]}\n\n',
      ]),
    ],
    ...{ code: 0, requests: 1, shows: ['Hello you'] },
  },
];
