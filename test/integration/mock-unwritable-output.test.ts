import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const main = path.join(root, 'mock-llm-server/main.ts');
const shipped = path.join(root, 'scenarios');

const running: { kill(): boolean }[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
});

/** A disk without room, where the system has one. */
const FULL = '/dev/full';
const fullDisk = () => openSync(FULL, 'w');

/** Asks the server at this address three times, one after the other, so that each answer logs a line of its own. */
async function askThreeTimes(url: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < 3; time++) {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'write a greeting' }] }),
    });
    await response.text();
    statuses.push(response.status);
  }
  return statuses;
}

function pipeOf(stream: Readable | null): Readable {
  if (stream === null) throw new Error('it was started without a pipe');
  return stream;
}

async function urlIn(stream: Readable | null, pattern: RegExp): Promise<string> {
  for await (const line of createInterface({ input: pipeOf(stream) })) {
    const url = pattern.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`ended without ${pattern}`);
}

describe('a server', () => {
  it('goes on answering when the reader of its log has gone', async () => {
    const child = spawn(process.execPath, [main, '--port', '0', '--no-watch'], { stdio: ['ignore', 'pipe', 'pipe'] });
    running.push(child);
    const url = await urlIn(child.stdout, /"url":"([^"]+)"/);
    child.stdout.destroy();
    child.stderr.destroy();
    expect(await askThreeTimes(url)).toEqual([200, 200, 200]);
    child.kill('SIGTERM');
    if (process.platform !== 'win32') expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.skipIf(!existsSync(FULL))('goes on answering when its log has no room', async () => {
    const child = spawn(process.execPath, [main, '--port', '0', '--no-watch'], {
      stdio: ['ignore', 'pipe', fullDisk()],
    });
    running.push(child);
    const url = await urlIn(child.stdout, /"url":"([^"]+)"/);
    expect(await askThreeTimes(url)).toEqual([200, 200, 200]);
  });

  it.skipIf(!existsSync(FULL))('says in its log where it listens when it cannot say so elsewhere', async () => {
    const child = spawn(process.execPath, [main, '--port', '0', '--no-watch'], {
      stdio: ['ignore', fullDisk(), 'pipe'],
    });
    running.push(child);
    const url = await urlIn(
      child.stderr,
      /^the output cannot be written: the disk is full; the server listens at (http.+)$/,
    );
    expect(await askThreeTimes(url)).toEqual([200, 200, 200]);
  });
});

describe.skipIf(!existsSync(FULL))('a command without room for its output', () => {
  it.each([['--help'], ['--version'], ['validate', shipped]])('%s ends with one line and 1', async (...args) => {
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', fullDisk(), 'pipe'] });
    const [said, [code]] = await Promise.all([text(pipeOf(child.stderr)), once(child, 'exit')]);
    expect([code, said]).toEqual([1, 'mock-llm-server: the output cannot be written: the disk is full\n']);
  });

  it('keeps its exit code where it cannot even say why', async () => {
    const child = spawn(process.execPath, [main, '--nope'], { stdio: ['ignore', 'ignore', fullDisk()] });
    expect(await once(child, 'exit')).toEqual([2, null]);
  });
});

it('a command is quiet when its reader has gone', async () => {
  const child = spawn(process.execPath, [main, 'validate', shipped], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([code, said]).toEqual([0, '']);
});
