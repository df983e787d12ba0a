import { describe, expect, it } from 'vitest';
import { HOST_REFUSALS } from '../../../../src/policy/sandbox/hosts.ts';
import {
  commandEnd,
  comparableReport,
  describeReport,
  homeSummary,
  type ReportContext,
  summarizeExit,
} from '../../../../src/tools/shell/command-report.ts';
import { configuredRun, MODEL, type RunScript } from '../../../support/agent/configured-run.ts';

const ON = { type: 'on', program: 'bubblewrap' } as const;

function installs(script: RunScript) {
  const args = JSON.stringify({ command: 'npm ci', network: true });
  return configuredRun({
    config: { llm: MODEL },
    answers: [{ calls: [{ id: 'c', name: 'run_shell', arguments: args }] }, { text: 'Done.' }],
    commands: [{ command: 'npm ci', end: 0 }],
    typed: ['y'],
    ...script,
  });
}

describe('run_shell in the sandbox', () => {
  it('has the same description for the model with and without a sandbox', async () => {
    const [withSandbox, without] = await Promise.all([
      installs({ sandbox: ON }),
      installs({ sandbox: { type: 'off', reason: 'no bwrap' } }),
    ]);
    expect(withSandbox.requests[0]?.body['tools']).toEqual(without.requests[0]?.body['tools']);
  });

  it.each([
    ['the network, without access', {}, true],
    ['nothing, with access to the network', { network: true }, false],
  ])('tells the model what the sandbox denies a failed command: %s', async (_name, more, expected) => {
    const args = JSON.stringify({ command: 'npm ci', ...more });
    const run = await installs({
      sandbox: ON,
      // The first question is about trust in the project.
      typed: ['n', 'y'],
      commands: [{ command: 'npm ci', end: 1, steps: [{ stdout: 'npm error code EAI_AGAIN\n' }] }],
      answers: [{ calls: [{ id: 'c', name: 'run_shell', arguments: args }] }, { text: 'Done.' }],
    });
    const messages = JSON.stringify(run.requests.at(-1)?.body['messages']);
    expect(messages).toContain('EAI_AGAIN');
    expect(messages.includes('commands run in a sandbox without network')).toBe(expected);
  });

  it('asks for the network even in full access, and shows that in the question', async () => {
    const config = { llm: MODEL, safety: { permission_mode: 'full-access' } };
    const { screen } = await installs({ sandbox: ON, config });
    expect(screen).toContain('WITH NETWORK');
    expect(screen).toContain('It may use the network and could send what it reads');
    expect(screen).toContain('exit code 0');
  });

  it('asks for local sockets, and runs the command with them', async () => {
    const args = JSON.stringify({ command: 'tsx a.ts', local_sockets: true });
    const config = { llm: MODEL, safety: { permission_mode: 'full-access' } };
    const answers = [{ calls: [{ id: 'c', name: 'run_shell', arguments: args }] }, { text: 'Done.' }];
    const run = await installs({ sandbox: ON, config, answers, commands: [{ command: 'tsx a.ts', end: 0 }] });
    expect(run.screen).toContain('WITH LOCAL SOCKETS');
    expect(run.screen).toContain('exit code 0');
  });

  it.each<[string, RunScript]>([
    ['sandboxed (bubblewrap), no network', { sandbox: ON }],
    ['UNSANDBOXED (no bwrap)', { sandbox: { type: 'off', reason: 'no bwrap' } }],
    ['UNSANDBOXED (--no-sandbox)', { sandbox: ON, options: { noSandbox: true } }],
  ])('shows %s', async (shown, script) => {
    const args = JSON.stringify({ command: 'npm ci' });
    const answers = [{ calls: [{ id: 'c', name: 'run_shell', arguments: args }] }, { text: 'Done.' }];
    expect((await installs({ ...script, answers })).screen).toContain(shown);
  });

  it('ignores the argument without a sandbox', async () => {
    const { screen } = await installs({ sandbox: { type: 'off', reason: 'no bwrap' } });
    expect(screen).not.toContain('NETWORK');
    expect(screen).toContain('exit code 0');
  });

  it('runs no command without a sandbox and without a user', async () => {
    const config = { llm: MODEL, safety: { permission_mode: 'full-access' } };
    const script: RunScript = { sandbox: { type: 'off', reason: 'no bwrap' }, config };
    const args = JSON.stringify({ command: 'npm ci' });
    const run = await configuredRun({
      ...script,
      answers: [{ calls: [{ id: 'c', name: 'run_shell', arguments: args }] }, { text: 'Done.' }],
    });
    expect(run.outcome).toBe(3);
    expect(JSON.stringify(run.requests.at(-1)?.body['messages'])).toContain('--no-sandbox');
  });
});

describe('the report of a command that created files which affect other programs', () => {
  const exit = { type: 'exit', cause: 'exited', exitCode: 0, durationMs: 0, leftProcesses: false } as const;
  const output = { head: '', tail: '', lines: 0 };

  it.each([
    [['/w/.envrc'], '/w/.envrc'],
    [['/a', '/b', '/c', '/d', '/e', '/f', '/g'], '/a, /b, /c, /d, /e and 2 more files'],
  ])('names %j', (created, named) => {
    expect(summarizeExit({ ...exit, created })).toBe(
      `exit code 0 after 0.0 s; created ${named}, which other programs run or follow`,
    );
    const report = { exit: { ...exit, created }, output, log: {} };
    expect(comparableReport(report, { directory: '.', timeoutMs: 1 })).toContain(`note: the command created ${named},`);
  });
});

it('the report of a command names the denied hosts', () => {
  const exit = { type: 'exit', cause: 'exited', exitCode: 1, durationMs: 0, leftProcesses: false } as const;
  const hosts = [
    { host: 'evil.test', port: 443, refused: 'it is not granted' },
    { host: 'a.test', port: 443 },
    { host: 'own.test', port: 80, refused: HOST_REFUSALS.notPublic },
    { host: 'odd.test', port: 80, refused: 'its name could not be found' },
  ];
  const report = { exit: { ...exit, hosts }, output: { head: '', tail: '', lines: 0 }, log: {} };
  expect(commandEnd(report.exit)).toEqual({ cause: 'exited', exitCode: 1, hosts });
  const text = comparableReport(report, { directory: '.', timeoutMs: 1 });
  expect(text).toContain('did not connect the command to evil.test, port 443, because it is not granted.');
  expect(text).not.toContain('a.test,');
  expect(text).toMatch(/connect the command to own\.test, .* The user can add the host to safety\.sandbox_hosts\.$/m);
  expect(text).toMatch(/connect the command to odd\.test, port 80, because its name could not be found\.$/m);
});

describe('the report of a command that changed guarded files', () => {
  const exit = { type: 'exit', cause: 'exited', exitCode: 0, durationMs: 0, leftProcesses: false } as const;
  const output = { head: '', tail: '', lines: 0 };

  it('names guarded files that were replaced, and files that were restored, with the reason, each on one line', () => {
    const putBack = [{ file: '/w/\n.git/commondir', reason: 'git would use the settings in /w/\u001bevil' }];
    const report = { exit: { ...exit, changed: ['/w/a\nnote: b/AGENTS.md'], putBack }, output, log: {} };
    expect(summarizeExit(report.exit)).toBe(
      'exit code 0 after 0.0 s; changed /w/a\\u{a}note: b/AGENTS.md, which other programs run or follow; PUT BACK /w/\\u{a}.git/commondir: git would use the settings in /w/\\u{1b}evil',
    );
    const text = comparableReport(report, { directory: '.', timeoutMs: 1 });
    expect(text).toContain(
      'note: the command changed /w/a\\u{a}note: b/AGENTS.md, which other programs run or follow.',
    );
    expect(text).toContain(
      'note: /w/\\u{a}.git/commondir was put back as it was before the command, because git would use the settings in /w/\\u{1b}evil.',
    );
  });
});

describe('the report of a command that failed in the sandbox', () => {
  const report = (
    text: string,
    exitCode: number,
    sandbox: 'offline' | 'online' | undefined,
    readOnly?: 'view' | 'searched',
    command?: string,
    more: Partial<ReportContext> = {},
  ): string =>
    describeReport(
      {
        exit: { type: 'exit', cause: 'exited', exitCode, durationMs: 0, leftProcesses: false },
        output: { head: text, tail: '', lines: 1 },
        log: {},
      },
      { directory: '.', timeoutMs: 1, sandbox, readOnly, ...(command !== undefined && { command }), ...more },
    );
  const NETWORK = 'repeat the call with "network": true';
  const SOCKETS = 'repeat the call with "local_sockets": true';
  const ACCESS = 'files outside the workspace are read-only';

  it.each<[string, readonly string[]]>([
    ['getaddrinfo ENOTFOUND registry.example', [NETWORK]],
    ['curl: (6) Could not resolve host: example.com', [NETWORK]],
    ['connect: Network is unreachable', [NETWORK]],
    ...[
      'npm error code EAI_AGAIN',
      'Error: connect ENETUNREACH 2606:4700::6812:1a78:443',
      'Error: connect ECONNREFUSED 127.0.0.1:5432',
      'npm error request failed, reason: ENOTFOUND',
      'socket.getaddrinfo(host, port)',
      'Temporary failure in name resolution',
      'dial tcp 127.0.0.1:443: connect: connection refused',
      'redis: failed to connect',
      // apt 2.6.1 and cargo 1.75.0
      'Could not connect to deb.debian.org:80 (151.101.2.132), connection timed out',
      "[6] Couldn't resolve host name",
    ].map((text): [string, readonly string[]] => [text, [NETWORK]]),
    ["touch: cannot touch '/etc/x': Read-only file system", [ACCESS]],
    ["EACCES: permission denied, open '.env'", [ACCESS]],
    ['Error: listen EAFNOSUPPORT: address family not supported /tmp/tsx-0/7.pipe', [SOCKETS]],
    ["can't connect to the gpg-agent: Address family not supported by protocol", [SOCKETS]],
    // curl 7.88.1 and wget 1.21.3, without a server at the address.
    ["curl: (7) Failed to connect to localhost port 1 after 6 ms: Couldn't connect to server", [NETWORK]],
    ['wget: unable to resolve host address ‘example.org’', [NETWORK]],
    ['cat: lib/a: No such file or directory', []],
    ['2 tests failed', []],
  ])('of %j has the matching note', (text, notes) => {
    const shown = report(text, 1, 'offline');
    expect([NETWORK, SOCKETS, ACCESS].filter((note) => shown.includes(note))).toEqual(notes);
  });

  it.each([
    ["touch: cannot touch 'a': Read-only file system", 0, true],
    ['EROFS: read-only file system, open a', 1, true],
    ['cat: .env: Permission denied', 1, true],
    ['cat: .env: Permission denied', 0, false],
    ['cat: /home/u/a: No such file or directory', 1, true],
    ['cat: a: No such file or directory', 1, false],
    ['fatal: not a git repository', 128, true],
    ['ENOTFOUND', 1, false],
  ])('of %j with the exit code %i in a view explains how to ask for more: %s', (text, exitCode, expected) => {
    for (const readOnly of ['view', 'searched'] as const) {
      const shown = report(text, exitCode, 'offline', readOnly);
      expect(shown.includes('repeat the call with "writes": true; the user is asked')).toBe(expected);
      expect(shown).not.toContain(ACCESS);
    }
  });

  it.each<[string, boolean]>([
    ['ps aux | grep node', true],
    ['cd src && lsof -i :3000', true],
    ['(ss -tlnp)', true],
    ...['pgrep', 'pidof x', 'pstree', 'top', 'netstat', 'fuser 80/tcp'].map((line): [string, boolean] => [line, true]),
    ['ps -V', false],
    ['ps --version', false],
    ['top --help', false],
    ['echo ps', false],
    ['cat src/ps.ts; psql --version', false],
  ])('of %s explains that it shows nothing of the machine: %s', (command, expected) => {
    const note = 'sees only its own processes and sockets';
    expect(report('x', 0, 'offline', 'view', command).includes(note)).toBe(expected);
    expect(report('x', 0, undefined, undefined, command)).not.toContain(note);
  });

  it.each<[command: string, text: string, exitCode: number, noted: boolean]>([
    ['cat ~/a', 'cat: /home/u/a: No such file or directory', 1, true],
    ['cat ~/a; true', 'cat: /home/u/a: No such file or directory', 0, true],
    ['node a.js', "Error: ENOENT: no such file or directory, open '/home/u/lib/a'", 1, true],
    ['node a.js', "Error: ENOENT: no such file or directory, open '/home/u/ws/lib/a'", 1, false],
    ['cat /home/v/a', 'cat: /home/v/a: No such file or directory', 1, false],
    ['echo x > ~/a.txt', '', 0, true],
    ['cp report.pdf ~', '', 0, true],
    ['cp report.pdf "$HOME"', '', 0, true],
    ['mkdir -p ${HOME}/out && touch /home/u/out/a', '', 0, true],
    ['tar xf a.tar -C=~/', '', 0, true],
    ['cp a /home/u/ws/b', '', 0, false],
    ['cp a~ b', '', 0, false],
    ['ls ~', 'bin', 0, false],
    ['~/bin/tool', 'done', 0, false],
  ])(
    'for %j that printed %j with the exit code %i explains that the home directory is hidden: %s',
    (command, text, exitCode, noted) => {
      const hiddenHome = { home: '/home/u', workspace: '/home/u/ws' };
      const note = 'commands see only programs in the home directory, and what they write there is gone';
      expect(report(text, exitCode, 'offline', undefined, command, { hiddenHome }).includes(note)).toBe(noted);
      expect(report(text, exitCode, 'offline', undefined, command)).not.toContain(note);
      const elsewhere = { home: '/home/u', workspace: '/srv/ws' };
      if (noted)
        expect(report(text, exitCode, 'offline', undefined, command, { hiddenHome: elsewhere })).toContain(note);
      const output = { head: text, tail: '', lines: 1 };
      const exit = { type: 'exit', cause: 'exited', exitCode, durationMs: 0, leftProcesses: false } as const;
      const summary = homeSummary({ exit, output, log: {} }, { sandbox: 'offline', command, hiddenHome });
      expect(summary).toBe(
        noted ? '; the sandbox hides your home directory, and keeps nothing that is written there' : '',
      );
      expect(homeSummary({ exit, output, log: {} }, { command, hiddenHome })).toBe('');
    },
  );

  it.each<[command: string, noted: boolean]>([
    ['wget -q -T 3 http://example.org/', true],
    ['cd app && npm install', true],
    ['npm ci --silent', true],
    ['pip install -q x', true],
    ['cargo -q build', true],
    ['git -C app fetch -q', true],
    ...[
      ...['curl -s x', 'ssh x', 'scp a x:', 'rsync a x:', 'ping x', 'npx x', 'bunx x', 'yarn', 'pnpm i', 'bun add x'],
      ...['npm update', 'pnpm upgrade', 'yarn dlx x', 'pip3 install x', 'uv pip install x', 'gem install x'],
      ...['bundle install', 'composer update', 'poetry add x', 'apt update', 'apt-get install x', 'dotnet restore'],
      ...['go get x', 'go mod download', 'uv sync', 'apt upgrade', 'git clone x', 'git pull', 'git push'],
    ].map((program): [string, boolean] => [program, true]),
    ['npm test', false],
    ['git status', false],
    ['echo curl', false],
  ])('notes the missing network after %s without output', (command, noted) => {
    const exit = { type: 'exit', cause: 'exited', exitCode: 4, durationMs: 0, leftProcesses: false } as const;
    const context = { directory: '.', timeoutMs: 1, sandbox: 'offline', readOnly: undefined, command } as const;
    const silent = describeReport({ exit, output: { head: '', tail: '', lines: 0 }, log: {} }, context);
    expect(silent.includes(NETWORK)).toBe(noted);
    const late = { ...exit, cause: 'timed_out' } as const;
    const waiting = describeReport({ exit: late, output: { head: 'a', tail: '', lines: 1 }, log: {} }, context);
    expect(waiting.includes(NETWORK)).toBe(noted);
  });

  it.each<[text: string, noted: boolean]>([
    ["ls: cannot access '/tmp/list.txt': No such file or directory", true],
    ["FileNotFoundError: [Errno 2] No such file or directory: '/tmp/a.json'", true],
    ["Error: ENOENT: no such file or directory, open '/tmp/a'", true],
    ["ls: cannot access '/tmp/work/a': No such file or directory", false],
    ["ls: cannot access 'src/tmp/a': No such file or directory", false],
  ])('explains that files in /tmp are temporary: %s', (text, noted) => {
    const hiddenHome = { home: '/home/ada', workspace: '/tmp/work' };
    const shown = report(text, 1, 'offline', undefined, 'x', { hiddenHome });
    expect(shown.includes('an empty /tmp of its own')).toBe(noted);
  });

  it.each<[text: string, noted: boolean]>([
    ['cat: /etc/hosts: No such file or directory', true],
    ['fatal: not a git repository (or any of the parent directories): .git', true],
    ["Error: ENOENT: no such file or directory, open '/root/a'", true],
    ["Error: ENOENT: no such file or directory, open '/home/v/a'", true],
    ...['usr/x', 'bin/x', 'lib64/x', 'proc/9', 'tmp/a', 'dev/x'].map((path): [string, boolean] => [
      `cat: /${path}: No such file or directory`,
      false,
    ]),
  ])('explains a view that leaves files out: %s', (text, noted) => {
    expect(report(text, 1, 'offline', 'view').includes('so it saw the workspace read-only')).toBe(noted);
    expect(report(text, 0, 'offline', 'view')).not.toContain('so it saw the workspace read-only');
  });

  it('explains how to ask for hosts if they can be granted', () => {
    const shown = (grantsHosts: boolean) =>
      report('getaddrinfo ENOTFOUND a.org', 1, 'offline', undefined, 'npm ci', { grantsHosts });
    expect(shown(true)).toContain(
      'repeat the call with "hosts": ["NAME", …] and the servers that it needs, or with "network": true',
    );
    expect(shown(false)).toContain('repeat the call with "network": true');
  });

  it('asks for the hosts of a call, or for the whole network if no host can be granted', async () => {
    const args = JSON.stringify({ command: 'npm ci', hosts: ['A.org.', 'b.org', 'a.org'] });
    const answers = [{ calls: [{ id: 'c', name: 'run_shell', arguments: args }] }, { text: 'Done.' }];
    expect((await installs({ sandbox: ON, answers })).screen).toContain('WITH THE NETWORK OF a.org, b.org');
    const mac = { type: 'on', program: 'sandbox-exec' } as const;
    expect((await installs({ sandbox: mac, answers })).screen).toContain('WITH NETWORK');
  });

  it('names the hosts that are granted', () => {
    const text = 'getaddrinfo ENOTFOUND registry.example';
    const shown = (grantedHosts: readonly string[]) =>
      report(text, 1, 'offline', undefined, 'npm ci', { grantedHosts });
    expect(shown([])).toContain('a sandbox without network. If');
    expect(shown(['a.org', '*.b.org'])).toContain('a sandbox without network but to a.org, *.b.org. If');
    expect(shown(['a', 'b', 'c', 'd'])).toContain('without network but to a, b, c and 1 more. If');
  });

  it.each([
    'sh: 1: cannot create /dev/stderr: No such device or address',
    'tee: /dev/stdout: No such device or address',
  ])('of %j explains what to write instead, even if the command continued', (text) => {
    const note = 'note: /dev/stdout and /dev/stderr cannot be opened here. Redirect with >&1 or >&2 instead.';
    for (const shown of [report(text, 1, undefined), report(text, 0, 'offline')]) expect(shown).toContain(note);
  });

  it.each<[string, string]>([
    ['of another device', report('cat: /dev/tty: No such device or address', 1, undefined)],
    ['with the network', report('ENOTFOUND', 1, 'online')],
    ['without a sandbox', report('ENOTFOUND', 1, undefined)],
    ['if it succeeded', report('ENOTFOUND', 0, 'offline')],
  ])('has no note %s', (_name, shown) => {
    expect(shown).not.toContain('note:');
  });
});

describe('an end about which the system says little', () => {
  it.each([
    ['exited', 'exit code unknown after 0.0 s', 'exit_code: none'],
    ['signalled', 'ended by a signal after 0.0 s', 'exit_code: none'],
    ['timed_out', 'timed out after 0.0 s', 'exit_code: none, timed out after 1 s'],
    ['aborted', 'stopped after 0.0 s', 'exit_code: none, stopped by the user. The command may have had effects.'],
    [
      'failed_to_start',
      'could not be started: unknown reason',
      'exit_code: none, the command could not be started: unknown reason',
    ],
  ] as const)('is reported: %s', (cause, summary, first) => {
    const exit = { type: 'exit', cause, durationMs: 0, leftProcesses: false } as const;
    expect(summarizeExit(exit)).toBe(summary);
    const report = { exit, output: { head: '', tail: '', lines: 0 }, log: {} };
    const context = { directory: '.', timeoutMs: 1_000, sandbox: 'offline', readOnly: undefined } as const;
    expect(describeReport(report, context).split('\n')[0]).toBe(first);
  });
});
