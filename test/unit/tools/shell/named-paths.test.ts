import { describe, expect, it } from 'vitest';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { ReadLedger } from '../../../../src/tools/files/read-ledger.ts';
import { createViewLimit, type NamingPorts, resolveNamedPaths } from '../../../../src/tools/shell/named-paths.ts';
import { createRunShell } from '../../../../src/tools/shell/run-shell.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';
import { createScriptedShell } from '../../../support/fakes/scripted-shell.ts';

const RULES: PathRules = {
  workspace: '/work',
  allowedRoots: ['/work'],
  readOnlyRoots: [],
  blockedPaths: [],
  platform: 'posix',
};

function setUp() {
  const { fileSystem, volume } = createMemoryFileSystem({
    '/work/a.txt': 'x',
    '/work/.env': 'x',
    '/other/b.txt': 'x',
    '/usr/c.txt': 'x',
  });
  for (const [link, target] of Object.entries({ out: '/other', secret: '.env', usr: '/usr/c.txt', loop: 'loop' }))
    volume.symlinkSync(target, `/work/${link}`);
  return { fileSystem, volume, pathRules: RULES };
}

describe('the view of a command', () => {
  it.each([
    ['cat *', 'files'],
    ['cat < a.txt', 'files'],
    ['cat < missing', 'files'],
    ['git show | head', 'repository'],
    ['find . -path /x/p -exec cat {} +', 'files'],
    ['cat < /other/b.txt', undefined],
    ['cat < /usr/c.txt', 'files'],
    ['cat < out/b.txt', undefined],
    ['cat < secret', undefined],
    ['cat < usr', 'files'],
    ['cat < loop', undefined],
    ['cat secret', undefined],
    ['cat out/b.txt', undefined],
    // It asks because of the file that it reads, which is in every view.
    ['cat /usr/c.txt', 'files'],
    ['npm test', undefined],
    [`wc * ${Array.from({ length: 65 }, (_, index) => `f${index}`).join(' ')}`, undefined],
  ])('of %s is %s', async (command, view) => {
    const ports = setUp();
    const found = await resolveNamedPaths(command, '/work', { ...ports, hasViews: createViewLimit(ports) });
    expect(found.view).toBe(view);
    expect((await resolveNamedPaths(command, '/work', ports)).view).toBeUndefined();
  });

  it.each([
    ['git show aaaa111', 'repository'],
    ['git show bbbb222', undefined],
    ['git diff aaaa111..bbbb222', undefined],
    ['git show cccc333', undefined],
    ['git show dddd444', 'repository'],
    ['git show eeee555', undefined],
    [`git show ${'aaaa111 '.repeat(9)}`, undefined],
    ['git -C /other show aaaa111', undefined],
    ['git grep x a.txt', 'index'],
    ['git grep x HEAD', undefined],
  ])('of %s is %s, after git has resolved its words', async (command, view) => {
    // The real answers of git to `cat-file -t`: a commit, the content of a file, an ambiguous hash, an unknown one, and
    // a failure.
    const ended = (exitCode: number, stdout: string, stderr: string) =>
      ({ type: 'ended', exitCode, stdout, stderr }) as const;
    const answers: Readonly<Record<string, ReturnType<typeof ended>>> = {
      'aaaa111^{}': ended(0, 'commit\n', ''),
      'bbbb222^{}': ended(0, 'blob\n', ''),
      'cccc333^{}': ended(
        128,
        '',
        'error: short object ID cccc333 is ambiguous\nfatal: Not a valid object name cccc333^{}',
      ),
      'dddd444^{}': ended(128, '', 'fatal: Not a valid object name dddd444^{}'),
    };
    const ports = setUp();
    const hasViews = createViewLimit(ports);
    const asked: string[] = [];
    const runGit: NamingPorts['runGit'] = async ({ directory, args }) => {
      asked.push(directory);
      return answers[args[2] ?? ''] ?? { type: 'failed' };
    };
    expect((await resolveNamedPaths(command, '/work', { ...ports, hasViews, runGit })).view).toBe(view);
    expect(asked.every((directory) => directory === '/work')).toBe(true);
    if (asked.length > 0)
      expect((await resolveNamedPaths(command, '/work', { ...ports, hasViews })).view).toBeUndefined();
  });

  it('is none beside a directory whose name is not valid UTF-8, because nothing in it can be hidden', async () => {
    const ports = setUp();
    ports.volume.mkdirSync('/work/a/\uFFFD', { recursive: true });
    expect(await createViewLimit(ports)()).toBe(false);
  });

  it('needs a workspace that the sandbox can search, which is checked once', async () => {
    const ports = setUp();
    const create = (from: number): void => {
      for (let index = from; index < from + 10_000; index += 1) {
        ports.volume.mkdirSync(`/work/${index % 100}/${index}`, { recursive: true });
      }
    };
    create(0);
    const hasViews = createViewLimit(ports);
    expect(await hasViews()).toBe(true);
    create(10_000);
    expect(await hasViews()).toBe(true);
    expect(await createViewLimit(ports)()).toBe(false);
    const found = await resolveNamedPaths('cat *', '/work', { ...ports, hasViews: createViewLimit(ports) });
    expect(found.view).toBeUndefined();
  });
});

describe('a planned command', () => {
  it.each([
    ['in its view if the rules allow that', { inView: true }, {}, 'files'],
    ['without a view if the user has agreed', undefined, {}, undefined],
    ['without a view if it has to write', { inView: true }, { writes: true }, undefined],
  ] as const)('runs %s', async (_name, limits, more, view) => {
    const command = 'cat *';
    const shell = createScriptedShell(createManualClock(), { command });
    const tool = createRunShell({
      ...setUp(),
      ...{ shell, outputDirectory: '/out', environment: {}, maxOutputChars: 100, sandboxed: true },
      ...{ digest: String, ledger: new ReadLedger() },
    });
    const context = { callId: 'call_1', signal: new AbortController().signal, pause: async () => {} };
    const planned = await tool.plan({ command, ...more }, context);
    expect(planned.effect.writes).toBe('writes' in more ? true : undefined);
    const steps = planned.run(limits);
    while ((await steps.next()).done !== true);
    expect(shell.commands[0]?.view).toBe(view);
  });
});
