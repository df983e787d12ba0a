import { type ClientHttp2Session, connect } from 'node:http2';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MockLlm, startMockLlm } from '../../../mock-llm-server/testing.ts';

const content = 'Hello – 漢字 🙂.';
const body = (prompt: string) => JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] });

let server: MockLlm;
let session: ClientHttp2Session;

beforeEach(async () => {
  server = await startMockLlm({
    scenarios: [
      { name: 'hello', trigger: 'hello', steps: [{ response: { content } }] },
      { name: 'reset', trigger: 'reset', steps: [{ response: { content }, fault: { reset: true } }] },
      { name: 'slow', trigger: 'slow', steps: [{ response: { content }, timing: { piece_delay_ms: 1 } }] },
    ],
  });
  session = connect(server.url);
});

afterEach(async () => {
  session.destroy();
  await server.close();
});

/** The status and the text of an answer over the session. */
function ask(prompt: string, more: Readonly<Record<string, string>> = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', ':path': '/v1/chat/completions', ...more });
    let status = 0;
    let text = '';
    stream.setEncoding('utf8');
    stream.on('response', (headers) => {
      status = Number(headers[':status']);
    });
    stream.on('data', (piece) => {
      text += piece;
    });
    stream.on('end', () => resolve({ status, text }));
    stream.on('error', reject);
    stream.end(body(prompt));
  });
}

/** The bytes that a connection gets until its end, or until there are enough of them. */
function exchange(chunks: readonly (string | Buffer)[], enough = Number.POSITIVE_INFINITY): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
    let received = Buffer.alloc(0);
    const rest = [...chunks];
    const next = () => {
      const chunk = rest.shift();
      // Each chunk is a packet of its own.
      if (chunk !== undefined) socket.write(chunk, () => setImmediate(next));
    };
    socket.setNoDelay(true);
    socket.on('connect', next);
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      if (received.length >= enough) socket.end();
    });
    socket.on('close', () => resolve(received));
  });
}

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
/** Type of a frame, at its fourth byte. */
const typeOf = (frames: Buffer) => frames[3];

describe('HTTP/2 without TLS, on the port of HTTP/1', () => {
  it('answers requests of one connection side by side', async () => {
    const answers = await Promise.all(Array.from({ length: 32 }, () => ask('hello')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ text }) => JSON.parse(text).choices[0].message.content))).toEqual(new Set([content]));
  });

  it('sends an answer in pieces, without the headers of HTTP/1', async () => {
    expect(await ask('slow')).toMatchObject({ status: 200, text: expect.stringContaining(content) });
  });

  it('resets the stream of a request alone', async () => {
    await expect(ask('reset')).rejects.toMatchObject({ code: 'ERR_HTTP2_STREAM_ERROR' });
    expect(await ask('hello')).toMatchObject({ status: 200 });
  });

  it('checks the host as over HTTP/1', async () => {
    expect(await ask('hello', { ':authority': 'evil.example' })).toMatchObject({ status: 403 });
  });

  it('finds the preface in any packets', async () => {
    const cut = await exchange(['PRI * HT', 'TP/2.0\r\n\r\nSM', '\r\n\r\n', SETTINGS], SETTINGS.length);
    expect(typeOf(cut)).toBe(4);
  });

  it('ends a connection with a broken frame, and no other', async () => {
    const broken = await exchange([PREFACE, SETTINGS, Buffer.from([0, 0, 1, 6, 0, 0, 0, 0, 0, 1])]);
    // A frame of the type GOAWAY, with the code FRAME_SIZE_ERROR.
    expect(broken.toString('hex')).toMatch(/07000000000{10}00000006/);
    expect(await ask('hello')).toMatchObject({ status: 200 });
  });

  it('leaves bytes of no protocol to HTTP/1', async () => {
    expect((await exchange(['\u0001\u0002 nonsense\r\n\r\n'])).toString()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
});
