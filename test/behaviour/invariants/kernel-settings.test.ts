import { describe, expect, it } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/** Settings with which root makes the kernel start a program, or removes limits. Each is only opened, never written. */
const SETTINGS = [
  ...['kernel/core_pattern', 'kernel/modprobe', 'kernel/hostname', 'kernel/randomize_va_space', 'kernel/panic'],
  ...['vm/overcommit_memory', 'vm/drop_caches', 'fs/protected_symlinks', 'fs/suid_dumpable', 'fs/file-max'],
];
const COMMAND = `for f in ${SETTINGS.join(' ')}; do { : >> /proc/sys/$f; } 2>/dev/null && echo "OPENED $f"; done; echo end`;

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('settings of the kernel', () => {
  // > docs/security.md: settings of the kernel stay as they are | test/behaviour/invariants/kernel-settings.test.ts
  it('cannot be changed, even by commands of root', async () => {
    const { calls } = await playDecisions([[run(COMMAND)]], { options: ['--permission-mode', 'full-access'] });
    expect(calls[0]?.reads).toContain('end');
    expect(calls[0]?.reads).not.toContain('OPENED');
  });

  // Other users cannot change them anyway.
  it.skipIf(process.geteuid?.() !== 0)('control: can be changed by root without the sandbox', async () => {
    const { calls } = await playDecisions([[run(COMMAND)]], {
      options: ['--permission-mode', 'full-access', '--no-sandbox'],
    });
    expect(calls[0]?.reads).toContain('OPENED kernel/core_pattern');
  });
});
