import { expect, it } from 'vitest';
import { doctorSandbox } from '../../../../src/cli/subcommands/setup/doctor-sandbox.ts';
import type { SandboxTrials } from '../../../../src/policy/sandbox/describe-sandbox.ts';

async function diagnose(found: SandboxTrials | undefined, json = false) {
  let printed = '';
  const code = await doctorSandbox(
    { options: { outputFormat: 'text', dryRun: false }, ownOptions: new Map(json ? [['json', []]] : []) },
    {
      machine: { ...(found !== undefined && { trySandbox: async () => found }), resolvePath: (file) => file },
      user: {
        write: async (text) => {
          printed += text;
          return true;
        },
        columns: () => 200,
        interactive: false,
      },
    },
  );
  return { code, lines: printed.trim().split('\n') };
}

const ON = { type: 'on', program: 'bubblewrap' } as const;

it('ybs doctor --sandbox prints a line for each invariant', async () => {
  const trials = [
    { invariant: 'no network', result: 'held' },
    { invariant: 'no mounts', result: 'untried', reason: 'the attempt fails here also without the sandbox' },
  ] as const;
  expect(await diagnose({ state: ON, trials })).toEqual({
    code: 0,
    lines: [
      'sandbox: bubblewrap',
      '✓ held           no network',
      '! not tried      no mounts: the attempt fails here also without the sandbox',
    ],
  });
  const { lines } = await diagnose({ state: ON, trials }, true);
  expect(JSON.parse(lines.join(''))).toEqual({ ok: true, sandbox: ON, invariants: trials });
});

it('ybs doctor --sandbox fails if an invariant is broken, and names the limits that this machine lacks', async () => {
  const state = { ...ON, lacks: ['a limit of processes (the kernel is older than 5.14)'] };
  expect(await diagnose({ state, trials: [{ invariant: 'no network', result: 'broken' }] })).toEqual({
    code: 1,
    lines: [
      'sandbox: bubblewrap, without a limit of processes (the kernel is older than 5.14)',
      '✗ BROKEN         no network',
    ],
  });
});

it('ybs doctor --sandbox reports the invariants that hold without a sandbox, and how to get one', async () => {
  const state = { type: 'off', reason: 'bubblewrap is not installed', advice: 'Install it.' } as const;
  const trials = [{ invariant: 'no network', result: 'unavailable', reason: state.reason }] as const;
  const { code, lines } = await diagnose({ state, trials });
  expect(code).toBe(1);
  expect(lines[0]).toBe('sandbox: OFF (bubblewrap is not installed). Install it.');
  expect(lines[1]).toContain('Without the sandbox, every command asks');
  expect(lines.at(-1)).toBe('! not available  no network');
  expect((await diagnose(undefined)).lines[0]).toBe('sandbox: OFF (ybs has none for this system).');
});
