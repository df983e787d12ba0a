import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

const SCRIPT = path.resolve('.ci/sandbox');
const BASH = '/bin/bash';

/** Programs of a runner in this state, each of which notes its call. `HERE` is their directory. */
function programs(uid: number, needsPassword: boolean): Readonly<Record<string, string>> {
  const bwrap = `echo '#!${BASH}' >HERE/bwrap; echo '[ -e HERE/allowed ]' >>HERE/bwrap; /bin/chmod +x HERE/bwrap`;
  const scripts = {
    id: `echo ${uid}`,
    sudo: `[ "$1" = -n ] && shift; ${needsPassword ? 'echo "sudo: a password is required" >&2; exit 1' : '"$@"'}`,
    'apt-get': `[ "$1" = update ] || { ${bwrap}; }`,
    sysctl: '>HERE/allowed',
  };
  return Object.fromEntries(
    Object.entries(scripts).map(([name, body]) => [
      `bin/${name}`,
      `#!${BASH}\necho "${name} $*" >>HERE/calls\n${body}\n`,
    ]),
  );
}

const UPDATE = 'apt-get update -qq';
const INSTALL = 'apt-get install -y -qq --no-install-recommends bubblewrap';
const ALLOW = 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0';

describe.runIf(process.platform === 'linux')('the sandbox of a runner', () => {
  it.each([
    ['nothing for a user whose sandbox works', { uid: 1000, hasBwrap: true }, []],
    [
      'a setting where AppArmor forbids it',
      { uid: 1000, hasBwrap: true, forbidden: true },
      [`sudo -n ${ALLOW}`, ALLOW],
    ],
    [
      'everything for a user with sudo',
      { uid: 1000, forbidden: true },
      [
        ...[`sudo -n ${UPDATE}`, UPDATE, `sudo -n env DEBIAN_FRONTEND=noninteractive ${INSTALL}`, INSTALL],
        ...[`sudo -n ${ALLOW}`, ALLOW],
      ],
    ],
    ['everything for root, without sudo', { uid: 0, forbidden: true }, [UPDATE, INSTALL, ALLOW]],
    ['an error for a user who needs a password', { uid: 1000, needsPassword: true }, [`sudo -n ${UPDATE}`]],
  ])('needs %s', (_title, { uid, hasBwrap = false, forbidden = false, needsPassword = false }: Runner, calls) => {
    const directory = temporaryDirectory();
    const bin = path.join(directory, 'bin');
    const own = !hasBwrap ? {} : { 'bin/bwrap': `#!${BASH}\n[ -e HERE/allowed ]\n` };
    const files = Object.entries({ ...programs(uid, needsPassword), ...own });
    writeFiles(directory, Object.fromEntries(files.map(([name, text]) => [name, text.replaceAll('HERE', bin)])));
    if (!forbidden) writeFiles(directory, { 'bin/allowed': '' });
    spawnSync('/bin/chmod', ['-R', '+x', bin]);
    symlinkSync('/usr/bin/env', path.join(bin, 'env'));
    const { status, stderr } = spawnSync(BASH, [SCRIPT], { env: { PATH: bin }, encoding: 'utf8' });
    const log = path.join(bin, 'calls');
    const called = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    expect(called.filter((call) => !call.startsWith('id'))).toEqual(calls);
    expect([status, stderr]).toEqual(needsPassword ? [1, 'sudo: a password is required\n'] : [0, '']);
  });
});

interface Runner {
  readonly uid: number;
  readonly hasBwrap?: boolean;
  readonly forbidden?: boolean;
  readonly needsPassword?: boolean;
}
