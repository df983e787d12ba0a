import { describe, expect, it } from 'vitest';
import {
  checkTrust,
  describeChanges,
  type ProjectPart,
  programSettings,
  type TrustChange,
  type TrustVerdict,
} from '../../../../src/policy/trust/trust.ts';

const part = (path: string, digest = 'a'): ProjectPart => ({ path, kind: 'tool', digest });
const UNREADABLE: ProjectPart = { ...part('x'), digest: undefined };
const trusted = (parts: Readonly<Record<string, string>>) => ({
  trustedAt: '2026-11-22T10:00:00.000Z',
  parts: new Map(Object.entries(parts)),
});
const changed = (...changes: readonly TrustChange[]): TrustVerdict => ({ type: 'changed', changes });

describe('a project', () => {
  it.each<[string, readonly ProjectPart[], Parameters<typeof checkTrust>[1], TrustVerdict]>([
    ['has never been trusted', [part('x')], undefined, { type: 'untrusted' }],
    ['has never been trusted, without parts', [], undefined, { type: 'untrusted' }],
    ['has not changed', [part('x'), part('y', 'b')], trusted({ x: 'a', y: 'b' }), { type: 'trusted' }],
    ['has no parts, as before', [], trusted({}), { type: 'trusted' }],
    ['has a changed part', [part('x', 'b')], trusted({ x: 'a' }), changed({ path: 'x', change: 'changed' })],
    ['has a part that cannot be read', [UNREADABLE], trusted({ x: 'a' }), changed({ path: 'x', change: 'changed' })],
    ['has a new part', [part('x'), part('y')], trusted({ x: 'a' }), changed({ path: 'y', change: 'new' })],
    [
      'has a new part that cannot be read',
      [{ ...UNREADABLE, path: 'y' }],
      trusted({}),
      changed({ path: 'y', change: 'new' }),
    ],
    ['has lost a part', [], trusted({ x: 'a' }), changed({ path: 'x', change: 'removed' })],
    [
      'has a renamed part',
      [part('y')],
      trusted({ x: 'a' }),
      changed({ path: 'y', change: 'new' }, { path: 'x', change: 'removed' }),
    ],
    [
      'has a part named like a prototype',
      [part('__proto__')],
      trusted({}),
      changed({ path: '__proto__', change: 'new' }),
    ],
  ])('that %s gets its verdict', (_name, found, stored, verdict) => {
    expect(checkTrust(found, stored)).toEqual(verdict);
  });

  it('is reported with at most three of its changes', () => {
    const changes = (['new', 'changed', 'removed', 'new', 'new'] as const).map((change, index) => ({
      path: `p${index}`,
      change,
    }));
    expect(describeChanges(changes.slice(0, 3))).toBe('p0 is new, p1 has changed, p2 was removed');
    expect(describeChanges(changes.slice(0, 4))).toBe('p0 is new, p1 has changed, p2 was removed, 1 more');
    expect(describeChanges(changes)).toBe('p0 is new, p1 has changed, p2 was removed, 2 more');
  });
});

describe('the configuration of a repository', () => {
  it('contains no setting that starts a program after git init and git clone', () => {
    const text = `
# a comment
; another
[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
	ignorecase = true
	precomposeunicode = true
	symlinks = false
	autocrlf = input
	eol = lf
	safecrlf = warn
	quotepath = false
[remote "origin"]
	url = https://example.org/shop.git
	pushurl = git@example.org:shop.git
	fetch = +refs/heads/*:refs/remotes/origin/*
	push = HEAD
	prune = true
	tagopt = --no-tags
[branch "main"]
	remote = origin
	merge = refs/heads/main
	rebase = true
	pushRemote = origin
	description = x
[submodule "a\\"b"]
	active = true
	url = https://example.org/lib.git
[User]
	name = Ada
	email = ada@example.org
	signingKey = 1234
`;
    expect(programSettings(text)).toEqual([]);
  });

  it.each<[string, string, readonly string[]]>([
    ['a monitor', '[core]\n\tfsmonitor = ./evil', ['core.fsmonitor = ./evil']],
    ['hooks', '[core]\nhooksPath=.hooks', ['core.hookspath = .hooks']],
    ['a working tree elsewhere', '[core]\nworktree = /etc', ['core.worktree = /etc']],
    ['a program in a harmless section', '[remote "o"]\nuploadpack = ./evil', ['remote.uploadpack = ./evil']],
    ['another spelling', '[CORE]\nFSMonitor = x\nFileMode = true', ['core.fsmonitor = x']],
    ['a filter', '[filter "lfs"]\nclean = git-lfs clean', ['filter.clean = git-lfs clean']],
    ['an alias', '[alias]\nst = !sh -c x', ['alias.st = !sh -c x']],
    ['another file', '[include]\npath = more', ['include.path = more']],
    ['a conditional include', '[includeIf "gitdir:/"]\npath = more', ['includeif.path = more']],
    ['a setting on the line of its section', '[core] fsmonitor = x', ['core.fsmonitor = x']],
    ['a setting in quotes, before a comment', '[core]\nfsmonitor = "./a b" # c', ['core.fsmonitor = ./a b']],
    ['a line that git cannot read', '[core]\nfsmonitor: x', ['core.fsmonitor: x']],
    ['a switch without a value', '[core]\nfsmonitor', ['core.fsmonitor']],
    ['no harmless switch without a value', '[core]\nbare', []],
    [
      'no path of a submodule',
      '[submodule "x"]\npath = lib\nbranch = main\nshallow = true\nfetchRecurseSubmodules = no',
      [],
    ],
    ['a harmless name in another section', '[url "x"]\nname = y', ['url.name = y']],
    ['a section named like a prototype', '[constructor]\nname = y', ['constructor.name = y']],
    ['no value that continues on the next line', '[remote "o"]\nurl = x \\\nfsmonitor = y', []],
    ['a setting behind one', '[core]\neol = \\\nlf\nfsmonitor = y', ['core.fsmonitor = y']],
    ['nonsense', '[[[', ['.[[[']],
    ['a section with a comment', '[user]\n[alias] # mine\nname = !x', ['alias.name = !x']],
    ['settings behind a section on their line', '[user]\n[alias] a = b\nname = !x', ['alias.a = b', 'alias.name = !x']],
  ])('shows %s', (_name, text, lines) => {
    expect(programSettings(text)).toEqual(lines);
  });

  it('changes when a setting moves to a section in which it starts a program', () => {
    const [before, after] = ['branch "x"', 'core'].map((section) => programSettings(`[${section}]\nfsmonitor = x`));
    expect(before).not.toEqual(after);
  });
});
