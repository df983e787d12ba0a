import { describe, expect, it } from 'vitest';
import { checkCommand, parseBlockList } from '../../../../../src/policy/shell/shell-policy.ts';

const PLACES = { workspace: '/w/app', workingDirectory: '/w/app', home: '/home/u', platform: 'posix' } as const;
const BLOCK_LIST = parseBlockList(['sudo', 'git push']);

const SETTINGS =
  'alias.x pager.log core.alternateRefsCommand core.askPass filter.a.clean difftool.a.cmd diff.a.command interactive.diffFilter merge.a.driver core.editor sequence.editor diff.external core.fsmonitor core.gitProxy credential.helper credential.https://a.b.helper uploadpack.packObjectsHook core.pager filter.a.process gpg.program gpg.ssh.program remote.a.receivepack filter.a.smudge core.sshCommand diff.a.textconv remote.a.uploadpack'.split(
    ' ',
  );

describe('a command in a setting of git', () => {
  it.each([
    ...SETTINGS.flatMap((name) => [
      [`git -c ${name}='!sudo ls' log`, 'blocked'] as const,
      [`git config --global ${name} '!sudo ls'`, 'blocked'] as const,
      [`git -c ${name}='!ls' log`, 'unlisted'] as const,
      [`git -c ${name}= log`, 'unlisted'] as const,
    ]),
    ...SETTINGS.slice(1).map((name) => [`git -c ${name.toUpperCase()}='sudo ls' log`, 'blocked'] as const),
    ['git -c alias.x=push x', 'blocked'],
    ['git -c alias.x="-C . push --force" x', 'blocked'],
    ['git config alias.x push', 'blocked'],
    ['git -c ALIAS.x="push" x', 'blocked'],
    ['git -c alias.x=sudo x', 'unlisted'],
    ['git -c core.editor="sudo $X" commit', 'blocked'],
    ['git -c core.editor="$X" commit', 'unclear'],
    ['git -c "$X" commit', 'unclear'],
    ['git -c user.name="$X" commit', 'unlisted'],
    ['git -c user.name="sudo ls" commit', 'unlisted'],
    ['git config user.name "sudo ls"', 'unlisted'],
    ['git config core.editor', 'unlisted'],
    ['git config', 'unlisted'],
    ['git -c core.bare log', 'unlisted'],
    ['git -C .. -c core.pager="rm -rf app" log', 'blocked'],
    ['git -C .. config core.pager "rm -rf app"', 'blocked'],
    ['git -c core.pager="rm -rf app" log', 'unlisted'],
    ['git -C .. -c alias.x="!rm -rf app" x', 'blocked'],
    ['git -c color.pagers="sudo ls" log', 'unlisted'],
    ['git -c helper="sudo ls" log', 'unlisted'],
  ] as const)('makes %s %s', (command, type) => {
    expect(checkCommand(command, BLOCK_LIST, PLACES).type).toBe(type);
  });
});
