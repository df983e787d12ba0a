import { expect, it } from 'vitest';
import { sandboxHint } from '../../../../../src/tools/mcp/connection/sandbox-hint.ts';
import type { McpEntry } from '../../../../../src/tools/mcp/settings.ts';

const startsNone = () => Promise.reject(new Error('none'));
const startServer = Object.assign(startsNone, { isConfined: true });
const places = { home: '/home/u', workspace: '/home/u/w', platform: 'posix', hidesHome: true, startServer } as const;

it.each<readonly [McpEntry, string]>([
  [{ command: 'npx', args: ['-y', 'server'] }, 'which npx needs to load its program: add "network": true'],
  [{ command: '/usr/bin/uvx', args: ['server'] }, 'which uvx needs'],
  [{ command: 'npx', network: true }, ''],
  [{ command: 'node', args: ['/home/u/srv/a.mjs'] }, 'hides /home/u/srv/a.mjs: add "read": ["/home/u/srv"]'],
  [{ command: 'node', args: ['/tmp/srv/a.mjs'] }, 'hides /tmp/srv/a.mjs: add "read": ["/tmp/srv"]'],
  [{ command: 'node', args: ['/tmp/a.mjs'] }, 'add "read": ["/tmp/a.mjs"]'],
  [{ command: 'server', args: ['/tmp'] }, 'hides /tmp: add "read": ["/tmp"]'],
  [{ command: 'server', args: ['/home/u'] }, 'hides /home/u: add "read": ["/home/u"]'],
  [{ command: '/home/u/bin/server' }, 'add "read": ["/home/u/bin"]'],
  [{ command: 'node', args: ['/home/u/srv/a.mjs'], read: ['~/srv'] }, ''],
  [{ command: 'node', args: ['/home/u/w/a.mjs'] }, ''],
  [{ command: 'node', args: ['/opt/a.mjs'] }, ''],
  [{ url: 'https://a.example/mcp' }, ''],
  [{ url: 'https://a.example/sse' }, 'looks like that of the SSE transport of 2024'],
])('%j: %s', (entry, hint) => {
  const found = sandboxHint(entry, places);
  if (hint === '') expect(found).toBe('');
  else expect(found).toContain(hint);
});

it('names no file where the home directory is visible, or without a sandbox', () => {
  expect(sandboxHint({ command: 'npx' }, { ...places, startServer: () => startsNone() })).toBe('');
  expect(sandboxHint({ command: '/home/u/bin/server' }, { ...places, hidesHome: false })).toBe('');
});
