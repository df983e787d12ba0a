import path from 'node:path';
import { expect, it } from 'vitest';
import { WIRE_NAMES, type Wire } from '../../../src/providers/wires.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { FRAMES, streamOf, textReply } from '../../support/replies/frames.ts';
import { jsonReply, pieceReply, type RawReply, startRawServer } from '../../support/replies/raw-server.ts';

const half = (wire: Wire) => FRAMES[wire].text('Half');
const call = (wire: Wire) => FRAMES[wire].call('read_file', { path: 'notes.txt' });

/** Answers with which a run fails, although they are asked for again. */
const BAD: readonly (readonly [name: string, reply: (wire: Wire) => RawReply])[] = [
  ['a stream that ends early', (wire) => streamOf(wire, half(wire))],
  ['a stream that ends behind a call', (wire) => streamOf(wire, [...half(wire), ...call(wire)])],
  [
    'broken data',
    (wire) => streamOf(wire, [...half(wire), wire === 'ollama-chat' ? '{broken\n{}\n' : 'data: {broken\n\n']),
  ],
  ['an empty answer', (wire) => streamOf(wire, FRAMES[wire].end(FRAMES[wire].reasons.stop))],
  ['an error within the stream', (wire) => streamOf(wire, [...half(wire), FRAMES[wire].error('It broke.')])],
  ['a refused request', () => jsonReply({ error: { message: 'No.' } }, { status: 400 })],
  ['a conversation that is too long', () => jsonReply({ error: { message: 'prompt is too long' } }, { status: 400 })],
  ['a page', () => pieceReply(['<html>Sign in</html>'], { type: 'text/html' })],
  ['a reset', (wire) => ({ ...streamOf(wire, half(wire), { unended: true }), afterwards: 'reset' })],
];

/** Each on two wires, which take turns. */
const rows = BAD.flatMap(([name, reply], index) =>
  [index, index + 2].map((turn) => [name, WIRE_NAMES[turn % WIRE_NAMES.length] ?? 'openai-chat', reply] as const),
);

it.each(rows)('after %s behind a call, a session over %s goes on', async (_name, wire, bad) => {
  let isBroken = true;
  const server = await startRawServer((_request, number) => {
    if (number === 1) return streamOf(wire, [...call(wire), ...FRAMES[wire].end(FRAMES[wire].reasons.calls)]);
    return isBroken ? bad(wire) : textReply(wire, 'Fine.');
  });
  const directory = temporaryDirectory();
  const home = temporaryDirectory();
  const llm = { provider: 'openai-compatible', api_kind: wire, endpoint: server.url, model: 'some-model' };
  writeFiles(directory, { 'notes.txt': 'seven' });
  writeFiles(home, { 'config.json': JSON.stringify({ llm, agent: { retry_backoff_base_ms: 1 } }) });
  const run = (...args: readonly string[]) =>
    runMain(['--config', path.join(home, 'config.json'), ...args], { directory, environment: { HOME: home } });
  expect((await run('Read it.')).code).not.toBe(0);
  isBroken = false;
  const { code, stdout } = await run('--continue', 'Go on.');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Fine.') });
  const sent = server.requests.at(-1)?.body ?? '';
  expect(sent).toContain('seven');
  expect(sent).toContain('Go on.');
});
