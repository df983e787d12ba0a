import { describe, expect, it } from 'vitest';
import { filesNamedBySettings, type GitFile, whyNotLeft } from '../../../../src/policy/sandbox/git-files.ts';

const ROOTS = ['/w', '/shared'];
type Row = readonly [name: string, kind: GitFile['kind'], directory: string, text: string];

/** As git 2.39 and 2.47 write them. */
const LEFT: readonly Row[] = [
  [
    'settings of git init',
    'settings',
    '/w/lib/.git',
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n',
  ],
  [
    'settings of git clone',
    'settings',
    '/w/lib/.git',
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.org/a\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
  ],
  [
    'settings of a submodule',
    'settings',
    '/w/.git/modules/sub',
    '[core]\n\tworktree = ../../../sub\n[remote "origin"]\n\turl = /w\n',
  ],
  ['the pointer of a worktree to the shared directory', 'commondir', '/w/.git/worktrees/tree', '../..\n'],
  ['the file .git of a worktree', 'pointer', '/w/tree', 'gitdir: /w/.git/worktrees/tree\n'],
  ['the file .git of a submodule', 'pointer', '/w/sub', 'gitdir: ../.git/modules/sub\n'],
  ['the file .git of a repository in an allowed directory', 'pointer', '/w/sub', 'gitdir: /shared/r.git\n'],
  ['a file .git that git cannot read', 'pointer', '/w/sub', 'nothing\n'],
  ['the place of a worktree', 'worktree', '/w/.git/worktrees/tree', '/w/tree/.git\n'],
  ['objects of another repository of the workspace', 'alternates', '/w/.git/objects/info', '../../sub/.git/objects\n'],
  [
    'steps of a rebase',
    'rebase',
    '/w/.git/rebase-merge',
    'pick 1234 exec in a subject\n# exec a comment\nlabel exec\n',
  ],
  ['a strategy of git', 'strategy', '/w/.git/rebase-merge', 'recursive\n'],
  ['options of a series of commits', 'strategy', '/w/.git/sequencer', '[options]\n\tmainline = 1\n\tedit = true\n'],
  ['options of patches', 'options', '/w/.git/rebase-apply', " '-p2' '--whitespace=fix' '--directory=a/b'\n"],
];

const PUT_BACK: readonly (readonly [...row: Row, reason: string])[] = [
  ['a program', 'settings', '/w/lib/.git', '[core]\n\tfsmonitor = evil\n', 'git would use its setting core.fsmonitor'],
  [
    'a filter after harmless settings',
    'settings',
    '/w/.git',
    '[user]\nname = a\n[filter "x"]\nclean = evil\n',
    'git would use its setting filter.clean',
  ],
  ['an included file', 'settings', '/w/.git', '[include]\npath = a\n', 'git would use its setting include.path'],
  [
    'a working tree elsewhere',
    'settings',
    '/w/.git/modules/sub',
    '[core]\nworktree = /home\n',
    'git would use its setting core.worktree',
  ],
  [
    'a working tree in a repository that is not a submodule',
    'settings',
    '/w/lib',
    '[core]\nworktree = .\n',
    'git would use its setting core.worktree',
  ],
  [
    'a line that is not a setting, which may be a secret',
    'settings',
    '/w/.kube',
    'password: hunter2\n',
    'git would use its settings',
  ],
  [
    'objects elsewhere',
    'alternates',
    '/w/.git/objects/info',
    '/w/other/.git/objects\n/home/a/private/.git/objects\n',
    'git would use the objects in /home/a/private/.git/objects',
  ],
  ['other shared settings', 'commondir', '/w/.git', '../evil\n', 'git would use the settings in /w/evil'],
  [
    'shared settings of another directory than that of the worktree',
    'commondir',
    '/w/.git/worktrees/tree',
    '/w/evil\n',
    'git would use the settings in /w/evil',
  ],
  [
    'shared settings behind a link',
    'commondir',
    '/w/.git/worktrees/tree',
    '../../x/..\n',
    'git would use the settings in /w/.git',
  ],
  ['a repository behind a link', 'pointer', '/w/sub', 'gitdir: ../x/../own\n', 'git would use the repository /w/own'],
  ['a worktree elsewhere', 'worktree', '/w/.git/worktrees/tree', '/home/a/.git\n', 'git would write /home/a/.git'],
  ['a path that git never stores', 'index', '/w/.git', '.git/hooks/pre-push', 'git would write to .git/hooks/pre-push'],
  ['a link', 'link', '/w/.git/logs', '/home/a/.bashrc', 'git would write to /home/a/.bashrc'],
  ['a hook', 'hook', '/w/.git/hooks', '#!/bin/sh\n', 'git would run it'],
  ['a step', 'rebase', '/w/.git/rebase-merge', 'pick 1\nexec evil now\n', 'git would run its step exec evil now'],
  ['a short step', 'rebase', '/w/.git/rebase-merge', '  x evil\n', 'git would run its step x evil'],
  ['a strategy of the project', 'strategy', '/w/.git/rebase-merge', '../evil', 'git would run its merge strategy'],
  [
    'a strategy of the project for a series of commits',
    'strategy',
    '/w/.git/sequencer',
    '[options]\n\tstrategy = "..\\\n/evil"\n',
    'git would run its merge strategy',
  ],
  [
    'an option that writes a file',
    'options',
    '/w/.git/rebase-apply',
    " '--build-f=/home/a/.bashrc'\n",
    'git would write the file that it names',
  ],
  ['a remote of an old form', 'remote', '/w/.git/remotes', 'URL: lib\n', 'git would use the remote that it names'],
  ['a repository elsewhere', 'pointer', '/w/sub', 'gitdir: /tmp/evil\n', 'git would use the repository /tmp/evil'],
];

describe('a file of a repository that a command has created or changed', () => {
  it.each(LEFT)('is kept: %s', (_name, kind, directory, text) => {
    expect(whyNotLeft({ kind, directory, text }, ROOTS)).toBeUndefined();
  });

  it.each(PUT_BACK)('is restored: %s', (_name, kind, directory, text, reason) => {
    expect(whyNotLeft({ kind, directory, text }, ROOTS)).toBe(reason);
  });
});

it('a directory of git in the workspace may not share a directory above it', () => {
  const file = { kind: 'commondir', directory: '/h/worktrees/x', text: '../..\n' } as const;
  expect(whyNotLeft(file, ['/h/worktrees'])).toBe('git would use the settings in /h');
  expect(whyNotLeft(file, ['/h'])).toBeUndefined();
});

it('the settings of git are searched for included files, directories of hooks and remotes that are directories', () => {
  const remotes = ['../up', 'file:///u p', '~/up', 'https://a/b', 'ssh://a/b', 'ext::sh'].map((url) => `url = ${url}`);
  const text =
    `[remote "o"]\n${remotes.join('\n')}\npushurl = d\n[branch "b"] remote = o\npushRemote = e\n` +
    '[include]\npath = "a b"\npath = ~/own\n[includeIf "gitdir:/w/"]\npath = c ; why\n[core] hooksPath = h\nhooksPath =\n';
  expect(filesNamedBySettings(text, '/h')).toEqual({
    includes: ['a b', '/h/own', 'c'],
    hooks: ['h'],
    remotes: ['../up', '/u p', '/h/up', 'ext::sh', 'd', 'o', 'e'],
  });
  expect(filesNamedBySettings('[include] path = ~/a').includes).toEqual(['~/a']);
});
