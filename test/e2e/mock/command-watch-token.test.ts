import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { expect, it, onTestFinished } from 'vitest';
import { mockServerEntry } from '../../support/processes/entry.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const main = mockServerEntry;
/** Shortly before the timeout of a test, so that the error shows the log. */
const DEADLINE = 50_000;

/** Starts the command and waits until it listens. `logged` waits for a line on standard error that matches. */
async function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = execa(process.execPath, [main, '--port', '0', ...args], {
    reject: false,
    stdin: 'ignore',
    env,
    forceKillAfterDelay: false,
  });
  onTestFinished(async () => {
    child.kill();
    await child;
  });
  const lines: string[] = [];
  let wake = () => {};
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    wake();
  });
  const logged = async (pattern: RegExp): Promise<string> => {
    const signal = AbortSignal.timeout(DEADLINE);
    for (;;) {
      const found = lines.find((line) => pattern.test(line));
      if (found !== undefined) return found;
      await new Promise<void>((resolve, reject) => {
        wake = resolve;
        signal.onabort = () => reject(new Error(`no line matches ${pattern}:\n${lines.join('\n')}`));
      });
    }
  };
  const url = await new Promise<URL>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(new URL(JSON.parse(line).url)));
  });
  return { origin: `http://127.0.0.1:${url.port}`, logged, lines, child };
}

/** Log line of a request with a valid token. */
const ANSWERED = /^\/v1\/chat\/completions (?!401)/;

const file = (answer: string) =>
  JSON.stringify({ scenarios: [{ name: 'a', trigger: 'hi', steps: [{ response: { content: answer } }] }] });

async function post(origin: string, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
  const response = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', body, headers });
  return { status: response.status, text: await response.text() };
}

it('the command ends at once on SIGTERM, even while expressions that would take years search in requests', async () => {
  const scenarios = path.join(temporaryDirectory(), 'slow.json');
  const steps = [{ response: { content: 'x' } }];
  writeFileSync(scenarios, JSON.stringify({ scenarios: [{ name: 'slow', trigger: { regex: '^(a+)+$' }, steps }] }));
  const { origin, logged, child } = await start(['--scenarios', scenarios]);
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: `${'a'.repeat(60)}!` }] });
  const ask = () => fetch(`${origin}/v1/chat/completions`, { method: 'POST', body });
  expect(await (await ask()).json()).toMatchObject({ error: { code: 'slow_expression' } });
  const pending = Promise.allSettled(Array.from({ length: 50 }, ask));
  await logged(/slow_expression[\s\S]*/);
  child.kill('SIGTERM');
  expect(await child).toMatchObject({ exitCode: 0 });
  await pending;
});

it('the command answers from a file that was edited, and from the last valid one while it is broken', async () => {
  const scenarios = path.join(temporaryDirectory(), 'a.json');
  writeFileSync(scenarios, file('first'));
  const { origin, logged } = await start(['--scenarios', scenarios]);
  expect((await post(origin)).text).toContain('"first"');
  writeFileSync(scenarios, file('second'));
  await logged(/^1 scenario loaded again$/);
  expect((await post(origin)).text).toContain('"second"');
  writeFileSync(scenarios, '{ "scenarios": [] }');
  await logged(/^the scenarios are broken; the last valid ones stay in use:$/);
  expect(await logged(/a\.json: \$\.scenarios: must not be empty/)).toContain(scenarios);
  expect((await post(origin)).text).toContain('"second"');
});

it('the command does not reload its scenarios with --no-watch', async () => {
  const scenarios = path.join(temporaryDirectory(), 'a.yaml');
  writeFileSync(scenarios, file('first'));
  const { origin, logged, lines } = await start(['--scenarios', scenarios, '--no-watch']);
  writeFileSync(scenarios, file('second'));
  expect((await post(origin)).text).toContain('"first"');
  await logged(/ 200 a step 0$/);
  expect(lines).toEqual(['1 scenario loaded', '/v1/chat/completions 200 a step 0']);
});

it('the command warns when other machines can reach it, and prints the token that it generates once', async () => {
  const { origin, logged, lines } = await start(['--host', '0.0.0.0']);
  await logged(/^warning: other machines can reach 0\.0\.0\.0; every request needs the token/);
  const token = (await logged(/^token for this run: /)).replace(/^.*: /, '');
  expect(token).toMatch(/^[A-Za-z0-9_-]{32}$/);
  expect((await post(origin)).status).toBe(401);
  expect((await post(origin, { authorization: `Bearer ${token}` })).status).not.toBe(401);
  await logged(ANSWERED);
  expect(lines.filter((line) => line.includes(token))).toHaveLength(1);
});

it('the command never prints a token from the environment', async () => {
  const { origin, logged, lines } = await start(['--host', '0.0.0.0'], { MOCK_LLM_SERVER_TOKEN: 'given-token' });
  await logged(/^warning: /);
  expect((await post(origin)).status).toBe(401);
  expect((await post(origin, { 'x-api-key': 'given-token' })).status).not.toBe(401);
  await logged(ANSWERED);
  expect(lines.join('\n')).not.toContain('given-token');
});

it.skipIf(process.platform === 'win32')('the command accepts 1,500 connections at once', async () => {
  const { origin, child } = await start([]);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  child.kill('SIGSTOP');
  try {
    // The kernel completes a connection only while there is room in the queue of the listener, which is stopped.
    for (let count = 0; count < 1_500; count += 1) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
    }
  } finally {
    child.kill('SIGCONT');
  }
  expect(sockets).toHaveLength(1_500);
  expect(await post(origin)).toMatchObject({ status: 200 });
});
