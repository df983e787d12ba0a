import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PROTOCOLS, type Protocol, type Reply } from '../../../../mock-llm-server/conversation/conversation.ts';
import { decodeAnswer } from '../../../../mock-llm-server/record/decode/decode-answer.ts';
import { readNow } from '../../../../mock-llm-server/wire/read-now.ts';
import type { ReadRequest, Wire } from '../../../../mock-llm-server/wire/wire.ts';
import { WIRES } from '../../../../mock-llm-server/wire/wires.ts';
import { propertySettings } from '../../../support/random/property.ts';
import { anyReply } from '../../../support/wires/any-reply.ts';
import { PROTOCOL_PLAYERS } from '../../../support/wires/protocol-players.ts';

function open(protocol: Protocol, stream: boolean): { wire: Wire; read: ReadRequest } {
  const wire = WIRES.find((each) => each.protocol === protocol);
  const player = PROTOCOL_PLAYERS.find((each) => each.protocol === protocol);
  if (wire === undefined || player === undefined) throw new Error(`no ${protocol}`);
  const { path, body } = player.request(player.say('hello'), [], stream);
  const url = new URL(path, 'http://localhost');
  const request = { method: 'POST', path: url.pathname, query: Object.fromEntries(url.searchParams), headers: {} };
  const read = readNow(wire, {
    ...request,
    body: JSON.stringify({ ...body, stream_options: { include_usage: true } }),
  });
  if (read.type === 'error') throw new Error(read.message);
  return { wire, read };
}

const bodyOf = ({ wire, read }: ReturnType<typeof open>, reply: Reply) =>
  read.stream
    ? {
        contentType: read.streamType ?? wire.streamType,
        text: read
          .frames(reply)
          .map(({ bytes }) => bytes)
          .join(''),
      }
    : { contentType: 'application/json', text: JSON.stringify(read.encode(reply)) };

test.for(PROTOCOLS.flatMap((protocol) => [true, false].map((stream) => ({ protocol, stream }))))(
  'decodes what $protocol encodes, streamed: $stream',
  ({ protocol, stream }) => {
    const opened = open(protocol, stream);
    fc.assert(
      fc.property(anyReply, (reply) => {
        const decoded = decodeAnswer(protocol, bodyOf(opened, reply));
        expect(decoded).toMatchObject({
          content: reply.content === '' && protocol !== 'openai-chat' ? decoded.content : reply.content,
          finish: reply.finish,
          usage: { input_tokens: 30, output_tokens: 14 },
          error: undefined,
          isMalformed: false,
          omitted: [],
        });
        expect(decoded.content ?? '').toBe(reply.content);
        expect(decoded.reasoning ?? '').toBe(reply.reasoning);
        expect(decoded.toolCalls.map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual(
          reply.toolCalls.map(({ name, arguments: json }) => [name, JSON.parse(json)]),
        );
      }),
      propertySettings(30),
    );
  },
);

test.for(PROTOCOLS)('decodes a stream of %s that was cut anywhere without an end', (protocol) => {
  const opened = open(protocol, true);
  const reply: Reply = {
    digest: 'd'.repeat(64),
    created: 1_750_000_000,
    model: 'm',
    reasoning: 'I think.',
    content: 'One two three four.',
    toolCalls: [{ id: 'call_1', name: 'write_file', input: 'json', arguments: '{"path":"a","content":"b"}' }],
    finish: 'tool_calls',
    usage: { inputTokens: 30, cachedTokens: 10, outputTokens: 14, reasoningTokens: 2 },
    source: undefined,
  };
  const frames = opened.read.frames(reply);
  const end = frames.findIndex(({ kind }) => kind === 'finish');
  const whole = frames
    .slice(0, end)
    .map(({ bytes }) => bytes)
    .join('');
  const contentType = opened.read.streamType ?? opened.wire.streamType;
  for (let length = 0; length <= whole.length; length += 11) {
    const { finish, isMalformed, content = '' } = decodeAnswer(protocol, { contentType, text: whole.slice(0, length) });
    const isStart = reply.content?.startsWith(content ?? '');
    expect({ length, finish, isMalformed, isStart }).toEqual({
      length,
      finish: undefined,
      isMalformed: false,
      isStart: true,
    });
  }
});

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const STREAM = 'text/event-stream';

/** An error of llama.cpp 11434, whose grammar does not admit a call, in the middle of an answer of each wire. */
const LLAMA_CPP_ERROR = {
  code: 500,
  message: 'got exception: Unexpected empty grammar stack after accepting piece: \n{"name": "query_database", (265)',
  type: 'server_error',
};
const READ_ERROR = { message: LLAMA_CPP_ERROR.message, type: 'server_error', status: 500 };

test.for<readonly [protocol: Protocol, name: string, text: string, expected: object]>([
  [
    'openai-chat',
    'content as parts',
    event({ choices: [{ delta: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] } }] }) +
      event({
        choices: [{ delta: { content: [{ type: 'text', text: 'a' }, { type: 'image' }, { refusal: 'No.' }, {}] } }],
      }) +
      event({ choices: [{ delta: {}, finish_reason: 'stop' }] }),
    { reasoning: 'hm', content: 'aNo.', finish: 'refusal', omitted: ['image', 'a part without a type'] },
  ],
  [
    'openai-chat',
    'arguments as an object',
    event({
      choices: [{ delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'x', arguments: { a: 1 } } }] } }],
    }) + event({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] }),
    { toolCalls: [{ id: 'c', name: 'x', input: 'json', arguments: '{"a":1}' }], finish: 'tool_calls' },
  ],
  [
    'openai-chat',
    'a reason that is no end of an answer',
    event({ choices: [{ delta: { content: 'half' } }] }) +
      event({ choices: [{ delta: {}, finish_reason: 'cancelled' }] }),
    { content: 'half', finish: undefined, omitted: ['the finish reason "cancelled"'] },
  ],
  [
    'openai-chat',
    'an error in the stream of llama.cpp',
    event({ choices: [{ finish_reason: null, index: 0, delta: { content: 'First.' } }] }) +
      event({ error: LLAMA_CPP_ERROR }),
    { content: 'First.', finish: undefined, error: READ_ERROR },
  ],
  [
    'openai-responses',
    'an error in the stream of llama.cpp',
    event({ type: 'response.output_text.delta', item_id: 'msg_d', delta: 'First.' }) +
      event({ error: LLAMA_CPP_ERROR }),
    { content: 'First.', finish: undefined, error: READ_ERROR },
  ],
  [
    'anthropic-messages',
    'an error in the stream of llama.cpp',
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'First.' } }) +
      `event: error\n${event(LLAMA_CPP_ERROR)}`,
    { content: 'First.', finish: undefined, error: READ_ERROR },
  ],
  [
    'gemini',
    'another reason',
    event({ candidates: [{ finishReason: 'FINISH_REASON_UNSPECIFIED' }] }),
    { omitted: ['the finish reason "FINISH_REASON_UNSPECIFIED"'] },
  ],
  [
    'gemini',
    'a text and a call in one part: NousResearch/hermes-agent#109862',
    event({
      candidates: [{ content: { parts: [{ text: 'I look.', functionCall: { name: 'x' } }] }, finishReason: 'STOP' }],
    }),
    { content: 'I look.', toolCalls: [expect.objectContaining({ name: 'x', arguments: '{}' })], omitted: [] },
  ],
  [
    'openai-responses',
    'a status that asks for results: justlovemaki/AIClient2API#472',
    event({ type: 'response.output_text.delta', item_id: 'm', delta: 'I look.' }) +
      event({ type: 'response.completed', response: { status: 'requires_action' } }),
    { content: 'I look.', finish: 'stop' },
  ],
  [
    'anthropic-messages',
    'another reason',
    event({ type: 'message_delta', delta: { stop_reason: 'steered' } }),
    { finish: undefined, omitted: ['the finish reason "steered"'] },
  ],
  [
    'anthropic-messages',
    'two calls with one index',
    ['a', 'b']
      .map(
        (id) =>
          event({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id, name: id } }) +
          event({
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'input_json_delta', partial_json: `{"${id}":1}` },
          }),
      )
      .join(''),
    {
      toolCalls: [
        expect.objectContaining({ id: 'a', arguments: '{"a":1}' }),
        expect.objectContaining({ id: 'b', arguments: '{"b":1}' }),
      ],
    },
  ],
  [
    'openai-responses',
    'a message and a call with one index, of which the end repeats only the call',
    event({ type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm' } }) +
      event({ type: 'response.output_text.delta', output_index: 0, item_id: 'm', delta: 'I look.' }) +
      event({
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'function_call', id: 'f', call_id: 'c', name: 'x', arguments: '{}' },
      }) +
      event({
        type: 'response.completed',
        response: {
          status: 'completed',
          output: [{ type: 'function_call', id: 'f', call_id: 'c', name: 'x', arguments: '{}' }],
        },
      }),
    { content: 'I look.', toolCalls: [{ id: 'c', name: 'x', input: 'json', arguments: '{}' }], finish: 'tool_calls' },
  ],
  [
    'openai-responses',
    'events without an index',
    event({ type: 'response.output_item.added', item: { type: 'message', id: 'm' } }) +
      event({ type: 'response.output_text.delta', item_id: 'm', delta: 'I look.' }) +
      event({
        type: 'response.output_item.added',
        item: { type: 'function_call', id: 'f', call_id: 'c', name: 'x', arguments: '' },
      }) +
      event({ type: 'response.function_call_arguments.delta', item_id: 'f', delta: '{}' }) +
      event({ type: 'response.audio.delta', delta: 'x' }) +
      event({
        type: 'response.completed',
        response: { status: 'incomplete', incomplete_details: { reason: 'steered' } },
      }),
    {
      content: 'I look.',
      toolCalls: [{ id: 'c', name: 'x', input: 'json', arguments: '{}' }],
      omitted: ['response.audio.delta', 'the finish reason "steered"'],
    },
  ],
  [
    'openai-chat',
    'heartbeats',
    `data: : PROCESSING\n\nevent: ping\n\ndata:\n\n${event({ choices: [{ delta: { content: 'a' } }] })}`,
    { content: 'a', isMalformed: false },
  ],
])('decodes %s: %s', ([protocol, , text, expected]) => {
  expect(decodeAnswer(protocol, { contentType: STREAM, text })).toMatchObject(expected);
});

test('decodes an answer of Ollama with arguments as a text and a reason that is no end', () => {
  const message = { tool_calls: [{ function: { name: 'x', arguments: '{"a":1}' } }] };
  const text = `${JSON.stringify({ message, done: true, done_reason: 'load' })}\n`;
  expect(decodeAnswer('ollama', { contentType: 'application/x-ndjson', text })).toMatchObject({
    toolCalls: [expect.objectContaining({ arguments: '{"a":1}' })],
    finish: undefined,
    omitted: ['the finish reason "load"'],
  });
});
