import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { SANDBOX_CASES } from '../../support/sandbox/sandbox-cases.ts';
import { compiledFor, SANDBOX_USERS } from '../../support/sandbox/sandbox-users.ts';

const HARNESS = path.join(import.meta.dirname, '../../support/sandbox/sandbox-cases.ts');
const missing = await missingSandbox();

describe.skipIf(missing !== undefined)(`the sandbox${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  describe.each(SANDBOX_USERS)('as $name', (user) => {
    const { prefix, uid } = user;
    const results = new Map<string, unknown>();

    beforeAll(async () => {
      // The sandbox hides /tmp.
      const base = mkdtempSync(path.join(uid === undefined ? os.userInfo().homedir : '/var/lib', 'ybs-sandbox-'));
      if (uid !== undefined) chownSync(base, uid, uid);
      try {
        const [program = '', ...args] = [...prefix, process.execPath, HARNESS, base];
        const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiledFor(user), HOME: base };
        const { stdout } = await promisify(execFile)(program, args, { env });
        for (const line of stdout.trim().split('\n')) {
          const { name, result }: { name: string; result: unknown } = JSON.parse(line);
          results.set(name, result);
        }
      } finally {
        rmSync(base, { recursive: true, force: true });
      }
    }, 120_000);

    it.each(SANDBOX_CASES)('$name', ({ name, expected }) => {
      expect(results.get(name)).toEqual(expected);
    });
  });
});
