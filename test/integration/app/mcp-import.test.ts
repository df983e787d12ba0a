import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as readToml } from 'smol-toml';
import { expect, it } from 'vitest';
import { readForeignServers } from '../../../src/app/mcp/foreign-servers.ts';
import { parseForeignJson } from '../../../src/config/layers/json-text.ts';
import { SSE_TRANSPORT } from '../../../src/tools/mcp/connection/read-messages.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

// The forms of Codex' page on its configuration.
const codex = `# Top-level
model = "gpt-5.5" # a comment with [brackets]
approval_policy = 'on-request'

[features]
list = [
  "a", # one
  "b",
]

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
startup_timeout_sec = 20
env_vars = ["LOCAL_TOKEN"]

[mcp_servers.context7.env]
MY_ENV_VAR = "MY_\\u0045NV_VALUE"

[mcp_servers."figma.com"]
url = 'https://mcp.figma.com/mcp'
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"
http_headers = { "X-Figma-Region" = "us-east-1", other = "x" }
enabled_tools = ["open", "screenshot"]
tool_timeout_sec = 1_0.5
default_tools_approval_mode = "approve"
enabled = false

[[profiles]]
name = """multi
line"""
`;

// copilot-cli#4323, pi-mcp-adapter#193, context7#563
it('JSON is read with comments, and commas too many', async () => {
  const text = `{"servers": { // mine
    "a": {"command": "x, // } y", "args": ["/* z */,]", ${'/**/'.repeat(100)} ${'//'.repeat(100)}
      "\\",]", /* last */ ], },
    /* "b": {}, */
  }}`;
  expect(readForeignServers(await parseForeignJson('mcp.json', text))).toEqual([
    { name: 'a', entry: { command: 'x, // } y', args: ['/* z */,]', '",]'] }, notes: [] },
  ]);
  await expect(parseForeignJson('mcp.json', '{"a": }')).rejects.toThrow('mcp.json:1:7: invalid JSON');
  await expect(parseForeignJson('mcp.json', '{"a": [1,], "b": }')).rejects.toThrow('mcp.json:1:18: invalid JSON');
});

it('TOML of Codex is read', () => {
  expect(JSON.parse(JSON.stringify(readToml(codex)))).toMatchObject({
    features: { list: ['a', 'b'] },
    profiles: [{ name: 'multi\nline' }],
  });
  expect(readForeignServers(JSON.parse(JSON.stringify(readToml(codex))))).toEqual([
    {
      ...{
        name: 'context7',
        notes: ['in the sandbox, npx loads its program only if you add "network": true to the entry'],
      },
      entry: {
        ...{ command: 'npx', args: ['-y', '@upstash/context7-mcp'], env: { MY_ENV_VAR: 'MY_ENV_VALUE' } },
        ...{ environment: ['LOCAL_TOKEN'], start_seconds: 20 },
      },
    },
    {
      name: 'figma-com',
      entry: {
        url: 'https://mcp.figma.com/mcp',
        headers: { 'X-Figma-Region': 'us-east-1', other: 'x', Authorization: `Bearer \${FIGMA_OAUTH_TOKEN}` },
        ...{ timeout_seconds: 11, tools: ['open', 'screenshot'], enabled: false },
      },
      notes: ['its name was "figma.com"', 'not taken over: default_tools_approval_mode'],
    },
  ]);
  expect(() => readToml('a = 1 2\nb')).toThrow('Invalid TOML');
  readForeignServers(readToml('[__proto__]\npolluted = true'));
  expect(Object.prototype).not.toHaveProperty('polluted');
});

const of = (name: string, entry: object) => ({ name, entry, notes: [] });

it('servers with names that become one get names of their own', () => {
  const long = 'x'.repeat(32);
  const names = ['a b', 'a.b', 'a-b', 'a__b', long, `${long}1`, '', '_', '_.'];
  const mcpServers = Object.fromEntries(names.map((name) => [name, { command: name || 'none' }]));
  const read = readForeignServers({ mcpServers }) ?? [];
  expect(read.flatMap(({ name, entry }) => (entry === undefined ? [] : [[name, entry.command]]))).toEqual([
    ...[
      ['a-b-2', 'a b'],
      ['a-b-3', 'a.b'],
      ['a-b', 'a-b'],
      ['a-b-4', 'a__b'],
    ],
    ...[
      [long, long],
      [`${'x'.repeat(29)}-2`, `${long}1`],
    ],
  ]);
});

// The forms of the documentation of each program.
const FORMS: readonly (readonly [string, object, readonly object[]])[] = [
  [
    'VS Code in its settings, and of other transports',
    {
      mcp: {
        servers: { p: { type: 'http', url: 'https://x/mcp', gallery: 'https://y', disabled: true } },
        inputs: [],
      },
      mcpServers: {
        ...{ old: { type: 'sse', url: 'https://x/events' }, older: { transport: 'sse', url: 'https://x/events' } },
        ...{ empty: { command: 'x', url: '', transport: 'stdio' }, none: { command: '' } },
      },
    },
    [
      { name: 'old', notes: [`it uses ${SSE_TRANSPORT}`] },
      { name: 'older', notes: [`it uses ${SSE_TRANSPORT}`] },
      of('empty', { command: 'x' }),
      { name: 'none', notes: ['it has neither "command" nor "url"'] },
      of('p', { url: 'https://x/mcp', enabled: false }),
    ],
  ],
  [
    'variables',
    {
      mcpServers: {
        a: { command: 'x', args: [`\${userHome}/a`, `\${workspaceFolder}/b`], env: { A: 'pa$$', B: '$MINE' } },
      },
    },
    [of('a', { command: 'x', args: [`\${HOME}/a`, './b'], env: { A: 'pa$$', B: `\${MINE}` } })],
  ],
  [
    'Zed, also of its first form (zed#27435, agnostic-ai#378, codebase-memory-mcp#24)',
    {
      context_servers: {
        old: { settings: {}, command: { path: '/x/mac', args: ['-bug'], env: { A: 'b' } } },
        ...{ flat: { command: 'y', source: 'custom' }, far: { url: 'https://x/mcp', headers: { A: 'b' } } },
      },
    },
    [
      of('old', { command: '/x/mac', args: ['-bug'], env: { A: 'b' } }),
      ...[of('flat', { command: 'y' }), of('far', { url: 'https://x/mcp', headers: { A: 'b' } })],
    ],
  ],
  [
    'Windsurf, and a list (cristalyse#80, 5ire#74)',
    { mcpServers: { w_s: { serverUrl: 'https://x/mcp' } }, servers: [{ key: 'Web', command: 'x', isActive: true }] },
    [of('w_s', { url: 'https://x/mcp' }), of('Web', { command: 'x' })],
  ],
  [
    'opencode (opencode#1026)',
    {
      mcp: {
        here: { type: 'local', command: ['npm', 'exec', 'x'], environment: { A: 'b' }, enabled: true },
        there: { type: 'remote', url: 'https://x/mcp' },
      },
    },
    [of('here', { command: 'npm', args: ['exec', 'x'], env: { A: 'b' } }), of('there', { url: 'https://x/mcp' })],
  ],
  [
    'opencode with variables, and a server with the name of a list (opencode.ai/docs/config)',
    {
      mcp: {
        servers: { type: 'remote', url: 'https://x/mcp', headers: { A: 'Bearer {env:MY_KEY}', B: '{file:~/.key}' } },
      },
    },
    [
      {
        ...of('servers', { url: 'https://x/mcp', headers: { A: `Bearer \${MY_KEY}`, B: '{file:~/.key}' } }),
        notes: ['replace {file:~/.key} by a variable: ybs reads no files into an entry'],
      },
    ],
  ],
  [
    'a list with an entry without a name',
    { servers: [{ command: 'x' }] },
    [{ name: '(without a name)', notes: ['its name has no letter'] }],
  ],
  [
    'a file with values that ybs cannot read',
    {
      mcpServers: {
        a: { command: 'x', args: '-y', env: { A: {} }, timeout: '30', disabled: 'yes', includeTools: [{}] },
      },
    },
    [
      {
        ...{ name: 'a', entry: { command: 'x' } },
        notes: [
          'not taken over: args, whose value is "-y"',
          'not taken over: env, whose value is {"A":{}}',
          'not taken over: includeTools, whose value is [{}]',
          'not taken over: timeout, whose value is "30"',
          'not taken over: disabled, whose value is "yes"',
        ],
      },
    ],
  ],
];

it.each(FORMS)('the servers of %s are read', (_program, file, servers) => {
  expect(readForeignServers(file)).toEqual(servers);
});

it('ybs mcp import shows its changes, keeps existing entries, and imports no grant', async () => {
  const [directory, home] = [temporaryDirectory(), temporaryDirectory()];
  const environment = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const ybs = (...args: readonly string[]) => runMain(args, { directory, environment });
  writeFiles(directory, {
    'config.toml': codex,
    'mcp.json':
      '{ // of VS Code\n "servers": {"p": {"type": "stdio", "command": "x", "alwaysAllow": ["t"]}, "context7": {"command": "y"}}}',
    'other.json': '{}',
    'broken.toml': '[mcp_servers.a]\ncommand "x"',
  });
  writeFiles(home, {
    '.config/ybs/config.json': '{\n  // mine\n  "mcp": {"servers": {"context7": {"command": "mine"}}}\n}\n',
  });
  const written = () => readFileSync(path.join(home, '.config/ybs/config.json'), 'utf8');
  const asked = await ybs('mcp', 'import', 'mcp.json');
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('Without a terminal, nothing is written') });
  expect(asked.stdout).toBe('p: {"command":"x"}\n  not taken over: alwaysAllow\ncontext7: is configured already\n');
  expect(written()).not.toContain('"p"');
  expect(await ybs('mcp', 'import', 'mcp.json', '--yes')).toMatchObject({ code: 0 });
  expect((await ybs('mcp', 'import', '--yes', 'config.toml')).stdout).toContain(': figma-com\n');
  expect(written()).toContain('// mine');
  const { mcp } = JSON.parse(written().replace('// mine', ''));
  expect(Object.keys(mcp.servers)).toEqual(['context7', 'p', 'figma-com']);
  expect(mcp.servers.context7).toEqual({ command: 'mine' });
  expect((await ybs('mcp', 'import', 'mcp.json')).stdout).toContain('There is nothing to add.');
  expect(await ybs('mcp', 'import', 'other.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('names no servers'),
  });
  expect((await ybs('mcp', 'import', 'broken.toml')).stderr).toContain('broken.toml:2:9: invalid TOML: ');
  expect((await ybs('mcp', 'import', 'none')).stderr).toContain('cannot be read. Check the path.');
});
