import { spawnSync } from 'node:child_process';
import process from 'node:process';

/** True if this process may give a program mounts of its own. */
export const canMount =
  process.platform === 'linux' &&
  process.geteuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** The words before a program that runs after a script in mounts of its own, so that the machine stays as it is. */
export function withMounts(script: string): readonly string[] {
  return ['unshare', '--mount', 'sh', '-c', `set -e; ${script}; exec "$@"`, 'sh'];
}
