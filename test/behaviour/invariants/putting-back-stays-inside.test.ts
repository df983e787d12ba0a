import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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

  it('control: a file that the same settings name in the workspace is reverted', async () => {
    const command =
      "git init -q lib && printf '[alias]\\n\\tst = SECRET\\n' > lib/.git/more && git -C lib config user.name a && mkdir -p .git/modules/x/hooks && touch .git/modules/x/HEAD .git/modules/x/hooks/post-checkout";
    const { home, calls } = await playDecisions([[run(command)]], SESSION);
    expect(calls[0]?.reads).toContain('~/ws/.git/modules/x/hooks/post-checkout was put back');
    expect(existsSync(path.join(home, 'ws/.git/modules/x/hooks/post-checkout'))).toBe(false);
  });
});
