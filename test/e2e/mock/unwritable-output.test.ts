import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { mockServerEntry } from '../../support/processes/entry.ts';

const root = path.join(import.meta.dirname, '../../..');
const main = mockServerEntry;
const shipped = path.join(root, 'scenarios');

const running: { kill(): boolean }[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
});

/** A device without free space, on systems that have one. */
const FULL = '/dev/full';
const fullDisk = () => openSync(FULL, 'w');

/** Sends three requests one after the other, so that each answer logs its line. */
async function sendThreeRequests(url: string): Promise<number[]> {
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
  if (stream === null) throw new Error('The process was started without a pipe.');
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
  it('keeps answering when the reader of its log has closed the stream', async () => {
    const child = spawn(process.execPath, [main, '--port', '0', '--no-watch'], { stdio: ['ignore', 'pipe', 'pipe'] });
    running.push(child);
    const url = await urlIn(child.stdout, /"url":"([^"]+)"/);
    child.stdout.destroy();
    child.stderr.destroy();
    expect(await sendThreeRequests(url)).toEqual([200, 200, 200]);
    child.kill('SIGTERM');
    if (process.platform !== 'win32') expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.skipIf(!existsSync(FULL))('keeps answering when the disk of its log is full', async () => {
    const child = spawn(process.execPath, [main, '--port', '0', '--no-watch'], {
      stdio: ['ignore', 'pipe', fullDisk()],
    });
    running.push(child);
    const url = await urlIn(child.stdout, /"url":"([^"]+)"/);
    expect(await sendThreeRequests(url)).toEqual([200, 200, 200]);
  });

  it.skipIf(!existsSync(FULL))('logs its address when it cannot print it', async () => {
    const child = spawn(process.execPath, [main, '--port', '0', '--no-watch'], {
      stdio: ['ignore', fullDisk(), 'pipe'],
    });
    running.push(child);
    const url = await urlIn(
      child.stderr,
      /^the output cannot be written: the disk is full; the server listens at (http.+)$/,
    );
    expect(await sendThreeRequests(url)).toEqual([200, 200, 200]);
  });
});

describe.skipIf(!existsSync(FULL))('a command whose output goes to a full disk', () => {
  it.each([['--help'], ['validate', shipped]])('%s prints one line and exits with 1', async (...args) => {
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', fullDisk(), 'pipe'] });
    const [stderr, [code]] = await Promise.all([text(pipeOf(child.stderr)), once(child, 'exit')]);
    expect([code, stderr]).toEqual([1, 'mock-llm-server: the output cannot be written: the disk is full\n']);
  });

  it('keeps its exit code when it cannot print its error', async () => {
    const child = spawn(process.execPath, [main, '--nope'], { stdio: ['ignore', 'ignore', fullDisk()] });
    expect(await once(child, 'exit')).toEqual([2, null]);
  });
});

it('a command prints no error when its reader has closed the stream', async () => {
  const child = spawn(process.execPath, [main, 'validate', shipped], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([code, stderr]).toEqual([0, '']);
});
