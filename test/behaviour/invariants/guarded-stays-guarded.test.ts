import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { runUnprotected } from '../../support/sandbox/unprotected.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();
const DEEP = Array.from({ length: 20 }, (_, index) => `d${index}`).join('/');

/** Files of the workspace, each with the text that must neither be read nor replaced. */
const FILES: Readonly<Record<string, string>> = {
  'ws/.ybs.json': '{}',
  'ws/app/AGENTS.md': 'rules\n',
  'ws/app/.env': 'SESAME\n',
  'ws/app/sub/.vscode/tasks.json': '{}\n',
  [`ws/${DEEP}/.env`]: 'SESAME\n',
  [`ws/${DEEP}/AGENTS.md`]: 'rules\n',
  ...Object.fromEntries(Array.from({ length: 450 }, (_, index) => [`ws/many/${index}/a.txt`, 'a\n'])),
  'ws/many/9999/.env': 'SESAME\n',
  'ws/node_modules/x/a.js': '',
  'ws/Target/.env': 'SESAME\n',
  'ws/clean.sh': 'cat\n',
  ...{ 'ws/flake.nix': '{}\n', 'ws/devenv.nix': '{}\n', 'ws/devbox.json': '{}\n' },
};
const GUARDED = [
  ...['app/AGENTS.md', 'app/sub/.vscode/tasks.json', `${DEEP}/AGENTS.md`, 'clean.sh'],
  ...['flake.nix', 'devenv.nix', 'devbox.json'],
];

/** The guarded files of a workspace that are gone or have another text. */
function changedIn(home: string): readonly string[] {
  return GUARDED.filter((file) => {
    const real = path.join(home, 'ws', file);
    return !existsSync(real) || readFileSync(real, 'utf8') !== FILES[`ws/${file}`];
  });
}

/** A repository with a filter, in which git does not have the file with secrets. */
function prepare(home: string): void {
  const cwd = path.join(home, 'ws');
  execFileSync('git', ['init', '-q', '--template='], { cwd });
  execFileSync('git', ['config', 'filter.x.clean', './clean.sh'], { cwd });
  utimesSync(path.join(cwd, 'app/.env'), 1_700_000_000, 1_700_000_000);
}

/** Two commands each: one that moves or replaces, and one that uses the result. */
const ATTACKS: readonly (readonly [name: string, first: string, second: string])[] = [
  [
    'a directory is moved away',
    'mv app node_modules/x; mkdir -p app && echo evil > app/AGENTS.md',
    'cat node_modules/x/app/.env',
  ],
  ['a directory is renamed in place', 'mv app App', 'cat App/.env app/.env'],
  [
    'two directories change places',
    'mkdir -p b/sub; perl -e "rename q(app), q(c); rename q(b), q(app); rename q(c), q(b)"',
    'cat b/.env',
  ],
  [
    'a parent is removed and made again',
    'rm -rf app; mkdir -p app/sub/.vscode; echo evil > app/AGENTS.md; echo evil > app/sub/.vscode/tasks.json',
    'cat app/.env',
  ],
  ['a hard link', 'ln app/.env open; ln app/AGENTS.md rules; echo evil >> rules', 'cat open'],
  ['a link', 'ln -s app/.env open; ln -s app/AGENTS.md rules; echo evil >> rules', 'cat open'],
  ['a copy', 'cp -r app copy; mv -f copy/AGENTS.md app/AGENTS.md', 'cat copy/.env'],
  ['depth', `mv ${DEEP.slice(0, -4)} moved; echo evil > ${DEEP}/AGENTS.md`, `cat ${DEEP}/.env moved/d19/.env`],
  ['number of new directories', 'seq 6000 | xargs mkdir', `cat ${DEEP}/.env; echo evil > ${DEEP}/AGENTS.md`],
  [
    'an index of git with a file of the same size and time',
    'mkdir -p x/app; printf 1234567 > x/app/.env; touch -d @1700000000 x/app/.env; cd x; git init -q; git add -f app/.env; cp .git/index ../.git/index',
    'cat app/.env',
  ],
  ['a program of git', 'echo evil > clean.sh', 'rm -f clean.sh; mv app/AGENTS.md clean.sh'],
  [
    'what a shell evaluates when it enters the directory',
    'for f in flake.nix devenv.nix devbox.json; do echo evil >> $f; done',
    'rm -f devenv.nix; mv app/AGENTS.md flake.nix; ln -sf ../clean.sh devbox.json',
  ],
  ['a name that is almost that of packages', 'mv Target NODE_MODULES', 'cat Target/.env NODE_MODULES/.env'],
  ['number', 'mv many others', 'cat many/9999/.env others/9999/.env'],
  ['a mount', 'mount --bind node_modules app; unshare -rm mount -t tmpfs none app', 'cat app/.env'],
  [
    'another name in case or in Unicode',
    'mv app/.env app/.ENV; mv app/AGENTS.md app/AGENTS\u2024md',
    'cat app/.ENV app/.env',
  ],
];

const options = ['--permission-mode', 'full-access'];

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('guarded files stay guarded', () => {
  // > docs/security.md: guarded files stay guarded | each directory on the way to a guarded file or to a secret is a mount point; after each command, guarded files are compared, and new ones, also with secrets, lose their hard links | guarded-stays-guarded.test.ts
  it.each(ATTACKS)('%s: no secret is read, no guarded file replaced', async (_name, first, second) => {
    const { home, calls } = await playDecisions([[run(first)], [run(second)]], {
      options,
      trusted: true,
      files: FILES,
      prepare,
    });
    expect(calls.map(({ reads }) => reads).join('\n')).not.toContain('SESAME');
    expect(changedIn(home)).toEqual([]);
  });

  it.each(ATTACKS.filter(([name]) => name !== 'a mount'))(
    'control, %s: without the protection, the attack succeeds',
    (_name, first, second) => {
      const { home, output } = runUnprotected([first, second], { files: FILES, prepare });
      expect(changedIn(home).length > 0 || output.includes('SESAME')).toBe(true);
    },
  );

  /** A command makes files with further names, into which the user then writes. The text that these names reach. */
  const MAKE = 'umask 022; touch .env rules; ln .env open; ln rules AGENTS.md; chmod 222 .env';
  const fillAndRead = (home: string): readonly string[] =>
    [['.env', 'open'] as const, ['AGENTS.md', 'rules'] as const].map(([file, other]) => {
      writeFileSync(path.join(home, 'ws', file), 'SESAME\n', {
        flag: existsSync(path.join(home, 'ws', file)) ? 'r+' : 'w',
      });
      return readFileSync(path.join(home, 'ws', other), 'utf8');
    });

  it.each([true, false])(
    'a hard link to a new file reaches nothing that the user writes into it (user: %s)',
    async (asOrdinaryUser) => {
      const { home, calls } = await playDecisions([[run(MAKE)]], { options, asOrdinaryUser });
      expect(calls[0]?.reads).toContain('exit_code: 0');
      expect(fillAndRead(home)).toEqual(['', '']);
      expect(lstatSync(path.join(home, 'ws/AGENTS.md')).nlink).toBe(1);
      expect(fillAndRead(runUnprotected([MAKE], { files: { 'ws/a.txt': '' } }).home)).toEqual(['SESAME\n', 'SESAME\n']);
    },
  );

  it('a hard link to a new file with large holes is removed, because a copy would fill the disk', async () => {
    const make = 'truncate -s 5G large; ln large .env; echo a > small; ln small AGENTS.md';
    const { home } = await playDecisions([[run(make)]], { options });
    expect(existsSync(path.join(home, 'ws/.env'))).toBe(false);
    expect(lstatSync(path.join(home, 'ws/large'))).toMatchObject({ nlink: 1, size: 5 * 1024 ** 3 });
  });

  it('a tool asks before it creates the file to which a link of the home directory leads', async () => {
    const call = ['write_file', { path: 'dot/zshrc', content: 'evil\n' }] as const;
    const session = { options: ['--permission-mode', 'accept-edits'], files: { 'ws/dot/a': '' } };
    const { calls } = await playDecisions([[call]], { ...session, links: { '.zshrc': '~/ws/dot/zshrc' } });
    expect(calls).toMatchObject([{ decision: 'ask', rule: 'guarded path' }]);
    const { home } = await playDecisions([[call]], session);
    expect(readFileSync(path.join(home, 'ws/dot/zshrc'), 'utf8')).toBe('evil\n');
  });

  it('a guarded link is reported when a command replaces it, because no mount can cover one', async () => {
    const { home, calls } = await playDecisions(
      [[run('rm AGENTS.md; echo evil > AGENTS.md'), run('echo evil >> docs/rules.md')]],
      {
        options,
        trusted: true,
        files: { ...FILES, 'ws/docs/rules.md': 'rules\n' },
        links: { 'ws/AGENTS.md': 'docs/rules.md' },
      },
    );
    expect(calls[0]?.reads).toContain('note: the command changed ~/ws/AGENTS.md, which other programs run or follow.');
    expect(lstatSync(path.join(home, 'ws/AGENTS.md')).isSymbolicLink()).toBe(false);
  });
});
