import { describe, expect, it } from 'vitest';
import type { SandboxState } from '../../../src/agent/ports/shell.ts';
import type { CommandLineOptions } from '../../../src/cli/command-line/options.ts';
import { checkToolCommand, newToolCommand } from '../../../src/cli/subcommands/tools-command.ts';
import { assumedTrust } from '../../../src/config/trust/project-trust.ts';
import type { SandboxRules } from '../../../src/policy/sandbox/rules.ts';
import { configOf } from '../../support/agent/config-of.ts';
import { createInProcessTextSearch } from '../../support/fakes/in-process-text-search.ts';
import type { ScriptedCommand } from '../../support/fakes/scripted-shell.ts';
import { toolMachine } from '../../support/tools/external-tools.ts';

const SCHEMA = '{"name": "search", "description": "Search."}';

const OPTIONS: CommandLineOptions = { outputFormat: 'text', dryRun: false };
const ON = { type: 'on', program: 'bubblewrap' } as const;
const withNetwork = (path: string) => ({ tools: { external: [{ name: 'search', path, network: true }] } });

/** A machine in memory, and what was written to its screen. `given`: its sandbox, and the settings of the user. */
function createBench(...commands: readonly ScriptedCommand[]) {
  return createBenchWith({}, ...commands);
}

function createBenchWith(
  { sandbox, settings = {} }: { readonly sandbox?: SandboxState; readonly settings?: object },
  ...commands: readonly ScriptedCommand[]
) {
  const opened: (SandboxRules | undefined)[] = [];
  const { ports, volume, shell } = toolMachine({ programs: ['~/bin/search'] }, ...commands);
  const written: string[] = [];
  let stop: (() => void) | undefined;
  const machine = {
    fileSystem: ports.fileSystem,
    platform: 'posix',
    home: '/home/ada',
    temporaryDirectory: '/tmp',
    resolvePath: (path: string) => (path === '.' ? '/home/ada/project' : `/home/ada/project/${path}`),
    environment: { PATH: '/bin', OPENAI_API_KEY: 'canary', SEARXNG_URL: 'http://search' },
    newId: () => 'id',
    digest: () => '0123456789abcdef',
    ...(sandbox !== undefined && { probeSandbox: async () => sandbox }),
    loadSessionAdapters: async () => ({
      openShell: (_environment: object, rules?: SandboxRules) => {
        opened.push(rules);
        return { shell, name: 'sh' };
      },
      openTextSearch: () => ({ ...createInProcessTextSearch(), dispose: async () => {} }),
    }),
  } as const;
  const user = {
    write: async (text: string) => {
      written.push(text);
      return true;
    },
    onStop(listener: () => void) {
      stop = listener;
      return () => {};
    },
  };
  const config = configOf(settings);
  const trust = assumedTrust(true);
  const wiring = { readConfig: async () => ({ config, trust, origins: new Map<string, string>() }) };
  return { machine, user, volume, shell, wiring, opened, screen: () => written.join(''), stop: () => stop?.() };
}

describe('ybs tools new', () => {
  it.each([
    [['web-search'], '/home/ada/.config/ybs/tools/web-search.mjs'],
    [['x', 'my-tools'], '/home/ada/project/my-tools/x.mjs'],
    [['x', '~/elsewhere'], '/home/ada/elsewhere/x.mjs'],
    [['x', '/opt/tools'], '/opt/tools/x.mjs'],
  ])('writes an executable: %j', async (args, file) => {
    const { machine, user, volume, screen } = createBench();
    expect(await newToolCommand({ args }, { machine, user })).toBe(0);
    expect(String(volume.readFileSync(file))).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(Number(volume.statSync(file).mode) & 0o777).toBe(0o755);
    expect(screen()).toContain(`Created ${file}\n`);
  });

  it('gives the tool a name that models can call', async () => {
    const { machine, user, volume } = createBench();
    await newToolCommand({ args: ['web-search'] }, { machine, user });
    const text = String(volume.readFileSync('/home/ada/.config/ybs/tools/web-search.mjs'));
    expect(text).toContain("name: 'web_search'");
  });

  it.each(['', 'Search', '../x', 'a b', '-x', 'x'.repeat(65)])('rejects the name %j', async (name) => {
    const { machine, user } = createBench();
    await expect(newToolCommand({ args: [name] }, { machine, user })).rejects.toThrow('cannot be the name of a tool');
  });

  it('never overwrites a file, and reports when it cannot write', async () => {
    const { machine, user, volume } = createBench();
    volume.mkdirSync('/opt', { recursive: true });
    volume.writeFileSync('/opt/x.mjs', 'mine');
    await expect(newToolCommand({ args: ['x', '/opt'] }, { machine, user })).rejects.toThrow(
      '/opt/x.mjs exists already',
    );
    expect(String(volume.readFileSync('/opt/x.mjs'))).toBe('mine');
    const blocked = newToolCommand({ args: ['x', '/opt/x.mjs/y'] }, { machine, user });
    await expect(blocked).rejects.toThrow(
      '/opt/x.mjs/y/x.mjs cannot be written: a file is where a directory is needed.',
    );
  });
});

describe('ybs tools check', () => {
  const asked: ScriptedCommand = { command: '/home/ada/bin/search --schema', steps: [{ stdout: SCHEMA }] };
  const called = (script: Partial<ScriptedCommand>): ScriptedCommand => ({
    command: '/home/ada/bin/search {}',
    ...script,
  });

  it('prints each finding, and leaves no file behind', async () => {
    const bench = createBench(
      asked,
      called({ steps: [{ stderr: 'log\n' }, { stdout: '{"result": "one\\ntwo\\u001b"}' }] }),
    );
    expect(await checkToolCommand({ args: ['~/bin/search'], options: OPTIONS }, bench)).toBe(0);
    expect(bench.screen()).toBe(
      [
        'ok    /home/ada/bin/search is executable',
        'ok    --schema describes it',
        'ok    name: search',
        'ok    description: Search.',
        'ok    parameters: none',
        'ok    call with {}: done after 0.0 s',
        '      one',
        '      two␛',
        '',
      ].join('\n'),
    );
    expect(bench.volume.readdirSync('/tmp')).toEqual([]);
    expect(JSON.stringify(bench.shell.commands)).not.toContain('canary');
  });

  it('gives the tool the variables of safety.environment', async () => {
    const settings = { safety: { environment: ['SEARXNG_URL'] } };
    const bench = createBenchWith({ settings }, asked, called({ steps: [{ stdout: '{"result": "x"}' }] }));
    expect(await checkToolCommand({ args: ['~/bin/search'], options: OPTIONS }, bench)).toBe(0);
    expect(bench.shell.commands).toMatchObject([{}, { environment: { SEARXNG_URL: 'http://search' } }]);
  });

  it('fails with the exit code 1', async () => {
    const bench = createBench(asked, called({ end: 1 }));
    expect(await checkToolCommand({ args: ['~/bin/search', '{}'], options: OPTIONS }, bench)).toBe(1);
    expect(bench.screen()).toContain(
      'fail  call with {}: exit code 1 after 0.0 s\n      search failed: exit code 1.\n',
    );
  });

  it('is stopped by a signal', async () => {
    const bench = createBench(asked, called({ end: 'never' }));
    const code = checkToolCommand({ args: ['~/bin/search'], options: OPTIONS }, bench);
    while (bench.shell.commands.length < 2) await new Promise((resolve) => setImmediate(resolve));
    bench.stop();
    expect(await code).toBe(130);
  });

  it.each<[string, Parameters<typeof createBenchWith>[0], boolean, boolean]>([
    // the machine and the settings                                                      sandboxed, network
    ['on', { sandbox: ON }, true, false],
    ['off', { sandbox: { type: 'off', reason: 'no bwrap' } }, false, false],
    ['not available', {}, false, false],
    ['turned off', { sandbox: ON, settings: { safety: { sandbox_enabled: false } } }, false, false],
    ['on, with the network for this tool', { sandbox: ON, settings: withNetwork('~/bin/search') }, true, true],
    ['on, with the network for another tool', { sandbox: ON, settings: withNetwork('~/bin/other') }, true, false],
    ['off, with the network for this tool', { settings: withNetwork('~/bin/search') }, false, true],
  ])('runs as in a chat with a sandbox that is %s', async (_name, given, sandboxed, network) => {
    const bench = createBenchWith(given, asked, called({ steps: [{ stdout: '{"result": "x"}' }] }));
    expect(await checkToolCommand({ args: ['~/bin/search'], options: OPTIONS }, bench)).toBe(0);
    expect(bench.opened.map((rules) => rules?.pathRules.workspace)).toEqual([
      sandboxed ? '/home/ada/project' : undefined,
    ]);
    expect(bench.shell.commands.map((command) => command.network ?? false)).toEqual([false, network]);
  });

  it.each(['x', '[]', '7'])('rejects arguments that are not a JSON object: %s', async (json) => {
    await expect(checkToolCommand({ args: ['~/bin/search', json], options: OPTIONS }, createBench())).rejects.toThrow(
      'JSON object',
    );
  });
});
