import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/** A command of the model, the git command of the user that would run its code, and the file that is put back. */
interface Attack {
  readonly name: string;
  readonly command: string;
  readonly git: readonly string[];
  readonly file: string;
}

/** Settings with a program that leaves a mark beside the workspace. */
const MONITOR = '[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = "touch $HOME/sprung; false"\\n';
const FILTER = '[filter "x"]\\n\\tclean = touch $HOME/sprung; cat\\n';
const DIRTY = 'printf "* filter=x\\n" > .gitattributes; printf "other\\n" > a.txt';

const ATTACKS: readonly Attack[] = [
  {
    name: 'commondir with settings beside it',
    command: `cp -r .git evil && printf '${MONITOR}' > evil/config && echo ../evil > .git/commondir; ${DIRTY}`,
    git: ['status'],
    file: '.git/commondir',
  },
  {
    name: 'a file that the settings include, and that did not exist',
    command: `printf '${FILTER}' > team.gitconfig; ${DIRTY}`,
    git: ['add', 'a.txt'],
    file: 'team.gitconfig',
  },
  {
    name: 'a file that the settings include, and that did exist',
    command: `printf '${FILTER}' >> known.gitconfig; ${DIRTY}`,
    git: ['add', 'a.txt'],
    file: 'known.gitconfig',
  },
  {
    name: 'a directory of hooks that the settings name, and that did not exist',
    command:
      'mkdir -p later && printf "#!/bin/sh\\ntouch $HOME/sprung\\n" > later/post-checkout && chmod +x later/post-checkout',
    git: ['checkout', '-q', 'HEAD'],
    file: 'later/post-checkout',
  },
  {
    name: 'the settings of a new repository in the workspace',
    command: `git init -q lib && printf '${MONITOR}' >> lib/.git/config`,
    git: ['-C', 'lib', 'status'],
    file: 'lib/.git/config',
  },
  {
    name: 'a hook of a new repository',
    command: `git init -q lib && cd lib && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a && mkdir -p .git/hooks && printf '#!/bin/sh\\ntouch $HOME/sprung\\n' > .git/hooks/post-checkout && chmod +x .git/hooks/post-checkout`,
    git: ['-C', 'lib', 'checkout', '-q', 'HEAD'],
    file: 'lib/.git/hooks/post-checkout',
  },
  {
    name: 'a file .git that names a directory with settings',
    command: `cp -r .git lib-git && printf '${MONITOR}' > lib-git/config && mkdir lib && echo "gitdir: ../lib-git" > lib/.git`,
    git: ['-C', 'lib', 'status'],
    file: 'lib-git/config',
  },
  {
    name: 'a directory that looks like a bare repository',
    command: `mkdir lib && cp -r .git/HEAD .git/objects .git/refs lib && printf '${MONITOR}\\tworktree = .\\n\\tbare = false\\n' > lib/config`,
    git: ['-C', 'lib', 'status'],
    file: 'lib/config',
  },
  {
    name: 'a step of a rebase',
    command: `git -c user.name=a -c user.email=a@b rebase --exec false HEAD~1; echo 'exec touch $HOME/sprung' >> .git/rebase-merge/git-rebase-todo`,
    git: ['-c', 'user.name=a', '-c', 'user.email=a@b', 'rebase', '--continue'],
    file: '.git/rebase-merge/git-rebase-todo',
  },
];

function git(home: string, args: readonly string[]): void {
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true' };
  try {
    execFileSync('git', args, { cwd: path.join(home, 'ws'), env, stdio: 'ignore' });
  } catch {
    // A hook or a filter may fail.
  }
}

function prepare(home: string): void {
  git(home, ['init', '-q', '--template=']);
  for (const message of ['one', 'two']) {
    git(home, ['add', '-A']);
    git(home, ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', message]);
  }
  for (const [name, value] of [
    ['include.path', '../team.gitconfig'],
    ['core.hooksPath', 'later'],
  ] as const)
    git(home, ['config', name, value]);
  git(home, ['config', '--add', 'include.path', '../known.gitconfig']);
}

const FILES = { 'ws/a.txt': 'one\n', 'ws/known.gitconfig': '[user]\n\tname = a\n', 'ws/.ybs.json': '{}' };
const OPTIONS = ['--permission-mode', 'full-access'];

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)(
  'git follows only settings that you trusted',
  () => {
    // > docs/security.md: git follows only settings that you trusted | after each command, its changes to settings, hooks and pointers of git are reverted; before each call of its own, ybs asks git for the filters and turns them off | git-obeys-trust.test.ts
    it.each(ATTACKS)('$name is put back, and runs for nobody', async ({ command, git: args, file }) => {
      // The second call makes the model end its turn after ybs has looked at the repository again.
      const { home, calls } = await playDecisions([[run(command)], [run('git status --short; true')]], {
        options: OPTIONS,
        trusted: true,
        files: FILES,
        prepare,
      });
      expect(calls[0]?.reads).toContain(
        `${path.join('~/ws', file)} was put back as it was before the command, because`,
      );
      git(home, args);
      expect(existsSync(path.join(home, 'sprung'))).toBe(false);
      if (file === 'known.gitconfig')
        expect(readFileSync(path.join(home, 'ws', file), 'utf8')).toBe(FILES['ws/known.gitconfig']);
    });

    it.each(ATTACKS)('$name runs without the protection, so the attack can succeed', async ({ command, git: args }) => {
      const { home } = await playDecisions([[run(command)]], {
        options: [...OPTIONS, '--no-sandbox'],
        files: FILES,
        prepare,
      });
      git(home, args);
      expect(existsSync(path.join(home, 'sprung'))).toBe(true);
    });

    it('what git itself makes stays', async () => {
      const identity = '-c user.name=a -c user.email=a@b';
      const commands = [
        'git init -q new && git -C new status --short',
        'git clone -q . copy && git -C copy log --oneline',
        'git worktree add -q tree && git -C tree status --short',
        `git -c protocol.file.allow=always submodule --quiet add "$PWD" sub; git ${identity} -C new commit -q --allow-empty -m a`,
      ];
      const { home, calls } = await playDecisions([commands.map((command) => run(command))], {
        options: OPTIONS,
        trusted: true,
        files: FILES,
        prepare,
      });
      expect(calls.map(({ reads }) => reads).join('\n')).not.toContain('put back');
      for (const name of ['new/.git/config', 'copy/.git/config', 'tree/.git'])
        expect(existsSync(path.join(home, 'ws', name)), name).toBe(true);
    });
  },
);
