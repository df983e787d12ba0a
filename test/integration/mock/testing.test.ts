import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  createVirtualClock,
  type MockLlmOptions,
  type MockScenario,
  mockLlmFetch,
  startMockLlm,
} from '../../../mock-llm-server/testing.ts';

const stories = path.join(import.meta.dirname, '../../../scenarios');
const greeting: MockScenario = {
  name: 'greeting',
  trigger: 'write a greeting',
  steps: [
    { response: { tool_calls: [{ name: 'write_file', arguments: { path: 'hello.txt', content: 'Hello!\n' } }] } },
    { response: { content: 'hello.txt now greets.' } },
  ],
};

const prompt = (content: string) => ({ model: 'gpt-x', messages: [{ role: 'user' as const, content }] });

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

describe('startMockLlm', () => {
  it('serves a client, records the requests, and is closed by `await using`', async () => {
    let url: string;
    {
      await using llm = await startMockLlm({ scenarios: [greeting] });
      url = llm.url;
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'unused' });
      const completion = await client.chat.completions.create(prompt('Please write a greeting.'));
      expect(completion.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'write_file' } }]);
      await expect(client.chat.completions.create({ ...prompt('?'), stream: true })).rejects.toThrow(
        /No trigger is similar/,
      );
      expect(llm.requests).toEqual([
        {
          number: 1,
          testId: undefined,
          protocol: 'openai-chat',
          method: 'POST',
          path: '/v1/chat/completions',
          service: 'openai',
          model: 'gpt-x',
          stream: false,
          request: { messages: 1, system: '', user: ['Please write a greeting.'], results: [] },
          tools: [],
          status: 200,
          scenario: 'greeting',
          step: 0,
          auxiliary: undefined,
          error: undefined,
          lint: [],
          unmet: [{ field: 'tools', wanted: 'write_file', found: '', implied: true }],
          calls: [
            { id: expect.any(String), name: 'write_file', arguments: expect.stringContaining('"path":"hello.txt"') },
          ],
          served: { bytes: expect.any(Number), text: expect.stringContaining('"name":"write_file"') },
        },
        expect.objectContaining({ stream: true, status: 400, scenario: undefined, step: undefined }),
      ]);
      expect(llm.requests[1]?.error).toContain('No scenario matches');
    }
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  it('changes its scenarios while it runs, and checks its clients', async () => {
    const other: MockScenario = { name: 'other', trigger: 'other', steps: [{ response: { content: 'Other.' } }] };
    await using llm = await startMockLlm({ scenarios: [greeting] });
    const ask = async (text: string, testId: string) => {
      const headers = { 'x-test-id': testId };
      const body = JSON.stringify(prompt(text));
      return (await fetch(`${llm.url}/v1/chat/completions`, { method: 'POST', headers, body })).status;
    };
    await llm.add([other], { testId: 'a' });
    expect([await ask('other', 'a'), await ask('other', 'b')]).toEqual([200, 400]);
    expect([llm.verify({ testId: 'a' }).problems, llm.verify({ testId: 'b' }).problems]).toMatchObject([
      [],
      [{ kind: 'miss' }],
    ]);
    await expect(llm.add([greeting])).rejects.toThrow('the name "greeting" is taken');
    await llm.add([{ ...other, name: 'greeting' }], { replace: true });
    await llm.remove('greeting', { testId: 'a' });
    await expect(llm.remove('greeting', { testId: 'a' })).rejects.toThrow('There is no scenario named "greeting".');
    await llm.reset();
    expect(llm.unused()).toEqual([{ scenario: 'greeting', steps: [0, 1] }]);
  });

  it('accepts paths, contents of files and scenarios together, and a default response', async () => {
    const file = { scenarios: [{ name: 'other', trigger: 'other', steps: [{ response: { content: 'Other.' } }] }] };
    await using llm = await startMockLlm({ scenarios: [stories, file, greeting], default_response: 'Pardon?' });
    const client = new OpenAI({ baseURL: `${llm.url}/v1`, apiKey: 'unused' });
    const texts: unknown[] = [];
    for (const text of ['hello world', 'other', 'write a greeting', 'xyzzy']) {
      texts.push((await client.chat.completions.create(prompt(text))).choices[0]?.message.content);
    }
    expect(texts).toEqual([expect.stringContaining('hello world'), 'Other.', null, 'Pardon?']);
    expect(llm.requests.map(({ scenario }) => scenario)).toEqual(['hello-world', 'other', 'greeting', undefined]);
  });

  it('closes once, even if it is asked several times', async () => {
    const llm = await startMockLlm({ scenarios: [greeting] });
    await Promise.all([llm.close(), llm.close()]);
    await llm[Symbol.asyncDispose]();
  });

  it.each([
    ['a missing path', 'nowhere', 'nowhere: there is no such file or directory'],
    [
      'a scenario without steps',
      [greeting, { ...greeting, name: 'x', steps: [] }],
      'scenarios[1]: $.scenarios[0].steps: must not be empty',
    ],
    ['a name used twice', [greeting, greeting], 'scenarios[1]: $.scenarios[0].name: the name "greeting" is taken'],
  ])('rejects %s', async (_name, scenarios, message) => {
    await expect(startMockLlm({ scenarios })).rejects.toThrow(message);
  });

  it.each<readonly [object, string]>([
    [{ scenario: [] }, 'startMockLlm has no option "scenario"; did you mean scenarios?'],
    [{ scenarios: [], seed: 1 }, 'startMockLlm has no option "seed"'],
    [{ scenarios: [], chaos: { rate: 0.5, seed: 1, seeds: 1 } }, 'startMockLlm has no option "chaos.seeds"'],
    [{ scenarios: { name: 'x' } }, '"scenarios" of startMockLlm is wrong: expected a path, or a list of paths'],
    [
      { scenarios: [], lint: 'warning' },
      '"lint" of startMockLlm is wrong: Invalid option: expected one of "off"|"warn"|',
    ],
    [
      { scenarios: [], port: '80' },
      '"port" of startMockLlm is wrong: Invalid input: expected number, received string.',
    ],
    [{ scenarios: [], as: 'depseek' }, 'There is no service "depseek"; did you mean deepseek?'],
  ])('rejects the options %j of JavaScript in one sentence', async (options, message) => {
    const untyped = z.custom<MockLlmOptions>(() => true).parse(options);
    await expect(startMockLlm(untyped)).rejects.toThrow(message);
  });

  it('rejects a host that other machines can reach without a token', async () => {
    const start = startMockLlm({ scenarios: [greeting], host: '0.0.0.0' });
    await expect(start).rejects.toThrow('Other machines can reach 0.0.0.0. Set a token');
  });

  it('rejects a port in use', async () => {
    await using first = await startMockLlm({ scenarios: [greeting] });
    const port = Number(new URL(first.url).port);
    await expect(startMockLlm({ scenarios: [greeting], port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `port ${port} on 127.0.0.1 is in use; choose another port (0 picks a free one)`,
    });
  });

  it('answers and rejects requests even if its log throws errors', async () => {
    const log = () => {
      throw new Error('The log is broken.');
    };
    await using llm = await startMockLlm({ scenarios: [greeting], token: 'secret', log });
    const ask = async (key: string) => {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'write a greeting' }] });
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${llm.url}/v1/chat/completions`, { method: 'POST', body, headers })).status;
    };
    expect([await ask('secret'), await ask('wrong')]).toEqual([200, 401]);
  });
});

describe('mockLlmFetch', () => {
  it('answers a client without a port, streamed and not', async () => {
    const fetch = mockLlmFetch({ scenarios: [greeting] });
    const client = new OpenAI({ baseURL: 'http://mock.invalid/v1', apiKey: 'unused', fetch });
    const whole = await client.chat.completions.create(prompt('write a greeting'));
    const streamed = await client.chat.completions.stream(prompt('write a greeting')).finalChatCompletion();
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(whole.choices[0]?.message.tool_calls ?? [{}]);
    expect(fetch.requests.map(({ stream, scenario, step }) => [stream, scenario, step])).toEqual([
      [false, 'greeting', 0],
      [true, 'greeting', 0],
    ]);
  });

  it('rejects its first call if the scenarios are invalid', async () => {
    const fetch = mockLlmFetch({ scenarios: ['nowhere'] });
    await expect(fetch('http://mock.invalid/health')).rejects.toThrow('nowhere: there is no such file');
  });

  it.each([
    ['not streamed', { stream: false }, { time_to_first_token_ms: 60_000 }, undefined],
    ['streamed', { stream: true }, { time_to_first_token_ms: 60_000 }, undefined],
    ['stalled', { stream: true }, { time_to_first_token_ms: 1 }, { stall: 'forever' }],
  ] as const)('rejects a call that is aborted before its answer, %s', async (_how, more, timing, fault) => {
    const steps = [{ response: { content: 'A late answer.' }, timing, ...(fault && { fault }) }];
    const clock = createVirtualClock();
    const fetch = mockLlmFetch({ scenarios: [{ name: 'late', trigger: 'late', steps }], clock });
    const client = new AbortController();
    const call = (async () => {
      const body = JSON.stringify({ ...prompt('late'), ...more });
      const init = { method: 'POST', body, signal: client.signal };
      return (await fetch('http://mock.invalid/v1/chat/completions', init)).text();
    })();
    await clock.untilSleeping();
    await clock.advance(1);
    // A request that was garbage-collected does not react to its signal.
    collectGarbage();
    client.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    clock.assertIdle();
  });

  it('removes its listeners from a signal when its answers have ended', async () => {
    const steps = [{ response: { content: 'Timed.' }, timing: { chunk: { by: 'words' as const } } }];
    const fetch = mockLlmFetch({ scenarios: [{ name: 'timed', trigger: 'timed', steps }] });
    const { signal } = new AbortController();
    for (let time = 0; time < 3; time++) {
      const init = { method: 'POST', body: JSON.stringify({ ...prompt('timed'), stream: true }), signal };
      await (await fetch('http://mock.invalid/v1/chat/completions', init)).text();
    }
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects a call whose signal is already aborted, as fetch does', async () => {
    const fetch = mockLlmFetch({ scenarios: [greeting] });
    const call = fetch('http://mock.invalid/health', { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a virtual clock', () => {
  it('skips half a minute of silence', async () => {
    const clock = createVirtualClock();
    const slow: MockScenario = {
      ...greeting,
      steps: [{ response: { content: 'At last.' }, timing: { time_to_first_token_ms: 30_000 } }],
    };
    await using llm = await startMockLlm({ scenarios: [slow], clock });
    const client = new OpenAI({ baseURL: `${llm.url}/v1`, apiKey: 'unused' });
    let text = '';
    const reading = (async () => {
      const stream = await client.chat.completions.create({ ...prompt('write a greeting'), stream: true });
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    })();
    await clock.untilSleeping();
    expect([text, clock.pending]).toEqual(['', [30_000]]);
    await clock.advance(30_000);
    await reading;
    expect(text).toBe('At last.');
    clock.assertIdle();
  });
});

it('ybs/testing does not use `using`, so that it loads on Node 20', () => {
  const source = readFileSync(new URL('../../../mock-llm-server/testing.ts', import.meta.url), 'utf8');
  expect(source).not.toMatch(/^\s*(await )?using \w/m);
});
