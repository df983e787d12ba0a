import { describe, expect, it } from 'vitest';
import type { Places } from '../../../../../src/policy/shell/directories.ts';
import { JUMPS } from '../../../../../src/policy/shell/parse/control-flow.ts';
import { FLAG_ALIASES, SINGLE_DASH_PROGRAMS } from '../../../../../src/policy/shell/programs/command-flags.ts';
import {
  FIND_NAME_TESTS,
  FIND_OPTIONS_WITH_VALUE,
  FIND_PLAIN_TESTS,
  FIND_RUNS,
  FIND_TIME_TESTS,
  FIND_VALUE_TESTS,
} from '../../../../../src/policy/shell/programs/find-command.ts';
import { GIT_OPTIONS_WITH_VALUE, GIT_SCRIPT_OPTIONS } from '../../../../../src/policy/shell/programs/git-command.ts';
import { GNU_PROGRAMS, OTHER_NAMES, SHELLS } from '../../../../../src/policy/shell/programs/unwrap-command.ts';
import {
  SYSTEM_DIRECTORIES,
  SYSTEM_PARENTS,
  TEMPORARY_DIRECTORIES,
} from '../../../../../src/policy/shell/removal/protected-directories.ts';
import { REMOVERS } from '../../../../../src/policy/shell/removal/recursive-removal.ts';
import { BUILT_IN_LINES, FILE_WRITERS, FORMATTERS } from '../../../../../src/policy/shell/rules/built-in-rules.ts';
import { checkCommand, parseBlockList } from '../../../../../src/policy/shell/shell-policy.ts';

const PLACES: Places = { workspace: '/w/app', workingDirectory: '/w/app', home: '/home/u', platform: 'posix' };

/** A command with its verdict. After `|` is a block list of one line. */
type Case = [command: string, verdict: 'blocked' | 'unclear' | 'unlisted', line?: string];

/** The cases of a table, by row. */
type Cases = Readonly<Record<string, readonly Case[]>>;

const TABLES: Readonly<Record<string, { readonly rows: readonly string[]; readonly cases: Cases }>> = {
  BUILT_IN_LINES: {
    rows: BUILT_IN_LINES,
    cases: {
      'rm -r /': [['rm -r /', 'blocked']],
      doas: [['doas ls', 'blocked']],
      pkexec: [['pkexec ls', 'blocked']],
      run0: [['run0 ls', 'blocked']],
      su: [['su - root', 'blocked']],
      shutdown: [['shutdown -h now', 'blocked']],
      reboot: [['reboot', 'blocked']],
      halt: [['halt -p', 'blocked']],
      poweroff: [['/sbin/poweroff', 'blocked']],
      'systemctl poweroff': [
        ['systemctl poweroff', 'blocked'],
        ['systemctl status x', 'unlisted'],
      ],
      'systemctl reboot': [['systemctl --force reboot', 'blocked']],
      'systemctl halt': [['systemctl halt', 'blocked']],
      'systemctl kexec': [['systemctl kexec', 'blocked']],
      'systemctl start poweroff.target': [['systemctl start poweroff.target', 'blocked']],
      'systemctl start reboot.target': [['systemctl start --no-block reboot.target', 'blocked']],
      'systemctl isolate poweroff.target': [['systemctl isolate poweroff.target', 'blocked']],
      'systemctl isolate reboot.target': [['systemctl isolate reboot.target', 'blocked']],
      'loginctl poweroff': [['loginctl poweroff', 'blocked']],
      'loginctl reboot': [
        ['loginctl reboot', 'blocked'],
        ['loginctl list-sessions', 'unlisted'],
      ],
      'init 0': [
        ['init 0', 'blocked'],
        ['init 3', 'unlisted'],
      ],
      'init 6': [['init 6', 'blocked']],
      'telinit 0': [
        ['telinit 0', 'blocked'],
        ['telinit 3', 'unlisted'],
      ],
      'telinit 6': [['telinit 6', 'blocked']],
      wipefs: [['wipefs -a disk.img', 'blocked']],
    },
  },
  FILE_WRITERS: {
    rows: Object.keys(FILE_WRITERS),
    cases: {
      tee: [
        ['tee /proc/sysrq-trigger', 'blocked'],
        ['tee /proc/sysrq-triggers', 'unlisted'],
        ['tee /dev/sda x', 'blocked'],
        ['tee x', 'unlisted'],
      ],
      shred: [['shred /dev/sda', 'blocked']],
      truncate: [['truncate -s 0 /dev/sda x', 'blocked']],
      sponge: [['sponge /dev/sda', 'blocked']],
      blkdiscard: [['blkdiscard /dev/nvme0n1', 'blocked']],
      mkswap: [['mkswap /dev/sda2', 'blocked']],
      sfdisk: [['sfdisk /dev/sda < x', 'blocked']],
      sgdisk: [['sgdisk -Z /dev/sda', 'blocked']],
      cp: [
        ['cp x /dev/sda', 'blocked'],
        ['cp x /dev/sda -S .old', 'blocked'],
        ['cp x /dev/sda --suffix .old', 'blocked'],
        ['cp /dev/sda x', 'unlisted'],
        ['cp -t /dev a', 'blocked'],
        ['cp', 'unlisted'],
      ],
      mv: [
        ['mv x /dev/sda', 'blocked'],
        ['mv /dev/shm/x .', 'unlisted'],
      ],
      install: [
        ['install x /dev/sda', 'blocked'],
        ['install x /dev/sda -m 600', 'blocked'],
        ['install x /dev/sda --mode 600', 'blocked'],
        ['install /dev/sda x', 'unlisted'],
      ],
      rsync: [
        ['rsync x /dev/sda', 'blocked'],
        ['rsync /dev/sda x', 'unlisted'],
      ],
      ddrescue: [['ddrescue x /dev/sda map', 'blocked']],
      dd: [
        ['dd if=x of=/dev/sda', 'blocked'],
        ['dd if=/dev/sda of=x', 'unlisted'],
      ],
      dcfldd: [
        ['dcfldd if=x of=/dev/sda', 'blocked'],
        ['dcfldd if=/dev/sda of=x', 'unlisted'],
      ],
    },
  },
  FORMATTERS: {
    rows: [...FORMATTERS],
    cases: {
      mke2fs: [['mke2fs disk.img', 'blocked']],
      mkdosfs: [['mkdosfs disk.img', 'blocked']],
      newfs: [['newfs disk.img', 'blocked']],
    },
  },
  FLAG_ALIASES: {
    rows: Object.entries(FLAG_ALIASES).flatMap(([program, flags]) =>
      Object.keys(flags).map((flag) => `${program} ${flag}`),
    ),
    cases: {
      'rm R': [['rm -R x', 'blocked', 'rm -r']],
      'rm --recursive': [
        ['rm --recursive x', 'blocked', 'rm -r'],
        ['rm --rec x', 'blocked', 'rm -r'],
      ],
      'rm --force': [['rm --force x', 'blocked', 'rm -f']],
      'srm R': [['srm -R x', 'blocked', 'srm -r']],
      'srm --recursive': [['srm --recursive x', 'blocked', 'srm -r']],
      'chmod --recursive': [['chmod --recursive 755 x', 'blocked', 'chmod -R']],
      'chown --recursive': [['chown --recursive u x', 'blocked', 'chown -R']],
      'chgrp --recursive': [['chgrp --recursive u x', 'blocked', 'chgrp -R']],
      'git --force': [['git push --force', 'blocked', 'git push -f']],
    },
  },
  SINGLE_DASH_PROGRAMS: {
    rows: [...SINGLE_DASH_PROGRAMS],
    cases: {
      find: [['find . -name x -deleted', 'unlisted', 'find -delete']],
      go: [['go run -cexe x', 'unlisted', 'go -exec']],
      java: [['java -raj x', 'unlisted', 'java -jar']],
      terraform: [['terraform -yortsed', 'unlisted', 'terraform -destroy']],
      openssl: [['openssl -yek', 'unlisted', 'openssl -key']],
      ffmpeg: [['ffmpeg -fv x', 'unlisted', 'ffmpeg -vf']],
    },
  },
  GIT_OPTIONS_WITH_VALUE: {
    rows: [...GIT_OPTIONS_WITH_VALUE],
    cases: {
      '-C': [['git -C x push', 'blocked', 'git push']],
      '-c': [['git -c x.y=z push', 'blocked', 'git push']],
      '--git-dir': [['git --git-dir x push', 'blocked', 'git push']],
      '--work-tree': [['git --work-tree x push', 'blocked', 'git push']],
      '--namespace': [['git --namespace x push', 'blocked', 'git push']],
      '--config-env': [['git --config-env x push', 'blocked', 'git push']],
    },
  },
  GIT_SCRIPT_OPTIONS: {
    rows: Object.entries(GIT_SCRIPT_OPTIONS).flatMap(([name, { long }]) =>
      long.split(' ').map((option) => `${name} ${option.replace('=', '')}`),
    ),
    cases: {
      'rebase exec': [
        ['git rebase -x "sudo ls" main', 'blocked', 'sudo'],
        ['git rebase -fikmpqrvx "sudo ls" main', 'blocked', 'sudo'],
        ["git rebase -x'sudo ls' main", 'blocked', 'sudo'],
        ['git rebase --exec "sudo ls" main', 'blocked', 'sudo'],
        ['git rebase --exec="sudo ls" main', 'blocked', 'sudo'],
        ['git rebase main --ex "sudo ls"', 'blocked', 'sudo'],
        ['git rebase --onto sudo', 'unlisted', 'sudo'],
        ['git rebase --exec ls sudo', 'unlisted', 'sudo'],
        ['git rebase --exec "$X"', 'unclear', 'sudo'],
      ],
      'difftool extcmd': [
        ['git difftool -dgyx "sudo ls"', 'blocked', 'sudo'],
        ['git difftool --extcmd="sudo ls"', 'blocked', 'sudo'],
      ],
      'grep open-files-in-pager': [
        ["git grep -O'sudo ls' x", 'blocked', 'sudo'],
        ["git grep -aEFGHhIilLnoPpqrvWwzO'sudo ls' x", 'blocked', 'sudo'],
        ["git grep --open-files-in-pager='sudo ls' x", 'blocked', 'sudo'],
        ['git grep -O sudo', 'unlisted', 'sudo'],
        ['git grep --open-files-in-pager sudo', 'unlisted', 'sudo'],
      ],
      ...Object.fromEntries(
        'setup tree-filter index-filter parent-filter msg-filter env-filter commit-filter tag-name-filter'
          .split(' ')
          .map((option): readonly [string, Case[]] => [
            `filter-branch ${option}`,
            [[`git filter-branch --${option} "sudo ls"`, 'blocked', 'sudo']],
          ]),
      ),
    },
  },
  FIND_RUNS: {
    rows: [...FIND_RUNS],
    cases: {
      '-exec': [['find . -exec sudo ls \\;', 'blocked', 'sudo']],
      '-execdir': [['find . -execdir sudo ls {} +', 'blocked', 'sudo']],
      '-ok': [['find . -ok sudo ls \\;', 'blocked', 'sudo']],
      '-okdir': [['find . -okdir sudo ls \\;', 'blocked', 'sudo']],
    },
  },
  FIND_NAME_TESTS: {
    rows: [...FIND_NAME_TESTS],
    cases: Object.fromEntries(
      '-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname'.split(' ').map((test) => [
        test,
        [
          [`find . ${test} x -delete`, 'unlisted'],
          [`find . ${test} '*' -delete`, 'blocked'],
          [`find . ! ${test} x -delete`, 'blocked'],
          [`find . ${test} "$X" -delete`, 'unlisted'],
        ],
      ]),
    ),
  },
  FIND_TIME_TESTS: {
    rows: [...FIND_TIME_TESTS],
    cases: Object.fromEntries(
      '-newer -anewer -cnewer -newermt -mtime -ctime -atime -mmin -cmin -amin'.split(' ').map((test) => [
        test,
        [
          [`find . ${test} 1 -delete`, 'unlisted'],
          [`find . ! ${test} 1 -delete`, 'unlisted'],
          [`find . ${test} "$X" -delete`, 'unlisted'],
        ],
      ]),
    ),
  },
  FIND_VALUE_TESTS: {
    rows: [...FIND_VALUE_TESTS],
    cases: Object.fromEntries(
      '-size -user -group -uid -gid -perm -links -inum -samefile'.split(' ').map((test) => [
        test,
        [
          [`find . ${test} 1 -delete`, 'unlisted'],
          [`find . ! ${test} 1 -delete`, 'blocked'],
          [`find . ${test} "$X" -delete`, 'unlisted'],
        ],
      ]),
    ),
  },
  FIND_PLAIN_TESTS: {
    rows: [...FIND_PLAIN_TESTS],
    cases: {
      '-empty': [
        ['find . -empty -delete', 'unlisted'],
        ['find . ! -empty -delete', 'blocked'],
      ],
      '-nouser': [['find . -nouser -delete', 'unlisted']],
      '-nogroup': [['find . -nogroup -delete', 'unlisted']],
    },
  },
  FIND_OPTIONS_WITH_VALUE: {
    rows: [...FIND_OPTIONS_WITH_VALUE],
    cases: {
      '-type': [
        ['find . -type "$X"', 'unlisted'],
        ['find . -type f -delete', 'blocked'],
      ],
      '-xtype': [['find . -xtype "$X"', 'unlisted']],
      '-maxdepth': [['find . -maxdepth "$X"', 'unlisted']],
      '-mindepth': [['find . -mindepth "$X"', 'unlisted']],
      '-printf': [['find . -printf "$X"', 'unlisted']],
      '-fprint': [['find . -fprint "$X"', 'unlisted']],
    },
  },
  REMOVERS: {
    rows: Object.keys(REMOVERS),
    cases: {
      rm: [
        ['rm -r .', 'blocked'],
        ['rm .', 'unlisted'],
        ['rm -r x', 'unlisted'],
        ['find . -exec rm {} +', 'blocked'],
      ],
      srm: [
        ['srm -r .', 'blocked'],
        ['srm .', 'unlisted'],
        ['find . -exec srm {} +', 'blocked'],
      ],
      shred: [
        ['shred *', 'blocked'],
        ['shred -u x', 'unlisted'],
        ['find . -exec shred {} +', 'blocked'],
      ],
      rimraf: [
        ['rimraf .', 'blocked'],
        ['rimraf x', 'unlisted'],
        ['find . -exec rimraf {} +', 'blocked'],
      ],
      'del-cli': [
        ["del-cli '*'", 'blocked'],
        ['del-cli x', 'unlisted'],
      ],
    },
  },
  SHELLS: {
    rows: [...SHELLS],
    cases: Object.fromEntries(
      'sh bash dash zsh ksh mksh ash rbash fish'
        .split(' ')
        .map((shell) => [shell, [[`${shell} -c 'sudo ls'`, 'blocked', 'sudo']] satisfies Case[]]),
    ),
  },
  JUMPS: {
    rows: [...JUMPS.keys()],
    cases: {
      break: [
        ['for x in a; do cd build || break; rm -rf *; cd ..; done', 'unlisted'],
        ['f() { cd build || break; rm -rf *; }', 'blocked'],
      ],
      continue: [
        ['for x in a; do cd build || continue; rm -rf *; cd ..; done', 'unlisted'],
        ['f() { cd build || continue; rm -rf *; }', 'blocked'],
      ],
      return: [
        ['f() { cd build || return; rm -rf *; }', 'unlisted'],
        ['for x in a; do cd build || return; rm -rf *; cd ..; done', 'blocked'],
      ],
    },
  },
  GNU_PROGRAMS: {
    rows: GNU_PROGRAMS,
    cases: Object.fromEntries(
      'chgrp chmod chown cp dd env find install mkdir mkfifo mknod mv nice nohup rm shred stdbuf tee timeout truncate xargs'
        .split(' ')
        .map((name) => [name, [[`g${name} x`, 'blocked', name]] satisfies Case[]]),
    ),
  },
  OTHER_NAMES: {
    rows: Object.keys(OTHER_NAMES).filter((name) => !name.startsWith('g')),
    cases: {
      sudoedit: [
        ['sudoedit x', 'blocked', 'sudo'],
        ['sudoedit x', 'unlisted', 'forbidden'],
      ],
      'sudo-rs': [
        ['sudo-rs ls', 'blocked', 'sudo'],
        ['sudo-rs forbidden', 'blocked', 'forbidden'],
      ],
    },
  },
  'SYSTEM_DIRECTORIES of POSIX': {
    rows: SYSTEM_DIRECTORIES.posix,
    cases: Object.fromEntries(
      '/bin /boot /dev /etc /home /lib /lib32 /lib64 /libx32 /media /mnt /nix /opt /proc /root /run /sbin /snap /srv /sys /usr /usr/local /usr/local/bin /usr/local/include /usr/local/lib /usr/local/sbin /usr/local/share /var'
        .split(' ')
        .map((directory) => [
          directory,
          [
            [`rm -r ${directory}`, 'blocked'],
            [`rm -r ${directory}/*`, 'blocked'],
            [`rm -r ${directory}/x/y`, 'unlisted'],
          ],
        ]),
    ),
  },
  'SYSTEM_PARENTS of POSIX': {
    rows: SYSTEM_PARENTS.posix,
    cases: Object.fromEntries(
      '/boot /etc /home /lib /lib32 /lib64 /libx32 /nix /usr /usr/lib /var /var/lib'.split(' ').map((directory) => [
        directory,
        [
          [`rm -r ${directory}/other`, 'blocked'],
          [`rm -r ${directory}/other/.[!.]*`, 'blocked'],
          [`rm -r ${directory}/ot*`, 'blocked'],
          [`find "${directory}/$X" -delete`, 'unclear'],
          [`rm -r ${directory}/other/x`, 'unlisted'],
        ],
      ]),
    ),
  },
  TEMPORARY_DIRECTORIES: {
    rows: TEMPORARY_DIRECTORIES,
    cases: Object.fromEntries(
      '/dev/shm /private/tmp /private/var/tmp /tmp /var/cache /var/tmp'.split(' ').map((directory) => [
        directory,
        [
          [`rm -r ${directory}`, 'blocked'],
          [`rm -r ${directory}/*`, 'unlisted'],
        ],
      ]),
    ),
  },
};

describe.each(Object.entries(TABLES))('the table %s', (_name, { rows, cases }) => {
  const all: Case[] = Object.values(cases).flat();

  it('has a case for every row', () => {
    expect(Object.keys(cases).toSorted()).toEqual([...rows].toSorted());
  });

  it.each(all)('makes %j %s', (command, verdict, line) => {
    const blockList = parseBlockList(line === undefined ? [] : [line]);
    expect(checkCommand(command, blockList, PLACES).type).toBe(verdict);
  });
});

describe('the tables of other platforms', () => {
  const WINDOWS: Places = {
    workspace: 'C:\\w\\app',
    workingDirectory: 'C:\\w\\app',
    home: 'D:\\u',
    platform: 'windows',
  };
  const DARWIN: Places = { ...PLACES, platform: 'darwin' };
  it.each([
    ['darwin', '/Applications /Library /System /Users /Volumes /private /private/etc /private/var'.split(' '), DARWIN],
    [
      'windows',
      ['C:\\Windows', 'C:\\Users', 'C:\\Program Files', 'C:\\Program Files (x86)', 'C:\\ProgramData'],
      WINDOWS,
    ],
  ] as const)('protect the directories of %s', (platform, directories, places) => {
    expect([...SYSTEM_DIRECTORIES[platform]].toSorted()).toEqual([...directories].toSorted());
    for (const directory of directories) {
      expect(checkCommand(`rm -r '${directory}'`, parseBlockList([]), places).type).toBe('blocked');
      const onPosix = /^\/[^/]+$/.test(directory) ? 'blocked' : 'unlisted';
      expect(checkCommand(`rm -r '${directory}'`, parseBlockList([]), PLACES).type).toBe(onPosix);
    }
  });

  it.each([
    ["rm -r '\\other'", 'unlisted'],
    ['rm -r "C:\\\\Users/a$X"', 'unclear'],
  ])('make %s on Windows %s', (command, verdict) => {
    expect(checkCommand(command, parseBlockList([]), WINDOWS).type).toBe(verdict);
  });

  it.each(['rm -r /usr/local/bin', 'rm -r /usr/lib/other'])('make %s on macOS blocked', (command) => {
    expect(checkCommand(command, parseBlockList([]), DARWIN).type).toBe('blocked');
  });

  it.each([
    ['darwin', ['/Library', '/System', '/Users', '/private/etc', '/private/var'], '/', DARWIN],
    ['windows', ['C:\\Windows', 'C:\\Users'], '\\', WINDOWS],
  ] as const)('protect every subdirectory of the listed ones on %s', (platform, parents, separator, places) => {
    expect(SYSTEM_PARENTS[platform]).toEqual(parents);
    for (const parent of parents) {
      const command = `rm -r '${parent}${separator}other'`;
      expect(checkCommand(command, parseBlockList([]), places).type).toBe('blocked');
      expect(checkCommand(command, parseBlockList([]), PLACES).type).toBe('unlisted');
    }
  });
});
