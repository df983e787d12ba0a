import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet, steps } from '../../../support/stories/builders.ts';

const older = readFileSync(new URL('../scenario/fixtures/older-format.json', import.meta.url), 'utf8');
const olderSet = createScenarioSet([{ file: 'older.json', content: parseScenarioFile(older, 'older.json') }]);
const set = scenarioSet({
  scenarios: [
    { name: 'pair', trigger: 'two reads', steps: steps(2) },
    { name: 'endless', trigger: 'endless', steps: steps(1).slice(0, 1) },
  ],
});

function server(scenarios = set) {
  const lines: string[] = [];
  const app = createMockServer({ scenarios, log: (line) => lines.push(line) });
  const post = (body: unknown, path = '/v1/chat/completions') =>
    app.request(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  return { app, lines, post };
}

const prompt = (content: string) => ({ model: 'gpt-x', messages: [{ role: 'user', content }] });

describe('POST /v1/chat/completions', () => {
  it.each(['/v1/chat/completions', '/chat/completions'])('answers at %s', async (path) => {
    const response = await server(olderSet).post(prompt('Hello World, please'), path);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      model: 'gpt-x',
      choices: [
        {
          finish_reason: 'tool_calls',
          message: { content: "I'll create a hello world Python script for you.", tool_calls: [{ id: 'call_001' }] },
        },
      ],
    });
  });

  it('answers the same request with the same bytes, even from another server', async () => {
    for (const body of [prompt('two reads'), { ...prompt('two reads'), stream: true }, prompt('?'), 'no JSON']) {
      const texts: string[] = [];
      for (const { post } of [server(), server()]) {
        for (let time = 0; time < 2; time++) {
          const response = await post(body);
          texts.push(JSON.stringify([response.status, [...response.headers], await response.text()]));
        }
      }
      expect(new Set(texts).size).toBe(1);
    }
  });

  it.each([
    ['no scenario', prompt('tow raeds'), 'no_scenario_matched', /nearest trigger is "two reads" of scenario "pair"/],
    [
      'past the last step',
      {
        model: 'gpt-x',
        messages: [
          { role: 'user', content: 'endless' },
          { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '' } }] },
          { role: 'tool', tool_call_id: 'a', content: '' },
        ],
      },
      'past_last_step',
      /tool results of step 0, the last of scenario "endless"/,
    ],
    [
      'an orphan result',
      { model: 'gpt-x', messages: [{ role: 'tool', tool_call_id: 'call_77', content: '' }] },
      null,
      /must be a response to a preceeding message.*call_77/,
    ],
    ['a body that is not JSON', 'x', null, /could not parse the JSON body/],
  ])('refuses %s with a 400 that is not worth a retry', async (_name, body, code, message) => {
    const response = await server().post(body);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', code, message: expect.stringMatching(message) },
    });
  });

  it('logs one line for each request', async () => {
    const { post, lines } = server(olderSet);
    await post(prompt('hello world'));
    await post(prompt('thanks'));
    await post({ model: 'gpt-x', messages: [{ role: 'tool', tool_call_id: 'a', content: '' }] });
    await post('x');
    await post(prompt('x'), '/nope');
    const { post: strict, lines: strictLines } = server();
    await strict(prompt('two\nlines'));
    expect([...lines, ...strictLines]).toEqual([
      '/v1/chat/completions 200 hello-world step 0 (tools: expected write_file, found nothing)',
      '/v1/chat/completions 200 default_response',
      expect.stringMatching(/^\/v1\/chat\/completions 400 Invalid parameter: .* answer none: a$/),
      expect.stringMatching(/^\/v1\/chat\/completions 400 We could not parse the JSON body of your request: .*$/),
      '/nope 404 unknown_url: Unknown request URL: POST /nope.',
      expect.stringMatching(/^\/v1\/chat\/completions 400 no_scenario_matched: .*"two\\nlines".*$/),
    ]);
  });

  it('escapes control characters of a client in the log', async () => {
    const { post, lines } = server();
    await post({ model: 'gpt-x', messages: [{ role: 'tool', tool_call_id: 'a\n\u001B[31mb', content: '' }] });
    await post('\u001B\n');
    expect(lines).toEqual([
      expect.stringMatching(/^\/v1\/chat\/completions 400 Invalid parameter: .*a\\u\{a\}\\u\{1b\}\[31mb$/),
      expect.stringMatching(/^\/v1\/chat\/completions 400 We could not parse .*\\u\{1b\}\P{Cc}*$/u),
    ]);
  });

  it('logs one line for a body that breaks off', async () => {
    const { app, lines } = server();
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('aborted')) });
    const request = new Request('http://mock/v1/chat/completions', { method: 'POST', body, duplex: 'half' });
    const response = await app.request(request);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { message: 'The server failed: aborted', type: 'server_error', param: null, code: null },
    });
    expect(lines).toEqual(['/v1/chat/completions 500 The server failed: aborted']);
  });
});

describe('the other routes', () => {
  it('report the health of the server', async () => {
    const response = await createMockServer({ scenarios: set }).request('/health');
    expect(await response.json()).toEqual({ status: 'ok', scenarios: 2 });
  });

  it.each(['/v1/chat/completions', '/chat/completions'])('refuse another method than POST at %s', async (path) => {
    const response = await createMockServer({ scenarios: set }).request(path);
    expect([response.status, response.headers.get('allow'), response.headers.get('x-should-retry')]).toEqual([
      405,
      'POST',
      'false',
    ]);
    expect(await response.json()).toEqual({
      error: {
        message: 'Only POST requests are accepted.',
        type: 'invalid_request_error',
        param: null,
        code: 'method_not_supported',
      },
    });
  });
});
