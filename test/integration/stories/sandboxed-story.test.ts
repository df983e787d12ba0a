import { rm } from 'node:fs/promises';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';

/** A directory with a story whose model prints the file `.env`, which the sandbox hides, and writes another one. */
function writeStory(sandbox: object): string {
  const directory = temporaryDirectory();
  const command = 'cat .env; echo done > done.txt';
  const steps = [{ intent: 'shell', command }, { response: { content: 'I cannot see the key.' } }];
  const story = {
    ...{ prompts: ['show the key'], approvals: ['once'], check: ['! cat .env', 'cat done.txt'] },
    expected_result_contains: ['.env: Permission denied'],
    ...sandbox,
  };
  writeFiles(directory, {
    'hidden/scenario.json': JSON.stringify({ scenarios: [{ name: 'hidden', trigger: 'key', steps }], story }),
    'hidden/workspace/.env': 'KEY=amber-otter-17\n',
    'hidden/expected/.env': 'KEY=amber-otter-17\n',
    'hidden/expected/done.txt': 'done\n',
  });
  return directory;
}

async function play(sandbox: object, environment: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await runMain(['test', 'hidden'], { directory: writeStory(sandbox), environment });
  onTestFinished(() => rm(/kept in (.*)/.exec(stdout)?.[1] ?? 'nowhere', { recursive: true, force: true }));
  return { code, stdout: stdout.replaceAll(/ \(.*\)$/gm, ''), stderr };
}

const REQUIRED = { sandbox: 'required' };
const missing = await missingSandbox();

describe.skipIf(missing !== undefined)('a story that requires the sandbox', () => {
  it('plays its commands and its checks in it, where a file with secrets cannot be opened', async () => {
    expect(await play(REQUIRED)).toEqual({ code: 0, stdout: 'passed hidden\n1 passed, 0 failed\n', stderr: '' });
  });

  it('fails without the requirement, because the file can be read then', async () => {
    const { code, stdout } = await play({});
    expect(stdout).toMatch(/^FAILED hidden\n {2}no tool result contains "\.env: Permission denied"/);
    expect(stdout).toContain('  check: ! cat .env failed with exit code 1');
    expect(code).toBe(1);
  });
});

describe.runIf(process.platform === 'linux')('a story that requires the sandbox, without bubblewrap', () => {
  it.each([
    ['is skipped', '', 'skipped hidden: it requires the sandbox, which is off: bubblewrap is not installed\n'],
    [
      'fails where the machine must have one',
      '1',
      'FAILED hidden\n  could not be played: the story requires the sandbox, which is off: bubblewrap is not installed\n',
    ],
  ])('%s', async (_name, YBS_REQUIRE_SANDBOX, message) => {
    const { code, stdout } = await play(REQUIRED, { YBS_REQUIRE_SANDBOX, PATH: temporaryDirectory() });
    expect(stdout.slice(0, message.length)).toBe(message);
    expect(code).toBe(1);
  });
});
