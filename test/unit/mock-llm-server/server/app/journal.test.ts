import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createJournal } from '../../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import type { LintMode } from '../../../../../mock-llm-server/wire/wire.ts';
import { scenarioSet, steps } from '../../../../support/stories/builders.ts';

const set = scenarioSet({
  scenarios: [
    { name: 'pair', trigger: 'two reads', steps: steps(2) },
    { name: 'by client', trigger: { text: 'who', header: { 'user-agent': 'cli/2' } }, steps: steps() },
  ],
});
const CHAT = '/v1/chat/completions';
const prompt = (content: string) => ({ model: 'gpt-x', messages: [{ role: 'user', content }] });
const orphan = {
  model: 'gpt-x',
  messages: [
    { role: 'user', content: 'two reads' },
    { role: 'tool', tool_call_id: 'x', content: 'ok' },
  ],
};

const JournalSchema = z.object({
  dropped: z.number(),
  entries: z.array(z.looseObject({ number: z.number(), lint: z.array(z.string()) })),
});

function server(lint?: LintMode) {
  const lines: string[] = [];
  const app = createMockServer({ scenarios: set, log: (line) => lines.push(line), ...(lint && { lint }) });
  const post = (body: unknown, headers: Record<string, string> = {}, path = CHAT) =>
    app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const journal = async (query = '') =>
    JournalSchema.parse(await (await app.request(`/__mock/journal${query}`)).json());
  return { app, lines, post, journal };
}

describe('GET /__mock/journal', () => {
  it('has the request, the step that answered and the bytes of the answer', async () => {
    const { post, journal } = server();
    const tools = [{ type: 'function', function: { name: 'read_file' } }];
    const text = await (await post({ ...prompt('two reads'), tools }, { 'x-test-id': 'one' })).text();
    expect(await journal()).toEqual({
      dropped: 0,
      entries: [
        {
          number: 1,
          testId: 'one',
          protocol: 'openai-chat',
          method: 'POST',
          path: CHAT,
          service: 'openai',
          model: 'gpt-x',
          stream: false,
          request: { messages: 1, system: '', user: ['two reads'], results: [] },
          tools: ['read_file'],
          status: 200,
          scenario: 'pair',
          step: 0,
          calls: [
            { id: expect.stringMatching(/^call_pair_/), name: 'tool', arguments: '{}' },
            { id: expect.stringMatching(/^call_pair_/), name: 'tool', arguments: '{}' },
          ],
          lint: [],
          unmet: [{ field: 'tools', wanted: 'tool', found: 'read_file', implied: true }],
          served: { bytes: Buffer.byteLength(text), text },
        },
      ],
    });
  });

  it('has the reason for each error', async () => {
    const { post, journal } = server();
    await post(prompt('tow raeds'));
    await post(orphan);
    await post({ messages: [] });
    await post({}, {}, '/v1/nope');
    expect((await journal()).entries).toMatchObject([
      { request: { user: ['tow raeds'] } },
      { request: { user: ['two reads'], results: ['ok'] } },
      { request: { body: '{"messages":[]}' } },
      { request: { messages: 0 } },
    ]);
    expect((await journal()).entries).toMatchObject([
      { status: 400, error: expect.stringContaining('nearest trigger is "two reads"') },
      { status: 400, error: expect.stringContaining('answer none: x') },
      { status: 400, error: expect.stringContaining('messages') },
      { status: 404, path: '/v1/nope', error: 'Unknown request URL: POST /v1/nope.' },
    ]);
  });

  it('has the bytes of a stream', async () => {
    const { post, journal } = server();
    const text = await (await post({ ...prompt('two reads'), stream: true })).text();
    expect((await journal()).entries).toMatchObject([{ stream: true, served: { text } }]);
  });

  it('keeps parallel tests apart', async () => {
    const { app, post, journal } = server();
    for (const id of ['a', 'b', 'a']) await post(prompt('two reads'), { 'x-test-id': id });
    const numbers = async (query: string) => (await journal(query)).entries.map(({ number }) => number);
    expect(await numbers('?test=a')).toEqual([1, 3]);
    expect((await app.request('/__mock/journal?test=a', { method: 'DELETE' })).status).toBe(204);
    expect(await numbers('')).toEqual([2]);
    await app.request('/__mock/journal', { method: 'DELETE' });
    expect(await numbers('')).toEqual([]);
  });

  it('contains no key of any part of a request, and neither does the log', async () => {
    const key = `sk-test-${'0123456789'.repeat(3)}`;
    const { lines, post, journal } = server();
    const headers = {
      authorization: `Bearer ${key}`,
      'x-api-key': key,
      'x-goog-api-key': key,
      'api-key': key,
      cookie: key,
    };
    await post(prompt(`two reads with ${key}`), headers, `${CHAT}?key=${key}`);
    await post(prompt(`what is ${key}`), headers);
    await post(prompt('x'), headers, `/v1/nope/${key}?key=${key}`);
    expect(JSON.stringify(await journal())).not.toContain('0123456789');
    expect(lines.join('\n')).not.toContain('0123456789');
    expect((await journal()).entries).toHaveLength(3);
  });

  it('does not change answers', async () => {
    const journal = createJournal({ maxEntries: 1 });
    const app = createMockServer({ scenarios: set, journal });
    const ask = async () =>
      (await app.request(CHAT, { method: 'POST', body: JSON.stringify(prompt('two reads')) })).text();
    expect(await ask()).toBe(await ask());
    expect(journal.dropped()).toBe(1);
  });
});

describe('lint', () => {
  const orphanError = expect.stringContaining('answer none: x');
  it.each<readonly [LintMode, number, readonly string[], string]>([
    ['off', 200, [], 'pair step 1'],
    ['warn', 200, [orphanError], '(lint: '],
    ['fail', 400, [orphanError], `${CHAT} 400 Invalid parameter: messages with role 'tool'`],
  ])('%s answers a result without a call with %i', async (mode, status, findings, line) => {
    const { post, journal, lines } = server(mode);
    const response = await post(orphan);
    expect(response.status).toBe(status);
    const [entry] = (await journal()).entries;
    expect(entry?.lint).toEqual(findings);
    expect(lines.join('')).toContain(line);
    expect(lines.join('').includes('(lint: ')).toBe(mode === 'warn');
  });

  it.each<LintMode>(['off', 'warn', 'fail'])('%s answers arguments that are not JSON', async (mode) => {
    const { post, journal } = server(mode);
    const call = { id: 'a', type: 'function', function: { name: 'tool', arguments: '{' } };
    const messages = [
      { role: 'user', content: 'two reads' },
      { role: 'assistant', tool_calls: [call, { ...call, id: 'b' }] },
      ...['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'ok' })),
    ];
    const tools = [{ type: 'function', function: { name: 'tool' } }];
    expect((await post({ model: 'gpt-x', messages, tools })).status).toBe(200);
    const [entry] = (await journal()).entries;
    expect(entry?.lint).toEqual(
      mode === 'off' ? [] : [expect.stringContaining('call a'), expect.stringContaining('call b')],
    );
  });
});

describe('headers', () => {
  it('decide whether a trigger matches', async () => {
    const { post } = server();
    expect((await post(prompt('who'), { 'User-Agent': 'my-CLI/2.1' })).status).toBe(200);
    const miss = await post(prompt('who'));
    expect([miss.status, miss.headers.get('x-mock-miss'), miss.headers.get('x-should-retry')]).toEqual([
      400,
      'no_scenario_matched; nearest=by%20client; failed=header%20user-agent',
      'false',
    ]);
  });

  it('pin a scenario', async () => {
    const { post } = server();
    const pinned = await post(prompt('anything'), { 'x-mock-scenario': 'pair', 'x-mock-step': '1' });
    expect(await pinned.json()).toMatchObject({ choices: [{ message: { content: 'done' } }] });
    const unknown = await post({ ...prompt('x'), model: 'mock/pear' });
    expect([unknown.status, unknown.headers.get('x-mock-miss')]).toEqual([400, 'unknown_scenario']);
    expect(await unknown.json()).toMatchObject({ error: { code: 'unknown_scenario', param: 'model' } });
    const byHeader = await post(prompt('anything'), { 'x-mock-scenario': 'pear' });
    expect(await byHeader.json()).toMatchObject({ error: { code: 'unknown_scenario', param: null } });
  });
});
