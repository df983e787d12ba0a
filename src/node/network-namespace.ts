import os from 'node:os';
import process from 'node:process';
import { execa } from 'execa';
import { startProblem } from '../text/error-code.ts';
import { type Relay, relayToServer, relayToSocket } from './endpoint-relay.ts';
import { trustedEnvironment } from './system.ts';

/** Prefix of a command that starts it in a network namespace with only a loopback interface. */
export type NetworkNamespace =
  | { readonly type: 'namespace'; readonly prefix: readonly [file: string, ...args: string[]] }
  | { readonly type: 'unavailable'; readonly reason: string };

/** Network of this process, or the exit code of the one that ran in its place. */
export type Isolation =
  | { readonly type: 'isolated'; readonly relay?: Relay }
  | { readonly type: 'reachable'; readonly reason: string }
  | { readonly type: 'ended'; readonly exitCode: number };

/** Runs `ip` by the search path of this process, and the command with the one in the first operand. */
const LOOPBACK_UP = 'ip link set lo up && PATH=$1 && shift && exec "$@"';

/** No program of the directory in which the user plays stories, which an empty search path would stand for. */
const ownPrograms = (): { readonly PATH: string } => ({ PATH: trustedEnvironment(new Set())['PATH'] || '/none' });

/** Set in the process that runs in a namespace, so that it never starts another. */
const MARKER = 'YBS_NETWORK_NAMESPACE';
/** The socket file of the relay to the server that the namespace lets through. */
const RELAY = 'YBS_NETWORK_RELAY';

/**
 * Finds a way to create a network namespace: directly, or in a user namespace for an ordinary user. Each way is tested
 * with a process.
 */
export async function findNetworkNamespace(platform: NodeJS.Platform): Promise<NetworkNamespace> {
  if (platform !== 'linux') return { type: 'unavailable', reason: `there are no network namespaces on ${platform}` };
  let reason = '';
  for (const flag of ['-n', '-rn']) {
    const args = [flag, 'sh', '-c', LOOPBACK_UP, 'sh'];
    const env = ownPrograms();
    const { failed, stderr, originalMessage } = await execa('unshare', [...args, env.PATH, 'true'], {
      ...{ reject: false, stdin: 'ignore', env },
    });
    if (!failed) return { type: 'namespace', prefix: ['unshare', ...args, process.env['PATH'] ?? ''] };
    reason = stderr.replace(/^unshare: /, '') || `unshare: ${startProblem(originalMessage ?? '')}`;
  }
  const [first = ''] = reason.trim().split('\n');
  return { type: 'unavailable', reason: `no network namespace could be created: ${first}` };
}

/**
 * Lets this command line run in a network namespace: at once if this process is in one, otherwise in a second process
 * with the same arguments, whose end this waits for. `onStop` subscribes a listener to the signals that end ybs. The
 * server of `endpoint` is reachable through the relay of the result, which the caller closes.
 */
export async function enterNetworkNamespace(
  onStop: (listener: () => void) => () => void,
  endpoint?: string,
): Promise<Isolation> {
  const interfaces = Object.keys(os.networkInterfaces()).join(', ');
  if (process.platform === 'linux' && interfaces === 'lo') {
    const socket = process.env[RELAY];
    if (socket === undefined || endpoint === undefined) return { type: 'isolated' };
    return { type: 'isolated', relay: await relayToSocket(socket, endpoint) };
  }
  if (process.env[MARKER] !== undefined) {
    return { type: 'reachable', reason: `the network namespace has the interfaces ${interfaces || 'none'}` };
  }
  const namespace = await findNetworkNamespace(process.platform);
  if (namespace.type === 'unavailable') return { type: 'reachable', reason: namespace.reason };
  const [file, ...args] = namespace.prefix;
  const own = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const relay = endpoint === undefined ? undefined : await relayToServer(endpoint);
  const env = { ...ownPrograms(), [MARKER]: '1', ...(relay !== undefined && { [RELAY]: relay.address }) };
  const child = execa(file, [...args, ...own], { stdio: 'inherit', reject: false, env });
  const unsubscribe = onStop(() => child.kill('SIGTERM'));
  try {
    const { exitCode = 1 } = await child;
    return { type: 'ended', exitCode };
  } finally {
    unsubscribe();
    await relay?.close();
  }
}
