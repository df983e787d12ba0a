import { describe, expect, it } from 'vitest';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { whyNoneStarts, whyNotStarted } from '../../../../src/policy/trust/external-programs.ts';

const rules: PathRules = {
  workspace: '/home/ada/project',
  allowedRoots: ['/home/ada/project', '/data'],
  readOnlyRoots: [],
  blockedPaths: ['/home/ada/project/tools', '/home/ada/.config'],
  ownDirectories: ['/home/ada/.config/ybs', '/srv/ybs'],
  platform: 'posix',
};
const atHome: PathRules = { ...rules, workspace: '/home/ada', allowedRoots: ['/home/ada'] };
const program = { modes: [0o755, 0o755], namedByProject: false, isTrusted: false, isForeign: false };

describe('a program of the user', () => {
  it.each([
    ['in the directory of ybs', ['/home/ada/.config/ybs/tools/x'], rules],
    ['in the home directory', ['/home/ada/.ybs/tools/x'], rules],
    ['beside the workspace', ['/home/ada/project-tools/x'], rules],
    ['linked from the directory of ybs', ['/home/ada/.config/ybs/tools/x', '/usr/bin/x'], rules],
    ['in the directory of ybs when the workspace is the home directory', ['/home/ada/.config/ybs/tools/x'], atHome],
  ])('%s may be started', (_place, paths, pathRules) => {
    expect(whyNotStarted({ ...program, paths }, pathRules)).toBeUndefined();
  });

  it.each([
    ['in the workspace', ['/home/ada/project/bin/x'], rules],
    ['in a blocked path of the workspace', ['/home/ada/project/tools/x'], rules],
    ['in another directory in which the agent may write', ['/data/x'], rules],
    ['that is a link into the workspace', ['/home/ada/.ybs/tools/x', '/home/ada/project/x'], rules],
    ['that a link in the workspace names', ['/home/ada/project/x', '/usr/bin/x'], rules],
    ['in another spelling of the workspace', ['/home/ada/PROJECT/x'], rules],
    ['in the home directory when that is the workspace', ['/home/ada/.ybs/tools/x'], atHome],
  ])('%s is not started', (_place, paths, pathRules) => {
    expect(whyNotStarted({ ...program, paths }, pathRules)).toMatch(/^it is inside the project/);
    expect(whyNotStarted({ ...program, paths, isTrusted: true }, pathRules)).toBeUndefined();
  });

  it.each([
    ['/usr/bin/x', false, /^a file of the project names it, and/],
    ['/usr/bin/x', true, /^a file of the project names it, and/],
    ['/home/ada/.config/ybs/tools/x', true, /^a file of the project names it, and/],
    ['/home/ada/project/x', false, /^it is inside the project/],
    ['/home/ada/project/x', true, undefined],
  ])('named by the project, at %s with trust %s', (path, isTrusted, reason) => {
    const refusal = whyNotStarted({ ...program, namedByProject: true, isTrusted, paths: [path] }, rules);
    if (reason === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(reason);
  });

  it('is not started if it belongs to another user of the machine', () => {
    const foreign = { ...program, isForeign: true, paths: ['/home/ada/.config/ybs/tools/x'] };
    expect(whyNotStarted(foreign, rules)).toMatch(/^it or its directory belongs to another user/);
    const trusted = { ...foreign, isTrusted: true, paths: ['/home/ada/project/x'] };
    expect(whyNotStarted(trusted, rules)).toMatch(/^it or its directory belongs to another user/);
  });

  it('is checked for its permissions even if its content is trusted', () => {
    const trusted = { ...program, isTrusted: true, modes: [0o755, 0o777], paths: ['/home/ada/project/x'] };
    expect(whyNotStarted(trusted, rules)).toMatch(/chmod o-w/);
  });

  it.each([
    ['a file that everybody may change', [0o755, 0o777], 'posix', /chmod o-w/],
    ['a directory that everybody may change', [0o777, 0o755], 'darwin', /chmod o-w/],
    ['a file that everybody may change, but not run', [0o755, 0o766], 'posix', /chmod o-w/],
    ['a directory such as /tmp', [0o1777, 0o755], 'posix', undefined],
    ['a file that the group may change', [0o755, 0o775], 'posix', undefined],
    ['a system without file modes', [0o777, 0o777], 'windows', undefined],
  ] as const)('is checked for its permissions: %s', (_name, modes, platform, reason) => {
    const paths = platform === 'windows' ? ['C:\\tools\\x'] : ['/opt/tools/x'];
    const verdict = whyNotStarted({ ...program, modes, paths }, { ...rules, platform });
    if (reason === undefined) expect(verdict).toBeUndefined();
    else expect(verdict).toMatch(reason);
  });
});

it.each([
  [false, 'ask', undefined],
  [false, 'accept-edits', undefined],
  [false, 'full-access', undefined],
  [false, 'read-only', /^the permission mode read-only starts no programs/],
  [true, 'full-access', /^a dry run starts no programs/],
] as const)('a session with dryRun %s in the mode %s may start programs: %s', (dryRun, mode, reason) => {
  const verdict = whyNoneStarts({ dryRun, mode });
  if (reason === undefined) expect(verdict).toBeUndefined();
  else expect(verdict).toMatch(reason);
});
