import { expect, it } from 'vitest';
import { createChatEncoder, eventsOf } from '../../../src/web/chat-stream.ts';
import type { PageEvent } from '../../../src/web/session/page-event.ts';
import { said } from '../../support/agent/session-events.ts';

function framesOf(...events: readonly PageEvent[]): readonly (readonly [string, object])[] {
  const encode = createChatEncoder();
  return events.flatMap((event) => encode(event).map(({ event: name, data }) => [name, data] as const));
}

const call = (id: string, text: string): PageEvent => ({
  type: 'tool_call',
  call: { id, name: 'read_file', arguments: text },
});

it('the stream encodes texts, calls and the end as specified', () => {
  expect(
    framesOf(
      { type: 'text_delta', text: 'Let me ' },
      { type: 'text_delta', text: 'look.' },
      said('Let me look.'),
      call('c1', '{"path":"foo.py"}'),
      { type: 'run_end', outcome: 'done', message: 'Done.' },
      { type: 'message_end', id: 'm1' },
    ),
  ).toEqual([
    ['text', { content: 'Let me ' }],
    ['text', { content: 'look.' }],
    ['tool', { name: 'read_file', input: { path: 'foo.py' } }],
    ['done', {}],
  ]);
});

it('the stream of a message does not end with another one that ends within its run', async () => {
  const events: readonly PageEvent[] = [
    { type: 'message_start', id: 'm1', text: 'first' },
    { type: 'message_end', id: 'steered' },
    { type: 'user_message', text: 'also this', steered: true },
    said('Done.'),
    { type: 'message_end', id: 'm1' },
    { type: 'message_start', id: 'm2', text: 'next' },
  ];
  async function* steps() {
    for (const event of events) yield { type: 'event', event } as const;
  }
  const read = async (id: string) => {
    const found: PageEvent['type'][] = [];
    for await (const { type } of eventsOf(id, steps())) found.push(type);
    return found;
  };
  expect(await read('m1')).toEqual(['message_start', 'user_message', 'assistant_message', 'message_end']);
  expect(await read('steered')).toEqual(['message_end']);
});

it('the stream sends the rest of an answer whose pieces were not read in time', () => {
  expect(framesOf({ type: 'text_delta', text: 'Let' }, said('Let me look.'))).toEqual([
    ['text', { content: 'Let' }],
    ['text', { content: ' me look.' }],
  ]);
});

it('the stream begins again after a retry', () => {
  const retry: PageEvent = { type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: 'cut' };
  expect(framesOf({ type: 'text_delta', text: 'Le' }, retry, { type: 'text_delta', text: 'Let' }, said('Let'))).toEqual(
    [
      ['text', { content: 'Le' }],
      ['text', { content: 'Let' }],
    ],
  );
});

it('the stream sends a call once, even if the user has changed it, and its change as a diff', () => {
  const preview = { path: 'a', unified: '', added: 1, removed: 0 };
  const planned: PageEvent = {
    type: 'tool_call',
    call: { id: 'c1', name: 'write_file', arguments: '[]' },
    effect: { summary: 'write a', paths: [], preview },
  };
  expect(framesOf(planned, planned, call('c2', 'no JSON'))).toEqual([
    ['tool', { name: 'write_file', input: {} }],
    ['diff', preview],
    ['tool', { name: 'read_file', input: {} }],
  ]);
});

it('the stream sends the data that a program needs to answer a question', () => {
  const request = { callId: 'c1', toolName: 'run_shell', effect: { summary: 'run', paths: [] }, reason: 'asks' };
  expect(framesOf({ type: 'question', id: 'q1', digest: 'd', request, answers: [] })).toEqual([
    ['approval', { id: 'q1', digest: 'd', request }],
  ]);
});

it.each<[PageEvent, string, object]>([
  [{ type: 'run_end', outcome: 'limit', message: 'Too long.' }, 'error', { code: 'limit', message: 'Too long.' }],
  [
    { type: 'run_end', outcome: 'failed', message: 'No.', error: { code: 'auth', message: 'No.' } },
    'error',
    { code: 'auth', message: 'No.' },
  ],
  [{ type: 'problem', message: 'No.' }, 'error', { code: 'failed', message: 'No.' }],
  [{ type: 'note', text: 'Cleared.' }, 'text', { content: 'Cleared.\n' }],
  [{ type: 'user_output', text: 'a\n' }, 'text', { content: 'a\n' }],
  [
    { type: 'usage', model: { provider: 'p', wire: 'w', model: 'm' }, inputTokens: 3, outputTokens: 4 },
    'usage',
    { input_tokens: 3, output_tokens: 4 },
  ],
])('the stream encodes %j', (event, name, data) => {
  expect(framesOf(event)).toEqual([[name, data]]);
});
