import { describe, expect, it } from 'vitest';
import { GUARDED_NAMES, isGuardedPath } from '../../../../src/safety/paths/path-policy.ts';

const RULES = { allowedRoots: ['/w', '/home/u', '/home/u/.claude/trees/x'], platform: 'posix' } as const;

describe('isGuardedPath', () => {
  it.each([
    ['/w/src/a.ts', false],
    ['/w/.gitignore', false],
    ['/w/git/config', false],
    ['/w/environment', false],
    ['/w/.git', true],
    ['/w/.git/hooks/pre-commit', true],
    ['/w/vendor/.GIT/config', true],
    ['/w/.ybs.json', true],
    ['/w/.env', true],
    ['/w/app/.env.local', true],
    ['/w/.envrc', true],
    ['/w/.vscode/tasks.json', true],
    ['/w/.idea/x', true],
    ['/w/.husky/pre-push', true],
    ['/w/.claude/settings.json', true],
    ['/w/.cursor/mcp.json', true],
    ['/w/.mcp.json', true],
    ['/w/.gitmodules', true],
    ['/home/u/.claude/trees/x/src/a.ts', false],
    ['/home/u/.claude/trees/x/.claude/a', true],
    ['/home/u/.claude/settings.json', true],
    ['/elsewhere/.git/config', true],
    ['/w/.git. /config', true],
    ['/w', false],
  ])('for %s is %s', (realPath, expected) => {
    expect(isGuardedPath(realPath, RULES)).toBe(expected);
  });

  it('has a case for every guarded name', () => {
    const names = '.git .vscode .idea .husky .claude .cursor .ybs.json .mcp.json .gitmodules'.split(' ');
    expect([...GUARDED_NAMES].toSorted()).toEqual(names.toSorted());
    for (const name of names) {
      expect(isGuardedPath(`/w/${name}`, RULES)).toBe(true);
      expect(isGuardedPath(`/w/a/${name.toUpperCase()}/b`, RULES)).toBe(true);
      expect(isGuardedPath(`/w/x${name}`, RULES)).toBe(false);
    }
  });
});
