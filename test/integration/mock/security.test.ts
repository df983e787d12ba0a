import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPatternThread } from '../../../mock-llm-server/answering/pattern-thread.ts';
import { type MockLlm, startMockLlm } from '../../../mock-llm-server/testing.ts';

const TOKEN = 'canary-token-5f0c1d2e';
const OTHER_KEY = 'canary-key-9a8b7c6d';
const scenarios = [{ name: 'hi', trigger: 'hi', steps: [{ response: { content: 'Hello.' } }] }];

let open: MockLlm;
let guarded: MockLlm;
const lines: string[] = [];

beforeAll(async () => {
  const log = (line: string) => void lines.push(line);
  open = await startMockLlm({ scenarios, log });
  guarded = await startMockLlm({ scenarios, log, token: TOKEN, host: '0.0.0.0', allowHosts: ['mock-llm'] });
});
afterAll(() => Promise.all([open.close(), guarded.close()]));

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

/** Uses node:http, because fetch cannot send another Host header. */
function ask(llm: MockLlm, path: string, headers: Record<string, string>, text = 'hi'): Promise<Answer> {
  const { port } = new URL(llm.url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: text }] }));
  });
}

const CHAT = '/v1/chat/completions';

describe('a page whose host name resolves to this machine', () => {
  it('is refused in the format of the protocol', async () => {
    const { status, body } = await ask(open, CHAT, { host: 'evil.example:80' });
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({
      error: { code: 'host_not_allowed', message: expect.stringContaining('--allow-host') },
    });
    expect(JSON.parse((await ask(open, '/v1/messages', { host: 'evil.example' })).body)).toMatchObject({
      type: 'error',
    });
  });

  it.each([[CHAT], ['/v1/models'], ['/health'], ['/__mock/journal'], ['/nope']])('is refused at %s', async (path) => {
    expect((await ask(open, path, { host: 'evil.example' })).status).toBe(403);
  });

  it('does not affect the names of this machine', async () => {
    for (const host of ['localhost', '127.0.0.1:1', '[::1]:1', new URL(open.url).host]) {
      expect((await ask(open, CHAT, { host })).status, host).toBe(200);
    }
    for (const host of ['mock-llm', '10.0.0.9:8000']) {
      expect((await ask(guarded, CHAT, { host, 'x-api-key': TOKEN })).status, host).toBe(200);
    }
  });
});

describe('a page of another site', () => {
  const pages = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
    { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' },
    { 'sec-fetch-site': 'cross-site' },
  ];

  it.each(pages)('consumes no fault and adds no request for verify: %j', async (page) => {
    const fault = { status: 500, times: 1 };
    const once = { name: 'once', trigger: 'hi', steps: [{ fault, response: { content: 'Hello.' } }] };
    const llm = await startMockLlm({ scenarios: [once] });
    try {
      const refused = await ask(llm, CHAT, page);
      expect(JSON.parse(refused.body)).toMatchObject({ error: { code: 'origin_not_allowed' } });
      expect([refused.status, llm.requests.length]).toEqual([403, 0]);
      expect((await ask(llm, CHAT, {})).status).toBe(500);
      expect((await ask(llm, CHAT, { origin: 'http://localhost:5173' })).status).toBe(200);
    } finally {
      await llm.close();
    }
  });
});

describe('a server that other machines can reach', () => {
  it('answers only requests with its token', async () => {
    expect((await ask(guarded, CHAT, {})).status).toBe(401);
    expect((await ask(guarded, CHAT, { authorization: `Bearer ${OTHER_KEY}` })).status).toBe(401);
    expect((await ask(guarded, CHAT, { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  });

  it('answers probes without a token', async () => {
    expect((await fetch(`${guarded.url.replace('0.0.0.0', '127.0.0.1')}/health`)).status).toBe(200);
  });
});

it('keys do not appear in the log, the requests, the journal or an answer', async () => {
  const carriers = (key: string): readonly (readonly [string, Record<string, string>])[] => [
    [CHAT, { authorization: `Bearer ${key}` }],
    ['/v1/messages', { 'x-api-key': key }],
    ['/v1beta/models/m:generateContent', { 'x-goog-api-key': key }],
    [`/v1beta/models/m:generateContent?key=${key}`, {}],
    [`/nope?key=${key}`, { 'api-key': key, 'proxy-authorization': `Basic ${key}`, cookie: `session=${key}` }],
  ];
  const answers: Answer[] = [];
  for (const llm of [open, guarded]) {
    for (const key of [TOKEN, OTHER_KEY]) {
      for (const [path, headers] of carriers(key)) {
        answers.push(await ask(llm, path, headers), await ask(llm, path, headers, 'no match'));
      }
    }
  }
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(2);
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThan(3);
  const journal = await (await fetch(`${open.url}/__mock/journal`)).text();
  const all = JSON.stringify([lines, open.requests, guarded.requests, answers, journal]);
  expect(lines.length).toBeGreaterThan(10);
  expect(all).toContain('hi');
  expect(all).not.toMatch(/canary/);
});

const LONG = `${'a'.repeat(60)}!`;
const SLOW = { regex: '^(a+)+$' };
const answer = (content: string) => [{ response: { content } }];

let slow: MockLlm;
beforeAll(async () => {
  slow = await startMockLlm({
    scenarios: [
      { name: 'slow-text', trigger: SLOW, steps: answer('Only a.') },
      { name: 'slow-lookahead', trigger: { regex: '^b(?=(?:[^c]+)+c$)' }, steps: answer('Lookahead.') },
      { name: 'slow-model', trigger: { text: 'by model', model: SLOW }, steps: answer('Model.') },
      { name: 'slow-system', trigger: { text: 'by system', system: SLOW }, steps: answer('System.') },
      { name: 'slow-header', trigger: { text: 'by header', header: { 'x-app': SLOW } }, steps: answer('Header.') },
      {
        name: 'slow-expectation',
        trigger: 'by expectation',
        steps: [{ expect: { model: SLOW }, response: { content: 'Expected.' } }],
      },
      { name: 'groups', trigger: { regex: '(?:please )*fix (?<what>\\w+)' }, steps: answer('Fixed {{match.what}}.') },
    ],
  });
});
afterAll(() => slow.close());

interface SlowRequest {
  readonly text: string;
  readonly model?: string;
  readonly system?: string;
  readonly app?: string;
}

async function askSlow({ text, model = 'm', system, app }: SlowRequest) {
  const messages = [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: text },
  ];
  const response = await fetch(`${slow.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(app !== undefined && { 'x-app': app }) },
    body: JSON.stringify({ model, messages }),
  });
  return { status: response.status, body: await response.text() };
}

it.each<[string, string, SlowRequest]>([
  ['the trigger', 'slow-text', { text: LONG }],
  ['a lookahead', 'slow-lookahead', { text: `b${'a'.repeat(60)}` }],
  ['a condition on the model', 'slow-model', { text: 'by model', model: LONG }],
  ['a condition on the system prompt', 'slow-system', { text: 'by system', system: LONG }],
  ['a condition on a header', 'slow-header', { text: 'by header', app: LONG }],
  ['an expectation', 'slow-expectation', { text: 'by expectation', model: LONG }],
])('an expression that would take years in %s fails only its request', async (_place, scenario, request) => {
  const answered = askSlow(request);
  // The server answers others in the meantime, even those whose expressions need the thread.
  expect((await fetch(`${slow.url}/health`)).status).toBe(200);
  const { status, body } = await answered;
  expect(status).toBe(400);
  const { error } = JSON.parse(body);
  expect(error).toMatchObject({ code: 'slow_expression', message: expect.stringContaining(`scenario "${scenario}"`) });
  const other = await askSlow({ text: `${'please '.repeat(50)}fix tests` });
  expect(other).toMatchObject({ status: 200, body: expect.stringContaining('Fixed tests.') });
});

it('a search is ended after a second of processor time, however long it waits for a processor', async () => {
  const search = { source: '^(a|a)*$', flags: '', scenario: 'slow', text: `${'a'.repeat(24)}!` };
  // A machine that is busy with other things, or was asleep, gives the search no processor.
  const waiting = createPatternThread(() => 0);
  expect(await waiting([search])).toEqual([{ groups: undefined }]);
  let used = 0;
  const running = createPatternThread(() => (used += 1001));
  expect(await running([search])).toEqual(['too slow']);
});
