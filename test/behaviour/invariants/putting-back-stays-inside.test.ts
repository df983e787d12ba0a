import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/** Files of the user outside the workspace, each with a line that must not reach the model. */
const OUTSIDE = {
  'private/config': '[alias]\n\tst = SECRET\n',
  'private/HEAD': 'ref: refs/heads/main\n',
  'private/git-rebase-todo': 'exec SECRET\n',
  '.npmrc': '//registry.example.com/:_authToken=SECRET\n',
  '.kube/config': 'token: SECRET\n',
  'other/.git/config': '[alias]\n\tst = SECRET\n',
  'other/.git/HEAD': 'ref: refs/heads/main\n',
  'other/.git/objects/info/packs': 'SECRET\n',
  'other/.git/objects/pack/a.pack': 'SECRET\n',
  'ws/.env': 'PASSWORD=SECRET\n',
};

const ALTERNATES = '.git/objects/info/alternates';

/**
 * Commands that make files of git lead to files of the user. The next one tries to read the files that became visible.
 */
const ATTACKS: readonly (readonly [name: string, ...commands: string[]])[] = [
  ['a directory of hooks', 'git init -q lib && git -C lib config core.hooksPath ~/private'],
  ['included settings', 'git init -q lib && git -C lib config include.path ~/private/config'],
  ['an included secret', 'git init -q lib && git -C lib config include.path ~/.npmrc'],
  ['an included secret of the workspace', 'git init -q lib && git -C lib config include.path ../../.env'],
  ['a link in place of the submodules', 'ln -s ~/ .git/modules', 'cat ~/.kube/config ~/private/config'],
  ['a link in place of the worktrees', 'ln -s ~/ .git/worktrees'],
  ['a link as a submodule', 'mkdir .git/modules; ln -s ~/private .git/modules/x'],
  [
    'a link in a submodule',
    'mkdir -p .git/modules/x; touch .git/modules/x/HEAD; ln -s ~/.kube/config .git/modules/x/config',
    'cat ~/.kube/config',
  ],
  ['a link as a rebase', 'ln -s ~/private .git/rebase-merge'],
  ['a link to a whole repository', 'ln -s ~/other lib; ln -s ~/other/.git sub'],
  ['a file .git', 'mkdir lib; echo "gitdir: $HOME/private" > lib/.git'],
  [
    'a bare repository of links',
    'mkdir -p b/objects b/refs; touch b/HEAD; ln -s ~/.kube/config b/config; ln -s ~/private b/hooks; ln -s ~/ b/modules',
    'cat ~/.kube/config ~/private/config',
  ],
  [
    'objects elsewhere',
    `mkdir -p .git/objects/info; echo ~/other/.git/objects > ${ALTERNATES}`,
    'cat ~/other/.git/objects/*/*',
  ],
  [
    'objects behind a link',
    `mkdir -p .git/objects/info; ln -s ~/other/.git/objects o; echo ../../o > ${ALTERNATES}`,
    'cat ~/other/.git/objects/*/*',
  ],
];

/** A project whose file `.git` names a directory of git in it, which shares the directory above the project. */
const ARCHIVE = {
  '.git': 'gitdir: .x\n',
  '.x/gitdir': '../.git\n',
  '.x/commondir': '../..\n',
  '.x/HEAD': 'ref: refs/heads/main\n',
};
const PLANT =
  'mkdir x; echo "$PWD/.git" > x/gitdir; echo ../.. > x/commondir; echo ref: refs/heads/main > x/HEAD; echo "gitdir: x" > .git';

const SESSION = {
  options: ['--permission-mode', 'full-access'],
  trusted: true,
  files: OUTSIDE,
  prepare: (home: string) => {
    execFileSync('git', ['init', '-q', '--template='], { cwd: path.join(home, 'ws') });
  },
};

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('ybs acts on no file outside', () => {
  // > docs/security.md: ybs reverts nothing outside | it looks only at files whose real directory a command can write, and follows no setting that it reverts | putting-back-stays-inside.test.ts
  it.each(ATTACKS)('%s leads to no file of the user', async (_name, ...commands) => {
    const { home, calls } = await playDecisions(
      [...commands, 'true; echo end'].map((command) => [run(command)]),
      SESSION,
    );
    expect(calls.map(({ reads }) => reads).join('\n')).not.toContain('SECRET');
    expect(calls.at(-1)?.reads).toContain('end');
    for (const [file, text] of Object.entries(OUTSIDE))
      expect(existsSync(path.join(home, file)) && readFileSync(path.join(home, file), 'utf8'), file).toBe(text);
  });

  it.each([
    ['an archive', 'app', ARCHIVE, ['true']],
    // In a directory of this name, a command can make what git makes in its own directory `worktrees`.
    ['a command', 'worktrees', {}, [PLANT]],
  ])('%s makes no directory above the workspace writable or visible', async (_name, directory, files, commands) => {
    const { home, calls } = await playDecisions(
      [...commands, 'cat ../other/a; touch ../other/made', 'echo end'].map((command) => [run(command)]),
      {
        options: [...SESSION.options, '--cwd', directory],
        files: {
          'ws/other/a': 'SECRET\n',
          ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`ws/${directory}/${name}`, text])),
        },
        prepare: (place) => mkdirSync(path.join(place, 'ws', directory), { recursive: true }),
      },
    );
    expect(calls.map(({ reads }) => reads).join('\n')).not.toContain('SECRET');
    expect(existsSync(path.join(home, 'ws/other/made'))).toBe(false);
    expect(calls.at(-1)?.reads).toContain('end');
  });

  it.each([true, false])(
    'commands see objects that the project borrows from the user, if it is trusted: %s',
    async (trusted) => {
      const { calls } = await playDecisions([[run('cat ~/other/.git/objects/*/*')]], {
        ...SESSION,
        trusted,
        prepare(home) {
          SESSION.prepare(home);
          mkdirSync(path.join(home, 'ws/.git/objects/info'), { recursive: true });
          writeFileSync(path.join(home, 'ws', ALTERNATES), path.join(home, 'other/.git/objects\n'));
        },
      });
      expect(calls[0]?.reads.includes('SECRET')).toBe(trusted);
    },
  );

  it('control: git commits in a worktree, whose directory of git lies elsewhere', async () => {
    const { calls } = await playDecisions(
      [[run('git -c user.name=a -c user.email=a@b commit --allow-empty -m made')]],
      {
        options: [...SESSION.options, '--cwd', 'app'],
        prepare(home) {
          const git = (...args: string[]) =>
            execFileSync('git', ['-C', path.join(home, 'ws'), '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
          git('init', '-q', 'main');
          git('-C', 'main', 'commit', '-q', '--allow-empty', '-m', 'first');
          git('-C', 'main', 'worktree', 'add', '-q', '../app');
        },
      },
    );
    expect(calls[0]?.reads).toContain('made');
    expect(calls[0]?.reads).toContain('exit_code: 0');
  });

  it('control: a file that the same settings name in the workspace is reverted', async () => {
    const command =
      "git init -q lib && printf '[alias]\\n\\tst = SECRET\\n' > lib/.git/more && git -C lib config user.name a && mkdir -p .git/modules/x/hooks && touch .git/modules/x/HEAD .git/modules/x/hooks/post-checkout";
    const { home, calls } = await playDecisions([[run(command)]], SESSION);
    expect(calls[0]?.reads).toContain('~/ws/.git/modules/x/hooks/post-checkout was put back');
    expect(existsSync(path.join(home, 'ws/.git/modules/x/hooks/post-checkout'))).toBe(false);
  });
});
