import { expect, it } from 'vitest';
import { startTap } from '../../../real/tap.ts';
import { pieceReply, startRawServer } from '../../../support/replies/raw-server.ts';

const EVENTS = ['data: {"text":"Once"}\n\n', 'data: {"text":" upon"}\n\n', 'data: [DONE]\n\n'];
const LINES = ['{"text":"Once"}\n', '{"text":" upon"}\n', '{"done":true}\n'];

it.each([
  ['events in one piece', 'text/event-stream', [EVENTS.join('')], EVENTS[0]],
  [
    'an event in two pieces',
    'text/event-stream; charset=utf-8',
    ['data: {"text":"On', 'ce"}\n', '\ndata: x\n\n'],
    EVENTS[0],
  ],
  ['lines of JSON in one piece', 'application/x-ndjson', [LINES.join('')], LINES[0]],
])('a tap passes %s up to the end of the one with the text, and keeps all', async (_name, type, pieces, passed) => {
  const server = await startRawServer(() => pieceReply(pieces, { type }));
  const tap = await startTap({ wire: 'openai-chat', endpoint: `${server.url}/v1`, model: 'm' });
  tap.holdAfter('Once');
  const response = await fetch(`${tap.address.endpoint}/chat/completions`, { method: 'POST', body: '{}' });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  while (read.length < (passed?.length ?? 0)) read += (await reader?.read())?.value ?? '';
  const rest = reader?.read();
  while (tap.answers()[0]?.response !== pieces.join('')) await new Promise((resolve) => setImmediate(resolve));
  await tap.close();
  await expect(rest).rejects.toThrow('terminated');
  expect(read).toBe(passed);
});
