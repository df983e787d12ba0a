import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../agent/errors.ts';
import type { PolicyText } from '../../config/layers/policy-layer.ts';

/** Others than the owner may write. */
const WRITABLE_BY_OTHERS = 0o022;
const MAX_POLICY_BYTES = 256 * 1024;

/**
 * Reads the policy of the administrator; `undefined` if there is none. It must be a regular file that only `owner` can
 * change, and so must each directory on the way to it, from `top`, because whoever can change one could put another file
 * there.
 */
export function readPolicyFile(file: string, owner = 0, top = '/'): PolicyText | undefined {
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    const real = realpathSync.native(file);
    for (let at = real; ; at = path.dirname(at)) {
      const { uid, mode } = lstatSync(at);
      const isSystem = uid === 0;
      if (uid !== owner && !isSystem)
        return { file, problem: `${at} belongs to user ${uid}, not to root. ${advice(at)}` };
      if ((mode & WRITABLE_BY_OTHERS) !== 0)
        return { file, problem: `${at} can be written by others than root. ${advice(at)}` };
      if (at === top || at === path.dirname(at)) break;
    }
    const { size } = lstatSync(real);
    if (!lstatSync(real).isFile()) return { file, problem: 'it is not a file.' };
    if (size > MAX_POLICY_BYTES)
      return { file, problem: `it has ${size} bytes; at most ${MAX_POLICY_BYTES} are read.` };
    return { file, text: readFileSync(real, 'utf8') };
  } catch (error) {
    return { file, problem: `it cannot be read: ${messageOf(error)}.` };
  }
}

function advice(at: string): string {
  return `Anybody could have written it. Run: sudo chown root ${at} && sudo chmod go-w ${at}`;
}
