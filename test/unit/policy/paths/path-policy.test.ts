import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerFor,
  classifyPath,
  contains,
  displayPath,
  type PathPlatform,
  type PathRules,
  placesBeneath,
} from '../../../../src/policy/paths/path-policy.ts';
import { verdictSettings } from '../../../support/random/property.ts';

const POSIX: PathRules = {
  workspace: '/work/app',
  allowedRoots: ['/work/app', '/data/shared/'],
  readOnlyRoots: ['/logs/session'],
  blockedPaths: ['/work/app/secret', '/home/u/.ssh'],
  platform: 'posix',
};
const WINDOWS: PathRules = {
  workspace: 'C:\\Work\\App',
  allowedRoots: ['C:\\Work\\App', '\\\\server\\share\\docs'],
  readOnlyRoots: [],
  blockedPaths: ['C:\\Work\\App\\Secret'],
  platform: 'windows',
};

describe('the rules for the folders of skills', () => {
  const rules: PathRules = {
    workspace: '/work',
    home: '/home/u',
    allowedRoots: ['/work'],
    readOnlyRoots: [],
    skillRoots: ['/home/u/.config/ybs/skills/own', '/src/pdf'],
    blockedPaths: ['/home/u/.config', '/src/pdf/private'],
    ownDirectories: ['/home/u/.config/ybs'],
    guardedPaths: [],
    outside: { read: 'ask', write: 'mode' },
    platform: 'posix',
  };
  it.each<readonly [string, string, string, string]>([
    ['/src/pdf/SKILL.md', 'inside', 'mode', 'outside'],
    ['/src/pdf/scripts/fill.sh', 'inside', 'mode', 'outside'],
    ['/src/pdf/.env', 'inside', 'ask', 'outside'],
    ['/src/pdf/private/x', 'blocked', 'deny', 'blocked'],
    ['/src/pdf2/SKILL.md', 'outside', 'ask', 'outside'],
    ['/src/other.txt', 'outside', 'ask', 'outside'],
    ['/home/u/.config/ybs/skills/own/SKILL.md', 'inside', 'mode', 'outside'],
    ['/home/u/.config/ybs/skills/other/SKILL.md', 'blocked', 'deny', 'blocked'],
    ['/home/u/.config/ybs/sessions/s.jsonl', 'blocked', 'deny', 'blocked'],
  ])('%s is %s for a read, which is answered with %s, and %s for a write', (file, read, answer, write) => {
    expect(classifyPath(file, 'read', rules).type).toBe(read);
    expect(answerFor(file, 'read', rules)).toBe(answer);
    expect(classifyPath(file, 'write', rules).type).toBe(write);
    if (read === 'inside') expect(classifyPath(file, 'write', rules)).toMatchObject({ answer: 'deny' });
  });

  it('are found from the directories above', () => {
    expect(placesBeneath('/src', rules)).toBe(true);
  });
});

describe('classifyPath, for the directories of ybs', () => {
  const rules: PathRules = {
    workspace: '/home/u/app',
    allowedRoots: ['/home/u'],
    readOnlyRoots: ['/home/u/.config/ybs/sessions/s1/outputs'],
    blockedPaths: ['/home/u/.config'],
    ownDirectories: ['/home/u/.config/ybs', '/home/u/state'],
    platform: 'posix',
  };
  it.each([
    ['an output of this session', '/home/u/.config/ybs/sessions/s1/outputs/call_1.log', 'inside', 'outside'],
    ['the directory of the outputs', '/home/u/.config/ybs/sessions/s1/outputs', 'inside', 'outside'],
    ['the log of this session', '/home/u/.config/ybs/sessions/s1.jsonl', 'blocked', 'blocked'],
    ['another file of this session', '/home/u/.config/ybs/sessions/s1/history.xnl', 'blocked', 'blocked'],
    ['an output of another session', '/home/u/.config/ybs/sessions/s2/outputs/call_1.log', 'blocked', 'blocked'],
    ['a sibling with the same start', '/home/u/.config/ybs/sessions/s1/outputs2/a', 'blocked', 'blocked'],
    ['a directory of ybs in an allowed one', '/home/u/state/x', 'blocked', 'blocked'],
    ['another spelling of a directory of ybs', '/home/u/STATE/x', 'blocked', 'blocked'],
  ])('reads and writes %s: %s is %s and %s', (_name, path, read, write) => {
    expect([classifyPath(path, 'read', rules).type, classifyPath(path, 'write', rules).type]).toEqual([read, write]);
  });

  it('names the rule', () => {
    expect(classifyPath('/home/u/state/x', 'read', rules)).toMatchObject({ rule: 'directory of ybs: /home/u/state' });
  });
});

describe('classifyPath', () => {
  it.each([
    ['the root itself', '/work/app', 'inside'],
    ['a file', '/work/app/src/a.ts', 'inside'],
    ['a trailing separator', '/work/app/', 'inside'],
    ['doubled separators', '/work//app//a', 'inside'],
    ['a root written with a trailing separator', '/data/shared/x', 'inside'],
    ['a name that starts with two dots', '/work/app/..notes', 'inside'],
    ['a sibling with the same beginning', '/work/app-secrets/key', 'outside'],
    ['the parent', '/work', 'outside'],
    ['another case', '/work/App/a', 'outside'],
    ['a path with ..', '/work/app/../other', 'blocked'],
    ['a path with .', '/work/app/./a', 'blocked'],
    ['a relative path', 'work/app/a', 'blocked'],
    ['an empty path', '', 'blocked'],
    ['a blocked directory', '/work/app/secret', 'blocked'],
    ['beneath a blocked directory', '/work/app/secret/x', 'blocked'],
    ['a blocked directory in another case', '/work/app/SECRET/x', 'blocked'],
    ['a blocked directory outside', '/home/u/.ssh/id', 'blocked'],
    ['a sibling of a blocked directory', '/work/app/secrets', 'inside'],
  ])('posix: %s', (_name, realPath, type) => {
    expect(classifyPath(realPath, 'write', POSIX).type).toBe(type);
  });

  it.each([
    ['the root itself', 'C:\\Work\\App', 'inside'],
    ['another case', 'c:\\work\\APP\\a', 'inside'],
    ['forward slashes', 'C:/Work/App/a', 'inside'],
    ['a long path', '\\\\?\\C:\\Work\\App\\a', 'inside'],
    ['a share', '\\\\SERVER\\Share\\docs\\a', 'inside'],
    ['a long share', '\\\\?\\UNC\\server\\share\\docs', 'inside'],
    ['another directory of the share', '\\\\server\\share\\other', 'outside'],
    ['a sibling', 'C:\\Work\\App2', 'outside'],
    ['another drive', 'D:\\Work\\App', 'outside'],
    ['a drive without a directory', 'C:', 'blocked'],
    ['a directory without a drive', '\\Work\\App', 'blocked'],
    ['a device', '\\\\.\\PhysicalDrive0', 'blocked'],
    ['a server without a share', '\\\\server', 'blocked'],
    ['a name of dots and spaces', 'C:\\Work\\App\\.. \\x', 'blocked'],
    ['a blocked directory with ignored dots', 'C:\\Work\\App\\secret. .\\x', 'blocked'],
  ])('windows: %s', (_name, realPath, type) => {
    expect(classifyPath(realPath, 'write', WINDOWS).type).toBe(type);
  });

  it('allows every path of a drive or of the disk when that is the root', () => {
    expect(classifyPath('/etc/x', 'read', { ...POSIX, allowedRoots: ['/'] }).type).toBe('inside');
    expect(classifyPath('/', 'read', { ...POSIX, allowedRoots: ['/'] }).type).toBe('inside');
    expect(classifyPath('c:\\x', 'read', { ...WINDOWS, allowedRoots: ['C:\\'] }).type).toBe('inside');
    expect(classifyPath('d:\\x', 'read', { ...WINDOWS, allowedRoots: ['C:\\'] }).type).toBe('outside');
  });

  it.each<[string, PathPlatform, string, string, boolean]>([
    ['darwin folds case', 'darwin', '/Work/App', '/work/app/a', true],
    ['darwin folds Unicode forms', 'darwin', '/w/caf\u00e9', '/w/cafe\u0301/a', true],
    ['posix keeps Unicode forms apart', 'posix', '/w/caf\u00e9', '/w/cafe\u0301/a', false],
    ['darwin distinguishes ß from ss in an allowed root', 'darwin', '/w/stra\u00dfe', '/w/strasse', false],
    ['a root that is not a real path contains nothing', 'posix', 'work', '/work', false],
  ])('roots: %s', (_name, platform, root, realPath, expected) => {
    expect(contains(root, realPath, platform)).toBe(expected);
  });

  it('ignores case and Unicode forms of blocked paths on every platform', () => {
    expect(contains('/w/stra\u00dfe', '/w/STRASSE/x', 'posix', 'blocked')).toBe(true);
    expect(contains('/w/caf\u00e9', '/w/CAFE\u0301', 'posix', 'blocked')).toBe(true);
  });

  it('names the rule that refused the path', () => {
    expect(classifyPath('/home/u/.ssh/id', 'read', POSIX)).toEqual({
      type: 'blocked',
      rule: 'safety.sandbox_blocked_paths: /home/u/.ssh',
    });
    expect(classifyPath('/etc/passwd', 'read', POSIX)).toEqual({
      type: 'outside',
      rule: 'safety.sandbox_allowed_paths',
      answer: 'ask',
    });
    expect(classifyPath('/logs/session/1.log', 'read', POSIX)).toEqual({ type: 'inside' });
    expect(classifyPath('/logs/session/1.log', 'write', POSIX)).toEqual({
      type: 'outside',
      rule: 'read-only directory: /logs/session',
      answer: 'deny',
    });
    expect(classifyPath('x', 'read', POSIX)).toEqual({
      type: 'blocked',
      rule: 'only absolute paths without . and .. are allowed',
    });
  });
});

describe('contains compared with an oracle', () => {
  // Few and similar names, so that prefixes and nesting are frequent.
  const segment = fc.constantFrom('a', 'ab', 'a b', '..a', 'A', 'é');
  const segments = fc.array(segment, { maxLength: 4 });

  function disagreements(policy: (root: string, path: string) => boolean): boolean {
    const details = fc.check(
      fc.property(segments, segments, fc.boolean(), (root, below, trailing) => {
        const rootPath = `/${root.join('/')}${trailing && root.length > 0 ? '/' : ''}`;
        const path = `/${below.join('/')}`;
        const expected = JSON.stringify(below.slice(0, root.length)) === JSON.stringify(root);
        return policy(rootPath, path) === expected;
      }),
      verdictSettings(1000),
    );
    return details.failed;
  }

  it('agrees with the oracle on whole segments', () => {
    expect(disagreements((root, path) => contains(root, path, 'posix'))).toBe(false);
  });

  it('is tested with a check that detects a comparison by string prefix', () => {
    expect(disagreements((root, path) => path.startsWith(root))).toBe(true);
  });
});

describe('displayPath', () => {
  it.each<[string, PathRules, string, string]>([
    ['the workspace', POSIX, '/work/app', '.'],
    ['a file', POSIX, '/work/app/src/a.ts', 'src/a.ts'],
    ['a name that starts with two dots', POSIX, '/work/app/..a', '..a'],
    ['another root', POSIX, '/data/shared/x', '/data/shared/x'],
    ['windows', WINDOWS, 'C:\\Work\\App\\src\\a.ts', 'src/a.ts'],
    ['windows elsewhere', WINDOWS, 'D:\\x\\y', 'D:/x/y'],
    ['a name with a line break', POSIX, '/work/app/a\n3 matches\u2028b', 'a\\u{a}3 matches\\u{2028}b'],
  ])('%s', (_name, rules, realPath, shown) => {
    expect(displayPath(realPath, rules)).toBe(shown);
  });
});

describe('placesBeneath', () => {
  it.each([
    ['a workspace', '/home/ada/work', false],
    ['the home directory', '/home/ada', true],
    ['a directory with a blocked one', '/srv', true],
    ['a blocked directory', '/srv/secret', false],
    ['a directory of the system', '/etc', true],
    ['the root of the disk', '/', true],
    ['a directory with read-only ones', '/out/of', true],
  ])('of %s', (_name, directory, expected) => {
    const rules = {
      ...{
        workspace: '/home/ada/work',
        allowedRoots: ['/home/ada/work'],
        home: '/home/ada',
        platform: 'posix' as const,
      },
      ...{
        readOnlyRoots: ['/out/of/session'],
        blockedPaths: ['/srv/secret'],
        ownDirectories: ['/home/ada/.config/ybs'],
      },
    };
    expect(placesBeneath(directory, rules)).toBe(expected);
    const { home: _home, ownDirectories: _own, ...plain } = rules;
    expect(placesBeneath('/home/ada', plain)).toBe(false);
  });
});
