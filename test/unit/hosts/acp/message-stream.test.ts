import { describe, expect, it } from 'vitest';
import { messageStream } from '../../../../src/hosts/acp/message-stream.ts';

const notice = (method: string) => ({ jsonrpc: '2.0', method }) as const;
const nothing = (): ReadableStream<Uint8Array> => new ReadableStream();

describe('messages to a client', () => {
  it('wait until it has read the previous one', async () => {
    const reads: (() => void)[] = [];
    const written: string[] = [];
    const write = (text: string): Promise<boolean> => {
      written.push(text);
      return new Promise((resolve) => reads.push(() => resolve(true)));
    };
    const writer = messageStream(nothing(), write, () => {}).writable.getWriter();
    const both = Promise.all([writer.write(notice('first')), writer.write(notice('second'))]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toEqual(['{"jsonrpc":"2.0","method":"first"}\n']);
    reads.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toHaveLength(2);
    reads.shift()?.();
    await both;
  });

  it('end the work when it has disconnected', async () => {
    let closed = 0;
    const { writable } = messageStream(
      nothing(),
      async () => false,
      () => {
        closed += 1;
      },
    );
    await writable.getWriter().write(notice('first'));
    expect(closed).toBe(1);
  });
});
