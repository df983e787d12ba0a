import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createCommandOutput } from '../../../../mock-llm-server/cli/output.ts';

/** A stream that answers its writes with these failures, and takes what comes after them. */
function streamOf(...codes: readonly string[]) {
  const left = [...codes];
  const taken: string[] = [];
  const stream = new Writable({
    // As the streams of a process: an error does not end them.
    autoDestroy: false,
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      const code = left.shift();
      if (code === undefined) taken.push(chunk);
      done(code === undefined ? null : Object.assign(new Error(`${code}: odd, write`), { code }));
    },
  });
  return { write: createCommandOutput(stream), taken };
}

it('writes', async () => {
  const { write, taken } = streamOf();
  await write('a\n');
  await write('b\n');
  expect(taken).toEqual(['a\n', 'b\n']);
});

it.each(['EPIPE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EOF'])('is quiet where nobody reads: %s', async (code) => {
  await expect(streamOf(code).write('a\n')).resolves.toBeUndefined();
});

it.each([
  ['ENOSPC', 'the output cannot be written: the disk is full'],
  ['EDQUOT', 'the output cannot be written: the disk is full'],
  ['EIO', 'the output cannot be written: EIO: odd, write'],
])('says what is wrong: %s', async (code, message) => {
  await expect(streamOf(code).write('a\n')).rejects.toThrow(new Error(message));
});

it('says what is wrong with a stream that throws', async () => {
  const stream = new Writable();
  stream.write = () => {
    throw new Error('closed');
  };
  await expect(createCommandOutput(stream)('a\n')).rejects.toThrow('the output cannot be written: closed');
});
