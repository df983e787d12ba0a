import { describe, expect, it } from 'vitest';
import { ModelError, UsageError } from '../../../../src/agent/errors.ts';
import type { SandboxState } from '../../../../src/agent/ports/shell.ts';
import type { Settings } from '../../../../src/app/settings.ts';
import type { CommandLineOptions } from '../../../../src/cli/command-line/options.ts';
import { type DoctorPorts, doctorCommand } from '../../../../src/cli/subcommands/setup/doctor-command.ts';
import { ConfigError } from '../../../../src/config/config-error.ts';
import { configSchema } from '../../../../src/config/schema.ts';
import { ASSUMED_TRUST, NOT_TRUSTED, type ProjectTrust } from '../../../../src/config/trust/project-trust.ts';
import type { Limits } from '../../../../src/providers/limits/find-limits.ts';
import { TABLE } from '../../../../src/providers/limits/known-model.ts';
import type { OfferedModels } from '../../../../src/providers/target/chosen-model.ts';
import type { FoundServer } from '../../../../src/providers/target/find-servers.ts';
import type { GitResult } from '../../../../src/session/git/git-command.ts';
import { TOOL_NAMES } from '../../../../src/tools/tools.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const OPTIONS: CommandLineOptions = { outputFormat: 'text', dryRun: false };

interface DoctorCase {
  readonly config?: object;
  readonly origins?: readonly (readonly [name: string, source: string])[];
  readonly embedded?: boolean;
  readonly refusal?: Error;
  /** The model servers of this machine. */
  readonly servers?: readonly FoundServer[];
  readonly offers?: OfferedModels['models'] | Error;
  readonly interactive?: boolean;
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** The answers of git to `--version` and to the question about the repository. */
  readonly git?: readonly GitResult[];
  readonly freeBytes?: number | Error;
  readonly limits?: Limits;
  /** The code of the platform for the creation of every file. */
  readonly createFails?: string;
  readonly stops?: boolean;
  readonly json?: 'option' | 'format';
  readonly trust?: ProjectTrust;
  readonly sandbox?: SandboxState;
}

const LIMITS: Limits = {
  window: { tokens: 32_000, source: 'setting' },
  answer: { tokens: 4_096, source: 'assumed' },
};
const printed = (stdout: string, stderr = ''): GitResult => ({ type: 'ended', exitCode: 0, stdout, stderr });
const HEALTHY = [
  '✓ configuration  valid, from defaults alone; ybs config shows each value',
  '✓ provider       ollama answers and offers 2 models',
  '✓ model          ollama/qwen3:14b',
  '✓ window         32,000 tokens (context.max_tokens)',
  '✓ answer         at most 4,096 tokens (assumed, because nothing states it; set llm.max_tokens)',
  '✓ terminal       xterm',
  '✓ git            git version 2.39.5, in a repository',
  '✓ disk           2.0 GB free at /home/ada/.config/ybs/sessions',
];

async function diagnose(
  script: DoctorCase = {},
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const settings: Settings = {
    ...(script.origins !== undefined && { origins: new Map(script.origins) }),
    config: configSchema(TOOL_NAMES).parse({ llm: { model: 'qwen3:14b' }, ...script.config }),
    workspace: '/work',
    trust: script.trust ?? ASSUMED_TRUST,
    sandbox: async () => script.sandbox,
    dryRun: false,
    model: {
      name: 'ollama/qwen3:14b',
      embedded: script.embedded ?? false,
      open: () => Promise.reject(new Error('no model is opened')),
      openSmall: () => Promise.reject(new Error('no model is opened')),
      close: async () => {},
    },
  };
  const {
    offers = [{ name: 'qwen3:14b', contextWindow: 40_960 }, { name: 'other' }],
    git,
    freeBytes = 2 ** 31,
  } = script;
  const { fileSystem, promises, volume } = createMemoryFileSystem({ '/home/ada/x': '' });
  const { createFails } = script;
  if (createFails !== undefined) {
    promises.open = async () => Promise.reject(Object.assign(new Error('x'), { code: createFails }));
  }
  const answers = [...(git ?? [printed('git version 2.39.5\n'), printed('true\n')])];
  let text = '';
  let listeners = 0;
  const ports: DoctorPorts = {
    wiring: {
      async loadSettings() {
        if (script.refusal !== undefined) throw script.refusal;
        return settings;
      },
      async listModels() {
        if (offers instanceof Error) throw offers;
        const chosen =
          script.embedded === true ? {} : { chosen: { model: 'qwen3:14b', limits: script.limits ?? LIMITS } };
        return {
          provider: 'ollama',
          endpoint: 'http://localhost:11434',
          key: 'without a key',
          models: offers,
          ...chosen,
        };
      },
      findServers: async () => script.servers ?? [],
    },
    machine: {
      clock: createManualClock(),
      environment: { TERM: 'xterm', ...script.environment },
      home: '/home/ada',
      fileSystem,
      newId: () => 'new-id',
      platform: 'posix',
      resolvePath: (path) => path,
      runGit: async () => answers.shift() ?? { type: 'failed', reason: 'it is not installed or cannot be started' },
      async freeBytes() {
        if (freeBytes instanceof Error) throw freeBytes;
        return freeBytes;
      },
    },
    user: {
      interactive: script.interactive ?? true,
      columns: () => script.columns ?? 200,
      async write(piece) {
        text += piece;
        return true;
      },
      onStop(listener) {
        listeners += 1;
        if (script.stops === true) listener();
        return () => {
          listeners -= 1;
        };
      },
    },
  };
  const options = script.json === 'format' ? { ...OPTIONS, outputFormat: 'json' as const } : OPTIONS;
  const ownOptions = new Map(script.json === 'option' ? [['json', ['']]] : []);
  const code = await doctorCommand({ options, ownOptions }, ports);
  expect(listeners).toBe(0);
  expect(volume.readdirSync('/home/ada')).toEqual(['x']);
  return { code, lines: text.split('\n').filter((line) => line !== '') };
}

describe('ybs doctor', () => {
  it('prints one line for each check, and succeeds', async () => {
    expect(await diagnose()).toEqual({ code: 0, lines: HEALTHY });
  });

  it('wraps its lines at words on a narrow screen, but not in a pipe', async () => {
    const origins: DoctorCase['origins'] = [['llm.model', '/home/ada/.ybs.json']];
    const { lines } = await diagnose({ columns: 50, origins });
    expect(lines.slice(0, 2)).toEqual([
      '✓ configuration  valid, from /home/ada/.ybs.json;',
      '                 ybs config shows each value',
    ]);
    const piped = await diagnose({ columns: 50, origins, interactive: false });
    expect(piped.lines[0]).toMatch(/each value$/);
  });

  it.each<[name: string, line: string, script: DoctorCase]>([
    [
      'the sources of the values',
      '✓ configuration  valid, from /home/ada/.ybs.json, command line; ybs config shows each value',
      {
        origins: [
          ['llm.model', '/home/ada/.ybs.json'],
          ['llm.provider', 'default'],
          ['agent.max_iterations', '/home/ada/.ybs.json'],
          ['llm.endpoint', 'command line'],
        ],
      },
    ],
    [
      'an invalid configuration',
      '✗ configuration  /work/c.json: line 3: bad JSON',
      { refusal: new ConfigError('/work/c.json', 'line 3: bad JSON') },
    ],
    [
      'several problems of the configuration',
      '✗ configuration  /work/c.json:4:1: bad colour',
      { refusal: new ConfigError('/work/c.json', 'bad level', undefined, ['/work/c.json:4:1: bad colour']) },
    ],
    ['a missing key', '✗ model          Set OPENAI_API_KEY', { refusal: new UsageError('Set OPENAI_API_KEY') }],
    [
      'a provider that does not answer',
      '✗ provider       Nothing answers at x. Start it',
      { offers: new ModelError('unreachable', 'Nothing answers at x. Start it') },
    ],
    ['an unusable provider', '✗ provider       No bridge', { offers: new UsageError('No bridge') }],
    [
      'no configuration, and a server on another port',
      '✗ model          No model is configured. This machine has tale (llama.cpp). Choose one: ybs --provider openai-compatible --endpoint http://127.0.0.1:8080/v1 --model tale, or run ybs at a terminal, which asks.',
      {
        offers: new ModelError('unreachable', 'Nothing answers at x. Start it'),
        origins: [
          ['llm.provider', 'default'],
          ['llm.model', 'default'],
        ],
        columns: 400,
        servers: [
          {
            label: 'llama.cpp',
            address: 'http://127.0.0.1:8080',
            provider: 'openai-compatible',
            endpoint: 'http://127.0.0.1:8080/v1',
            models: [{ name: 'tale' }],
          },
        ],
      },
    ],
    ['a rejected key', '✗ key            Refused. Check it', { offers: new ModelError('auth', 'Refused. Check it') }],
    [
      'a model with a similar name',
      '! model          qwen3:14b is not offered. Did you mean qwen3:8b?',
      { offers: [{ name: 'qwen3:8b' }] },
    ],
    ['an unknown model', '! model          qwen3:14b is not offered. ybs models lists its models.', { offers: [] }],
    [
      "the provider's own model",
      '✓ model          ollama/qwen3:14b',
      { config: { llm: {} }, offers: [{ name: 'qwen3:14b:latest' }] },
    ],
    [
      'a window that the server states',
      '✓ window         8,192 tokens (stated by the server)',
      { limits: { ...LIMITS, window: { tokens: 8_192, source: 'server' } } },
    ],
    [
      'a known window',
      `✓ window         1,000,000 tokens (known models of ${TABLE.date})`,
      { limits: { ...LIMITS, window: { tokens: 1_000_000, source: 'table' } } },
    ],
    [
      'a setting above the window of the server',
      '! window         32,000 tokens (context.max_tokens). The server has less.',
      { limits: { ...LIMITS, warning: 'The server has less.' } },
    ],
    [
      'a model without tools',
      '! tools          the server says that the model cannot call tools',
      { limits: { ...LIMITS, lacksTools: true } },
    ],
    ['the embedded model', '✓ provider       the mock model that comes with ybs', { embedded: true }],
    ['no terminal', '! terminal       none, so there is no chat, and every question is denied', { interactive: false }],
    [
      'a simple terminal',
      '! terminal       TERM is dumb, so there are no colours and no status line',
      { environment: { TERM: 'dumb' } },
    ],
    ['no colours', '✓ terminal       xterm, without colours (NO_COLOR)', { environment: { NO_COLOR: '1' } }],
    [
      'no git',
      '! git            not found. Install it, so that the model learns about branches and changes',
      { git: [] },
    ],
    [
      'no repository',
      '✓ git            git 2, not in a repository',
      { git: [printed('git 2'), printed('', 'fatal: no')] },
    ],
    [
      'a repository of another user',
      '! git            git 2: fatal: dubious ownership. See git help config, safe.directory',
      { git: [printed('git 2'), printed('', 'fatal: dubious ownership\nmore')] },
    ],
    [
      'a repository that is not trusted',
      '✓ git            git 2; the repository is not read, because it is not trusted: ybs trust',
      { git: [printed('git 2')], trust: { ...NOT_TRUSTED, isRepository: true } },
    ],
    ['no repository, untrusted', '✓ git            git 2', { git: [printed('git 2')], trust: NOT_TRUSTED }],
    [
      'a full disk',
      '✗ disk           0.0 GB free at /home/ada/.config/ybs/sessions. Free some space, or set session.storage_path, so that sessions can be stored',
      { freeBytes: 1_000 },
    ],
    [
      'a disk that cannot be written',
      '✗ disk           /home/ada/.config/ybs/sessions: the file system is read-only. Change that, or set session.storage_path, so that sessions can be stored',
      { createFails: 'EROFS' },
    ],
    [
      'a disk that is not needed',
      '✓ disk           2.0 GB free at /home/ada/.config/ybs/sessions',
      { createFails: 'EROFS', config: { session: { auto_save: false } } },
    ],
    [
      'an unknown disk',
      '! disk           the free space at /home/ada/.config/ybs/sessions is unknown',
      { freeBytes: new Error('no') },
    ],
  ])('shows %s', async (_name, line, script) => {
    const report = await diagnose(script);
    expect(report.lines).toContain(line);
    expect(report.code).toBe(line.startsWith('✗') ? 1 : 0);
  });

  it('continues with the checks that need no valid configuration', async () => {
    const { lines } = await diagnose({ refusal: new ConfigError('/c.json', 'bad') });
    expect(lines.map((line) => line.split(/\s+/)[1])).toEqual(['configuration', 'terminal', 'git', 'disk']);
  });

  it.each(['option', 'format'] as const)('prints the report as JSON, by its %s', async (json) => {
    const { lines, code } = await diagnose({ json, freeBytes: 1 });
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    const report = JSON.parse(lines[0] ?? '');
    expect(report).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([{ name: 'terminal', status: 'ok', text: 'xterm' }]),
    });
  });

  it('prints nothing after Ctrl-C, and rethrows an unexpected error', async () => {
    expect(await diagnose({ stops: true })).toEqual({ code: 130, lines: [] });
    await expect(diagnose({ refusal: new RangeError('bug') })).rejects.toThrow('bug');
    await expect(diagnose({ offers: new RangeError('bug') })).rejects.toThrow('bug');
  });
});

it.each<[SandboxState, string]>([
  [
    { type: 'on', program: 'bubblewrap' },
    '✓ sandbox        bubblewrap; commands have no network; ybs doctor --sandbox tries each limit',
  ],
  [
    { type: 'on', program: 'bubblewrap', lacks: ['a', 'b'] },
    '! sandbox        bubblewrap; commands have no network; ybs doctor --sandbox tries each limit. It lacks a and b',
  ],
  [
    { type: 'off', reason: 'no bwrap', advice: 'Install it.' },
    '! sandbox        off (no bwrap), so every command asks. Install it.',
  ],
  [
    { type: 'off', reason: '--no-sandbox', chosen: true },
    '! sandbox        off (--no-sandbox), so commands run with your permissions',
  ],
])('the state of the sandbox %j is shown', async (sandbox, expected) => {
  expect((await diagnose({ sandbox })).lines).toContain(expected);
});
