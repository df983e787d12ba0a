import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createCommandOutput } from '../../../../mock-llm-server/cli/output.ts';

/** A stream whose first writes fail with these codes. `written` has the later ones. */
function streamOf(...codes: readonly string[]) {
  const failures = [...codes];
  const written: string[] = [];
  const stream = new Writable({
    // An error does not end the streams of a process, either.
    autoDestroy: false,
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      const code = failures.shift();
      if (code === undefined) written.push(chunk);
      done(code === undefined ? null : Object.assign(new Error(`${code}: odd, write`), { code }));
    },
  });
  return { write: createCommandOutput(stream), written };
}

it('writes texts in order', async () => {
  const { write, written } = streamOf();
  await write('a\n');
  await write('b\n');
  expect(written).toEqual(['a\n', 'b\n']);
});

it.each(['EPIPE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EOF'])(
  'reports no error when the reader has closed the stream: %s',
  async (code) => {
    await expect(streamOf(code).write('a\n')).resolves.toBeUndefined();
  },
);

it.each([
  ['ENOSPC', 'the output cannot be written: the disk is full'],
  ['EDQUOT', 'the output cannot be written: the disk is full'],
  ['EIO', 'the output cannot be written: EIO: odd, write'],
])('reports other errors: %s', async (code, message) => {
  await expect(streamOf(code).write('a\n')).rejects.toThrow(new Error(message));
});

it('reports the error of a stream that throws', async () => {
  const stream = new Writable();
  stream.write = () => {
    throw new Error('closed');
  };
  await expect(createCommandOutput(stream)('a\n')).rejects.toThrow('the output cannot be written: closed');
});
