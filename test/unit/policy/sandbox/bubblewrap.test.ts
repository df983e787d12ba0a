import { describe, expect, it } from 'vitest';
import {
  type BubblewrapVersion,
  bubblewrapArguments,
  type ConfinedProgram,
} from '../../../../src/policy/sandbox/bubblewrap.ts';
import type { Mount } from '../../../../src/policy/sandbox/mounts.ts';

const COMMAND: ConfinedProgram = {
  program: '/bin/bash',
  args: ['-c', 'echo "$HOME"; rm -rf "a b"'],
  workingDirectory: '/w',
  network: false,
  shell: { program: '/bin/bash', args: ['--norc', '-c'] },
  limitsProcesses: true,
  filtersCalls: true,
};

const MOUNTS: readonly Mount[] = [
  { type: 'empty', path: '/tmp' },
  { type: 'link', path: '/tmp/link', source: '/w/skill' },
  { type: 'writable', path: '/tmp/a b' },
  { type: 'read_only', path: '/tmp/a b/.git/hooks' },
  { type: 'unreadable', path: '/tmp/a b/.env' },
];

/** The arguments before the program, one line for each option with its values. */
function options(args: readonly string[]): readonly string[] {
  return args
    .slice(0, args.indexOf('--'))
    .join(' ')
    .split(/ (?=--)/);
}

describe('the arguments of bubblewrap', () => {
  it('hide, bind and unshare', () => {
    const args = bubblewrapArguments(COMMAND, MOUNTS, 'full');
    expect(options(args)).toEqual([
      '--unshare-user',
      '--disable-userns',
      '--unshare-ipc',
      '--unshare-pid',
      '--unshare-uts',
      '--unshare-cgroup-try',
      '--unshare-net',
      '--die-with-parent',
      '--new-session',
      '--cap-drop ALL',
      '--seccomp 4',
      '--ro-bind / /',
      '--dev /dev',
      '--proc /proc',
      '--remount-ro /proc',
      '--size 1073741824',
      '--tmpfs /tmp',
      '--symlink /w/skill /tmp/link',
      '--bind /tmp/a b /tmp/a b',
      '--ro-bind /tmp/a b/.git/hooks /tmp/a b/.git/hooks',
      '--ro-bind /tmp/a b/.env /tmp/a b/.env',
      '--ro-bind /dev/null /tmp/a b/.env',
      '--chdir /w',
    ]);
  });

  it('start a bridge to the proxy, and close its connection', () => {
    const bridge = { node: '/usr/bin/node', text: 'bridge()' };
    const bridged = bubblewrapArguments({ ...COMMAND, bridge }, [], 'full');
    expect(bridged.slice(bridged.indexOf('ybs'), bridged.indexOf('ybs') + 3)).toEqual([
      'ybs',
      bridge.node,
      bridge.text,
    ]);
    expect(bridged.join('\n')).toContain('shift 2; exec 5>&-');
  });

  it('have no filter of system calls on an unknown processor', () => {
    expect(bubblewrapArguments({ ...COMMAND, filtersCalls: false }, [], 'full')).not.toContain('--seccomp');
  });

  it('end with the script of the limits and the command as separate arguments', () => {
    const args = bubblewrapArguments(COMMAND, [], 'full');
    expect(args.slice(args.indexOf('--'))).toMatchInlineSnapshot(`
      [
        "--",
        "/bin/bash",
        "--norc",
        "-c",
        "if [ "$BASH_VERSION" ]
      then eval 'mapfile mounts; printf %s "\${mounts[@]}"'
      else while read -r line; do printf "%s\\n" "$line"; done
      fi < /proc/self/mountinfo >&3
      echo started >&3
      read -r line <&3 || exit 1
      [ "$BASH_VERSION" ] && for fd in /proc/self/fd/*
      do fd=\${fd##*/}; [ "$fd" -le 3 ] || eval "exec $fd>&-"; done
      ulimit -c 0
      [ "$(ulimit -f)" -le 8388608 ] 2>/dev/null || ulimit -f 8388608
      [ "$(ulimit -u)" -le 1024 ] 2>/dev/null || ulimit -u 1024
      trap : TERM
      exec 9>&2 2>/dev/null
      "$@" 2>&9 3>&- 9>&-
      status=$? tries=0
      while kill -s 0 -- -1
      do if [ $tries = 3 ]; then echo left >&3; break; fi; tries=$((tries + 1)); sleep 0.05
      done
      exit $status",
        "ybs",
        "/bin/bash",
        "-c",
        "echo "$HOME"; rm -rf "a b"",
      ]
    `);
  });

  it.each<[string, Partial<ConfinedProgram>, BubblewrapVersion, readonly string[], readonly string[]]>([
    [
      'with the network',
      { network: true },
      'full',
      ['--unshare-net'],
      [
        '--ro-bind-try /run/systemd/resolve /run/systemd/resolve',
        '--ro-bind-try /run/resolvconf /run/resolvconf',
        '--ro-bind-try /run/NetworkManager /run/NetworkManager',
      ],
    ],
    ['where namespaces cannot be limited', {}, 'nestable', ['--disable-userns'], []],
    ['of an old version', {}, 'basic', ['--disable-userns', '--size 1073741824'], []],
  ])('%s differ as listed', (_name, command, version, removed, added) => {
    const usual = options(bubblewrapArguments(COMMAND, MOUNTS, 'full'));
    const others = options(bubblewrapArguments({ ...COMMAND, ...command }, MOUNTS, version));
    expect(usual.filter((option) => !others.includes(option))).toEqual(removed);
    expect(others.filter((option) => !usual.includes(option))).toEqual(added);
  });

  it('do not limit processes if the kernel also counts those outside', () => {
    const args = bubblewrapArguments({ ...COMMAND, limitsProcesses: false }, MOUNTS, 'full');
    expect(args.join(' ')).not.toContain('ulimit -u');
  });
});
