import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { mockServerEntry } from '../../support/processes/entry.ts';

const root = path.join(import.meta.dirname, '../../..');
const main = mockServerEntry;
const older = path.join(root, 'test/unit/mock-llm-server/scenario/fixtures/older-format.json');

/** The scenario and the steps of that file that a request for `hello world` alone does not use. */
const UNUSED = '1 scenario of 2 (simple-chat); steps 1, 2 of "hello-world"';

/** Starts the command and waits for the line with its URL. */
async function start(...args: readonly string[]) {
  const child = execa(process.execPath, [main, '--port', '0', ...args], { reject: false, stdin: 'ignore' });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, line: String(line), url: new URL(JSON.parse(String(line)).url) };
}

function post(url: URL, content: string, limits: object = {}) {
  return fetch(`${url.origin}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...limits }),
  });
}

// test/integration/mock/command-line.test.ts has the command lines that start no server.
describe('the command', () => {
  // The next test ends it with SIGTERM.
  it.skipIf(process.platform === 'win32')(
    'prints its URL, answers up to the limit of a request, and at SIGINT names unused steps and stops',
    async () => {
      const { child, line, url } = await start('--scenarios', older);
      expect(line).toMatch(/^\{"event":"listening","url":"http:\/\/127\.0\.0\.1:\d+"\}$/);
      expect(await (await post(url, 'hello world', { max_tokens: 1 })).json()).toMatchObject({
        choices: [{ finish_reason: 'length' }],
      });
      child.kill('SIGINT');
      const { exitCode, stdout, stderr } = await child;
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 0,
        stdout: line,
        stderr: [
          '2 scenarios loaded',
          '/v1/chat/completions 200 hello-world step 0 (cut at max_tokens 1: 1 of 29 tokens are sent)',
          `never used: ${UNUSED}`,
        ].join('\n'),
      });
    },
  );

  // > README.md: It turns intents into calls of the tools that a client offers, so that one story drives any agent, it injects faults, and it judges what a client did after them.
  it('prints the seed that it generates for chaos; the same seed injects the same faults', async () => {
    const tools = [{ type: 'function', function: { name: 'write_file' } }];
    const play = async (...options: readonly string[]) => {
      const { child, url } = await start('--scenarios', older, '--no-watch', '--chaos', '1', ...options);
      for (let time = 0; time < 2; time++) await (await post(url, 'hello world', { tools })).text().catch(() => '');
      child.kill();
      return (await child).stderr.split('\n');
    };
    const first = await play();
    const seed = /repeat it with --chaos 1 --seed (\d+)$/.exec(first[1] ?? '')?.[1] ?? '';
    expect(first).toEqual([
      '2 scenarios loaded',
      `chaos fails a fraction of 1 of the requests; repeat it with --chaos 1 --seed ${seed}`,
      expect.stringMatching(/^\/v1\/chat\/completions \d{3} hello-world step 0 \(chaos .*, times 1\)$/),
      '/v1/chat/completions 200 hello-world step 0',
      `never used: ${UNUSED}`,
    ]);
    expect(await play('--seed', seed)).toEqual(first);
  });

  it('loads the stories of the package without --scenarios, and ignores the limits of requests if an option says so', async () => {
    const { child, url } = await start('--limits', 'ignore');
    const answer = await (await post(url, 'hello world', { max_tokens: 1 })).json();
    child.kill();
    await child;
    expect(answer).toMatchObject({
      choices: [{ finish_reason: 'tool_calls', message: { tool_calls: [{ id: 'call_001' }] } }],
    });
  });
});
