import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { canMount, withMounts } from '../../support/sandbox/own-mounts.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/** Files with secrets: where their programs keep them, and in the directories of programs that commands may read. */
const SECRETS: Readonly<Record<string, string>> = {
  '.npmrc': '//registry.npmjs.org/:_authToken=SESAME',
  '.netrc': 'machine example.org password SESAME',
  '.git-credentials': 'https://ada:SESAME@example.org',
  '.ssh/id_ed25519': 'SESAME',
  '.ssh/config': 'SESAME',
  '.docker/config.json': 'SESAME',
  '.aws/credentials': 'SESAME',
  '.kube/config': 'SESAME',
  '.pypirc': 'SESAME',
  '.cargo/credentials.toml': 'token = "SESAME"',
  '.cargo/credentials': 'token = "SESAME"',
  '.config/pip/pip.conf': '[global]\nindex-url = https://ada:SESAME@example.org/simple',
  '.config/gh/hosts.yml': 'SESAME',
  '.config/pnpm/rc': '//registry.npmjs.org/:_authToken=SESAME',
  '.gem/credentials': ':rubygems: SESAME',
  '.local/share/gem/credentials': ':rubygems: SESAME',
  '.bundle/config': 'BUNDLE_GEMS__EXAMPLE__ORG: "ada:SESAME"',
  '.local/share/uv/credentials.toml': 'SESAME',
  '.local/share/pypoetry/auth.toml': 'SESAME',
  '.local/share/pnpm/rc': '//registry.npmjs.org/:_authToken=SESAME',
  '.local/share/virtualenvs/app-1/.env': 'SESAME',
  '.local/share/keyrings/login.keyring': 'SESAME',
  '.config/yarn/global/.npmrc': '_auth=SESAME',
  '.config/yarn/global/.yarnrc.yml': 'npmAuthToken: SESAME',
  '.bun/install/global/bunfig.toml': '[install]\nregistry = { url = "x", token = "SESAME" }',
  '.nvm/versions/node/v20.1.0/etc/npmrc': '//registry.npmjs.org/:_authToken=SESAME',
  '.nvm/.npmrc': '//registry.npmjs.org/:_authToken=SESAME',
  '.pyenv/versions/3.12.1/pip.conf': '[global]\nextra-index-url = https://ada:SESAME@example.org',
  'bin/deploy.pem': '-----BEGIN PRIVATE KEY-----\nSESAME',
  '.local/bin/.env.production': 'SESAME',
  '.m2/settings.xml': '<password>SESAME</password>',
  '.m2/repository/.netrc': 'SESAME',
  '.gradle/gradle.properties': 'SESAME',
  '.terraform.d/credentials.tfrc.json': 'SESAME',
  '.bash_history': 'SESAME',
  'Documents/letter.txt': 'SESAME',
};

/** Settings of git that name files of the user, which git would read or show. */
const GIT_CONFIG =
  '[core]\n\thooksPath = ~/.ssh\n\texcludesFile = ~/.netrc\n\tattributesFile = ~/.git-credentials\n' +
  '[commit]\n\ttemplate = ~/.ssh/config\n';

const NAMES = Object.keys(SECRETS)
  .map((name) => `"$HOME/${name}"`)
  .join(' ');

/** Ways to a file of the home directory. */
const ATTACKS: readonly (readonly [name: string, command: string])[] = [
  ['by its path', `for f in ${NAMES}; do cat "$f" 2>/dev/null; done`],
  ['by a search of everything', 'grep -rh SESAME ~ 2>/dev/null'],
  ['through the directories above', 'cat ../.npmrc ./../Documents/letter.txt'],
  [
    'by the home of a user',
    'cat ~/.netrc "$(getent passwd "$(id -un)" | cut -d: -f6)/.netrc" /proc/self/cwd/../.netrc',
  ],
  [
    'through the root of a process',
    'cat /proc/self/root$HOME/.netrc /proc/1/root$HOME/.netrc /proc/$PPID/root$HOME/.netrc',
  ],
  ['through the directory of a process', 'for d in /proc/[0-9]*/cwd; do cat "$d/../.netrc" 2>/dev/null; done'],
  ['through a descriptor', 'exec 7<.. ; cat /proc/self/fd/7/.netrc; cd /proc/self/fd/7 && cat .netrc'],
  ['through a link', 'ln -s ~/.netrc link; cat link; ln -s ~ home; cat home/.netrc'],
  ['through a hard link', 'ln ~/.netrc hard && cat hard; ln ~/bin/deploy.pem key && cat key'],
  ['through an existing link', 'cat old-link old-home/.netrc'],
  ['by a copy', 'cp -r ~/bin ~/.netrc .; cat .netrc bin/deploy.pem'],
  ['by an archive', 'tar cf - -C ~ . 2>/dev/null | tar xOf - 2>/dev/null'],
  [
    'through git',
    'git diff --no-index /dev/null ~/.netrc; git config --file ~/.npmrc --list; git hash-object -w ~/.netrc',
  ],
  [
    'through settings of git',
    'git -c include.path=$HOME/Documents/letter.txt config --list; git -c alias.x="!cat ~/.netrc" x',
  ],
  ['through the files that git names', 'cat ~/.ssh/* ~/.netrc; ls ~/.ssh; git config --get-regexp .'],
  ['with another home', 'HOME=/proc/self/root$HOME; cat ~/.netrc; unset HOME; cd && cat .netrc'],
  [
    'by Node.js',
    "node -p \"fs.readFileSync(process.env.HOME + '/.netrc', 'utf8')\"; node -p \"require(os.homedir() + '/.docker/config.json')\"",
  ],
  [
    'by Perl',
    `perl -e 'for (glob("$ENV{HOME}/.*rc"), "$ENV{HOME}/Documents/letter.txt") { open F, $_ and print <F> }'`,
  ],
  [
    'by an include of a program',
    'printf "include $HOME/.netrc\\n" > m.mk; make -f m.mk; . ~/.netrc; curl -K ~/.netrc; awk 1 ~/.netrc',
  ],
  [
    'by a mount',
    'mkdir -p m; mount --bind ~ m; unshare -rm sh -c "umount -l $HOME; cat $HOME/.netrc"; umount ~; cat ~/.netrc m/.netrc',
  ],
  ['by a new root', 'unshare -r chroot / cat ~/.netrc; chroot /proc/self/root cat ~/.netrc'],
  [
    'by the device of the disk',
    'cat $(findmnt -no SOURCE -T . 2>/dev/null) 2>/dev/null | head -c 1000000 | grep -a SESAME; debugfs -R "cat $HOME/.netrc" /dev/vda',
  ],
  ['by a rename', 'mv ~/.nvm ~/x; mv ~/bin ./taken; cat ~/x/.npmrc taken/deploy.pem'],
  ['by the files of ybs', 'cat ~/.config/ybs/* ~/.config/ybs/caches/* ~/.config/ybs/caches/.gitconfig*'],
  ['in the home of another user', 'cat "$OTHER/notes.txt"; grep -rh SESAME "$(dirname "$OTHER")" 2>/dev/null'],
];

/** Programs and settings of the home. */
const TOOLS: Readonly<Record<string, string>> = {
  'bin/tool': '#!/bin/sh\necho from bin\n',
  'opt/1.0/bin/current': '#!/bin/sh\necho from current\n',
  '.gitconfig': '[user]\n\tname = Ann\n[credential]\n\thelper = store --file SESAME\n',
  '.config/git/ignore': '*.log\n',
  '.config/git/config': '[http]\n\textraHeader = SESAME\n',
};

/** Moves what a home contains into another directory of it, and puts links in its place, as managers of dotfiles do. */
function linkDotfiles(home: string): void {
  mkdirSync(path.join(home, 'dot'));
  for (const name of ['.config', '.gitconfig', '.local', '.nvm', '.cargo', 'bin']) {
    renameSync(path.join(home, name), path.join(home, 'dot', name));
    symlinkSync(`dot/${name}`, path.join(home, name));
  }
}

const canMakeHomes = process.geteuid?.() === 0;

/** A home with secrets, and beside `/home` one of another user, whom everybody may read. */
async function attack(command: string, options: readonly string[]): Promise<string> {
  const other = canMakeHomes ? temporaryDirectory('/home') : '/nowhere';
  if (canMakeHomes) {
    chmodSync(other, 0o755);
    writeFileSync(path.join(other, 'notes.txt'), 'SESAME\n');
  }
  const { calls } = await playDecisions([[run(`OTHER=${other}\n${command}`)]], {
    options: ['--permission-mode', 'full-access', ...options],
    environment: { PATH: `~/.local/bin:~/bin:${process.env['PATH']}` },
    files: { ...SECRETS, '.gitconfig': GIT_CONFIG, 'ws/.git/HEAD': 'ref: refs/heads/main\n' },
    links: { 'ws/old-link': '~/.netrc', 'ws/old-home': '~/' },
    prepare(home) {
      for (const name of ['.git/objects', '.git/refs']) mkdirSync(path.join(home, 'ws', name), { recursive: true });
      symlinkSync('/', path.join(home, 'ws/root'));
    },
  });
  return calls.map(({ reads }) => reads).join('\n');
}

/** Attacks that need privileges or programs that not every machine has. */
const WITHOUT_CONTROL = new Set(['by a mount', 'by a new root', 'by the device of the disk', 'by the files of ybs']);

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('the home directory stays hidden', () => {
  // > docs/security.md: the home directory stays hidden | commands see programs in it, and no file with secrets beside them, nor the homes of other users | home-stays-hidden.test.ts
  it.each(ATTACKS)('%s, a command reads no secret', async (_name, command) => {
    expect(await attack(command, [])).not.toContain('SESAME');
  });

  it.each(ATTACKS.filter(([name]) => !WITHOUT_CONTROL.has(name)))(
    'control: %s, a command reads a secret if the home directory is not hidden',
    async (name, command) => {
      if (name === 'in the home of another user' && !canMakeHomes) return;
      expect(await attack(command, ['--no-sandbox'])).toContain('SESAME');
    },
  );

  it.each([
    ['in the home', () => {}],
    ['behind links', linkDotfiles],
  ])('programs and settings %s work, and the secrets beside them are hidden', async (_name, prepare) => {
    const { calls } = await playDecisions(
      [[run('tool; git config user.name; cat ~/.config/git/ignore; current; ls ~/.nvm/versions; grep -rhs SESAME ~')]],
      {
        options: ['--permission-mode', 'full-access'],
        environment: { PATH: `~/bin:~/opt/current/bin:${process.env['PATH']}` },
        files: { ...SECRETS, ...TOOLS },
        links: { 'opt/current': '~/opt/1.0' },
        prepare(home) {
          for (const name of ['bin/tool', 'opt/1.0/bin/current']) chmodSync(path.join(home, name), 0o755);
          prepare(home);
        },
      },
    );
    expect(calls[0]?.reads).toMatch(/from bin\nAnn\n\*\.log\nfrom current\nnode\n/);
    expect(calls[0]?.reads).not.toContain('SESAME');
  });

  it.skipIf(!canMount).each([
    ['stays hidden', [], false],
    ['is readable without the sandbox (control)', ['--no-sandbox'], true],
  ])('what a second mount of the home shows %s', async (_name, options, isRead) => {
    const place = temporaryDirectory('/srv');
    const { calls } = await playDecisions([[run(`cat ${place}/note.txt ${place}/.aws/credentials ${place}/ws/.env`)]], {
      options: ['--permission-mode', 'full-access', ...options],
      files: { 'note.txt': 'SESAME\n', '.aws/credentials': 'SESAME\n', 'ws/.env': 'SESAME\n' },
      prefix: withMounts(`mount --bind "$HOME" ${place}`),
    });
    expect(calls[0]?.reads.includes('SESAME')).toBe(isRead);
  });

  it.skipIf(!canMakeHomes)(
    'a command of root runs even if a program of PATH is in the home directory of another user',
    async () => {
      const other = temporaryDirectory('/home');
      chmodSync(other, 0o755);
      for (const name of ['.nvm/bin', '.config/nvm']) mkdirSync(path.join(other, name), { recursive: true });
      writeFileSync(path.join(other, '.nvm/bin/other-node'), '#!/bin/sh\necho from another home\n', { mode: 0o755 });
      chmodSync(path.join(other, '.config'), 0o700);
      for (const name of ['.config', '.config/nvm']) chownSync(path.join(other, name), 65_534, 65_534);
      const { calls } = await playDecisions([[run('other-node')]], {
        options: ['--permission-mode', 'full-access'],
        environment: { PATH: `${other}/.nvm/bin:${process.env['PATH']}` },
      });
      expect(calls[0]?.reads).toContain('from another home');
    },
  );
});
