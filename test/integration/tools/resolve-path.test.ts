import { chmodSync, existsSync, lstatSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { buildPathRules } from '../../../src/policy/paths/build-path-rules.ts';
import type { PathRules } from '../../../src/policy/paths/path-policy.ts';
import { realPathOf, resolvePath } from '../../../src/tools/files/resolve-path.ts';
import { asOrdinaryUser } from '../../support/processes/ordinary-user.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { LONG } from '../../support/random/property.ts';

const fileSystem = createNodeFileSystem();
const isWindows = process.platform === 'win32';
const platform = isWindows ? 'windows' : process.platform === 'darwin' ? 'darwin' : 'posix';

/** A workspace with all kinds of links, and a directory outside it that the agent may not use. */
async function createWorkspace(): Promise<{ readonly root: string; readonly pathRules: PathRules }> {
  const root = temporaryDirectory();
  chmodSync(root, 0o755);
  writeFiles(root, { 'app/a/f': '1', 'app/b/c/f': '2', 'app/secret/key': '3', 'app-2/key': '4', 'home/.ssh/id': '5' });
  const links = {
    in: 'a',
    up: '..',
    out: '../app-2',
    key: '../app-2/key',
    hidden: 'secret',
    gone: '../new',
    loop: 'loop',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(root, 'app', name));
  const pathRules = await buildPathRules(
    {
      workspace: path.join(root, 'app'),
      home: path.join(root, 'home'),
      platform,
      allowedPaths: ['./'],
      blockedPaths: ['~/.ssh', 'hidden'],
      readOnlyRoots: [],
    },
    (absolute) => realPathOf(absolute, fileSystem, platform),
  );
  return { root, pathRules };
}

// Windows lets only administrators create links; there the unit tests cover them.
describe.skipIf(isWindows)('resolvePath on the disk', () => {
  it('blocks the real path of a blocked path', async () => {
    const { root, pathRules } = await createWorkspace();
    expect(pathRules.blockedPaths).toContain(path.join(root, 'app/secret'));
    await expect(resolvePath('secret/key', 'read', { fileSystem, pathRules })).rejects.toMatchObject({
      code: 'path_blocked',
    });
  });

  it('agrees with the system on paths of three names, and never allows a path whose real path is outside', async () => {
    const { root, pathRules } = await createWorkspace();
    const workspace = path.join(root, 'app');
    const names = [
      'a',
      'b',
      'c',
      'f',
      'in',
      'up',
      'out',
      'key',
      'hidden',
      'secret',
      'gone',
      'loop',
      'new',
      'app',
      '..',
    ];
    const isAllowed = (real: string): boolean =>
      `${real}/`.startsWith(`${workspace}/`) && !`${real}/`.startsWith(`${workspace}/secret/`);
    const surprises: string[] = [];
    let allowed = 0;
    let count = 0;
    for (const first of names) {
      for (const second of ['.', ...names]) {
        for (const third of ['.', ...names]) {
          // A third of the paths; the long tests try all.
          if (!LONG && count++ % 3 !== 0) continue;
          const requested = [first, second, third].join('/');
          const resolved = await resolvePath(requested, 'write', { fileSystem, pathRules }).catch(() => undefined);
          const expected = realTarget(path.resolve(workspace, requested));
          const isClear = expected !== undefined && isAllowed(expected) && goesUpAsWritten(workspace, requested);
          const wanted = isClear ? expected : undefined;
          if (wanted !== undefined) allowed++;
          if (resolved?.realPath !== wanted) surprises.push(`${requested}: ${resolved?.realPath} instead of ${wanted}`);
        }
      }
    }
    expect(surprises).toEqual([]);
    expect(allowed).toBeGreaterThan(100);
  });

  it('reports a directory without permission to an ordinary user', async () => {
    const { root, pathRules } = await createWorkspace();
    chmodSync(path.join(root, 'app/b'), 0o000);
    const message = 'Permission denied for b/c/f. Use another path, or ask the user for access.';
    await asOrdinaryUser(async () => {
      await expect(resolvePath('b/c/f', 'read', { fileSystem, pathRules })).rejects.toMatchObject({
        code: 'permission_denied',
        message,
      });
      await expect(resolvePath('../home/.ssh/id', 'read', { fileSystem, pathRules })).rejects.toMatchObject({
        code: 'path_blocked',
      });
      expect(await resolvePath('a/f', 'read', { fileSystem, pathRules })).toMatchObject({ exists: true });
    });
    chmodSync(path.join(root, 'app/b'), 0o755);
  });
});

/** False if a `..` in a path does not lead to the preceding directory. */
function goesUpAsWritten(workspace: string, requested: string): boolean {
  const names = requested.split('/');
  return names.every((name, index) => {
    const before = names.slice(0, index);
    if (name !== '..' || before.every((each) => each === '.' || each === '..')) return true;
    const directory = path.resolve(workspace, ...before);
    if (!existsSync(directory) || !statSync(directory).isDirectory()) return false;
    return path.dirname(realpathSync.native(directory)) === realpathSync.native(path.dirname(directory));
  });
}

/** The real path according to the system; `undefined` if a file could not be created there without a link. */
function realTarget(absolute: string): string | undefined {
  if (existsSync(absolute)) return realpathSync.native(absolute);
  const parent = realTarget(path.dirname(absolute));
  if (parent === undefined) return undefined;
  const target = path.join(parent, path.basename(absolute));
  if (!existsSync(parent)) return target;
  const isTaken = !lstatSync(parent).isDirectory() || lstatSync(target, { throwIfNoEntry: false }) !== undefined;
  return isTaken ? undefined : target;
}
