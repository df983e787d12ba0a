import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isUnambiguous } from '../../../src/node/sandbox/real-files.ts';
import { createScan } from '../../../src/node/sandbox/scan-workspace.ts';
import { createSecretSearch } from '../../../src/node/sandbox/secret-search.ts';
import type { PathRules } from '../../../src/policy/paths/path-policy.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

// Windows has no sandbox.
const onPosix = it.skipIf(process.platform === 'win32');

function open() {
  const root = temporaryDirectory();
  const rules: PathRules = {
    ...{ workspace: root, allowedRoots: [root], readOnlyRoots: [], blockedPaths: [], platform: 'posix' },
    guardedPaths: [path.join(root, 'scripts/hooks')],
  };
  const at = (file: string): string => path.join(root, file);
  const write = (...files: readonly string[]): void => {
    for (const file of files) {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), 'x');
    }
  };
  const names = (files: readonly string[]): readonly string[] =>
    files.map((file) => path.relative(root, file)).toSorted();
  return { root, rules, at, write, names };
}

it.each([
  [1_700_000_000_120.5, 40, false],
  [1_700_000_000_120.5, 60, true],
  // As file systems such as FAT and ext3 store times.
  [1_700_000_000_000, 1900, false],
  [1_700_000_000_000, 2200, true],
])('the time %d of a change is unambiguous after %d ms: %s', (changedAt, later, expected) => {
  expect(isUnambiguous(changedAt, changedAt + later)).toBe(expected);
});

onPosix('finds the special entries of a workspace', async () => {
  const { root, rules, at, write, names } = open();
  write('.env', 'a/b/server.key', '.vscode/tasks.json', '.envrc', 'scripts/hooks/pre-commit', 'node_modules/x/.env');
  write('.git/config', '.git/hooks/pre-commit', '.git/modules/lib/config', 'settings.txt', 'd/.hg/.env', 'HEAD');
  symlinkSync('settings.txt', at('.env.local'));
  symlinkSync('/etc/hostname', at('system.pem'));
  symlinkSync('missing', at('missing.pem'));
  symlinkSync('a', at('directory.pem'));
  const { guarded, unreadable } = await createScan()(root, rules);
  expect(names(guarded)).toEqual([
    ...['.envrc', '.git/config', '.git/hooks', '.git/modules/lib/config', '.vscode', 'HEAD', 'scripts/hooks'],
  ]);
  expect(names(unreadable)).toEqual(['.env', '.envrc', 'a/b/server.key', 'settings.txt']);
  expect(names(await createSecretSearch()(root, rules, 5_000))).toEqual([
    ...['.env', '.envrc', '.git/config', '.git/modules/lib/config', 'a/b/server.key', 'd/.hg/.env'],
    ...['node_modules/x/.env', 'settings.txt'],
  ]);
});

onPosix('finds nothing in a directory that is missing', async () => {
  const { at, rules } = open();
  expect(await createScan()(at('missing'), rules)).toEqual({
    ...{ guarded: [], unreadable: [], links: [], repositories: [], others: [], unnamed: [] },
  });
  expect(await createSecretSearch()(at('missing'), rules, 5_000)).toEqual([]);
});

onPosix.each([
  ['scan', 0],
  ['scan', 100],
  ['search', 0],
  ['search', 100],
] as const)('notices every change in a %s, %d ms after the last look', async (kind, pause) => {
  const { root, rules, at, write, names } = open();
  write('a/b/c.txt', 'd/e.txt');
  const [scan, search] = [createScan(), createSecretSearch()];
  const look = async (): Promise<readonly string[]> => {
    await setTimeout(pause);
    return names(kind === 'scan' ? (await scan(root, rules)).unreadable : await search(root, rules, 100));
  };
  expect(await look()).toEqual([]);
  expect(await look()).toEqual([]);
  write('a/b/.env');
  expect(await look()).toEqual(['a/b/.env']);
  renameSync(at('a/b'), at('d/f'));
  expect(await look()).toEqual(['d/f/.env']);
  write('a/g/.env', 'a/id_rsa');
  // The modification time can be set, the change time of the directory cannot.
  utimesSync(at('a'), 1, 1);
  expect(await look()).toEqual(['a/g/.env', 'a/id_rsa', 'd/f/.env']);
  rmSync(at('a'), { recursive: true });
  expect(await look()).toEqual(['d/f/.env']);
});

onPosix('leaves out directories above a limit once, the new ones first, and finds all that come later', async () => {
  const { root, rules, at, write, names } = open();
  write('a/b/c/.env');
  const { birthtimeMs } = statSync(at('a/b/c'));
  const scanned = createScan();
  const scan = async () => names((await scanned(root, rules, { knownSince: birthtimeMs })).unreadable);
  for (let index = 0; index < 5_000; index += 1) mkdirSync(at(String(index)));
  expect(await scan()).toEqual(['a/b/c/.env']);
  for (let index = 0; index < 10; index += 1) mkdirSync(at(`new-${index}`));
  write(`a/d/${'e/'.repeat(100)}.env`, 'f/HEAD', 'f/commondir');
  expect(await scan()).toEqual(['a/b/c/.env', `a/d/${'e/'.repeat(100)}.env`]);
  expect((await scanned(root, rules)).repositories).toEqual([at('f')]);
});

onPosix('refuses to search too many directories', async () => {
  const { root, rules } = open();
  for (let index = 0; index < 5_000; index += 1) mkdirSync(path.join(root, String(index)));
  await expect(createSecretSearch()(root, rules, 5_000)).rejects.toThrow('has too many directories to search');
  rmSync(path.join(root, '0'), { recursive: true });
  expect(await createSecretSearch()(root, rules, 5_000)).toEqual([]);
});
