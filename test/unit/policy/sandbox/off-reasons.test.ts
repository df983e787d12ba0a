import { describe, expect, it } from 'vitest';
import { describeNetwork, describeSandbox, withSettings } from '../../../../src/policy/sandbox/describe-sandbox.ts';
import { type FailedProbe, missingLimits, whyOff } from '../../../../src/policy/sandbox/off-reasons.ts';

const LINUX: FailedProbe = {
  platform: 'linux',
  release: '6.8.0-31-generic',
  stderr: 'bwrap: setting up uid map: Permission denied\n',
  inContainer: false,
  appArmor: false,
  namespacesForbidden: false,
};
const { stderr: _stderr, ...MISSING } = LINUX;

describe('the reason why the sandbox is off', () => {
  it.each<[string, FailedProbe, string, string | undefined]>([
    ['Windows', { ...MISSING, platform: 'win32' }, 'ybs has none for Windows', 'Use ybs in WSL 2.'],
    ['another system', { ...MISSING, platform: 'other' }, 'ybs has none for this system', undefined],
    ['macOS without it', { ...MISSING, platform: 'darwin' }, '/usr/bin/sandbox-exec is missing', undefined],
    [
      'macOS where it fails',
      { ...LINUX, platform: 'darwin', stderr: 'sandbox-exec: no\nmore' },
      'sandbox-exec failed: sandbox-exec: no',
      undefined,
    ],
    [
      'macOS where it fails silently',
      { ...LINUX, platform: 'darwin', stderr: '' },
      'sandbox-exec failed: it printed no reason',
      undefined,
    ],
    [
      'a busy machine, which may be a container',
      { ...LINUX, stderr: '', isLate: true, inContainer: true },
      'this machine is too busy: the sandbox did not start within 35 s',
      'Start ybs again when the machine is less busy.',
    ],
    [
      'WSL 1',
      { ...MISSING, release: '4.4.0-19041-Microsoft' },
      'WSL 1 has no namespaces',
      'Convert the distribution: wsl --set-version <name> 2.',
    ],
    [
      'WSL 2',
      { ...MISSING, release: '5.15.90.1-microsoft-standard-WSL2' },
      'bubblewrap is not installed',
      'Install it, for example with: sudo apt install bubblewrap',
    ],
    [
      'a container',
      { ...LINUX, inContainer: true, appArmor: true },
      'the container does not allow namespaces',
      'Start it with --security-opt seccomp=unconfined, or use ybs outside it.',
    ],
    // https://github.com/containers/bubblewrap/issues/505
    [
      'a container that masks /proc',
      { ...LINUX, inContainer: true, stderr: "bwrap: Can't mount proc on /newroot/proc: Operation not permitted\n" },
      'the container hides parts of /proc',
      'Start it with --security-opt systempaths=unconfined (Podman: unmask=ALL), or use ybs outside it.',
    ],
    // https://github.com/containers/bubblewrap/issues/284
    [
      'a container without mounts',
      { ...LINUX, inContainer: true, stderr: 'bwrap: Failed to mount tmpfs: Permission denied\n' },
      'the container does not allow mounts',
      'Start it with --security-opt seccomp=unconfined and apparmor=unconfined (SELinux: label=disable), or use ybs outside it.',
    ],
    [
      'another failure in a container',
      { ...LINUX, inContainer: true, stderr: 'bwrap: prctl(PR_SET_SECCOMP): Invalid argument\n' },
      'bwrap failed: prctl(PR_SET_SECCOMP): Invalid argument',
      'See docs/sandbox.md.',
    ],
    [
      'too many namespaces',
      { ...LINUX, inContainer: true, stderr: 'bwrap: Creating new namespace failed: No space left on device\n' },
      'all user namespaces that the kernel allows are in use',
      'Allow more: sudo sysctl user.max_user_namespaces=10000',
    ],
    // https://github.com/containers/bubblewrap/issues/764
    [
      'too many namespaces, in the words of other versions',
      {
        ...LINUX,
        stderr:
          'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)\n',
      },
      'all user namespaces that the kernel allows are in use',
      'Allow more: sudo sysctl user.max_user_namespaces=10000',
    ],
    // https://github.com/VHSgunzo/runimage/issues/2
    [
      'a kernel that allows namespaces only to root',
      {
        ...LINUX,
        stderr:
          'bwrap: No permissions to creating new namespace, likely because the kernel does not allow non-privileged user namespaces.\n',
      },
      'the kernel does not allow user namespaces',
      'Allow them: sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000',
    ],
    [
      'AppArmor',
      { ...LINUX, appArmor: true },
      'AppArmor does not allow user namespaces',
      'Load the profile bwrap-userns-restrict; see docs/sandbox.md.',
    ],
    [
      'a setting of the kernel',
      { ...LINUX, namespacesForbidden: true },
      'the kernel does not allow user namespaces',
      'Allow them: sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000',
    ],
    ['another failure', LINUX, 'bwrap failed: setting up uid map: Permission denied', 'See docs/sandbox.md.'],
    [
      'a long failure',
      { ...LINUX, stderr: 'x'.repeat(300) },
      `bwrap failed: ${'x'.repeat(200)}`,
      'See docs/sandbox.md.',
    ],
    ['a silent failure', { ...LINUX, stderr: ' ' }, 'bwrap failed: it printed no reason', 'See docs/sandbox.md.'],
  ])('%s', (_name, probe, reason, advice) => {
    expect(whyOff(probe)).toEqual({ type: 'off', reason, ...(advice !== undefined && { advice }) });
  });

  it.each([
    [{ version: 'full', release: '6.1.0', hasFilter: true }, []],
    [{ version: 'full', release: '5.14.0-1', hasFilter: true }, []],
    [{ version: 'nestable', release: '6.1.0', hasFilter: true }, []],
    [{ version: 'full', release: '5.13.9', hasFilter: true }, ['a limit of processes (the kernel is older than 5.14)']],
    [
      { version: 'basic', release: '4.19.0', hasFilter: false },
      [
        'a limit of temporary files (bubblewrap is older than 0.8.0; update it)',
        'a limit of namespaces (bubblewrap cannot set it)',
        'a limit of processes (the kernel is older than 5.14)',
        'a filter of system calls (there is none for this processor)',
      ],
    ],
    [
      { version: 'full', release: 'unknown', hasFilter: true },
      ['a limit of processes (the kernel is older than 5.14)'],
    ],
    [{ version: 'full', release: '', hasFilter: true }, ['a limit of processes (the kernel is older than 5.14)']],
  ] as const)('on a machine with %j lacks %j', (machine, lacks) => {
    expect(missingLimits(machine)).toEqual(lacks);
  });

  it.each([
    [{ type: 'on', program: 'bubblewrap' }, 'sandbox: on (bubblewrap); commands have no network and write only here'],
    [
      { type: 'on', program: 'bubblewrap', hosts: ['a.org'], hidesHome: true, lacks: ['a'] },
      'sandbox: on (bubblewrap); commands have no network but a.org, write only here, and see of your home directory only programs; without a',
    ],
    [
      { type: 'on', program: 'bubblewrap', lacks: ['a', 'b'] },
      'sandbox: on (bubblewrap); commands have no network and write only here; without a; without b',
    ],
    [{ type: 'off', reason: 'no' }, 'sandbox: OFF (no) - every command will ask'],
    [{ type: 'off', reason: '--no-sandbox', chosen: true }, 'sandbox: OFF (--no-sandbox)'],
  ] as const)('%j is shown as %s', (state, expected) => {
    expect(describeSandbox(state)).toBe(expected);
  });
});

describe('the network of a command', () => {
  const on = { type: 'on', program: 'bubblewrap' } as const;
  it.each([
    [[], undefined, 'no network'],
    [['a.org'], undefined, 'no network but a.org'],
    [['a', 'b', 'c'], undefined, 'no network but a, b, c'],
    [['a', 'b', 'c', 'd', 'e'], undefined, 'no network but a, b, c and 2 more'],
    [['a.org'], true, 'WITH NETWORK'],
  ])('with the hosts %j and full access %s is described as %s', (hosts, network, text) => {
    expect(describeNetwork({ ...on, hosts }, network === undefined ? {} : { network })).toBe(text);
  });

  it('has granted hosts if there is a proxy', () => {
    const all = { hosts: ['a.org'], hidesHome: true };
    expect(withSettings(on, all)).toEqual({ ...on, hosts: ['a.org'], hidesHome: true });
    expect(withSettings(on, { hosts: [], hidesHome: false })).toEqual(on);
    const lacks = ['a filter of system calls (there is none for this processor)'];
    expect(withSettings({ ...on, lacks }, all)).toEqual({ ...on, lacks, hidesHome: true });
    expect(withSettings({ ...on, lacks: ['a limit of size'] }, all)).toMatchObject({ hosts: ['a.org'] });
    expect(withSettings({ type: 'on', program: 'sandbox-exec' }, all)).not.toHaveProperty('hosts');
    const off = { type: 'off', reason: 'a' } as const;
    expect(withSettings(off, all)).toBe(off);
    expect(withSettings(undefined, all)).toBeUndefined();
  });
});
