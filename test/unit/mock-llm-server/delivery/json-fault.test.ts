import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { breakBody, breakFrames } from '../../../../mock-llm-server/delivery/json-fault.ts';
import type { Fault } from '../../../../mock-llm-server/scenario/fault-format.ts';
import type { Frame } from '../../../../mock-llm-server/wire/wire.ts';
import { fullReply, readCase, WIRE_CASES } from '../wire/wire-requests.ts';

const joined = (frames: readonly Frame[]) => frames.map(({ bytes }) => bytes).join('');
const reply = fullReply();
const [first, second] = reply.toolCalls.map(({ id }) => id);

/** Where the second call's index stands in a stream; nothing where the protocol has none. */
const INDEXES: Readonly<Record<Protocol, RegExp | undefined>> = {
  'openai-chat': /"tool_calls":\[\{"index":(\d)/g,
  'openai-responses': /"output_index":(\d)/g,
  'anthropic-messages': /"index":(\d)/g,
  gemini: undefined,
  ollama: /"function":\{[^}]*"index":(\d)/g,
};

describe.each(WIRE_CASES)('the JSON of $protocol', (wireCase) => {
  const read = readCase(wireCase);
  const frames = read.frames(reply);
  const streamed = (fault: Fault) => breakFrames(frames, reply, fault);
  const indexes = (text: string) => {
    const pattern = INDEXES[wireCase.protocol];
    return pattern === undefined ? [] : [...text.matchAll(pattern)].map(([, index]) => Number(index));
  };
  const callIndexes = indexes(joined(frames.filter(({ kind }) => kind === 'arguments')));

  it('is left alone by other faults', () => {
    expect(streamed({ reset: true })).toBe(frames);
  });

  it('loses the ids of calls, streamed or not, and nothing else', () => {
    const whole = joined(streamed({ missing_call_id: true }));
    const body = JSON.stringify(breakBody(read.encode(reply), reply, { missing_call_id: true }));
    for (const text of [whole, body]) {
      expect(text).not.toContain(`"${first}"`);
      expect(text).not.toContain(`"${second}"`);
      expect(text).toContain('write_file');
    }
    expect(whole.split('\n')).toHaveLength(joined(frames).split('\n').length);
    expect(breakBody(read.encode(reply), reply, { missing_index: true })).toEqual(read.encode(reply));
  });

  it('gives all calls the index of the first', () => {
    const broken = joined(streamed({ colliding_index: true }));
    const lowest = Math.min(...callIndexes);
    expect(indexes(broken)).toEqual(
      indexes(joined(frames)).map((index) => (callIndexes.includes(index) ? lowest : index)),
    );
    expect(broken === joined(frames)).toBe(callIndexes.length === 0);
  });

  it('loses the indexes of calls', () => {
    const broken = joined(streamed({ missing_index: true }));
    expect(indexes(broken).filter((index) => callIndexes.includes(index))).toEqual([]);
    expect(broken === joined(frames)).toBe(callIndexes.length === 0);
  });

  it('changes nothing in a text without calls', () => {
    const plain = fullReply({ toolCalls: [], finish: 'stop' });
    const plainFrames = read.frames(plain);
    const fault: Fault = { missing_call_id: true, colliding_index: true };
    expect(joined(breakFrames(plainFrames, plain, fault))).toBe(joined(plainFrames));
  });
});

it('keeps what is no object in a list of calls', () => {
  const bytes = '{"tool_calls":[1,{"index":0,"id":"a"}],"index":0}\n';
  const plain = fullReply({ toolCalls: [] });
  expect(breakFrames([{ kind: 'arguments', bytes }], plain, { missing_index: true })).toEqual([
    { kind: 'arguments', bytes: '{"tool_calls":[1,{"id":"a"}]}\n' },
  ]);
});
