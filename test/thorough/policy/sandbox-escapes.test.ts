import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { LONG } from '../../support/random/property.ts';
import type { ProbeResult } from '../../support/sandbox/escape-harness.ts';
import { killedAgents, probeGroups, SURVIVORS } from '../../support/sandbox/escape-probes.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { compiledFor, SANDBOX_USERS } from '../../support/sandbox/sandbox-users.ts';

const HARNESS = path.join(import.meta.dirname, '../../support/sandbox/escape-harness.ts');
const missing = await missingSandbox();

/** A setting of Linux by which no ordinary user can attach to a process that is not its child. */
const restrictsPtrace = (): boolean => {
  const file = '/proc/sys/kernel/yama/ptrace_scope';
  return existsSync(file) && Number(readFileSync(file, 'utf8')) > 0;
};

describe.skipIf(missing !== undefined)(`the sandbox${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  describe.each(SANDBOX_USERS)('as $name', (user) => {
    const { prefix, isRoot: asRoot, uid } = user;
    const plain = new Map<string, ProbeResult>();
    const sandboxed = new Map<string, ProbeResult>();

    beforeAll(async () => {
      const base = mkdtempSync(path.join(uid === undefined ? os.userInfo().homedir : '/var/lib', 'ybs-escapes-'));
      if (uid !== undefined) chownSync(base, uid, uid);
      try {
        const [program = '', ...args] = [...prefix, process.execPath, HARNESS, 'plain,sandbox'];
        const { PATH, YBS_TEST_LONG } = process.env;
        const env = { PATH, NODE_COMPILE_CACHE: compiledFor(user), YBS_TEST_LONG, HOME: base, PROBE_BASE: base };
        const { stdout } = await promisify(execFile)(program, args, { env });
        for (const line of stdout.trim().split('\n')) {
          const result: ProbeResult = JSON.parse(line);
          (result.mode === 'plain' ? plain : sandboxed).set(result.name, result);
        }
      } finally {
        rmSync(base, { recursive: true, force: true });
      }
    }, 120_000);

    const names = [
      ...probeGroups(asRoot, LONG)
        .flat()
        .map(({ name }) => name),
      ...SURVIVORS.map(([name]) => `stopped: a process ${name}`),
      ...killedAgents(LONG).map(([name]) => `killed agent: a process ${name}`),
    ];

    it.each(names)('%s: succeeds without the sandbox, and not inside it', (name) => {
      const isPossible = name !== 'ptrace a process' || asRoot || !restrictsPtrace();
      expect(plain.get(name)).toMatchObject({ escaped: isPossible });
      expect(sandboxed.get(name)).toMatchObject({ escaped: false });
    });
  });
});
