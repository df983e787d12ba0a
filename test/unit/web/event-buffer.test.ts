import { describe, expect, it } from 'vitest';
import { EventBuffer } from '../../../src/web/session/event-buffer.ts';
import type { PageEvent } from '../../../src/web/session/page-event.ts';
import { said } from '../../support/agent/session-events.ts';

const MODEL = { provider: 'mock', wire: 'openai-chat', model: 'm' };
const delta = (text: string): PageEvent => ({ type: 'text_delta', text });
const output = (callId: string, text: string): PageEvent => ({ type: 'tool_output', callId, stream: 'stdout', text });
const state = (running?: string): PageEvent => ({
  type: 'state',
  queue: [],
  ...(running !== undefined && { running }),
});

function message(id: string, ...events: readonly PageEvent[]): readonly PageEvent[] {
  return [
    { type: 'message_start', id, text: id },
    { type: 'user_message', text: id },
    ...events,
    { type: 'message_end', id },
  ];
}

function bufferOf(...events: readonly PageEvent[]): EventBuffer {
  const buffer = new EventBuffer(100);
  for (const event of events) buffer.add(event);
  return buffer;
}

function eventsAfter(buffer: EventBuffer, number: number): readonly (readonly [number, string])[] | string {
  const reading = buffer.read(number);
  if (reading.type === 'lost') return `lost from ${reading.from}, ${reading.counted} in the log`;
  return reading.events.map((entry) => [entry.number, entry.event.type] as const);
}

describe('the events after a number', () => {
  it('are those that were added since, with their numbers', () => {
    const buffer = bufferOf(delta('a'), delta('b'));
    expect(eventsAfter(buffer, 100)).toEqual([
      [101, 'text_delta'],
      [102, 'text_delta'],
    ]);
    expect(eventsAfter(buffer, 101)).toEqual([[102, 'text_delta']]);
    expect(eventsAfter(buffer, buffer.last)).toEqual([]);
  });

  it('have no pieces of a complete answer', () => {
    const buffer = bufferOf(delta('a'), { type: 'reasoning_delta', text: 'b' }, said('ab'), delta('c'));
    expect(eventsAfter(buffer, 101)).toEqual([
      [103, 'assistant_message'],
      [104, 'text_delta'],
    ]);
  });

  it('have no output of a call with a result, but that of others', () => {
    const result: PageEvent = {
      type: 'tool_result',
      callId: 'c1',
      toolName: 'run_shell',
      outcome: 'ok',
      content: 'a',
      summary: 'exit code 0',
      durationMs: 1,
    };
    const buffer = bufferOf(output('c1', 'a'), output('c2', 'b'), result);
    expect(eventsAfter(buffer, 100)).toEqual([
      [102, 'tool_output'],
      [103, 'tool_result'],
    ]);
  });

  it('have the last state, and only questions that are open', () => {
    const question = (id: string): PageEvent => ({
      type: 'question',
      id,
      digest: '',
      request: { callId: id, toolName: 'run_shell', effect: { summary: 'run', paths: [] }, reason: 'asks' },
      answers: [],
    });
    const buffer = bufferOf(
      state('m1'),
      question('q1'),
      question('q2'),
      { type: 'question_closed', id: 'q1' },
      state(),
    );
    expect(eventsAfter(buffer, 100)).toEqual([
      [103, 'question'],
      [104, 'question_closed'],
      [105, 'state'],
    ]);
  });

  it('have the end of a long output of a running call', () => {
    const buffer = bufferOf(...Array.from({ length: 1_000 }, (_, index) => output('c1', `${index}`)));
    const reading = buffer.read(100);
    expect(reading.type === 'events' ? reading.events.length : 0).toBe(200);
  });
});

describe('events that are no longer in the buffer', () => {
  const long = Array.from({ length: 900 }, () => ({ type: 'turn_start', turn: 1, model: MODEL }) as const);

  it('are those of an earlier server', () => {
    expect(eventsAfter(bufferOf(delta('a')), 0)).toBe('lost from 100, 0 in the log');
    expect(eventsAfter(bufferOf(delta('a')), 500)).toBe('lost from 100, 0 in the log');
  });

  it('are those of the oldest runs', () => {
    const buffer = bufferOf(...message('m1', ...long), ...message('m2', ...long), ...message('m3', ...long), state());
    expect(eventsAfter(buffer, 150)).toBe('lost from 1003, 1 in the log');
    expect(eventsAfter(buffer, 1_003)).toHaveLength(2 * 903 + 1);
  });

  it('are not those of the last run', () => {
    const buffer = bufferOf(...message('m1', ...long, ...long, ...long));
    expect(eventsAfter(buffer, 100)).toHaveLength(3 * 900 + 3);
  });

  it('are not those before a message that ended within a run, because the run took it or it was removed', () => {
    const end: PageEvent = { type: 'message_end', id: 'steered' };
    const buffer = bufferOf(...message('m1', ...long, end, ...long, ...long, end, ...long), state());
    expect(eventsAfter(buffer, 100)).toHaveLength(4 * 900 + 6);
    for (const event of message('m2', end)) buffer.add(event);
    expect(eventsAfter(buffer, 150)).toBe(`lost from ${100 + 4 * 900 + 5}, 1 in the log`);
  });

  it('are those of another session', () => {
    const buffer = bufferOf(delta('a'));
    buffer.begin(7);
    expect(eventsAfter(buffer, 101)).toBe('lost from 102, 7 in the log');
    expect(eventsAfter(buffer, 102)).toEqual([]);
  });

  it('are the prompts and compactions of the log and of the dropped runs, without reminders', () => {
    const buffer = bufferOf();
    buffer.begin(7);
    const reminder: PageEvent = { type: 'user_message', text: 'x', reminder: true };
    const compaction: PageEvent = { type: 'compaction', tokensBefore: 2, tokensAfter: 1, messages: [] };
    for (const event of [
      ...message('m1', reminder, compaction, ...long),
      ...message('m2', ...long),
      ...message('m3', ...long),
    ])
      buffer.add(event);
    expect(eventsAfter(buffer, 0)).toMatch(/, 9 in the log$/);
  });
});

describe('waiting for an event', () => {
  it('ends with the next event, at once if there is one, and when the reader leaves', async () => {
    const buffer = bufferOf(delta('a'));
    await buffer.wait(100, new AbortController().signal);
    const next = buffer.wait(101, new AbortController().signal);
    buffer.add(delta('b'));
    await next;
    const gone = new AbortController();
    const left = buffer.wait(102, gone.signal);
    gone.abort();
    await left;
    await buffer.wait(102, gone.signal);
  });
});

it('keeps the last piece of a call that is being written, until the answer is complete', () => {
  const piece = (callId: string, size: number): PageEvent => ({
    ...{ type: 'tool_call_delta', callId, name: 't', text: '', written: { size, tail: '' } },
  });
  const pieces = [delta('x'), piece('a', 1), piece('a', 2), piece('b', 1), piece('b', 2)];
  const buffer = bufferOf(...pieces);
  expect(buffer.read(100)).toMatchObject({
    events: [
      { number: 101 },
      { number: 103, event: { written: { size: 2 } } },
      { number: 105, event: { callId: 'b' } },
    ],
  });
  buffer.add(said('x'));
  expect(eventsAfter(buffer, 100)).toEqual([[106, 'assistant_message']]);
});
