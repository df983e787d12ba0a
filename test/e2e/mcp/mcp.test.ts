import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startNotes } from '../../support/mcp/http-servers.ts';
import { startInTerminal } from '../../support/processes/pty.ts';
import { startBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const project = path.join(import.meta.dirname, '../../..');
const support = path.join(project, 'test/support/mcp');
const call = (name: string, args: Record<string, string | Record<string, string>> = {}) => ({
  response: { tool_calls: [{ name, arguments: args }] },
});
const server = serveScenarios([
  {
    name: 'first',
    trigger: 'first use',
    steps: [
      call('find_tool', { server: 'notes' }),
      call('call_tool', { name: 'notes__add_note', arguments: { text: 'milk' } }),
      call('notes__list_notes'),
      call('mcp__notes__list_notes'),
      { response: { content: 'Done.' } },
    ],
  },
  {
    name: 'second',
    trigger: 'second use',
    steps: [call('notes__add_note', { text: 'eggs' }), call('notes__list_notes'), { response: { content: 'Done.' } }],
  },
  {
    name: 'hang',
    trigger: 'hang',
    steps: [call('find_tool', { server: 'srv' }), call('call_tool', { name: 'srv__t', arguments: {} })],
  },
]);

type Launch = (words: readonly string[]) => readonly string[];
const alone: Launch = (words) => words;

/** Command lines that start the server which `words` name, as those of public reports do. */
const LAUNCHERS: readonly (readonly [string, Launch])[] = [
  ['no launcher', alone],
  ['a shell that waits', (words) => ['sh', '-c', '"$@"; true', 'sh', ...words]],
  ['a shell with the server in the background', (words) => ['sh', '-c', 'exec 3<&0; "$@" <&3 & wait', 'sh', ...words]],
  ['a shell with job control', (words) => ['bash', '-mc', 'exec 3<&0; "$@" <&3 & wait', 'bash', ...words]],
  ['npm exec', (words) => ['npm', 'exec', '--offline', '--no-update-notifier', '-c', words.join(' ')]],
  ['a program with a group of its own', (words) => ['sh', '-c', 'timeout 600 "$@"; true', 'sh', ...words]],
  ['a program with a session of its own', (words) => ['setsid', '--wait', ...words]],
  [
    'a program with a terminal of its own',
    (words) => ['script', '-qec', `stty -echo raw; ${words.join(' ')}`, '/dev/null'],
  ],
];

/** A home with one server in its configuration. */
function homeWith(name: string, args: readonly string[], launch = alone) {
  const home = temporaryDirectory();
  const [command, ...words] = launch([process.execPath, ...args]);
  const entry = { command, args: words, read: [project] };
  writeFiles(home, { '.config/ybs/config.json': JSON.stringify({ mcp: { servers: { [name]: entry } } }) });
  return { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
}

function start(prompt: string, environment: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const connection = ['--provider', 'openai-compatible', '--endpoint', `${server.url}/v1`, '--model', 'm'];
  return startBin([...connection, ...options, prompt], { environment });
}

/** The processes whose command line contains a text. */
function processesOf(text: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
      return line.includes(text) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  });
}

const sandboxes = [[['--no-sandbox']], ...((await missingSandbox()) === undefined ? [[[]]] : [])];

describe.runIf(process.platform === 'linux').each(sandboxes)('a server, with the options %j', (options) => {
  it('is found, asked about, called, remembered, and ends with the run', async () => {
    const args = [path.join(support, 'notes-server.mjs')];
    const environment = homeWith('notes', args);
    const denied = await start('first use', homeWith('notes', args), ...options).ended;
    expect(denied).toMatchObject({ code: 3 });
    expect(denied.stdout).toContain('→ find_tool: 2 found');
    expect(denied.stdout).toContain('call notes__add_note with {"text":"milk"}');
    expect(denied.stdout).toContain('denied, no terminal to ask on');

    const mode = ['--permission-mode', 'full-access', '--output-format', 'json', ...options];
    const first = await start('first use', environment, ...mode).ended;
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('There are 1 notes.');
    // Models call a tool by its own name once they have seen it: https://github.com/NousResearch/hermes-agent/issues/84772.
    expect(first.stdout.match(/"content":[^}]*milk[^}]*"outcome":"ok"|"outcome":"ok"[^}]*milk/g)).toHaveLength(2);
    const second = await start('second use', environment, ...mode).ended;
    expect(second.stdout).toContain('"toolName":"notes__add_note","outcome":"ok"');
    expect(second.stdout).toContain('eggs');
    // What watches the server ends a moment after it.
    await expect.poll(() => processesOf(environment.HOME), { timeout: 20_000 }).toEqual([]);
  });

  it.each([
    ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => [name, 'no launcher', alone] as const),
    ...LAUNCHERS.map((launcher) => ['SIGKILL', ...launcher] as const),
  ])('leaves no process behind after %s: %s', async (name, _launcher, launch) => {
    const mark = temporaryDirectory();
    const environment = homeWith('srv', [path.join(support, 'hostile-server.mjs'), 'orphan', mark], launch);
    const mode = ['--permission-mode', 'full-access', '--output-format', 'json'];
    const running = start('hang', environment, ...mode, ...options);
    await running.waitFor('"toolName":"find_tool","outcome":"ok"');
    await running.waitFor('srv__t');
    expect(processesOf(mark).length).toBeGreaterThan(1);
    running.signal(name);
    await running.ended;
    await expect.poll(() => processesOf(mark), { timeout: 20_000 }).toEqual([]);
  });
});

it('a server over HTTP is found, called and remembered', async () => {
  const { url, seen } = await startNotes('session');
  const home = temporaryDirectory();
  const entry = { url: `\${E2E_URL}`, headers: { 'X-Token': `\${E2E_TOKEN}` } };
  writeFiles(home, { '.config/ybs/config.json': JSON.stringify({ mcp: { servers: { notes: entry } } }) });
  const own = { E2E_TOKEN: 'abc', E2E_URL: url };
  const places = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config'), ...own };
  const mode = ['--permission-mode', 'full-access', '--output-format', 'json', '--no-sandbox'];
  const first = await start('first use', places, ...mode).ended;
  expect(first.stdout).toContain('noted milk');
  const second = await start('second use', places, ...mode).ended;
  expect(second.stdout).toContain('noted eggs');
  expect(seen.every(({ headers }) => headers['x-token'] === 'abc')).toBe(true);
  expect(seen.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
});

it('the first start of a server of a trusted project asks, and an answer for its directory is kept', async () => {
  const home = temporaryDirectory();
  const directory = temporaryDirectory();
  const places = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const entry = { command: process.execPath, args: [path.join(support, 'notes-server.mjs')], trust: true };
  writeFiles(directory, { '.mcp.json': JSON.stringify({ mcpServers: { notes: entry } }) });
  const run = (prompt = 'first use', cwd = directory) => start(prompt, places, '--cwd', cwd, '--no-sandbox').ended;
  const untrusted = await run();
  expect(untrusted.stdout).toContain('There is no tool "find_tool"');
  await startBin(['trust', directory], { environment: places }).ended;
  const trusted = await run();
  expect(trusted).toMatchObject({ code: 3 });
  expect(trusted.stdout).toContain('✗ find_tool: denied, no terminal to ask on');
  // Each answer is given once: to the first start of the server, and to each of its tools for this directory.
  const words = ['--cwd', directory, '--no-sandbox', '-p', 'mock', '--endpoint', server.url];
  const terminal = startInTerminal(words, { environment: places });
  await terminal.waitForPrompt();
  terminal.type('first use\r');
  for (const [asked, answer] of [
    ['which you have not agreed to yet', 'y'],
    ['? notes__add_note', 'k'],
    ['? notes__list_notes', 'k'],
  ] as const) {
    await terminal.waitForText(asked);
    await terminal.waitForPrompt('▌   > ');
    terminal.type(answer);
  }
  await terminal.waitForText('Done.');
  // Ctrl-D has no effect while the run ends.
  await terminal.waitForPrompt();
  terminal.type('\u0004');
  await terminal.ended;
  const kept = await run('second use');
  expect(kept).toMatchObject({ code: 0 });
  expect(kept.stdout).toContain('→ notes__add_note: done');
  // They hold for this directory only.
  const other = temporaryDirectory();
  writeFiles(other, { '.mcp.json': JSON.stringify({ mcpServers: { notes: entry } }) });
  await startBin(['trust', other], { environment: places }).ended;
  expect(await run('first use', other)).toMatchObject({ code: 3 });
}, 180_000);

it('the list of servers shows no password of an address', async () => {
  const config = temporaryDirectory();
  const servers = {
    web: { url: 'https://me:secret@mcp.example/mcp' },
    db: { command: 'npx', args: ['server-postgres', 'postgresql://me:secret@db.example/app'] },
  };
  writeFiles(config, { 'ybs/config.json': JSON.stringify({ mcp: { servers } }) });
  const { stdout } = await startBin(['mcp', 'list'], { environment: { XDG_CONFIG_HOME: config } }).ended;
  expect(stdout).toContain('web: not started, tools not known yet [https://[hidden]@mcp.example/mcp]');
  expect(stdout).toContain('[npx server-postgres "postgresql://[hidden]@db.example/app"]');
  expect(stdout).not.toContain('secret');
});
