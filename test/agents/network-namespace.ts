import { execa } from 'execa';

/** How a command is started where the loopback interface is the only one. */
export type NetworkNamespace =
  | { readonly type: 'namespace'; readonly prefix: readonly [file: string, ...args: string[]] }
  | { readonly type: 'unavailable'; readonly reason: string };

const LOOPBACK_UP = 'ip link set lo up && exec "$@"';

/**
 * Finds out how to make a network namespace here: plainly, or in a user namespace where this is an ordinary user. The
 * proof is a process that runs in it.
 */
export async function findNetworkNamespace(platform: NodeJS.Platform): Promise<NetworkNamespace> {
  if (platform !== 'linux') return { type: 'unavailable', reason: `no network namespaces on ${platform}` };
  let reason = '';
  for (const flag of ['-n', '-rn']) {
    const prefix = ['unshare', flag, 'sh', '-c', LOOPBACK_UP, 'sh'] as const;
    const [file, ...args] = prefix;
    const { failed, stderr, shortMessage } = await execa(file, [...args, 'true'], { reject: false, stdin: 'ignore' });
    if (!failed) return { type: 'namespace', prefix };
    reason = stderr || (shortMessage ?? '');
  }
  return { type: 'unavailable', reason: `no network namespace: ${reason}` };
}
