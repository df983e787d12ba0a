// Runs the attempts to escape of test/thorough without a sandbox, in ours, and in that of the package
// @anthropic-ai/sandbox-runtime: `npm run compare:sandbox`. Installs the package in a temporary directory; it needs socat
// and ripgrep besides bubblewrap. As root, it runs everything as an ordinary user, too. Prints the table of sandbox.md.
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { ProbeResult } from '../../test/support/sandbox/escape-harness.ts';
import { SANDBOX_USERS } from '../../test/support/sandbox/sandbox-users.ts';

const PACKAGE = '@anthropic-ai/sandbox-runtime@0.0.83';
const HARNESS = path.join(import.meta.dirname, '../../test/support/sandbox/escape-harness.ts');
const MODES = ['plain', 'sandbox', 'peer'] as const;

const run = promisify(execFile);
const isRoot = process.geteuid?.() === 0;
// Sandboxes hide /tmp, and an ordinary user must be able to read the package.
const scratch = mkdtempSync(path.join(isRoot ? '/var/lib' : os.homedir(), 'ybs-escapes-'));
try {
  execFileSync('chmod', ['755', scratch]);
  const options = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', scratch];
  execFileSync('npm', ['install', ...options, PACKAGE], { stdio: 'inherit' });
  console.log(`\n| Attempt | ${SANDBOX_USERS.map(({ name }) => `as ${name}: ybs | sandbox-runtime`).join(' | ')} |`);
  console.log(`| --- |${' --- | --- |'.repeat(SANDBOX_USERS.length)}`);
  const rows = new Map<string, string[]>();
  for (const [index, { prefix, uid }] of SANDBOX_USERS.entries()) {
    const base = path.join(scratch, `base-${index}`);
    mkdirSync(base);
    if (uid !== undefined) chownSync(base, uid, uid);
    const results = new Map<string, Map<string, boolean>>();
    for (const mode of MODES) {
      const [program = '', ...args] = [...prefix, process.execPath, HARNESS, mode];
      const env = {
        ...{ PATH: process.env['PATH'], HOME: base, PROBE_BASE: base },
        SANDBOX_RUNTIME: path.join(scratch, 'node_modules/@anthropic-ai/sandbox-runtime'),
      };
      const { stdout } = await run(program, args, { env, maxBuffer: 2 ** 26 });
      const lines = stdout.trim().split('\n');
      const parsed = lines.map((line): ProbeResult => JSON.parse(line));
      results.set(mode, new Map(parsed.map(({ name, escaped }) => [name, escaped])));
    }
    for (const [name, control] of results.get('plain') ?? []) {
      const cells = (['sandbox', 'peer'] as const).map((mode) =>
        control ? (results.get(mode)?.get(name) === false ? 'stopped' : 'ESCAPED') : 'not possible here',
      );
      rows.set(name, [...(rows.get(name) ?? Array.from({ length: index * 2 }, () => 'not tried')), ...cells]);
    }
  }
  for (const [name, cells] of rows) console.log(`| ${[name, ...cells].join(' | ')} |`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
