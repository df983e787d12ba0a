import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBin } from '../support/processes/run-bin.ts';
import { temporaryDirectory } from '../support/processes/temporary-directory.ts';
import { type RawRequest, rawChat, rawJson, startRawServer } from '../support/raw-model-server.ts';

const DONE = rawChat({ content: 'All done.' }, 'stop');
const CALL = {
  index: 0,
  id: 'call_0001',
  type: 'function',
  function: { name: 'read_file', arguments: '{"path":"a.txt"}' },
};

/** A server of models; `chat` answers the completions by their number, from 0. */
function startServer(chat: (body: string, count: number) => string) {
  let count = 0;
  return startRawServer(({ path: route, body }) => {
    if (!route.endsWith('/chat/completions')) return rawJson({ error: { message: 'not here' } }, 404);
    count += 1;
    return chat(body, count - 1);
  });
}

const bodiesOf = (requests: readonly RawRequest[]) =>
  requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

async function run(url: string, model: string, directory: string, ...more: readonly string[]) {
  const args = ['--provider', 'openai-compatible', '--endpoint', `${url}/v1`, '--model', model, ...more];
  return runBin(args, { directory, environment: { HOME: directory } });
}

function workspace(): string {
  const directory = temporaryDirectory();
  writeFileSync(path.join(directory, 'a.txt'), 'text');
  return directory;
}

describe('what a service wants', () => {
  it('state of an answer goes back unchanged after a tool call and over --continue', async () => {
    const thought = { google: { thought_signature: 'CtkB' } };
    const delta = { reasoning_content: 'Let me see.', tool_calls: [{ ...CALL, extra_content: thought }] };
    const { url, requests } = await startServer((body, count) => {
      if (count === 0) return rawChat(delta, 'tool_calls');
      // As DeepSeek and Google do.
      const isWhole = body.includes('"reasoning_content":"Let me see."') && body.includes('"thought_signature":"CtkB"');
      return isWhole ? DONE : rawJson({ error: { message: 'The `reasoning_content` must be passed back.' } }, 400);
    });
    const directory = workspace();
    const first = await run(url, 'thinker', directory, 'read a.txt');
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('All done.') });
    const second = await run(url, 'thinker', directory, '--continue', 'again');
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('All done.') });
    expect(bodiesOf(requests)).toHaveLength(3);
  });

  it('a refused request is sent once more in another form, in one line, and the run goes on', async () => {
    const { url, requests } = await startServer((body, count) => {
      if (count === 0) return rawChat({ reasoning_content: 'Hm.', tool_calls: [CALL] }, 'tool_calls');
      const refusal = {
        message: "property 'messages.2.assistant.reasoning_content' is unsupported",
        code: 'wrong_api_format',
      };
      return body.includes('reasoning_content') ? rawJson(refusal, 400) : DONE;
    });
    const { code, stdout, stderr } = await run(url, 'm', workspace(), 'read a.txt');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('All done.') });
    expect(`${stdout}${stderr}`.match(/is sent again without the reasoning of earlier answers/g)).toHaveLength(1);
    expect(bodiesOf(requests)).toHaveLength(3);
  });

  it('a model of Mistral gets its ids and its order of roles', async () => {
    const { url, requests } = await startServer((body, count) => {
      if (count === 0) return rawChat({ tool_calls: [CALL] }, 'tool_calls');
      const { messages }: { messages: { role: string; tool_call_id?: string }[] } = JSON.parse(body);
      const wrong = messages.find(
        ({ role, tool_call_id: id }) => role === 'tool' && !/^[a-zA-Z0-9]{9}$/.test(id ?? ''),
      );
      const order = messages.find(({ role }, index) => role === 'user' && messages[index - 1]?.role === 'tool');
      if (wrong !== undefined)
        return rawJson(
          { message: 'Tool call id was call_0001 but must be a-z, A-Z, 0-9, with a length of 9.', code: '3280' },
          400,
        );
      if (order !== undefined)
        return rawJson({ message: "Unexpected role 'user' after role 'tool'", code: '3230' }, 400);
      return count === 1 ? rawChat({}, 'length') : DONE;
    });
    const directory = workspace();
    await run(url, 'mistral-large-latest', directory, 'read a.txt');
    const { code } = await run(url, 'mistral-large-latest', directory, '--continue', 'go on');
    expect(code).toBe(0);
    expect(bodiesOf(requests)).toHaveLength(3);
  });
});
