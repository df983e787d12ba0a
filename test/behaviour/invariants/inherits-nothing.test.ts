import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { type DecidedSession, playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();
const PROC = process.platform === 'linux';

/** A command that writes to and reads from descriptors of the program that started ybs, and shows what it has. */
const ATTACK = [
  'echo evil >&57',
  'cat <&58',
  'ls /proc/self/fd | tr "\\n" " "',
  'ps -o tty= -p $$',
  'ps -o sid= -p $$ | tr -d " "',
  'env | cut -d= -f1 | sort | tr "\\n" " "',
].join('; ');

/** Starts ybs with a file to write on 57 and a secret on 58, behind a gap, and lets the model run a command. */
async function attack(session: DecidedSession, secret = 'SESAME') {
  const files = { outside: '', secret, 'ws/README.md': '' };
  const descriptors = (home: string) => `57>>'${path.join(home, 'outside')}' 58<'${path.join(home, 'secret')}'`;
  const { home, calls } = await playDecisions([[run(ATTACK)]], { ...session, files, descriptors });
  return { reads: calls[0]?.reads ?? '', written: readFileSync(path.join(home, 'outside'), 'utf8') };
}

describe.skipIf(!PROC)('a command inherits nothing', () => {
  const sandboxes = [
    ...(noSandbox === undefined ? [['in the sandbox', []] as const] : []),
    ['without a sandbox', ['--no-sandbox']] as const,
  ];

  // > docs/security.md: Each of these holds whatever a command contains.
  // > docs/security.md: A test on the built program tries to break it, and shows that the attack works without the protection.
  // > docs/security.md: a command inherits nothing | it gets the descriptors 0, 1 and 2, the listed variables, a session of its own and no terminal | inherits-nothing.test.ts
  it.each(sandboxes)(
    '%s: no descriptor, no terminal, no variable of the program that started ybs',
    async (_name, options) => {
      const { reads, written } = await attack({
        options: ['--permission-mode', 'full-access', ...options],
        environment: { YBS_ATTACK: 'ESCAPED' },
      });
      expect(written).toBe('');
      expect(reads).not.toContain('SESAME');
      expect(reads).toContain('57: Bad file descriptor');
      expect(reads).toContain('58: Bad file descriptor');
      // 3 is the directory that ls reads; ? is the terminal of the process. Lines of stderr can come between them.
      expect(reads).toMatch(/^0 1 2 3 (?:\?)?$/m);
      expect(reads).toMatch(/(?:^| )\?$/m);
      expect(reads).not.toContain('YBS_ATTACK');
    },
  );

  it('control: plain Node.js passes them on', () => {
    const program = `process.stdout.write(require('child_process').execFileSync('bash', ['-c', 'echo evil >&57 && cat <&58']))`;
    const script = `exec 57>/dev/null 58<<<SESAME; '${process.execPath}' -e "${program}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe('SESAME\n');
  });

  it('a redirection to or from another descriptor needs approval', async () => {
    const commands = ['echo x >&57', 'cat <&58', 'cat README.md 2>&3', 'ls >&2', 'ls 2>&1'];
    const { calls } = await playDecisions([commands.map((command) => run(command))], {
      trusted: true,
      files: { 'ws/.ybs.json': '{}' },
    });
    const expected = noSandbox === undefined ? ['ask', 'ask', 'ask', 'allow', 'allow'] : commands.map(() => 'ask');
    expect(calls.map(({ decision }) => decision)).toEqual(expected);
  });
});
