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

async function play(
  sandbox: object,
  environment: Readonly<Record<string, string>> = {},
  { args = ['test', 'hidden'], trust = false } = {},
) {
  const directory = writeStory(sandbox);
  const home = temporaryDirectory();
  const run = (words: readonly string[]) =>
    runMain(words, { directory, environment: { HOME: home, XDG_CONFIG_HOME: home, ...environment } });
  if (trust) await run(['trust']);
  const { code, stdout, stderr } = await run(args);
  onTestFinished(() => rm(/kept in (.*)/.exec(stdout)?.[1] ?? 'nowhere', { recursive: true, force: true }));
  return { code, stdout: stdout.replaceAll(/ \(.*\)$/gm, ''), stderr };
}

const REQUIRED = { sandbox: 'required' };
const missing = await missingSandbox();

describe.skipIf(missing !== undefined)('a story that requires the sandbox', () => {
  it('plays its commands and its checks in it, where a file with secrets cannot be opened', async () => {
    expect(await play(REQUIRED)).toEqual({ code: 0, stdout: 'passed hidden\n1 passed, 0 failed\n', stderr: '' });
  });

  it.each([
    ['with --no-sandbox', { args: ['test', 'hidden', '--no-sandbox'] }],
    ['in a trusted project', { trust: true }],
  ])('fails without the requirement, because the file can be read then: %s', async (_where, how) => {
    const { code, stdout } = await play({}, {}, how);
    expect(stdout).toMatch(/^FAILED hidden\n {2}no tool result contains "\.env: Permission denied"/);
    expect(stdout).toContain('  check: ! cat .env failed with exit code 1');
    expect(code).toBe(1);
  });
});

describe.runIf(process.platform === 'linux')('a story that requires the sandbox, without bubblewrap', () => {
  it.each([
    ['is skipped', '', 'skipped hidden: it requires the sandbox, which is off: bubblewrap is not installed\n'],
    [
      'fails if the machine must have one',
      '1',
      'FAILED hidden\n  could not be played: the story requires the sandbox, which is off: bubblewrap is not installed\n',
    ],
  ])('%s', async (_name, YBS_REQUIRE_SANDBOX, message) => {
    const { code, stdout } = await play(REQUIRED, { YBS_REQUIRE_SANDBOX, PATH: temporaryDirectory() });
    expect(stdout.slice(0, message.length)).toBe(message);
    expect(code).toBe(1);
  });
});

const EVALUATED = ['eval', 'hidden', '--provider', 'mock'];

describe.skipIf(missing !== undefined)('a story of a project that is not trusted', () => {
  it('plays in the sandbox, with the same decisions as without one', async () => {
    expect(await play({})).toEqual({ code: 0, stdout: 'passed hidden\n1 passed, 0 failed\n', stderr: '' });
  });

  it('also plays in the sandbox with ybs eval', async () => {
    expect(await play({}, {}, { args: EVALUATED })).toMatchObject({ code: 0 });
    expect(await play({}, {}, { args: EVALUATED, trust: true })).toMatchObject({ code: 1 });
    expect(await play({}, {}, { args: [...EVALUATED, '--no-sandbox'] })).toMatchObject({ code: 1 });
  });

  it('is still untrusted in a clone inside a trusted project', async () => {
    const directory = writeStory({});
    const environment = { XDG_CONFIG_HOME: temporaryDirectory() };
    await runMain(['trust'], { directory, environment });
    writeFiles(directory, { 'hidden/.git/HEAD': 'ref: refs/heads/main\n' });
    expect(await runMain(['test', 'hidden'], { directory, environment })).toMatchObject({ code: 0 });
  });
});

describe.runIf(process.platform === 'linux')('a story of a project that is not trusted, without bubblewrap', () => {
  it.each([['test'], ['eval']])('does not start: ybs %s gives advice', async (command) => {
    const args = command === 'test' ? ['test', 'hidden'] : EVALUATED;
    const { code, stdout, stderr } = await play({}, { PATH: temporaryDirectory() }, { args });
    expect(stderr).toMatch(
      /^ybs: The stories in .*hidden are not of a project that you trust, and there is no sandbox for their commands \(bubblewrap is not installed\)\. Trust the project with ybs trust, or use --no-sandbox\.\n$/,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('plays with --no-sandbox', async () => {
    const { stdout } = await play({}, { PATH: temporaryDirectory() }, { args: ['test', 'hidden', '--no-sandbox'] });
    expect(stdout).toContain('FAILED hidden');
  });

  it('needs neither the sandbox nor the option for another agent that only answers', async () => {
    const args = ['test', 'hidden', '--agent', 'no-such-agent {prompt}'];
    expect((await play({ check: undefined }, { PATH: temporaryDirectory() }, { args })).stderr).not.toContain('trust');
    expect((await play({}, { PATH: temporaryDirectory() }, { args })).stderr).toContain('ybs trust');
  });
});
