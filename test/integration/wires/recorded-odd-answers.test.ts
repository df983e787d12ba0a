import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startRecording } from '../../../mock-llm-server/record/record-session.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { FRAMES, sse, streamOf } from '../../support/replies/frames.ts';
import { jsonReply, pieceReply, type RawReply, startRawServer } from '../../support/replies/raw-server.ts';

const KEY = 'sk-proj-0123456789abcdef0123456789abcdef';
const chat = FRAMES['openai-chat'];
const hello = [...chat.text('Hello'), ...chat.end('stop')];
const packed = (bytes: Uint8Array, encoding?: string): RawReply =>
  pieceReply([bytes], encoding === undefined ? {} : { headers: { 'content-encoding': encoding } });

/** Records one answer of Chat Completions. */
async function recorded(reply: RawReply) {
  const server = await startRawServer(() => reply);
  const out = path.join(temporaryDirectory(), 'story');
  const log: string[] = [];
  const none = { scenarios: [], fallbackOnly: false, force: false, fromDrift: false };
  const { url, close } = await startRecording({
    ...{ port: 0, upstream: server.url, key: KEY, out, ...none },
    log: (line) => log.push(line),
  });
  const messages = [{ role: 'user', content: 'hello there' }];
  const body = JSON.stringify({ model: 'gpt-5', stream: true, messages });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', redirect: 'manual', headers, body });
  await response.arrayBuffer().catch(() => {});
  await close();
  return { log: log.join('\n'), files: readdirSync(out).map((name) => readFileSync(path.join(out, name), 'utf8')) };
}

const frame = (text: string): string => sse({ data: JSON.parse(text.slice('data: '.length)) });

/** Answers that are recorded as `Hello`. The reports that the forms come from are in test/support/replies. */
const READ: readonly (readonly [name: string, reply: RawReply])[] = [
  ['gzip', packed(gzipSync(hello.join('')), 'gzip')],
  ['gzip without a header', packed(gzipSync(hello.join('')))],
  ['gzip that is cut', packed(gzipSync(hello.join('')).subarray(0, -4), 'gzip')],
  ['deflate over gzip', packed(deflateSync(gzipSync(hello.join(''))), 'gzip, deflate')],
  ['zstd', packed(zstdCompressSync(hello.join('')), 'zstd')],
  ['brotli', packed(brotliCompressSync(hello.join('')), 'br')],
  ['one JSON value', jsonReply(chat.whole('Hello'))],
  ['an answer in data', jsonReply({ data: chat.whole('Hello'), success: true })],
  ['an answer as a text', jsonReply({ statusCode: 200, body: JSON.stringify(chat.whole('Hello')) })],
  ['chunks in data', pieceReply(hello.slice(0, 3).map(frame))],
  ['two chunks in a line', pieceReply([`data: ${hello[1]?.slice(6).trim()}${hello[2]?.slice(6)}`])],
  ['frames in frames', pieceReply(hello.map((text) => `data: ${text}`))],
  ['chunks that no blank line parts', pieceReply([hello.join('').replaceAll('\n\n', '\n')])],
  ['null between the chunks', pieceReply(['data: null\n\n', ...hello])],
  ['chunks beside a length', pieceReply(hello, { headers: { 'content-length': '5' } })],
];

it.each(READ)('records %s', async (_name, reply) => {
  const { log, files } = await recorded(reply);
  expect(log).toContain('200 answered');
  expect(files.some((text) => text.includes('"content": "Hello"'))).toBe(true);
});

/** Answers that are no answers, and what the log says. */
const UNREAD: readonly (readonly [name: string, reply: RawReply, says: string])[] = [
  ['a page', pieceReply(['<html><body>Sign in</body></html>'], { type: 'text/html' }), '200 error'],
  ['other JSON', jsonReply({ hello: 1, key: KEY }), 'an answer of an unknown form'],
  ['a detail of FastAPI with status 200', jsonReply({ detail: 'nope', key: KEY }), '200 error'],
  ['a list of details with status 200', jsonReply({ detail: [{ loc: ['body'], msg: `nope ${KEY}` }] }), '200 error'],
  [
    'an error of MiniMax with status 200',
    jsonReply({ base_resp: { status_code: 1008, status_msg: `insufficient balance ${KEY}` } }),
    '200 error',
  ],
  [
    'the form of another API',
    streamOf('openai-responses', FRAMES['openai-responses'].text('Hello')),
    'an answer in the form of Responses',
  ],
  [
    'a redirect',
    pieceReply([], { status: 307, headers: { location: `https://x.test/?k=${KEY}` } }),
    'the redirect 307 (redirects to https://x.test/)',
  ],
  ['a JSON error with status 200', jsonReply({ error: { message: 'Gone', key: KEY } }), '200 error'],
  ['plain text in a stream', pieceReply(['data: The slot died\n\n']), '200 error'],
  ['bytes of an unknown form', packed(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4]), 'xz'), 'an unknown form'],
];

it.each(UNREAD)('names %s in the log, and keeps no secret', async (_name, reply, says) => {
  const { log, files } = await recorded(reply);
  expect(log).toContain(says);
  expect(files.join('\n')).not.toContain(KEY);
});

it('leaves out bytes that are no text, which may hold a secret', async () => {
  const { files } = await recorded(packed(Buffer.from([0x1f, 0x8b, 0, 0, 1, 2]), 'gzip'));
  expect(files.join('\n')).toContain('the frames are left out, because they are not text');
});
