import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** A user that runs the cases of the sandbox. */
export interface SandboxUser {
  readonly name: string;
  /** The command before the program, which changes the user. */
  readonly prefix: readonly string[];
  readonly isRoot: boolean;
  /** Absent: the user of this process. */
  readonly uid?: number;
}

const NOBODY = 65_534;
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

/** Root, if this process is root, and an ordinary user. */
export const SANDBOX_USERS: readonly SandboxUser[] =
  process.geteuid?.() === 0
    ? [
        { name: 'root', prefix: [], isRoot: true, uid: 0 },
        { name: 'an ordinary user', prefix: AS_NOBODY, isRoot: false, uid: NOBODY },
      ]
    : [{ name: 'an ordinary user', prefix: [], isRoot: false }];

/**
 * The directory of compiled sources for the processes of a user. Node reads and writes only what its own user has
 * compiled, and an ordinary user may not write to the directory of root.
 */
export function compiledFor({ uid }: SandboxUser): string | undefined {
  const compiled = process.env['NODE_COMPILE_CACHE'];
  if (compiled === undefined || uid === undefined || uid === process.geteuid?.()) return compiled;
  const own = path.join(compiled, `user-${uid}`);
  mkdirSync(own, { recursive: true });
  chownSync(own, uid, uid);
  return own;
}
