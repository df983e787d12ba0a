import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { sse } from '../../support/replies/frames.ts';
import {
  jsonReply,
  pieceReply,
  type RawReply,
  type RawRequest,
  startRawServer,
} from '../../support/replies/raw-server.ts';

/** A chat completion in two chunks: a delta, and the end. */
function chatReply(delta: object, finish: string, usage?: object): RawReply {
  const end = { choices: [{ index: 0, delta: {}, finish_reason: finish }], usage };
  return pieceReply([sse({ choices: [{ index: 0, delta }] }), sse(end), 'data: [DONE]\n\n']);
}

const DONE = chatReply({ content: 'All done.' }, 'stop');
const CALL = {
  index: 0,
  id: 'call_0001',
  type: 'function',
  function: { name: 'read_file', arguments: '{"path":"a.txt"}' },
};

/** A model server; `chat` answers the completions by their number, from 0. */
function startServer(chat: (body: string, count: number) => RawReply) {
  return startRawServer(({ body }, number) => chat(body, number - 1));
}

const bodiesOf = (requests: readonly RawRequest[]) => requests.map(({ body }) => body);

async function run(url: string, model: string, directory: string, ...more: readonly string[]) {
  const args = ['--provider', 'openai-compatible', '--endpoint', `${url}/v1`, '--model', model, ...more];
  return runMain(args, { directory, environment: { HOME: directory } });
}

function workspace(): string {
  const directory = temporaryDirectory();
  writeFileSync(path.join(directory, 'a.txt'), 'text');
  return directory;
}

describe('the requirements of a service', () => {
  it('are met by returning the state of an answer unchanged after a tool call and with --continue', async () => {
    const thought = { google: { thought_signature: 'CtkB' } };
    const delta = { reasoning_content: 'Let me see.', tool_calls: [{ ...CALL, extra_content: thought }] };
    const { url, requests } = await startServer((body, count) => {
      if (count === 0) return chatReply(delta, 'tool_calls');
      // As DeepSeek and Google do.
      const isWhole = body.includes('"reasoning_content":"Let me see."') && body.includes('"thought_signature":"CtkB"');
      return isWhole
        ? DONE
        : jsonReply({ error: { message: 'The `reasoning_content` must be passed back.' } }, { status: 400 });
    });
    const directory = workspace();
    const first = await run(url, 'thinker', directory, 'read a.txt');
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('All done.') });
    const second = await run(url, 'thinker', directory, '--continue', 'again');
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('All done.') });
    expect(bodiesOf(requests)).toHaveLength(3);
  });
});

/** A server with one model, whose list has these facts; `chat` answers the requests by their number. */
function startListed(
  facts: object,
  chat: (body: string, count: number) => RawReply,
  others: Readonly<Record<string, unknown>> = {},
) {
  const replies = new Map<string, unknown>(Object.entries(others));
  replies.set('/v1/models', { object: 'list', data: [{ id: 'only-model', object: 'model', ...facts }] });
  return startRawServer(
    ({ body }, number) => chat(body, number - 1),
    ({ path: route }) => (replies.has(route) ? jsonReply(replies.get(route)) : undefined),
  );
}

describe('windows and limits', () => {
  it('are the same in a run, ybs models and ybs doctor, and a server with one model needs no --model', async () => {
    const { url, requests } = await startListed({ owned_by: 'vllm', max_model_len: 16_384 }, () => DONE);
    const directory = workspace();
    const server = ['--provider', 'openai-compatible', '--endpoint', `${url}/v1`];
    const options = { directory, environment: { HOME: directory } };
    const answered = await runMain([...server, 'hello'], options);
    expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('All done.') });
    expect(JSON.parse(bodiesOf(requests)[0] ?? '')).toMatchObject({ model: 'only-model', max_tokens: 4_096 });
    const models = await runMain(['models', ...server], options);
    expect(models.stdout).toContain('only-model  16,384 tokens, answers of 4,096');
    const doctor = await runMain(['doctor', ...server], options);
    expect(doctor.stdout).toContain('16,384 tokens (stated by the server)');
    expect(doctor.stdout).toContain('at most 4,096 tokens (assumed, because nothing states it; set llm.max_tokens)');
  });

  it('do not cause a compaction by ten files of 20 KB in a window of 1,000,000 tokens, where a long file is one call', async () => {
    const directory = workspace();
    for (let number = 0; number < 10; number += 1) {
      writeFileSync(path.join(directory, `f${number}.txt`), `line of text ${number}\n`.repeat(1_300));
    }
    const lines = 'export const value = 1; // one of many lines\n'.repeat(1_500);
    const read = Array.from({ length: 10 }, (_, number) => callOf(number, 'read_file', { path: `f${number}.txt` }));
    const write = callOf(0, 'write_file', { path: 'long.ts', content: lines });
    const { url, requests } = await startListed({ context_length: 1_000_000 }, (_body, count) => {
      if (count === 0) return chatReply({ tool_calls: read }, 'tool_calls');
      return count === 1 ? chatReply({ tool_calls: [write] }, 'tool_calls') : DONE;
    });
    const { code, stdout } = await run(
      url,
      'only-model',
      directory,
      '--output-format',
      'json',
      '--permission-mode',
      'accept-edits',
      'go',
    );
    expect(code).toBe(0);
    expect(stdout).not.toContain('"compaction"');
    expect(readFileSync(path.join(directory, 'long.ts'), 'utf8')).toBe(lines);
    expect(bodiesOf(requests)).toHaveLength(3);
  });

  it('cause a compaction when an answer is cut off at the end of the window, and the run continues', async () => {
    const { url } = await startListed({ max_model_len: 32_768 }, (_body, count) => {
      const cut = { prompt_tokens: 32_720, completion_tokens: 48, total_tokens: 32_768 };
      return count === 0 ? chatReply({ content: 'The parser' }, 'length', cut) : DONE;
    });
    const { code, stdout } = await run(url, 'only-model', workspace(), 'explain');
    expect(code).toBe(0);
    expect(stdout).toContain('All done.');
    expect(stdout).not.toContain('Raise llm.max_tokens');
  });

  it('are reported before the first request for a model whose template has no tools', async () => {
    const facts = { owned_by: 'llamacpp', meta: { n_ctx: 32_768 } };
    const props = { '/props?model=only-model&autoload=false': { chat_template_caps: { supports_tools: false } } };
    const { url } = await startListed(facts, () => DONE, props);
    const directory = workspace();
    const { stdout, stderr } = await run(url, 'only-model', directory, 'hello');
    expect(`${stdout}${stderr}`).toMatch(/only-model cannot call tools, so it can only answer.*llm\.tool_protocol xnl/);
    const llm = { provider: 'openai-compatible', endpoint: `${url}/v1`, model: 'only-model', tool_protocol: 'xnl' };
    writeFileSync(path.join(directory, '.ybs.json'), JSON.stringify({ llm }));
    for (const [command, answer] of [
      ['hello', 'All done.'],
      ['doctor', 'answers and offers 1 model'],
    ] as const) {
      const followed = await runMain([command], { directory, environment: { HOME: directory } });
      expect(followed.stdout).toContain(answer);
      expect(`${followed.stdout}${followed.stderr}`).not.toContain('cannot call tools');
    }
  });
});

function callOf(index: number, name: string, input: object) {
  return { index, id: `call_${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
