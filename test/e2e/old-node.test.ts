import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { mockServerEntry, ybsEntry } from '../support/processes/entry.ts';

const pretend = pathToFileURL(path.join(import.meta.dirname, '../support/processes/pretend-old-node.ts')).href;

function runOn(version: string, entry: string) {
  return execa(process.execPath, ['--import', pretend, entry, '--version'], {
    reject: false,
    stdin: 'ignore',
    env: { YBS_PRETEND_NODE: version },
  });
}

describe.each([
  ['ybs', ybsEntry],
  ['mock-llm-server', mockServerEntry],
])('%s', (name, entry) => {
  it.each(['12.22.12', '18.20.8', '20.18.3'])('prints one line on Node %s', async (version) => {
    const { exitCode, stdout, stderr } = await runOn(version, entry);
    expect(stderr).toBe(`${name} needs Node.js 20.19 or newer, but this is ${version}. Please update Node.js.`);
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
  });

  it.each(['20.19.0', '22.12.0', '26.10.0'])('runs on Node %s', async (version) => {
    const { exitCode, stdout, stderr } = await runOn(version, entry);
    expect(stderr).toBe('');
    expect(stdout).not.toBe('');
    expect(exitCode).toBe(0);
  });
});
