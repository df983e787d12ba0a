import { describe, expect, it } from 'vitest';
import { createAnswerMemory } from '../../../../mock-llm-server/answering/answer-memory.ts';
import type { PreparedAnswer } from '../../../../mock-llm-server/answering/answer-request.ts';
import { createJournal, prepareEntry } from '../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { anthropicMessages } from '../../../../mock-llm-server/wire/anthropic/messages.ts';
import { openaiChat } from '../../../../mock-llm-server/wire/openai/chat.ts';
import type { WireRequest } from '../../../../mock-llm-server/wire/wire.ts';
import { scenarioSet, steps } from '../builders.ts';
import { WIRE_CASES } from '../wire/wire-requests.ts';

const set = scenarioSet({ scenarios: [{ name: 's', trigger: 'go', steps: steps() }] });

function request(more: Partial<WireRequest> = {}): WireRequest {
  return { method: 'POST', path: '/p', query: { alt: 'sse' }, headers: { 'x-test-id': 'a' }, body: '{}', ...more };
}

function answer(digest: string, body = 'answer'): PreparedAnswer {
  const entry = prepareEntry({
    testId: undefined,
    protocol: 'openai-chat',
    method: 'POST',
    path: '/p',
    model: 'm',
    stream: false,
    tools: [],
    status: 200,
    scenario: 's',
    step: 0,
    auxiliary: undefined,
    error: undefined,
    lint: [],
    served: { bytes: body.length, text: body },
    secrets: [],
  });
  return { digest, status: 200, headers: {}, body, line: '', entry };
}

describe('createAnswerMemory', () => {
  it('keeps what is given twice', () => {
    const memory = createAnswerMemory();
    const kept = answer('d');
    memory.keep(request(), openaiChat, set, kept);
    expect(memory.find(request(), openaiChat, set)).toBeUndefined();
    memory.keep(request(), openaiChat, set, kept);
    expect(memory.find(request(), openaiChat, set)).toBe(kept);
  });

  it('keeps a large body as bytes', () => {
    const memory = createAnswerMemory();
    const body = 'ü'.repeat(5000);
    for (let time = 0; time < 2; time++) memory.keep(request(), openaiChat, set, answer('d', body));
    expect(memory.find(request(), openaiChat, set)).toEqual({ ...answer('d', body), body: Buffer.from(body) });
  });

  it.each([
    ['body', { body: '[]' }],
    ['path', { path: '/q' }],
    ['value of a header', { headers: { 'x-test-id': 'b' } }],
    ['header more', { headers: { 'x-test-id': 'a', 'x-mock-step': '1' } }],
    ['header less', { headers: {} }],
    ['query', { query: {} }],
    ['place of the same', { headers: {}, query: { 'x-test-id': 'a', alt: 'sse' } }],
    ['division of the same', { headers: { 'x-test': '-id:a' } }],
  ])('finds nothing for another %s', (_what, more) => {
    const memory = createAnswerMemory();
    for (let time = 0; time < 2; time++) memory.keep(request(), openaiChat, set, answer('d'));
    expect(memory.find(request(more), openaiChat, set)).toBeUndefined();
  });

  it('finds nothing over another protocol, nor for another set', () => {
    const memory = createAnswerMemory();
    for (let time = 0; time < 2; time++) memory.keep(request(), openaiChat, set, answer('d'));
    expect(memory.find(request(), anthropicMessages, set)).toBeUndefined();
    expect(memory.find(request(), openaiChat, { ...set })).toBeUndefined();
  });

  it('forgets what it has of another set', () => {
    const memory = createAnswerMemory();
    for (let time = 0; time < 2; time++) memory.keep(request(), openaiChat, set, answer('d'));
    memory.find(request(), openaiChat, { ...set });
    expect(memory.find(request(), openaiChat, set)).toBeUndefined();
    const others = createAnswerMemory();
    for (let time = 0; time < 2; time++) others.keep(request(), openaiChat, set, answer('d'));
    others.keep(request(), openaiChat, { ...set }, answer('other'));
    expect(others.find(request(), openaiChat, set)).toBeUndefined();
  });

  it.each<readonly [string, Partial<WireRequest>]>([
    ['that looks like one', { body: `{"text":"sk-${'a1'.repeat(20)}"}` }],
    ['of a header', { body: '{"text":"Opaque7key9Canary"}', headers: { 'x-api-key': 'Opaque7key9Canary' } }],
    ['of the query', { path: '/p/Opaque7key9Canary', query: { key: 'Opaque7key9Canary' } }],
  ])('keeps no body nor path with a key in it, %s', (_which, more) => {
    const memory = createAnswerMemory();
    for (let time = 0; time < 4; time++) memory.keep(request(more), openaiChat, set, answer('d'));
    expect(memory.find(request(more), openaiChat, set)).toBeUndefined();
  });

  it('keeps the answer to a request that brings a key', () => {
    const memory = createAnswerMemory();
    const kept = answer('d');
    const headers = { authorization: 'Bearer Opaque7key9Canary' };
    for (let time = 0; time < 2; time++) memory.keep(request({ headers }), openaiChat, set, kept);
    expect(memory.find(request({ headers }), openaiChat, set)).toBe(kept);
    expect(memory.find(request({ headers: { authorization: 'Bearer other' } }), openaiChat, set)).toBeUndefined();
  });

  it('does not keep what is large, and forgets the oldest answers', () => {
    const memory = createAnswerMemory();
    const bodies = Array.from({ length: 80 }, (_body, index) => String(index));
    for (const body of [...bodies, ...bodies]) memory.keep(request({ body }), openaiChat, set, answer(`d${body}`));
    const found = bodies.filter((body) => memory.find(request({ body }), openaiChat, set) !== undefined);
    expect(found).toEqual(bodies.slice(-64));
    const large = request({ body: 'x'.repeat(100_000) });
    for (let time = 0; time < 2; time++) memory.keep(large, openaiChat, set, answer('large', 'x'.repeat(100_000)));
    expect(memory.find(large, openaiChat, set)).toBeUndefined();
  });

  it('forgets the oldest of the requests that came once', () => {
    const memory = createAnswerMemory();
    for (let time = 0; time <= 1000; time++) memory.keep(request(), openaiChat, set, answer(`d${time}`));
    memory.keep(request(), openaiChat, set, answer('d0'));
    expect(memory.find(request(), openaiChat, set)).toBeUndefined();
    memory.keep(request(), openaiChat, set, answer('d999'));
    expect(memory.find(request(), openaiChat, set)?.digest).toBe('d999');
  });
});

describe.each(WIRE_CASES)('a server that remembers, over $protocol', ({ request: asked }) => {
  const scenarios = scenarioSet({ scenarios: [{ name: 's', trigger: 'go', steps: steps() }] });
  const ask = async (app: ReturnType<typeof createMockServer>, testId: string) => {
    const url = `${asked.path}?${new URLSearchParams(asked.query)}`;
    const headers = { ...asked.headers, 'x-test-id': testId };
    const response = await app.request(url, { method: 'POST', headers, body: asked.body });
    return { status: response.status, headers: [...response.headers], body: await response.text() };
  };

  it('gives each time what one without a past gives, and notes each time', async () => {
    const journal = createJournal();
    const lines: string[] = [];
    const app = createMockServer({ scenarios, journal, log: (line) => lines.push(line) });
    for (const testId of ['a', 'a', 'a', 'b', 'a']) {
      expect(await ask(app, testId)).toEqual(await ask(createMockServer({ scenarios }), testId));
    }
    expect(journal.entries.map(({ number, testId }) => [number, testId])).toEqual([
      [1, 'a'],
      [2, 'a'],
      [3, 'a'],
      [4, 'b'],
      [5, 'a'],
    ]);
    expect(lines).toHaveLength(5);
    expect(new Set(lines).size).toBe(1);
  });

  it('knows when the scenarios have changed', async () => {
    let current = scenarios;
    const app = createMockServer({ scenarios: () => current });
    for (let time = 0; time < 3; time++) expect((await ask(app, 'a')).status).toBe(200);
    current = scenarioSet({ scenarios: [{ name: 's', trigger: 'never said', steps: steps() }] });
    expect((await ask(app, 'a')).status).toBe(400);
  });
});
