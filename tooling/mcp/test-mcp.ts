// `npm run test:mcp`: the client scenarios of the conformance suite, and published servers, each in a pinned version.
// With `-- --write-tables`, the results replace the tables of docs/mcp.md.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, 'node_modules/.cache/mcp');

const PAGE = 'http://127.0.0.1:8931/';
const CONFORMANCE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** Servers with their arguments, and one call of each: its tool, arguments, and a text of the result. */
const SERVERS = [
  ['@modelcontextprotocol/server-everything@2026.8.31', ['stdio'], 'echo', { message: 'hello there' }, 'hello there'],
  ['@modelcontextprotocol/server-filesystem@2026.8.31', [folder], 'list_directory', { path: folder }, 'package.json'],
  ['@modelcontextprotocol/server-memory@2026.8.31', [], 'read_graph', {}, 'entities'],
  [
    '@playwright/mcp@0.0.83',
    [
      '--headless',
      '--isolated',
      '--no-sandbox',
      '--executable-path',
      process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    ],
    'browser_navigate',
    { url: PAGE },
    'The page of the test',
  ],
] as const;

/** The same of Python, which a virtual environment gets. */
const PYTHON_SERVERS = [
  ['mcp-server-time==2026.10.19', [], 'get_current_time', { timezone: 'Europe/Berlin' }, 'Europe/Berlin'],
  ['mcp-server-fetch==2026.10.19', ['--allow-private-ips'], 'fetch', { url: PAGE }, 'The text of the test'],
  ['mcp-server-git==2026.10.19', ['--repository', root], 'git_log', { repo_path: root, max_count: 1 }, 'Commit'],
] as const;

/** The scenarios on authorisation, in the revision in which the suite plays each. */
const AUTHORISATION = [
  ...['metadata-default', 'metadata-var1', 'metadata-var2', 'metadata-var3', 'metadata-issuer-mismatch'],
  ...['2025-03-26-oauth-endpoint-fallback', '2025-03-26-oauth-metadata-backcompat', 'authorization-server-migration'],
  ...['basic-cimd', 'pre-registration', 'resource-mismatch', 'offline-access-scope', 'offline-access-not-supported'],
  ...['token-endpoint-auth-basic', 'token-endpoint-auth-post', 'token-endpoint-auth-none'],
  ...['iss-normalized', 'iss-not-advertised', 'iss-supported', 'iss-supported-missing', 'iss-unexpected'],
  ...['iss-wrong-issuer', 'scope-from-scopes-supported', 'scope-from-www-authenticate', 'scope-step-up'],
  ...['scope-omitted-when-undefined', 'scope-retry-limit'],
];

/** The scenarios that must pass, with their revisions; docs/mcp.md names the others. */
const SCENARIOS = [
  ['initialize', '2025-11-25'],
  ['tools_call', '2025-11-25'],
  ['tools_call', '2026-07-28'],
  ['sse-retry', '2025-11-25'],
  ['request-metadata', '2026-07-28'],
  ['http-standard-headers', '2026-07-28'],
  ['http-custom-headers', '2026-07-28'],
  ['http-invalid-tool-headers', '2026-07-28'],
  ['json-schema-ref-no-deref', '2026-07-28'],
  ['sep-2322-client-request-state', '2026-07-28'],
  ['elicitation-sep1034-client-defaults', '2025-11-25'],
  ...AUTHORISATION.map((name) => [`auth/${name}`, ''] as const),
] as const;

mkdirSync(folder, { recursive: true });
if (!existsSync(path.join(folder, 'package.json')))
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}\n');
const packages = [CONFORMANCE, ...SERVERS.map(([name]) => name)];
const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...packages];
execFileSync('npm', install, { cwd: folder, stdio: 'inherit' });

let failed = 0;
const scenarioRows: string[] = [];
const serverRows: string[] = [];
const say = (isOk: boolean, text: string): void => {
  if (!isOk) failed += 1;
  process.stdout.write(`${isOk ? 'ok  ' : 'FAIL'}  ${text}\n`);
};
const bin = (name: string): string => path.join(folder, 'node_modules/.bin', name);
const client = `${process.execPath} ${path.join(import.meta.dirname, 'conformance-client.ts')}`;
for (const [scenario, revision] of SCENARIOS) {
  const version = revision === '' ? [] : ['--spec-version', revision];
  // By default a scenario has 30 s, in which a busy machine does not finish those with several logins.
  const limit = ['--timeout', '240000'];
  const args = ['client', '--command', client, '--scenario', scenario, ...version, ...limit];
  const { status, stdout, stderr } = spawnSync(bin('conformance'), args, {
    ...{ cwd: folder, encoding: 'utf8' },
    env: { ...process.env, ...(scenario === 'auth/basic-cimd' && { YBS_CLIENT_METADATA: '1' }) },
  });
  const written = stdout + stderr;
  const [shown = written.slice(-500), passed, all] = /Passed: (\d+)\/(\d+).*/.exec(written) ?? [];
  say(status === 0, `${scenario} ${revision}: ${shown}`);
  scenarioRows.push(`| \`${scenario}\` | ${revision} | ${status === 0 ? `${passed} of ${all}` : 'failed'} |`);
}
const python = process.env['PYTHON'] ?? 'python3';
const environment = path.join(folder, 'python');
if (!existsSync(environment)) execFileSync(python, ['-m', 'venv', environment], { stdio: 'inherit' });
const wanted = PYTHON_SERVERS.map(([name]) => name);
execFileSync(path.join(environment, 'bin/pip'), ['install', '-q', ...wanted], { stdio: 'inherit' });
// mcp-server-fetch reads pages with a package of Node.js that it installs in its first call, which can take minutes.
const script = 'import os, readabilipy; print(os.path.join(os.path.dirname(readabilipy.__file__), "javascript"))';
const reader = execFileSync(path.join(environment, 'bin/python'), ['-c', script], { encoding: 'utf8' }).trim();
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: reader, stdio: 'inherit' });

const html = '<!doctype html><title>The page of the test</title><p>The text of the test</p>';
const page = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
await new Promise<void>((resolve) => page.listen(8931, '127.0.0.1', resolve));
const all = [
  ...SERVERS.map(([name, ...rest]) => [name, bin(nameOf(name)), ...rest] as const),
  ...PYTHON_SERVERS.map(
    ([name, ...rest]) => [name, path.join(environment, 'bin', name.replace(/==.*/, '')), ...rest] as const,
  ),
];
for (const [name, command, args, tool, given, expected] of all) {
  const program = [path.join(import.meta.dirname, 'call-server.ts'), JSON.stringify({ command, args, tool, given })];
  const result = await run(process.execPath, program, { cwd: folder }).catch((error: unknown) => Object(error));
  const { stdout = '', stderr = '' }: { stdout?: string; stderr?: string } = result;
  const shown = stdout === '' ? stderr.slice(-500) : stdout.slice(0, 200).trim();
  const isOk = stdout.includes(expected);
  say(isOk, `${name}: ${tool}: ${shown}`);
  const [, revision = '', tools = ''] = /^([\d-]+), (\d+) tools/.exec(stdout) ?? [];
  const version = name.replace(/(.)(?:@|==)/, '$1` ');
  serverRows.push(`| \`${version} | ${revision} | ${tools} | \`${tool}\`: ${isOk ? 'done' : 'failed'} |`);
}
page.close();
if (process.argv.includes('--write-tables')) {
  writeTable('conformance', ['Scenario', 'Revision', 'Checks passed'], scenarioRows);
  writeTable('servers', ['Server', 'Revision', 'Tools', 'Call'], serverRows);
}
process.exitCode = failed === 0 ? 0 : 1;

/** Replaces the table of this name in docs/mcp.md, with its date. */
function writeTable(name: string, heads: readonly string[], rows: readonly string[]): void {
  const file = path.join(root, 'docs/mcp.md');
  const [start, end] = [`<!-- ${name}: written by npm run test:mcp -- --write-tables -->`, `<!-- /${name} -->`];
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/mcp.md has no place for the table ${name}`);
  const date = `On ${new Date().toISOString().slice(0, 10)}:`;
  const table = [`| ${heads.join(' | ')} |`, `|${' --- |'.repeat(heads.length)}`, ...rows].join('\n');
  writeFileSync(file, `${text.slice(0, from)}${start}\n\n${date}\n\n${table}\n\n${text.slice(to)}`);
}

/** The program of a package. */
function nameOf(written: string): string {
  const name = written.replace(/@[\d.]+$/, '');
  return name === '@playwright/mcp' ? 'playwright-mcp' : `mcp-${name.replace(/^.*\//, '')}`;
}
