import { describe, expect, it } from 'vitest';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { refusalOfWrite, refusePath } from '../../../../src/policy/paths/refuse-path.ts';

const UNDO_RULES: PathRules = {
  ...{ workspace: '/home/u/work', home: '/home/u', platform: 'posix', allowedRoots: ['/home/u/work'] },
  ...{ readOnlyRoots: ['/logs'], blockedPaths: [], ownDirectories: ['/home/u/state'] },
};

describe('refusalOfWrite', () => {
  it.each<readonly [string, string | undefined, PathRules['outside'] | undefined]>([
    ['/home/u/work/a', undefined, undefined],
    ['/home/u/work/package.json', undefined, undefined],
    ['/home/u/work/.env', 'it is blocked (file with secrets)', undefined],
    ['/home/u/.ssh/config', 'it is outside the workspace (safety.sandbox_allowed_paths)', undefined],
    ['/etc/passwd', 'it is blocked (protected directory)', { read: 'ask', write: 'ask' }],
    ['/home/u/state/x', 'it is blocked (directory of ybs: /home/u/state)', undefined],
    ['/home/u/other', 'it is outside the workspace (safety.sandbox_allowed_paths)', undefined],
    ['/home/u/other', undefined, { read: 'ask', write: 'ask' }],
  ])('%s: %s', (path, expected, outside) => {
    expect(refusalOfWrite(path, { ...UNDO_RULES, ...(outside !== undefined && { outside }) })).toBe(expected);
  });
});

it.each([
  [
    '.env',
    '/home/u/work/.env',
    'write',
    '.env is blocked (file with secrets). Do the task without it, or tell the user',
  ],
  ['log', '/logs/1', 'write', 'log may be read but not changed. Write to a path inside the workspace.'],
  [
    'x',
    '/home/u/other',
    'write',
    'x is outside the workspace. Use a path inside it, such as one that list_files shows.',
  ],
  ['x', '/home/u/other', 'read', undefined],
  ['a', '/home/u/work/a', 'write', undefined],
] as const)(
  'the refusal of %s, which is %s, repeats the path as the model wrote it: %s',
  (requested, realPath, access, text) => {
    const refusal = refusePath({ requested, realPath, access }, UNDO_RULES);
    expect(refusal?.reason.slice(0, text?.length)).toBe(text);
  },
);
