import { expect, it } from 'vitest';
import { runBin } from '../support/processes/run-bin.ts';
import { END_ROWS } from '../support/replies/end-rows.ts';
import { FRAMES, streamOf } from '../support/replies/frames.ts';
import { pieceReply, startRawServer } from '../support/replies/raw-server.ts';
import { checkReply } from '../support/replies/run-reply.ts';

// A process that does not end hangs the test.
it.each(END_ROWS)('$wire: $name', (row) => checkReply(row, 'built'));

it.each(['json', 'text'])('ybs ends with the output %s after an error within the stream', async (format) => {
  const { text, error, end } = FRAMES['openai-chat'];
  const frames = [...text('Hello'), error('It broke.'), ...end('stop')];
  const server = await startRawServer(() => streamOf('openai-chat', frames, { unended: true }));
  const target = ['--provider', 'openai-compatible', '--endpoint', server.url, '--model', 'm'];
  const { code, stdout } = await runBin([...target, '--output-format', format, 'hi']);
  expect(code).toBe(1);
  expect(stdout).toContain('It broke');
});

it('ybs ends after a list of models without an end', async () => {
  const broken = pieceReply(['{"data": ['], { type: 'application/json', status: 500 });
  const server = await startRawServer(
    () => broken,
    () =>
      pieceReply(
        Array.from({ length: 80 }, () => 'x'.repeat(1024)),
        { status: 500, unended: true },
      ),
  );
  const { code, stderr } = await runBin(['models', '--provider', 'openai-compatible', '--endpoint', server.url]);
  expect(code).toBe(1);
  expect(stderr).toContain('could not answer (500: xxx');
});

it('ybs ends after a failure through a proxy', async () => {
  const { text, error, end } = FRAMES['openai-chat'];
  const frames = [...text('Hello'), error('It broke.'), ...end('stop')];
  const server = await startRawServer(() => streamOf('openai-chat', frames, { unended: true }));
  const target = ['--provider', 'openai-compatible', '--endpoint', 'http://llm.test/v1', '--model', 'm'];
  const environment = { HTTP_PROXY: server.url, HTTPS_PROXY: server.url, NO_PROXY: '' };
  const { code, stdout } = await runBin([...target, 'hi'], { environment });
  expect(code).toBe(1);
  expect(stdout).toContain('It broke');
});
