import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mockServerEntry } from '../support/entry.ts';

const root = path.join(import.meta.dirname, '../..');
const main = mockServerEntry;
const older = path.join(root, 'test/unit/mock-llm-server/scenario/fixtures/older-format.json');

/** The scenario and the steps of that file that a request for `hello world` alone does not use. */
const UNUSED = '1 scenario of 2 (simple-chat); steps 1, 2 of "hello-world"';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'mock-llm-server-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Starts the command and waits for the line with its URL. */
async function start(...args: readonly string[]) {
  const child = execa(process.execPath, [main, '--port', '0', ...args], { reject: false, stdin: 'ignore' });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, line: String(line), url: new URL(JSON.parse(String(line)).url) };
}

function run(...args: readonly string[]) {
  return execa(process.execPath, [main, ...args], { reject: false, stdin: 'ignore' });
}

function post(url: URL, content: string, limits: object = {}) {
  return fetch(`${url.origin}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...limits }),
  });
}

describe('the command', () => {
  it('ignores the limits of requests when it is asked to', async () => {
    const { child, url } = await start('--scenarios', older, '--limits', 'ignore');
    const answer = await (await post(url, 'hello world', { max_tokens: 1 })).json();
    child.kill();
    await child;
    expect(answer).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
  });

  // The next test ends it with SIGTERM.
  it.skipIf(process.platform === 'win32')(
    'prints its URL, answers up to the limit of a request, and stops at SIGINT, naming what was never used',
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

  it('prints the seed that it generates for chaos; the same seed injects the same faults', async () => {
    const play = async (...options: readonly string[]) => {
      const { child, url } = await start('--scenarios', older, '--no-watch', '--chaos', '1', ...options);
      for (let time = 0; time < 2; time++) await (await post(url, 'hello world')).text().catch(() => '');
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

  it('loads the stories of the package without --scenarios', async () => {
    const { child, url } = await start();
    const answer = await (await post(url, 'hello world')).json();
    child.kill();
    await child;
    expect(answer).toMatchObject({ choices: [{ message: { tool_calls: [{ id: 'call_001' }] } }] });
  });

  it('reports file, path and reason of an invalid file and exits with 2', async () => {
    const file = path.join(directory, 'bad.json');
    await writeFile(file, JSON.stringify({ scenarios: [{ name: 'n', trigger: { regex: '(' }, steps: [] }] }));
    const { exitCode, stdout, stderr } = await run('--scenarios', file);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        `mock-llm-server: ${file}: $.scenarios[0].trigger.regex: Invalid regular expression: /(/: Unterminated group\n` +
        '  fix: escape special characters with \\\\, as in "\\\\(" for a (\n' +
        `${file}: $.scenarios[0].steps: must not be empty\n` +
        '  fix: add an item to "steps"',
    });
  });

  it.each([
    ['an unknown option', ['--nope'], 'unknown option --nope\nTry mock-llm-server --help.'],
    [
      'a glob that matches nothing',
      ['--scenarios', 'nowhere/**/*.json'],
      'nowhere/**/*.json: no scenario file and no story directory',
    ],
  ])('exits with 2 for %s', async (_name, args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('reports in one line that the port is in use', async () => {
    const { child, url } = await start('--scenarios', older);
    const { exitCode, stderr } = await run('--port', url.port, '--scenarios', older);
    child.kill();
    await child;
    expect(exitCode).toBe(1);
    expect(stderr.split('\n').at(-1)).toBe(
      `mock-llm-server: port ${url.port} on 127.0.0.1 is in use; choose another port (0 picks a free one)`,
    );
  });

  it('reports that the address is not one of this machine', async () => {
    const { exitCode, stderr } = await run('--port', '0', '--host', '192.0.2.1', '--scenarios', older);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('192.0.2.1 is not an address of this machine; choose another host');
  });
});
