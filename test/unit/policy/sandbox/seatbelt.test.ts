import { expect, it } from 'vitest';
import type { SandboxPlaces } from '../../../../src/policy/sandbox/mounts.ts';
import { seatbeltArguments } from '../../../../src/policy/sandbox/seatbelt.ts';

const PLACES: SandboxPlaces = {
  temporary: ['/private/tmp'],
  writable: ['/Users/u/w "x"'],
  guarded: ['/Users/u/w "x"/.git/hooks'],
  hidden: ['/Users/u/.ssh'],
  unreadable: ['/Users/u/.netrc'],
  visible: ['/opt/homebrew/bin'],
};
const COMMAND = {
  program: '/bin/bash',
  args: ['-c', 'make'],
  network: false,
  shell: { program: '/bin/bash', args: ['-c'] },
};

it('the profile of macOS has rules for every path, which its text contains only as parameters', () => {
  const args = seatbeltArguments(COMMAND, PLACES);
  const profile = args[args.indexOf('-p') + 1] ?? '';
  expect(args.slice(0, args.indexOf('-p'))).toEqual([
    ...['-D', 'W0=/Users/u/w "x"', '-D', 'W1=/private/tmp', '-D', 'G0=/Users/u/w "x"/.git/hooks'],
    ...['-D', 'C0-0=/Users/u/.ssh', '-D', 'C1-0=/opt/homebrew/bin', '-D', 'U0=/Users/u/.netrc'],
  ]);
  expect(profile).toMatchInlineSnapshot(`
    "(version 1)
    (deny default)
    (import "system.sb")
    (allow process-exec process-fork)
    (allow signal process-info* (target same-sandbox))
    (allow sysctl-read)
    (allow file-read* file-test-existence)
    (allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))
    (allow file-write* (subpath (param "W0")) (subpath (param "W1")))
    (deny file-write* (subpath (param "G0")))
    (deny file-read* file-write* (subpath (param "C0-0")))
    (allow file-read* (subpath (param "C1-0")))
    (deny file-read* file-write* (subpath (param "U0")))"
  `);
  expect(args.slice(args.indexOf('-p') + 2)).toEqual([
    ...['/bin/bash', '-c', 'ulimit -c 0; exec "$@"', 'ybs'],
    ...['/bin/bash', '-c', 'make'],
  ]);
});

it('the profile allows the network, and has no rule without a path', () => {
  const nowhere = { temporary: [], writable: [], guarded: [], hidden: [], unreadable: [], visible: [] };
  const args = seatbeltArguments({ ...COMMAND, network: true }, nowhere);
  expect(args[0]).toBe('-p');
  expect(args[1]?.split('\n').slice(-3)).toEqual([
    '(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
    '(allow network* system-socket)',
    '(allow mach-lookup (global-name "com.apple.dnssd.service"))',
  ]);
});
