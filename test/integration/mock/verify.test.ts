import { readFileSync } from 'node:fs';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import { runVerify } from '../../../mock-llm-server/cli/verify.ts';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { startMockServer } from '../../../mock-llm-server/server/listen.ts';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import type { VerifyReport } from '../../../mock-llm-server/verify/report.ts';
import { runMockMain } from '../../support/processes/run-main.ts';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const readNote = { tool_calls: [{ name: 'read_file', arguments: { path: 'note.txt' } }] };
const once = { times: 1 };
const done = { response: { content: 'It says: buy milk and a lot of other things.' } };

const served = serveScenarios([
  {
    name: 'read-note',
    trigger: 'read the note',
    steps: [
      { expect: { tools: ['read_file'], system: 'careful', messages: 1 }, response: readNote },
      { expect: { tool_result: { contains: 'milk' } }, ...done },
    ],
  },
  { name: 'busy', trigger: 'be busy', steps: [{ ...done, fault: { status: 429, retry_after: 0.05, ...once } }] },
  { name: 'away', trigger: 'be away', steps: [{ ...done, fault: { status: 429, retry_after: 60, ...once } }] },
  { name: 'cut', trigger: 'break off', steps: [{ ...done, fault: { cut: 'before_finish', ...once } }] },
  {
    name: 'cut-call',
    trigger: 'break the call',
    steps: [{ response: readNote, fault: { cut: 'before_finish', ...once } }, done],
  },
]);

const TOOLS: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } },
];

/** The report about one test. */
async function verify(testId: string): Promise<VerifyReport> {
  const { exitCode, text } = await runVerify({ url: served.url, testId, failOn: undefined, format: 'json' }, undefined);
  const report: VerifyReport = JSON.parse(text);
  expect(exitCode).toBe(report.passed ? 0 : 1);
  return report;
}

let openai: (testId: string) => OpenAI;
let anthropic: (testId: string) => Anthropic;
beforeAll(() => {
  const headersOf = (testId: string) => ({ 'x-test-id': testId });
  openai = (testId) =>
    new OpenAI({ apiKey: 'unused', baseURL: `${served.url}/v1`, defaultHeaders: headersOf(testId), maxRetries: 2 });
  anthropic = (testId) =>
    new Anthropic({ apiKey: 'unused', baseURL: served.url, defaultHeaders: headersOf(testId), maxRetries: 0 });
});

/** An agent with OpenAI's client that reports no error and always claims to be done. */
async function swallow(testId: string, system: string, result: string): Promise<string> {
  const client = openai(testId);
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: system },
    { role: 'user', content: 'Read the note.' },
  ];
  try {
    for (let turn = 0; turn < 3; turn++) {
      const { choices } = await client.chat.completions.create({ model: 'm', messages, tools: TOOLS });
      const message = choices[0]?.message;
      if (message === undefined) break;
      messages.push(message);
      for (const { id } of message.tool_calls ?? []) {
        messages.push({ role: 'tool', tool_call_id: id, content: result });
      }
      if (message.tool_calls === undefined) messages.push({ role: 'user', content: 'Something else, please.' });
    }
  } catch {
    // The agent hides the failure.
  }
  return 'done';
}

describe('a client that swallows every error', () => {
  it('cannot hide a wrong result, a wrong system prompt and a request without a match', async () => {
    expect(await swallow('swallows', 'You are fast.', 'Error: no such file')).toBe('done');
    const report = await verify('swallows');
    expect(report.passed).toBe(false);
    expect(report.problems.map(({ kind, scenario }) => [kind, scenario])).toEqual([
      ['expectation', 'read-note'],
      ['expectation', 'read-note'],
      ['miss', undefined],
    ]);
    expect(report.unmet).toMatchObject([
      { step: 0, field: 'system', wanted: 'careful', found: 'You are fast.' },
      { step: 1, field: 'tool_result', found: 'Error: no such file' },
    ]);
    expect(report.toolCalls).toMatchObject([{ name: 'read_file', arguments: '{"path":"note.txt"}' }]);
  });

  it('is not blamed for correct requests', async () => {
    await swallow('right', 'You are careful.', 'buy milk');
    const report = await verify('right');
    expect(report.problems.map(({ kind }) => kind)).toEqual(['miss']);
    expect(report.scenarios.find(({ name }) => name === 'read-note')).toMatchObject({ used: [0, 1], unused: [] });
    expect(report.cache).toMatchObject({ continued: 2, stable: 2, breaks: [] });
  });
});

describe('a client that is asked to wait', () => {
  it('passes if it waits, as the official client does', async () => {
    await openai('waits').chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'be busy' }] });
    const report = await verify('waits');
    expect(report).toMatchObject({ passed: true, requests: 2 });
    expect(report.resilience.faults).toMatchObject([{ outcome: 'repeated', repeats: 1, retryAfter: { askedMs: 50 } }]);
  });

  it('fails if it does not wait, and each repetition is counted', async () => {
    const impatient = new OpenAI({
      apiKey: 'unused',
      baseURL: `${served.url}/v1`,
      defaultHeaders: { 'x-test-id': 'hurries' },
      maxRetries: 0,
    });
    const ask = () =>
      impatient.chat.completions
        .create({ model: 'm', messages: [{ role: 'user', content: 'be away' }] })
        .catch(() => {});
    for (let attempt = 0; attempt < 3; attempt++) await ask();
    const report = await verify('hurries');
    expect(report.problems).toMatchObject([
      { kind: 'resilience', message: expect.stringContaining('requested 60000 ms') },
    ]);
    expect(report.resilience.repeated).toMatchObject([{ times: 3, needless: 1 }]);
  });
});

/** The text of a stream, and whether it ended with a reason. */
async function readText(client: OpenAI, messages: OpenAI.ChatCompletionMessageParam[]) {
  let text = '';
  let isWhole = false;
  for await (const { choices } of await client.chat.completions.create({ model: 'm', messages, stream: true })) {
    text += choices[0]?.delta.content ?? '';
    isWhole ||= choices[0]?.finish_reason != null;
  }
  return { text, isWhole };
}

describe('a client whose stream is cut off', () => {
  it.each([
    ['passes if it repeats the request', true, ['repeated', true, true]],
    ['fails if it continues from the partial answer', false, ['trusted', false, false]],
  ])('%s', async (name, checks, expected) => {
    const client = openai(name);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'break off' }];
    let answer = await readText(client, messages);
    expect(answer.isWhole).toBe(false);
    if (checks) answer = await readText(client, messages);
    messages.push({ role: 'assistant', content: answer.text }, { role: 'user', content: 'break off again' });
    await readText(client, messages);
    const { passed, resilience } = await verify(name);
    expect([resilience.faults[0]?.outcome, resilience.faults[0]?.ok, passed]).toEqual(expected);
  });
});

describe('a client whose stream is cut off in a tool call', () => {
  const params = {
    model: 'm',
    max_tokens: 99,
    tools: [{ name: 'read_file', input_schema: { type: 'object' as const } }],
  };

  /** The call of a stream, from the events that arrived. */
  async function readCall(client: Anthropic, messages: Anthropic.MessageParam[]) {
    const call: Anthropic.ToolUseBlockParam = { type: 'tool_use', id: '', name: '', input: {} };
    let json = '';
    let isWhole = false;
    for await (const event of await client.messages.create({ ...params, messages, stream: true })) {
      if (event.type === 'content_block_start' && event.content_block.type === 'tool_use') {
        Object.assign(call, { id: event.content_block.id, name: event.content_block.name });
      }
      if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta')
        json += event.delta.partial_json;
      isWhole ||= event.type === 'message_stop';
    }
    return { call: { ...call, input: JSON.parse(json) }, isWhole };
  }

  it.each([
    ['passes if it requests the call again', true, [['repeated', true], true]],
    ['fails if it executes the call', false, [['executed', false], false]],
  ])('%s', async (name, checks, expected) => {
    const client = anthropic(name);
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'break the call' }];
    let answer = await readCall(client, messages);
    expect(answer.isWhole).toBe(false);
    if (checks) answer = await readCall(client, messages);
    messages.push(
      { role: 'assistant', content: [answer.call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: answer.call.id, content: 'buy milk' }] },
    );
    const { content } = await client.messages.create({ ...params, messages });
    expect(content).toHaveLength(1);
    const { passed, resilience } = await verify(name);
    expect([resilience.faults.map(({ outcome, ok }) => [outcome, ok]).at(0), passed]).toEqual(expected);
    if (!checks) expect(resilience.faults[0]?.calls).toEqual(['read_file']);
  });
});

describe('the prompts of a client', () => {
  it.each([
    ['are stable if each begins with the previous one', () => 'You are careful.', []],
    [
      'break the cache if the system prompt contains the time',
      (turn: number) => `You are careful. It is 10:0${turn}.`,
      ['system'],
    ],
  ])('%s', async (name, systemAt, parts) => {
    const client = openai(name);
    const history: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read the note.' }];
    for (let turn = 0; turn < 2; turn++) {
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: systemAt(turn) }, ...history];
      const { choices } = await client.chat.completions.create({ model: 'm', messages, tools: TOOLS });
      if (choices[0] !== undefined) history.push(choices[0].message);
      for (const { id } of choices[0]?.message.tool_calls ?? []) {
        history.push({ role: 'tool', tool_call_id: id, content: 'buy milk' });
      }
    }
    const { passed, cache } = await verify(name);
    expect(passed).toBe(true);
    expect(cache.breaks.map(({ part }) => part)).toEqual(parts);
    expect(cache.tokens > 0).toBe(parts.length > 0);
  });
});

describe('mock-llm-server verify', () => {
  const command = { url: '', testId: undefined, failOn: undefined, format: 'text' } as const;

  it('fails if no request arrived', async () => {
    const { exitCode, text } = await runVerify({ ...command, url: served.url, testId: 'nobody' }, undefined);
    expect([exitCode, text.split('\n')[1]]).toEqual([
      1,
      '  nothing_ran: no request with the test id "nobody" has arrived',
    ]);
  });

  it('fails on the chosen kinds only', async () => {
    await swallow('chosen', 'You are fast.', 'Error: no such file');
    const check = (failOn: string) => runVerify({ ...command, url: served.url, testId: 'chosen', failOn }, undefined);
    expect((await check('past_end,unused')).exitCode).toBe(0);
    expect((await check('miss')).exitCode).toBe(1);
    expect(await check('mis')).toEqual({
      exitCode: 2,
      text: expect.stringMatching(/ answered 400: fail_on must be a list of .*, not "mis"$/),
    });
  });

  it('gives the reason if a server cannot be reached', async () => {
    const server = await startMockServer({ scenarios: createScenarioSet([]) });
    await server.close();
    const answer = await runVerify({ ...command, url: server.url }, undefined);
    expect(answer).toEqual({ exitCode: 2, text: expect.stringMatching(/^cannot reach http:.*ECONNREFUSED/) });
  });
});

describe('docs/mock-llm-server.md', () => {
  const root = path.join(import.meta.dirname, '../../..');
  const page = readFileSync(path.join(root, 'docs/mock-llm-server.md'), 'utf8');

  it('shows the command and its output for a client that is impatient and reads the wrong file', async () => {
    const [, url = '', test = '', shown] =
      /^mock-llm-server verify (\S+) --test (\S+)\n```\n\n```text\n([\s\S]*?)\n```$/m.exec(page) ?? [];
    const done = { response: { content: 'It says: buy milk.' } };
    const fault = { status: 429, retry_after: 1, times: 1 } as const;
    const steps = [{ response: readNote }, { expect: { tool_result: 'milk' }, ...done, fault }];
    await using llm = await startMockLlm({ scenarios: [{ name: 'read-note', trigger: 'note', steps }] });
    const client = new OpenAI({
      apiKey: 'unused',
      baseURL: `${llm.url}/v1`,
      defaultHeaders: { 'x-test-id': test },
      maxRetries: 0,
    });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read the note.' }];
    const { choices } = await client.chat.completions.create({ model: 'm', messages, tools: TOOLS });
    const id = choices[0]?.message.tool_calls?.[0]?.id ?? '';
    if (choices[0] !== undefined)
      messages.push(choices[0].message, { role: 'tool', tool_call_id: id, content: 'Error: no such file' });
    for (let attempt = 0; attempt < 2; attempt++) {
      await client.chat.completions.create({ model: 'm', messages, tools: TOOLS }).catch(() => {});
    }
    expect(url).toBe('http://127.0.0.1:8000');
    const { code, stdout } = await runMockMain(['verify', llm.url, '--test', test]);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/after \d+ ms/g, 'after 3 ms')).toBe(`${shown}\n`);
  });

  it('shows a request that adds a scenario, and its answer', async () => {
    const [, test = '', body, shown = ''] =
      /^curl -s \S+ -H 'x-test-id: (\w+)' -d '([^']*)'\n```\n\n```json\n([\s\S]*?)\n```$/m.exec(page) ?? [];
    await using llm = await startMockLlm({ scenarios: [] });
    const headers = { 'x-test-id': test, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(`${llm.url}/__mock/scenarios`, {
      method: 'POST',
      headers,
      ...(body !== undefined && { body }),
    });
    expect([answer.status, await answer.json()]).toEqual([201, JSON.parse(shown)]);
  });
});
