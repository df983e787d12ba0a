import { describe, expect, it } from 'vitest';
import { buildPathRules, type PathSettings } from '../../../../src/policy/paths/build-path-rules.ts';

const SETTINGS: PathSettings = {
  workspace: '/work/app',
  home: '/home/u',
  platform: 'posix',
  allowedPaths: ['./', '../shared', '~/notes', './'],
  blockedPaths: ['~/.ssh', '~/.aws', 'secret', '~'],
  readOnlyRoots: ['/logs/link'],
  ownDirectories: ['~/.config/ybs', '/state/link'],
  guardedPaths: ['scripts/hooks', '/state/link'],
};
const LINKS = new Map([
  ['/home/u/.ssh', '/mnt/keys'],
  ['/logs/link', '/logs/1'],
  ['/state/link', '/state/1'],
]);
const follow = (path: string): Promise<string> =>
  path === '/home/u/.aws' ? Promise.reject(new Error('no')) : Promise.resolve(LINKS.get(path) ?? path);

describe('buildPathRules', () => {
  it('resolves the written paths, and blocks both the written and the real path', async () => {
    expect(await buildPathRules(SETTINGS, follow)).toEqual({
      workspace: '/work/app',
      home: '/home/u',
      platform: 'posix',
      allowedRoots: ['/work/app', '/work/shared', '/home/u/notes'],
      readOnlyRoots: ['/logs/1'],
      ownDirectories: ['/home/u/.config/ybs', '/state/link', '/state/1'],
      blockedPaths: ['/home/u/.ssh', '/home/u/.aws', '/work/app/secret', '/home/u', '/mnt/keys'],
      guardedPaths: ['/work/app/scripts/hooks', '/state/link', '/state/1'],
    });
  });

  it('accepts missing directories of ybs and guarded paths', async () => {
    const { ownDirectories: _none, guardedPaths: _either, ...settings } = SETTINGS;
    expect(await buildPathRules(settings, follow)).toMatchObject({ ownDirectories: [], guardedPaths: [] });
  });

  it('makes the folders of skills readable outside the workspace, and guards them inside', async () => {
    const skillRoots = ['/home/u/.claude/skills/a', '/work/app/.agents/skills/b', '/work/shared/c'];
    expect(await buildPathRules({ ...SETTINGS, skillRoots }, follow)).toMatchObject({
      skillRoots: ['/home/u/.claude/skills/a'],
      guardedPaths: [
        ...['/work/app/scripts/hooks', '/state/link', '/work/app/.agents/skills/b', '/work/shared/c', '/state/1'],
      ],
    });
  });

  it('rejects when an allowed path cannot be resolved', async () => {
    await expect(buildPathRules({ ...SETTINGS, allowedPaths: ['~/.aws'] }, follow)).rejects.toThrow('no');
  });
});
