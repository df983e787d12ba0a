import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readForeignServers } from '../../../src/app/mcp/foreign-servers.ts';
import { SSE_TRANSPORT } from '../../../src/tools/mcp/connection/read-messages.ts';
import { serverOf } from '../../support/mcp/open-server.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

const support = path.join(import.meta.dirname, '../../support/mcp');
const hostile = [path.join(support, 'hostile-server.mjs'), 'plain'];

/** A project with this `.mcp.json`, and the commands of ybs there. */
function projectOf(servers: object, own: object = {}) {
  const [directory, home] = [temporaryDirectory(), temporaryDirectory()];
  const environment = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const write = (mcpServers: object) => writeFiles(directory, { '.mcp.json': JSON.stringify({ mcpServers }) });
  write(servers);
  writeFiles(home, { '.config/ybs/config.json': JSON.stringify({ mcp: { servers: own } }) });
  const ybs = (...args: readonly string[]) => runMain(args, { directory, environment });
  return { ybs, write };
}

describe('.mcp.json', () => {
  const servers = {
    shared: { command: 'from-project', env: { A: 'b' } },
    remote: { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: { Authorization: `Bearer \${NO_SUCH_TOKEN}` } },
    'my.dotted__name': { command: process.execPath, args: hostile, network: true, trust: true, timeout: 5000 },
    old: { type: 'sse', url: 'http://127.0.0.1:9/sse' },
    empty: {},
  };

  it('has an effect only while the project is trusted and unchanged', async () => {
    const { ybs, write } = projectOf(servers);
    expect((await ybs('mcp', 'list')).stdout).toContain('There are no servers.');
    expect((await ybs('trust')).stdout).toContain(
      '.mcp.json  servers of the Model Context Protocol; the first start of each asks',
    );
    expect((await ybs('mcp', 'list')).stdout).toContain('shared: not started');
    write({ other: { command: 'evil' } });
    const { stdout } = await ybs('mcp', 'list');
    expect(stdout).toContain('There are no servers.');
    expect(stdout).toContain('no longer trusted (.mcp.json has changed)');
  });

  it('adds servers without grants, below those of the user, and unusable entries are reported', async () => {
    const { ybs } = projectOf(servers, { shared: { command: 'from-user' } });
    await ybs('trust');
    const { stdout, stderr } = await ybs('mcp', 'list');
    expect(stdout).toContain('[from-user]');
    expect(stdout).not.toContain('from-project');
    expect(stdout).toMatch(/my-dotted-name: not started.*\n {2}from \.mcp\.json of the project/);
    expect(stderr).toContain('The server old of .mcp.json cannot be used: it uses the SSE transport of 2024');
    expect(stderr).toContain('The server empty of .mcp.json cannot be used: it has neither "command" nor "url"');
    const check = await ybs('mcp', 'check', 'remote');
    expect(check).toMatchObject({ code: 1 });
    expect(check.stdout).toContain('needs the environment variable NO_SUCH_TOKEN, which is not set');
  });

  it('without servers causes no warning', async () => {
    const { ybs } = projectOf({});
    await ybs('trust');
    expect((await ybs('mcp', 'list')).stderr).toBe('');
  });
});

describe('the first start of a server of a project', () => {
  it('shows the whole command line once, and again when the entry has changed', async () => {
    const home = temporaryDirectory();
    const entry = { env: { TOKEN: `\${SOME_TOKEN:-none}` } };
    const first = await serverOf('plain', { home, origin: 'project', entry });
    const planned = await first.call('find_tool', { server: 'srv' });
    const shown = planned.effect.mcp?.start ?? '';
    expect(shown).toContain(`TOKEN="\${SOME_TOKEN:-none}" ${process.execPath} `);
    expect(shown).toMatch(/hostile-server\.mjs plain$/);
    expect((await first.call('srv__t')).effect.mcp).not.toHaveProperty('start');
    await first.server.close();
    const second = await serverOf('plain', { home, origin: 'project', entry });
    expect((await second.call('srv__t')).effect.mcp).not.toHaveProperty('start');
    await second.server.close();
    const changed = await serverOf('plain', { home, origin: 'project', entry: { env: { TOKEN: 'other' } } });
    expect((await changed.call('find_tool', { server: 'srv' })).effect.mcp?.start).toContain('TOKEN=other');
    // The server of the user with this name is a different one.
    const own = await serverOf('plain', { home, entry });
    expect(own.server.remembered.revision).toBeUndefined();
  });
});

describe('the forms of other programs', () => {
  // Published examples of each program's own documentation.
  it.each<readonly [string, unknown, readonly object[]]>([
    [
      'Claude',
      {
        mcpServers: {
          a: { type: 'http', url: 'https://a.example/mcp', headers: { X: `\${T:-}` } },
          b: { command: 'x', args: [], env: {} },
          c: { type: 'sse', url: 'https://c.example/sse' },
        },
      },
      [
        { name: 'a', entry: { url: 'https://a.example/mcp', headers: { X: `\${T:-}` } }, notes: [] },
        { name: 'b', entry: { command: 'x', args: [], env: {} }, notes: [] },
        { name: 'c', notes: [`it uses ${SSE_TRANSPORT}`] },
      ],
    ],
    [
      'Codex',
      {
        mcp_servers: {
          docs: {
            command: 'docs',
            env: { K: 'v' },
            env_vars: ['HOME_TOKEN'],
            startup_timeout_sec: 20,
            tool_timeout_sec: 45,
          },
          figma: {
            ...{ url: 'https://mcp.figma.com/mcp', bearer_token_env_var: 'FIGMA_TOKEN', enabled_tools: ['a'] },
            ...{ http_headers: { 'X-Region': 'us' }, env_http_headers: { 'X-Key': 'FIGMA_KEY' }, enabled: false },
          },
        },
      },
      [
        {
          ...{ name: 'docs', notes: [] },
          entry: {
            command: 'docs',
            env: { K: 'v' },
            environment: ['HOME_TOKEN'],
            start_seconds: 20,
            timeout_seconds: 45,
          },
        },
        {
          ...{ name: 'figma', notes: [] },
          entry: {
            url: 'https://mcp.figma.com/mcp',
            headers: { 'X-Region': 'us', 'X-Key': `\${FIGMA_KEY}`, Authorization: `Bearer \${FIGMA_TOKEN}` },
            ...{ tools: ['a'], enabled: false },
          },
        },
      ],
    ],
    [
      'VS Code',
      {
        inputs: [{ id: 'api-key', type: 'promptString', password: true }],
        servers: {
          p: {
            ...{ type: 'stdio', command: 'npx', args: ['-y', `\${workspaceFolder}/x`], envFile: '.env' },
            env: { KEY: `\${input:api-key}`, HOME: `\${env:HOME}` },
          },
        },
      },
      [
        {
          name: 'p',
          entry: { command: 'npx', args: ['-y', './x'], env: { KEY: `\${API_KEY}`, HOME: `\${HOME}` } },
          notes: [
            'not taken over: envFile',
            `set the variable \${API_KEY}`,
            'in the sandbox, npx loads its program only if you add "network": true to the entry',
          ],
        },
      ],
    ],
    [
      'Gemini CLI',
      {
        mcpServers: {
          a: {
            ...{ httpUrl: 'https://a.example/mcp', timeout: 30000, trust: true, includeTools: ['t'] },
            headers: { Authorization: 'Bearer $TOKEN' },
          },
          b: { url: 'https://b.example/sse', excludeTools: ['x'] },
        },
      },
      [
        {
          name: 'a',
          entry: {
            ...{ url: 'https://a.example/mcp', headers: { Authorization: `Bearer \${TOKEN}` } },
            ...{ timeout_seconds: 30, tools: ['t'] },
          },
          notes: ['not taken over: trust'],
        },
        { name: 'b', notes: [`it uses ${SSE_TRANSPORT}`] },
      ],
    ],
    [
      // https://github.com/holstein13/mcp-config-manager/issues/7
      'an empty command beside a URL',
      { mcpServers: { ref: { command: '', type: 'http', url: 'https://api.ref.tools/mcp' } } },
      [{ name: 'ref', entry: { url: 'https://api.ref.tools/mcp' }, notes: [] }],
    ],
    [
      'Cursor',
      { mcpServers: { 'my server': { url: 'http://localhost:3000/mcp', disabled: true }, 5: { command: 'x' } } },
      [
        { name: '5', notes: ['its name has no letter'] },
        {
          name: 'my-server',
          entry: { url: 'http://localhost:3000/mcp', enabled: false },
          notes: ['its name was "my server"'],
        },
      ],
    ],
    ['nothing', { servers: 3 }, []],
  ])('%s', (_name, file, expected) => {
    expect(readForeignServers(file) ?? []).toEqual(expected);
  });

  it('of a project in .claude.json is that of the workspace', () => {
    const file = {
      projects: { '/work': { mcpServers: { a: { command: 'x' } } }, '/other': { mcpServers: { b: {} } } },
    };
    expect(readForeignServers(file, '/work')).toEqual([{ name: 'a', entry: { command: 'x' }, notes: [] }]);
  });
});
