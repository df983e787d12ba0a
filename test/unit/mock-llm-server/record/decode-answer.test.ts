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
