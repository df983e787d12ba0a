import { execa } from 'execa';

/** Prefix of a command that starts it in a network namespace with only a loopback interface. */
export type NetworkNamespace =
  | { readonly type: 'namespace'; readonly prefix: readonly [file: string, ...args: string[]] }
  | { readonly type: 'unavailable'; readonly reason: string };

const LOOPBACK_UP = 'ip link set lo up && exec "$@"';

/**
 * Finds a way to create a network namespace: directly, or in a user namespace for an ordinary user. Each way is tested
 * with a process.
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
