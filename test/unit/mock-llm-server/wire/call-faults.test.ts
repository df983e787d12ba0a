import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { breakReply } from '../../../../mock-llm-server/delivery/faults.ts';
import type { Fault } from '../../../../mock-llm-server/scenario/format/faults/fault-format.ts';
import type { Frame } from '../../../../mock-llm-server/wire/wire.ts';
import { fullReply, readCase, WIRE_CASES } from './wire-requests.ts';

const joined = (frames: readonly Frame[]) => frames.map(({ bytes }) => bytes).join('');
const reply = fullReply();

/** The indexes of a stream, by protocol; absent where the protocol has none. */
const INDEXES: Readonly<Record<Protocol, RegExp | undefined>> = {
  'openai-chat': /"tool_calls":\[\{"index":(\d)/g,
  'openai-responses': /"output_index":(\d)/g,
  'anthropic-messages': /"index":(\d)/g,
  'bedrock-converse': /"contentBlockIndex":(\d)/g,
  gemini: undefined,
  'gemini-interactions': /"index":(\d)/g,
  ollama: /"function":\{[^}]*"index":(\d)/g,
};

describe.each(WIRE_CASES)('faults of tool calls over $protocol', (wireCase) => {
  const read = readCase(wireCase);
  const encode = (fault: Fault) => JSON.stringify(read.encode(breakReply(reply, fault)));
  const stream = (fault: Fault) => joined(read.frames(breakReply(reply, fault)));
  const indexes = (text: string) => {
    const pattern = INDEXES[wireCase.protocol];
    return pattern === undefined ? [] : [...text.matchAll(pattern)].map(([, index]) => Number(index));
  };
  const callIndexes = indexes(joined(read.frames(reply).filter(({ kind }) => kind === 'arguments')));

  it('missing_call_id removes the ids of calls, streamed or not, and nothing else', () => {
    for (const [broken, intact] of [
      [stream({ missing_call_id: true }), stream({})],
      [encode({ missing_call_id: true }), encode({})],
    ] as const) {
      for (const { id } of reply.toolCalls) expect(broken).not.toContain(id);
      expect(broken).toContain('write_file');
      expect(broken.split('\n')).toHaveLength(intact.split('\n').length);
    }
  });

  it('colliding_index gives all calls the index of the first', () => {
    const lowest = Math.min(...callIndexes);
    expect(indexes(stream({ colliding_index: true }))).toEqual(
      indexes(stream({})).map((index) => (callIndexes.includes(index) ? lowest : index)),
    );
    expect(stream({ colliding_index: true }) === stream({})).toBe(callIndexes.length === 0);
  });

  it('missing_index removes the indexes of calls', () => {
    const broken = stream({ missing_index: true });
    expect(indexes(broken).filter((index) => callIndexes.includes(index))).toEqual([]);
    expect(broken === stream({})).toBe(callIndexes.length === 0);
  });

  it('no fault of tool calls changes a reply without calls', () => {
    const plain = fullReply({ toolCalls: [], finish: 'stop' });
    const broken = breakReply(plain, { missing_call_id: true, colliding_index: true });
    expect(joined(read.frames(broken))).toBe(joined(read.frames(plain)));
  });
});
