import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { canMount } from '../../support/sandbox/own-mounts.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/** A `PATH` whose first `bwrap` is this script, in which `bwrap` is that of the machine. */
function pathWith(script: string): { readonly PATH: string } {
  const directory = temporaryDirectory();
  const real = execFileSync('/bin/sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();
  writeFiles(directory, { bwrap: `#!/bin/sh\nbwrap() { exec ${real} "$@"; }\n${script}\n` });
  chmodSync(path.join(directory, 'bwrap'), 0o755);
  return { PATH: `${directory}:${process.env['PATH'] ?? ''}` };
}

/** A `bwrap` that prints a message and fails. */
const failing = (message: string): string => `printf '%s\\n' "bwrap: ${message}" >&2; exit 1`;

/** A `bwrap` that fails only with an option. */
const without = (option: string, message: string): string =>
  `for each; do [ "$each" = ${option} ] && { ${failing(message)}; }; done; bwrap "$@"`;

/** Until 0.8.0 there is an option less, and until 0.5.0 no socket can be covered. */
const UNKNOWN = `for each; do [ -S "$each" ] && { ${failing("Can't create file at a socket: No such device or address")}; }; done
${without('--disable-userns', 'Unknown option --disable-userns')}`;
const NO_LIMIT = 'cannot open /proc/sys/user/max_user_namespaces: Permission denied';

/** The words about a kernel without namespaces, which in a container are about that. */
const OFF_HERE =
  /^sandbox: OFF \((?:the kernel does not allow user namespaces\)\. Allow them: sudo sysctl|the container .*\. Start it)/;

/** What `bwrap` printed in public reports, and the first lines of `ybs doctor --sandbox` there. */
const REPORTS: readonly (readonly [name: string, script: string, state: RegExp])[] = [
  [
    'bubblewrap 0.4 to 0.7',
    UNKNOWN,
    /^sandbox: bubblewrap, without a limit of temporary files \(bubblewrap is older than 0\.8\.0; update it\) ✓ held/,
  ],
  // https://github.com/containers/bubblewrap/issues/798, https://github.com/lxc/incus/pull/1937
  ['a container of Incus, and AlmaLinux 9.8', without('--disable-userns', NO_LIMIT), /^sandbox: bubblewrap ✓ held/],
  // https://github.com/VHSgunzo/runimage/issues/2
  [
    'a kernel that allows namespaces only to root',
    failing(
      "No permissions to creating new namespace, likely because the kernel does not allow non-privileged user namespaces. On e.g. debian this can be enabled with 'sysctl kernel.unprivileged_userns_clone=1'.",
    ),
    OFF_HERE,
  ],
  // https://github.com/openai/codex/issues/16076
  [
    'a kernel without namespaces',
    failing(
      'Creating new namespace failed, likely because the kernel does not support user namespaces.  bwrap must be installed setuid on such systems.',
    ),
    OFF_HERE,
  ],
  // https://github.com/containers/bubblewrap/issues/764
  [
    'a kernel that has no more namespaces',
    failing('Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)'),
    /^sandbox: OFF \(all user namespaces that the kernel allows are in use\)\. Allow more: sudo sysctl/,
  ],
  // https://github.com/zts212653/clowder-ai/pull/224
  [
    'a network that cannot be set up',
    failing('loopback: Failed RTM_NEWADDR: Operation not permitted'),
    /^sandbox: OFF \((?:bwrap failed: loopback: Failed RTM_NEWADDR: .*\. See docs|the container .*\. Start it)/,
  ],
];

const first = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)(
  'where the sandbox is not whole, or off',
  () => {
    it.each(REPORTS)('ybs doctor --sandbox names what is missing: %s', async (_name, script, state) => {
      const { stdout, code } = await runBin(['doctor', '--sandbox'], { environment: pathWith(script) });
      expect(first(stdout)).toMatch(state);
      const isOff = stdout.includes('OFF');
      expect(stdout.includes('Without the sandbox, every command asks')).toBe(isOff);
      expect({ code, isBroken: stdout.includes('BROKEN') }).toEqual({ code: isOff ? 1 : 0, isBroken: false });
    });

    it.skipIf(!canMount)('a kernel allows no namespaces', async () => {
      const script = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
      const prefix = ['unshare', '--user', '--map-root-user', 'sh', '-c', script, 'sh'];
      const { stdout, code } = await runBin(['doctor', '--sandbox'], { prefix });
      expect(first(stdout)).toMatch(/^sandbox: OFF \((?:the kernel does not allow|all) user namespaces/);
      expect(code).toBe(1);
    });

    it.each([
      ['off', failing('setting up uid map: Permission denied'), 'ask', false],
      ['old', UNKNOWN, 'allow', true],
    ])(
      'a command in full access asks if the sandbox is %s, and is never let out',
      async (_state, script, decision, made) => {
        const { home, calls } = await playDecisions([[run('touch made; touch ~/outside')]], {
          options: ['--permission-mode', 'full-access'],
          environment: pathWith(script),
        });
        expect(calls[0]?.decision).toBe(decision);
        expect(['ws/made', 'outside'].map((file) => existsSync(path.join(home, file)))).toEqual([made, false]);
      },
    );
  },
);
