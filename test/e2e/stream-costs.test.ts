import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Wire } from '../../src/providers/wires.ts';
import { runBin } from '../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../support/processes/temporary-directory.ts';
import { FRAMES, sse } from '../support/replies/frames.ts';
import { pieceReply, startRawServer } from '../support/replies/raw-server.ts';

/** Writes the largest memory of the process, in KB, at its end. */
const REPORT = `process.on('exit', () => require('node:fs').writeFileSync(process.env.PEAK, String(process.resourceUsage().maxRSS)));`;
const MB = 1024 * 1024;
const WORDS = 'word '.repeat(1000);
const call = (args: string) => ({ tool_calls: [{ index: 0, function: { name: 'read_file', arguments: args } }] });

/** Streams of 100 MB: the error, the start, and the piece that is repeated. */
const STREAMS: readonly (readonly [name: string, wire: Wire, error: string, start: string, piece: string])[] = [
  ['a line', 'openai-chat', 'more than 16 MB', 'data: ', 'x'.repeat(MB / 16)],
  ['a line', 'ollama-chat', 'more than 16 MB', '{"message":"', 'x'.repeat(MB / 16)],
  ['comments', 'openai-responses', '100000 lines', '', ': ping\n\n'.repeat(8192)],
  ['empty lines', 'gemini', '100000 lines', '', '\n'.repeat(MB / 16)],
  ['empty values', 'anthropic-messages', '100000 values', '', 'data: {"type":"ping"}\n\n'.repeat(2048)],
  ['text', 'openai-responses', '2 million', '', sse({ type: 'response.output_text.delta', delta: WORDS })],
  ['arguments', 'openai-chat', '2 million', '', sse({ choices: [{ index: 0, delta: call(WORDS) }] })],
];

it.each(STREAMS)('100 MB of %s over %s end in one error, unread', async (_name, wire, error, start, piece) => {
  let sent = 0;
  function* pieces(): Generator<string> {
    yield start;
    for (let length = 0; length < 100 * MB; length += piece.length) {
      sent += piece.length;
      yield piece;
    }
  }
  const server = await startRawServer(() => pieceReply(pieces(), { type: FRAMES[wire].type }));
  const place = temporaryDirectory();
  const llm = { provider: 'openai-compatible', api_kind: wire, endpoint: server.url, model: 'm' };
  const config = JSON.stringify({ llm, agent: { retry_backoff_base_ms: 1 } });
  writeFiles(place, { 'config.json': config, 'report.cjs': REPORT });
  const environment = { PEAK: path.join(place, 'peak'), NODE_OPTIONS: `--require=${path.join(place, 'report.cjs')}` };
  const { code, stdout } = await runBin(['--no-sandbox', '--config', path.join(place, 'config.json'), 'hi'], {
    environment,
  });
  expect([code, stdout.slice(-300)]).toEqual([1, expect.stringContaining(error)]);
  // The limit of a line, and what is under way between the two processes.
  expect(sent / server.requests.length).toBeLessThan(28 * MB);
  // A client that keeps the stream needs the 100 MB twice, beside its own 85 MB.
  expect(Number(readFileSync(environment.PEAK, 'utf8')) / 1024).toBeLessThan(240);
});
