import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBin } from '../../support/processes/run-bin.ts';
import { canMount, withMounts } from '../../support/sandbox/own-mounts.ts';
import { type DecidedSession, playDecisions, type ScriptedCall } from '../../support/stories/decided-run.ts';
import { run, write } from '../decisions/rows.ts';

/** A copy of `/etc`, of which the program sees a policy. `change`: what somebody else does to it. */
const withPolicy = (safety: object, change = 'true'): readonly string[] =>
  withMounts(
    [
      'mount -t tmpfs tmpfs /mnt; cp -a /etc/. /mnt/; mkdir -p /mnt/ybs; chmod 755 /mnt /mnt/ybs',
      `printf %s '${JSON.stringify({ safety })}' > /mnt/ybs/policy.json; chmod 644 /mnt/ybs/policy.json; mount --bind /mnt /etc`,
      change,
    ].join('; '),
  );

/** A policy, what the user does to be less strict, and a call on which the decision is another one because of the policy. */
type Row = readonly [policy: object, session: DecidedSession, call: ScriptedCall, decision: 'ask' | 'deny'];

const FULL = { options: ['--permission-mode', 'full-access'] };
const EDITS = { options: ['--permission-mode', 'accept-edits'] };
const config = (safety: object, more: DecidedSession = {}): DecidedSession => ({ ...more, config: { safety } });
const touch = run('touch made');

const ROWS: readonly Row[] = [
  [{ permission_mode: 'ask' }, FULL, touch, 'ask'],
  [{ permission_mode: 'ask' }, config({ permission_mode: 'full-access' }), touch, 'ask'],
  [{ permission_mode: 'accept-edits' }, { ...FULL, options: ['--permission-mode=full-access'] }, touch, 'ask'],
  [{ permission_mode: 'read-only' }, FULL, write('new.txt'), 'deny'],
  [{ blocked_commands: ['touch'] }, FULL, touch, 'deny'],
  [
    { blocked_commands: ['touch'] },
    config({ replace_blocked_commands: true, blocked_commands: [] }, FULL),
    touch,
    'deny',
  ],
  [{ blocked_commands: ['touch'] }, FULL, run('env -S \'sh -c "touch made"\''), 'deny'],
  [{ permissions: { run_shell: 'denied' } }, config({ permissions: { run_shell: 'automatic' } }), touch, 'deny'],
  [
    { permissions: { run_shell: 'ask_always' } },
    config({ permissions: { run_shell: 'automatic' } }, FULL),
    touch,
    'ask',
  ],
  [{ allowed_commands: ['make'] }, config({ allowed_commands: ['touch *'] }), touch, 'ask'],
  [{ allow_unlisted_commands: false }, config({ allow_unlisted_commands: true }, FULL), touch, 'deny'],
  [{ require_confirmation: ['write_file'] }, config({ require_confirmation: [] }, EDITS), write('made'), 'ask'],
  [{ require_confirmation: ['run_shell'] }, FULL, touch, 'ask'],
  [
    { require_confirmation: ['write_file'] },
    config({ permissions: { write_file: 'automatic' } }, FULL),
    write('made'),
    'ask',
  ],
  [{ sandbox_blocked_paths: ['./made'] }, config({ sandbox_blocked_paths: [] }, FULL), write('made'), 'deny'],
];

describe.skipIf(!canMount)('a policy of the administrator', () => {
  // > docs/security.md: Nothing can make a session less strict, not even `/mode` or `/permissions`.
  it.each(ROWS)('%j holds against %j for %j: %s', async (policy, session, call, decision) => {
    const { calls } = await playDecisions([[call]], { ...session, prefix: withPolicy(policy) });
    expect(calls[0]?.decision.replace('none', 'deny')).toBe(decision);
    const without = await playDecisions([[call]], session);
    expect(without.calls[0]?.decision).toBe('allow');
  });

  it.each([
    [{ sandbox_enabled: true }, { options: [...FULL.options, '--no-sandbox'] }, 'cat ~/other/a'],
    [
      { environment: [] },
      { ...config({ environment: ['MARK'] }, FULL), environment: { MARK: 'outside' } },
      'echo "$MARK"',
    ],
    [{ sandbox_allowed_paths: ['./'] }, config({ sandbox_allowed_paths: ['./', '~/other'] }, FULL), 'cat ~/other/a'],
  ])('%j limits what a command sees, whatever %j says: %s', async (policy, session, command) => {
    const files = { 'other/a': 'outside\n' };
    const { calls } = await playDecisions([[run(command)]], { ...session, files, prefix: withPolicy(policy) });
    expect(calls[0]?.decision).toBe('allow');
    expect(calls[0]?.reads.replace(/^note:.*$/gm, '')).not.toMatch(/^(?:~\/)?outside$/m);
    const without = await playDecisions([[run(command)]], { ...session, files });
    expect(without.calls[0]?.reads).toMatch(/^(?:~\/)?outside$/m);
  });

  it.each([
    ['others may write the file', 'chmod 666 /etc/ybs/policy.json', 'can be written by others than root'],
    ['others may write its directory', 'chmod 777 /etc/ybs', 'can be written by others than root'],
    ['it belongs to somebody else', 'chown 65534 /etc/ybs/policy.json', 'belongs to user 65534'],
    [
      'it is a link to a file of somebody else',
      'echo {} > /etc/p; chown 65534 /etc/p; ln -sf /etc/p /etc/ybs/policy.json',
      'belongs to user 65534',
    ],
    ['it is a dangling link', 'ln -sf /nowhere /etc/ybs/policy.json', 'it cannot be read'],
    ['it is a directory', 'rm /etc/ybs/policy.json; mkdir /etc/ybs/policy.json', 'it is not a file'],
    ['it is a pipe', 'rm /etc/ybs/policy.json; mkfifo /etc/ybs/policy.json', 'it is not a file'],
    ['it is no JSON', 'echo { > /etc/ybs/policy.json', 'policy.json'],
    ['it is empty', ': > /etc/ybs/policy.json', 'policy.json'],
    ['a key is unknown', `echo '{"safety":{"permision_mode":"ask"}}' > /etc/ybs/policy.json`, 'permision_mode'],
    ['a name is there twice', `echo '{"safety":{},"safety":{}}' > /etc/ybs/policy.json`, 'this name is there twice'],
  ])('ybs does not start when %s', async (_name, change, problem) => {
    const { code, stdout, stderr } = await runBin(['-p', 'mock', 'go'], { prefix: withPolicy({}, change) });
    expect({ code, stdout, stderr }).toMatchObject({ code: 2, stdout: '' });
    expect(stderr).toContain('/etc/ybs/policy.json');
    expect(stderr).toContain(problem);
  });

  it('is not taken from another place', async () => {
    const files = Object.fromEntries(
      ['ws/etc/ybs', '.config/ybs', 'ws/.ybs'].map((directory) => [
        path.join(directory, 'policy.json'),
        '{"safety":{"permissions":{"run_shell":"denied"}}}',
      ]),
    );
    const { calls } = await playDecisions([[touch]], { ...FULL, files });
    expect(calls[0]?.decision).toBe('allow');
  });
});
