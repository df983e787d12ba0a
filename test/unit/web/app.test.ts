import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { createWebApp } from '../../../src/web/app.ts';
import { SessionHub } from '../../../src/web/session/session-hub.ts';
import { createTestStore } from '../../support/agent/session-store.ts';
import { createFakeAgent, type FakeRun } from '../../support/fakes/fake-agent.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';
import { framesOf, readAll, type StreamFrame } from '../../support/screens/web-client.ts';

const STORED: readonly AgentEvent[] = [
  { type: 'user_message', text: 'earlier' },
  {
    type: 'assistant_message',
    message: { role: 'assistant', content: 'An earlier answer.', toolCalls: [] },
    finish: 'stop',
  },
];

/** The server of a page with an agent that plays runs, and with a stored session `three`. */
async function serverOf(runs: readonly FakeRun[]) {
  const sessions = createTestStore(createMemoryFileSystem().fileSystem);
  const stored = await sessions.create('three');
  for (const event of STORED) await stored.append(event, '');
  await stored.close();
  let record = await sessions.create('one');
  const agent = {
    ...createFakeAgent(runs),
    sessions,
    get record() {
      return record;
    },
    async clear() {
      record = await sessions.create('two');
    },
    async load(name: string) {
      record = await sessions.open(name);
    },
  };
  let ids = 0;
  const hub = new SessionHub({
    openSession: async () => ({ agent, close: async () => {} }),
    models: { use: async () => undefined, list: async () => [] },
    newId: () => String(++ids),
    now: () => 100,
    keepsApprovals: false,
    notice: undefined,
  });
  const app = createWebApp({
    hub,
    login: () => undefined,
    complete: async () => ({ from: 0, to: 0, items: [] }),
  });
  const post = async (path: string, body: object) => {
    return app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  };
  /** The frames of the answer to a message. None is sent before it is read. */
  const chat = async (message: string) => framesOf(await post('/chat', { message }));
  return { post, chat };
}

const shown = (frames: readonly StreamFrame[]) =>
  frames.map(({ event, data }) => [event, data['content'] ?? data['message']]);

/** Reads the first frame, does some work, and reads the rest. */
async function readAround(frames: AsyncGenerator<StreamFrame, void, void>, work: () => Promise<unknown>) {
  const { value: first } = await frames.next();
  await work();
  return shown([...(first === undefined ? [] : [first]), ...(await readAll(frames))]);
}

const DONE_FRAME = ['done', undefined];

it('the server ends the answer for a slow reader of a session that was cleared meanwhile, and reports the missing part', async () => {
  const pieces = [...'abcdefgh'].map((text) => ({ type: 'text_delta', text }) as const);
  const { post, chat } = await serverOf([[...pieces, 'hang']]);
  const frames = await chat('go');
  const read = await readAround(frames, () => post('/clear', {}));
  // Pieces that were on their way to the reader still arrive.
  const texts = pieces.map(({ text }) => ['text', text]);
  expect(read.slice(0, -2)).toEqual(texts.slice(0, read.length - 2));
  expect(read.slice(-2)).toEqual([
    ['error', 'This answer was read too slowly: a part of it is missing. GET /events has the session.'],
    DONE_FRAME,
  ]);
});

it('the server answers a command that opens a stored session without the answers in it', async () => {
  const { chat } = await serverOf([]);
  expect(shown(await readAll(await chat('/load three')))).toEqual([
    ['text', expect.stringContaining('three')],
    DONE_FRAME,
  ]);
});

it('the server continues the answer to a message that is sent while a session is opened', async () => {
  const { post, chat } = await serverOf([[{ type: 'text_delta', text: 'one' }, 'hang']]);
  const [loaded, frames] = await Promise.all([post('/load', { name: 'three' }), chat('go')]);
  expect(loaded.status).toBe(200);
  expect(await readAround(frames, () => post('/stop', {}))).toEqual([
    ['text', 'one'],
    ['error', 'Stopped.'],
    DONE_FRAME,
  ]);
});
