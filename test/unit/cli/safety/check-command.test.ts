import { describe, expect, it } from 'vitest';
import { checkCommandLine } from '../../../../src/cli/subcommands/safety/check-command.ts';
import { computeDigest } from '../../../../src/node/system.ts';
import { readAs } from '../../../support/agent/config-command.ts';
import { configuredRun, type RunScript } from '../../../support/agent/configured-run.ts';

const FILES = { '/work/src/a.ts': 'a', '/home/ada/.ssh/id_rsa': 'key', '/elsewhere/b.txt': 'b' };
const RUNS = 'run_shell runs a program, which can do anything that you can do.';

/** `ybs check` in `/work` with these words and options. */
function check(
  args: readonly string[],
  options: Readonly<Record<string, readonly string[]>> = {},
  script: RunScript = {},
) {
  return readAs(['check', ...args], { files: FILES, ...script }, new Map(Object.entries(options)));
}

/** The verdict of one subject, as JSON. */
async function verdictOf(args: readonly string[], options: Parameters<typeof check>[1] = {}, script: RunScript = {}) {
  const run = await check(args, { ...options, json: [''] }, script);
  expect(run.outcome).toBe(0);
  return JSON.parse(run.screen);
}

describe('ybs check', () => {
  it.each([
    ['asks about a command', ['npm test'], {}, { verdict: 'ask', rule: 'permission mode ask', reason: RUNS }],
    ['denies a blocked command', ['rm -rf /'], {}, { verdict: 'deny', decidedBy: 'blocked command' }],
    ['denies a command with a NUL', ['ls\0'], {}, { verdict: 'deny', rule: 'invalid_arguments' }],
    ['denies a mark of a secret', ['echo [redacted:key]'], {}, { verdict: 'deny', rule: 'redaction_mark' }],
    [
      'names the loss',
      ['git push -f'],
      {},
      { verdict: 'ask', destroys: 'overwrites or removes what others have on the server' },
    ],
    ['allows reading a file', [], { read: ['src/a.ts'] }, { verdict: 'allow', path: '/work/src/a.ts' }],
    ['allows reading a file that is missing', [], { read: ['b.ts'] }, { verdict: 'allow', path: '/work/b.ts' }],
    ['allows reading a directory', [], { read: ['src'] }, { verdict: 'allow', path: '/work/src' }],
    ['asks about writing a new file', [], { write: ['b.ts'] }, { verdict: 'ask', reason: 'write_file changes files.' }],
    ['asks about replacing a file', [], { write: ['src/a.ts'] }, { verdict: 'ask', path: '/work/src/a.ts' }],
    [
      'denies reading a blocked file',
      [],
      { read: ['~/.ssh/id_rsa'] },
      { verdict: 'deny', path: '/home/ada/.ssh/id_rsa' },
    ],
    [
      'denies writing outside',
      [],
      { write: ['/elsewhere/b.txt'] },
      { verdict: 'deny', rule: 'safety.sandbox_allowed_paths' },
    ],
    [
      'denies replacing a directory',
      [],
      { write: ['src'] },
      { verdict: 'deny', rule: 'is_directory', decidedBy: 'tool' },
    ],
    [
      'denies a path with invisible characters',
      [],
      { read: ['a\u200b.ts'] },
      { verdict: 'deny', rule: 'invalid_arguments' },
    ],
    ['denies a path through a file', [], { read: ['src/a.ts/b'] }, { verdict: 'deny', rule: 'not_a_directory' }],
  ])('%s', async (_name, args, options, expected) => {
    expect(await verdictOf(args, options)).toMatchObject(expected);
  });

  it('names the file that would be replaced, in a mode that otherwise does not ask', async () => {
    const config = { safety: { permission_mode: 'accept-edits' } };
    expect(await verdictOf([], { write: ['src/a.ts'] }, { config })).toMatchObject({
      verdict: 'ask',
      reason: 'The file was not read in this session, or it has changed since.',
    });
    expect(await verdictOf([], { write: ['b.ts'] }, { config })).toMatchObject({ verdict: 'allow' });
  });

  it.each([
    ['rm -rf up/*', 'deny'],
    ['cd up && rm -rf *', 'deny'],
    ['rm -rf up', 'ask'],
    ['rm -rf up/src', 'ask'],
  ])('follows a link in the path of a file that %s removes: %s', async (command, verdict) => {
    const prepare: RunScript['prepare'] = (volume) => volume.symlinkSync('/work', '/work/src/up');
    expect(await verdictOf([`cd src && ${command}`], {}, { prepare })).toMatchObject({ verdict });
  });

  it('asks about replacing a file that no one may write, even in full access', async () => {
    const config = { safety: { permission_mode: 'full-access' } };
    const prepare: RunScript['prepare'] = (volume) => volume.chmodSync('/work/src/a.ts', 0o444);
    expect(await verdictOf([], { write: ['src/a.ts'] }, { config, prepare })).toMatchObject({ rule: 'protected file' });
    expect(await verdictOf([], { write: ['src/a.ts'] }, { config })).toMatchObject({ verdict: 'allow' });
  });

  it.each([
    ['its key', { tools: { builtin: { run_shell: { enabled: false } } } }, 'tools.builtin.run_shell.enabled'],
    ['the key of all tools', { tools: { enabled: false } }, 'tools.enabled'],
  ])('denies all calls of a tool that %s turns off', async (_name, config, rule) => {
    const reason = 'The configuration does not offer run_shell to the model.';
    expect(await verdictOf(['ls'], {}, { config })).toEqual({
      ...{ verdict: 'deny', rule, decidedBy: 'configuration', reason },
      session: { trusted: false, sandbox: 'off' },
    });
  });

  it.each([
    ['sudo ls', false, 'deny', 'safety.blocked_commands: sudo'],
    ['rm -rf /', false, 'deny', 'safety.blocked_commands: rm -rf /'],
    ['chmod 777 a', false, 'deny', 'safety.blocked_commands: chmod 777'],
    ['curl -s x', false, 'deny', 'safety.blocked_commands: curl'],
    ['sudo ls', true, 'ask', 'permission mode ask'],
    // These lines always apply.
    ['rm -rf /', true, 'deny', 'built-in: rm -r /'],
    ['curl -s x', true, 'deny', 'safety.blocked_commands: curl'],
  ])('adds a list of the user to the built-in one: %s, replaced %s: %s', async (command, replaces, verdict, rule) => {
    const config = { safety: { blocked_commands: ['curl'], replace_blocked_commands: replaces } };
    expect(await verdictOf([command], {}, { config })).toMatchObject({ verdict, rule });
  });

  it('lets a project add to the list, but not replace it', async () => {
    const files = { '/work/.ybs.json': '{"safety": {"blocked_commands": ["curl"], "replace_blocked_commands": true}}' };
    for (const command of ['sudo ls', 'curl x']) {
      expect(await verdictOf([command], {}, { files })).toMatchObject({ verdict: 'deny' });
    }
  });

  it('reads the configuration, and the file of the project as untrusted', async () => {
    const files = {
      '/work/.ybs.json': '{"safety": {"blocked_commands": ["npm publish"], "permission_mode": "full-access"}}',
    };
    const run = await check(['npm publish'], {}, { files });
    expect(run.screen).toMatch(/^deny\n {2}rule {5}safety.blocked_commands: npm publish\n/);
    expect(run.warnings).toEqual([expect.stringContaining('safety.permission_mode is ignored')]);
    expect(run.listFiles('/home/ada')).toEqual(['.ybs.json']);
  });

  it('applies rules of the user, but not those of an untrusted project', async () => {
    const rule = { rule: 'npm test *', match: ['npm test -- -u'], not_match: ['npm testing'] };
    const config = { safety: { allowed_commands: [rule], blocked_commands: [{ rule: 'git push' }] } };
    expect(await verdictOf(['npm test a'], {}, { config })).toMatchObject({
      verdict: 'allow',
      rule: 'safety.allowed_commands: npm test *',
    });
    expect(await verdictOf(['git push'], {}, { config })).toMatchObject({ verdict: 'deny' });
    const files = { '/work/.ybs.json': '{"safety": {"allowed_commands": ["npm test *"]}}' };
    expect(await verdictOf(['npm test a'], {}, { files })).toMatchObject({ verdict: 'ask' });
  });

  it('prints the verdict, the rule, the reason and the real path, escaped', async () => {
    const { screen, outcome } = await check([], { read: ['src/../src/a.ts'] });
    expect(outcome).toBe(0);
    expect(screen).toBe(
      [
        'allow',
        '  rule     permission mode ask',
        '  row      automatic',
        '  reason   The rules allow it without a question.',
        '  path     /work/src/a.ts',
        '  session  not trusted, sandbox off\n',
      ].join('\n'),
    );
    const escaped = await check(['x'], {}, { config: { safety: { blocked_commands: ['x', '\u001b'] } } });
    expect(escaped.screen).not.toContain('\u001b');
  });

  it('reports an unexpected failure instead of a verdict', async () => {
    const { outcome } = await configuredRun({
      run: (wiring, user, options, machine) => {
        const readFile: typeof machine.fileSystem.readFile = async (path, ...rest) => {
          // Only the file that is judged fails, so that the judge gets as far as reading it.
          if (path === '/work/a') throw new Error('a fault of the disk');
          return machine.fileSystem.readFile(path, ...rest);
        };
        const request = { args: [], options, ownOptions: new Map([['write', ['a']]]) };
        const broken = { ...machine, fileSystem: { ...machine.fileSystem, readFile } };
        return checkCommandLine(request, { wiring, machine: broken, user });
      },
    });
    expect(outcome).toBe('a fault of the disk');
  });

  it.each([
    ['nothing', [], {}, 'Name one of: a command'],
    ['two subjects', ['ls'], { read: ['a'] }, 'Name one of: a command'],
    ['two files', [], { read: ['a', 'b'] }, 'Name one of: a command'],
    ['a batch and a command', ['ls'], { batch: [''] }, 'Name one of: a command'],
    ['an empty command', [' '], {}, 'The command is empty.'],
    ['an empty path', [], { write: [''] }, 'The path is empty.'],
    [
      'an unknown assumption',
      ['ls'],
      { assume: ['trusted,sandbox'] },
      '"sandbox". Did you mean sandboxed? Choose trusted',
    ],
    [
      'an assumption without a similar one',
      ['ls'],
      { assume: ['q'] },
      '--assume cannot be "q". Choose trusted, sandboxed or both',
    ],
  ])('rejects %s', async (_name, args, options, message) => {
    expect((await check(args, options)).outcome).toContain(message);
  });

  it.each([
    [true, 'on', 'allow', 'read-only command'],
    [false, 'on', 'ask', 'permission mode ask'],
    [true, 'off', 'ask', 'permission mode ask'],
  ] as const)('decides like a session there: trusted %s, sandbox %s: %s', async (trusted, type, verdict, rule) => {
    const sandbox = type === 'on' ? { type, program: 'bwrap' } : { type, reason: 'bubblewrap is not installed' };
    expect(await verdictOf(['git status'], {}, { options: { trusted }, sandbox })).toMatchObject({
      ...{ verdict, rule },
      session: { trusted, sandbox: type },
    });
  });

  it('asks about every command without a sandbox, unless the user has chosen that', async () => {
    const config = { safety: { permission_mode: 'full-access' } };
    const sandbox = { type: 'off', reason: 'bubblewrap is not installed' } as const;
    expect(await verdictOf(['npm test'], {}, { config, sandbox })).toMatchObject({
      verdict: 'ask',
      rule: 'no sandbox',
    });
    const options = { noSandbox: true };
    expect(await verdictOf(['npm test'], {}, { config, sandbox, options })).toMatchObject({ verdict: 'allow' });
  });

  it('applies the configuration of a project that is assumed to be trusted', async () => {
    const files = {
      '/work/.ybs.json': '{"tools": {"builtin": {"run_shell": {"enabled": true}}}, "llm": {"temperature": 1}}',
    };
    expect(await verdictOf(['git status'], { assume: ['trusted,sandboxed'] }, { files })).toMatchObject({
      ...{ verdict: 'allow', session: { trusted: true, sandbox: 'on' } },
    });
  });

  it('accepts assumptions, alone and together', async () => {
    for (const assume of [['trusted'], ['trusted, sandboxed'], ['trusted', 'sandboxed']]) {
      expect(await verdictOf(['rm -rf src'], { assume })).toMatchObject({ verdict: 'ask' });
    }
  });
});

describe('ybs check --assume trusted,sandboxed', () => {
  const assume = ['trusted,sandboxed'];
  const run: RunScript = {
    prepare(volume) {
      volume.symlinkSync('/elsewhere/b.txt', '/work/leak');
      volume.symlinkSync('/nowhere', '/work/dangling');
    },
  };

  it.each([
    ['cat src/a.ts | wc -l', 'allow'],
    ['cd src && cat a.ts', 'allow'],
    ['cat leak', 'ask'],
    ['cat dangling', 'ask'],
    ['npm test', 'ask'],
    ['cat /elsewhere/b.txt', 'ask'],
  ])('judges %s', async (command, verdict) => {
    expect(await verdictOf([command], { assume }, run)).toMatchObject({ verdict });
    expect(await verdictOf([command], { assume: ['trusted'] }, run)).toMatchObject({ verdict: 'ask' });
  });
});

describe('ybs check --batch', () => {
  it('answers each line, and continues after an invalid one', async () => {
    const lines = [
      '{"command": "npm test"}',
      '',
      '{"read": "src/a.ts", "name": "x"}',
      '{"write": "~/.ssh/x"}',
      'ls',
      '[]',
    ].concat(['{"command": 1}', '{"read": "a", "write": "a"}', '{"command": ""}', '{"command": "sudo ls"}']);
    const { screen, outcome } = await check([], { batch: [''] }, { lines });
    const form = 'Write one JSON object per line with one of: {"command": "…"}, {"read": "…"}, {"write": "…"}.';
    const answers: readonly object[] = screen
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(outcome).toBe(0);
    expect(answers).toMatchObject([
      { verdict: 'ask' },
      { error: `The line is not JSON. ${form}` },
      { verdict: 'allow' },
      { verdict: 'deny' },
      { error: `The line is not JSON. ${form}` },
      ...[form, form, form, 'The command is empty.'].map((error) => ({ error })),
      { verdict: 'deny' },
    ]);
  });

  it('ends when its output is closed, and when it is stopped', async () => {
    const ports = (change: object): Promise<number> =>
      configuredRun({
        lines: ['{"read": "a"}', '{"read": "b"}'],
        run: (wiring, user, options, machine) => {
          const request = { args: [], options, ownOptions: new Map([['batch', ['']]]) };
          return checkCommandLine(request, { wiring, machine, user: { ...user, ...change } });
        },
      }).then(({ outcome }) => Number(outcome));
    const written: string[] = [];
    const write = async (text: string): Promise<boolean> => written.push(text) === 0;
    expect(await ports({ write })).toBe(0);
    expect(written).toHaveLength(1);
    const onStop = (listener: () => void): (() => void) => {
      listener();
      return () => {};
    };
    const readLines = (signal: AbortSignal): never => {
      signal.throwIfAborted();
      throw new Error('not stopped');
    };
    expect(await ports({ onStop, readLines })).toBe(130);
    expect(await ports({ readLines })).toBeNaN();
  });
});

describe('ybs check with stored rules of the user', () => {
  const rules = [{ type: 'command_prefix', words: ['npm', 'test'] }];
  const name = (workspace: string) => `${computeDigest(new TextEncoder().encode(workspace))}.json`;
  const kept = (directory: string, workspace: string, fields: object): RunScript['files'] => ({
    [`/home/ada/.config/ybs/${directory}/${name(workspace)}`]: JSON.stringify({ version: 1, workspace, ...fields }),
  });
  const script = (files: RunScript['files'], more: RunScript = {}): RunScript => ({
    sandbox: { type: 'on', program: 'bubblewrap' },
    ...more,
    files: { ...FILES, ...files },
    prepare: (volume) => {
      for (const file of Object.keys(files ?? {})) volume.chmodSync(file, 0o600);
    },
  });

  it.each<readonly [string, RunScript, object]>([
    [
      'in this directory',
      script(kept('saved', '/work', { rules })),
      { verdict: 'allow', rule: 'run_shell: npm test *' },
    ],
    ['in every directory', script(kept('saved', '*', { rules })), { verdict: 'allow', decidedBy: 'grant of the user' }],
    ['in another directory', script(kept('saved', '/other', { rules })), { verdict: 'ask' }],
    ['of all kinds, which are no longer stored', script(kept('approvals', '/work', { rules })), { verdict: 'ask' }],
    [
      'of all kinds',
      script(kept('approvals', '/work', { rules }), { config: { safety: { persist_approvals: true } } }),
      { verdict: 'allow', rule: 'run_shell: npm test *' },
    ],
    [
      'before the model wrote the file that the command runs',
      script({
        ...kept('saved', '/work', { rules }),
        ...kept('written', '/work', { files: ['/work/package.json'] }),
      }),
      { verdict: 'ask' },
    ],
  ])('decides like a new session: %s', async (_name, given, expected) => {
    expect(await verdictOf(['npm test 2>&1 | tail -5'], {}, given)).toMatchObject(expected);
  });
});
