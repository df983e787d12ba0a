import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Chunk,
  type Ending,
  middleOf,
  planDelivery as planLazily,
  type TimedFrame,
} from '../../../../mock-llm-server/delivery/plan.ts';
import type { Fault } from '../../../../mock-llm-server/scenario/format/faults/fault-format.ts';
import type { Frame } from '../../../../mock-llm-server/wire/wire.ts';
import { wellFormedText } from '../../../support/random/any-text.ts';
import { propertySettings } from '../../../support/random/property.ts';
import { fullReply, readCase, WIRE_CASES } from '../wire/wire-requests.ts';

const now = (frames: readonly Frame[]): TimedFrame[] => frames.map((frame) => ({ ...frame, afterMs: 0 }));
const joined = (frames: readonly Frame[]) => frames.map(({ bytes }) => bytes).join('');
const sent = ({ chunks }: { readonly chunks: Iterable<Chunk> }) =>
  Buffer.concat([...chunks].map(({ bytes }) => bytes)).toString();
/** A plan whose body is in chunks, even if it is sent at once. */
function planDelivery(...input: Parameters<typeof planLazily>) {
  const plan = planLazily(...input);
  const { type, text } = plan;
  if (type === 'in_chunks') return { text, chunks: [...plan.chunks], ending: plan.ending };
  const ending: Ending = { type: 'end' };
  return { text, chunks: [{ bytes: Buffer.from(text), afterMs: 0 }], ending };
}

describe.each(WIRE_CASES)('a plan for $protocol', (wireCase) => {
  const frames = readCase(wireCase).frames(fullReply());
  const whole = joined(frames);
  const plan = (fault: Fault, ping?: string) => planDelivery(now(frames), fault, { ping });
  const finish = frames.findIndex(({ kind }) => kind === 'finish');

  it('has events without data between its own, if it has events', () => {
    const pack = wireCase.protocol === 'bedrock-converse' ? (text: string) => Buffer.from(text) : undefined;
    const { chunks } = planDelivery(now(frames), { control_events: true }, { pack });
    const blocks = sent({ chunks }).split(/\r?\n\r?\n/);
    const control = blocks.filter((block) => /^(?:: keep-alive|retry: 3000|id: 7|event: ping\ndata:)$/.test(block));
    const events = wireCase.sse ? frames.length : 0;
    expect(control).toHaveLength(events);
    expect(new Set(control).size).toBe(Math.min(events, 4));
    expect(blocks.filter((block) => !control.includes(block)).join('')).toBe(whole.split(/\r?\n\r?\n/).join(''));
  });

  it.each<[Fault, Ending]>([
    [{ reset: true }, { type: 'reset' }],
    [{ stall: 'forever' }, { type: 'stall', ping: undefined }],
    [{ stall: 'pings' }, { type: 'stall', ping: { bytes: Buffer.from(': x\n\n'), everyMs: 5000 } }],
    [
      { stall: 'pings', ping_every_ms: 7 },
      { type: 'stall', ping: { bytes: Buffer.from(': x\n\n'), everyMs: 7 } },
    ],
  ])('sends half before %j', (fault, ending) => {
    const half = plan(fault, ': x\n\n');
    expect(half.ending).toEqual(ending);
    expect(sent(half)).toBe(joined(frames.slice(0, middleOf(frames))));
    expect(middleOf(frames)).toBeLessThan(finish);
  });

  it('truncates the JSON of one frame', () => {
    const broken = sent(plan({ malformed_chunk: true }));
    const lines = broken.split('\n').filter((line) => line.includes('{'));
    const bad = lines.filter((line) => {
      try {
        JSON.parse(line.slice(line.indexOf('{'), line.lastIndexOf('}') + 1 || undefined));
        return false;
      } catch {
        return true;
      }
    });
    expect(bad).toHaveLength(1);
    expect(broken.split('\n')).toHaveLength(whole.split('\n').length);
  });

  it('sends byte by byte with drip', () => {
    const { chunks } = plan({ drip: 3 });
    expect(chunks.every(({ bytes, afterMs }) => bytes.length === 1 && afterMs === 3)).toBe(true);
    expect(sent({ chunks })).toBe(whole);
  });

  it('splits multi-byte characters', () => {
    const { chunks } = plan({ split_utf8: true });
    const many = [...whole].filter((character) => Buffer.byteLength(character) > 1);
    expect(chunks).toHaveLength(many.length + 1);
    for (const { bytes } of chunks.slice(1)) expect((bytes[0] ?? 0) >> 6).toBe(0b10);
    expect(sent(plan({ split_utf8: true }))).toBe(whole);
  });

  it('splits the frames of arguments', () => {
    const { chunks } = plan({ split_arguments: true });
    const pieces = frames.filter(({ kind }) => kind === 'arguments');
    expect(pieces.length).toBeGreaterThan(0);
    expect([chunks.length, sent({ chunks })]).toEqual([pieces.length + 1, whole]);
  });
});

describe('middleOf', () => {
  it.each<[readonly Frame['kind'][], number]>([
    [['open', 'text', 'text', 'text', 'text', 'finish'], 3],
    [['open', 'reasoning', 'finish', 'close'], 1],
    [['open', 'control', 'finish', 'close'], 2],
    [['open', 'control'], 1],
    [[], 0],
  ])('of %j is %i', (kinds, middle) => {
    expect(middleOf(kinds.map((kind) => ({ kind, bytes: '' })))).toBe(middle);
  });
});

it('truncates a frame that is not JSON', () => {
  expect(
    sent(planDelivery([{ kind: 'finish', bytes: 'done', afterMs: 0 }], { malformed_chunk: true }, undefined)),
  ).toBe('do');
});

it('creates chunks only when they are read', () => {
  // One chunk for each of these bytes would not fit into memory.
  const frame: TimedFrame = { kind: 'text', bytes: 'x'.repeat(25_000_000), afterMs: 1 };
  const plan = planLazily([frame], { drip: 2 });
  const [first, second] = plan.type === 'in_chunks' ? plan.chunks : [];
  expect([first, second]).toEqual([
    { bytes: Buffer.from('x'), afterMs: 3 },
    { bytes: Buffer.from('x'), afterMs: 2, apart: true },
  ]);
});

it('sends the same bytes for any pieces and times', async () => {
  const kinds = fc.constantFrom<Frame['kind']>('open', 'text', 'arguments', 'control', 'finish');
  const frame = fc.record({ kind: kinds, bytes: wellFormedText, afterMs: fc.nat(3) });
  const faults = fc.constantFrom<Fault>(
    {},
    { drip: 1 },
    { split_utf8: true },
    { split_utf8: true, split_arguments: true },
  );
  await fc.assert(
    fc.property(fc.array(frame), faults, (frames, fault) => {
      const plan = planDelivery(frames, fault, undefined);
      expect([sent(plan), plan.text]).toEqual([joined(frames), joined(frames)]);
      expect(plan.chunks.slice(1).every(({ afterMs }) => afterMs > 0)).toBe(true);
    }),
    propertySettings(50),
  );
});
