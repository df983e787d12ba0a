// `npm run test:mcp`: the client scenarios of the conformance suite, and published servers, each in a pinned version.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, 'node_modules/.cache/mcp');

const CONFORMANCE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** Servers with their arguments, and one call of each: its tool, arguments, and a text of the result. */
const SERVERS = [
  ['@modelcontextprotocol/server-everything@2026.8.31', ['stdio'], 'echo', { message: 'hello there' }, 'hello there'],
  ['@modelcontextprotocol/server-filesystem@2026.8.31', [folder], 'list_directory', { path: folder }, 'package.json'],
  ['@modelcontextprotocol/server-memory@2026.8.31', [], 'read_graph', {}, 'entities'],
] as const;

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
] as const;

mkdirSync(folder, { recursive: true });
if (!existsSync(path.join(folder, 'package.json')))
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}\n');
const packages = [CONFORMANCE, ...SERVERS.map(([name]) => name)];
const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...packages];
execFileSync('npm', install, { cwd: folder, stdio: 'inherit' });

let failed = 0;
const say = (isOk: boolean, text: string): void => {
  if (!isOk) failed += 1;
  process.stdout.write(`${isOk ? 'ok  ' : 'FAIL'}  ${text}\n`);
};
const bin = (name: string): string => path.join(folder, 'node_modules/.bin', name);
const client = `${process.execPath} ${path.join(import.meta.dirname, 'conformance-client.ts')}`;
for (const [scenario, revision] of SCENARIOS) {
  const args = ['client', '--command', client, '--scenario', scenario, '--spec-version', revision];
  const { status, stdout, stderr } = spawnSync(bin('conformance'), args, { cwd: folder, encoding: 'utf8' });
  const written = stdout + stderr;
  say(status === 0, `${scenario} ${revision}: ${/Passed: .*/.exec(written)?.[0] ?? written.slice(-500)}`);
}
for (const [name, args, tool, given, expected] of SERVERS) {
  const command = bin(`mcp-${name.replace(/^.*\/|@[\d.]+$/g, '')}`);
  const options = { command, args, tool, given };
  const program = [path.join(import.meta.dirname, 'call-server.ts'), JSON.stringify(options)];
  const { stdout, stderr } = spawnSync(process.execPath, program, { cwd: folder, encoding: 'utf8' });
  say(
    stdout.includes(expected),
    `${name}: ${tool}: ${stdout.slice(0, 200).trim()}${stdout === '' ? stderr.slice(-500) : ''}`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;
