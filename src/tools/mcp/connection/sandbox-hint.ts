import { contains, pathFlavour } from '../../../policy/paths/path-policy.ts';
import { expandPath } from '../../../policy/paths/written-path.ts';
import type { McpEntry } from '../settings.ts';
import type { McpPorts } from './open-connection.ts';
import { SSE_TRANSPORT } from './read-messages.ts';

/** Programs that load the server which they start. */
const LAUNCHERS = ['npx', 'bunx', 'uvx', 'pnpx', 'pipx', 'uv', 'dlx', 'docker', 'podman'];

/** The launcher of a server that needs the network and has none; `undefined` if there is none. */
export function launcherWithoutNetwork({ command = '', network, hosts = [] }: McpEntry): string | undefined {
  const name = command.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe)$/i, '');
  return network === true || hosts.length > 0 || !LAUNCHERS.includes(name) ? undefined : name;
}

/** A sentence, after a space, about its address, or what the sandbox may lack, for a server that does not start; or nothing. */
export function sandboxHint(
  entry: McpEntry,
  places: Pick<McpPorts, 'hidesHome' | 'home' | 'platform' | 'startServer' | 'workspace'>,
): string {
  if (/\/sse\/?$/.test(entry.url ?? '')) return ` Its "url" looks like that of ${SSE_TRANSPORT}.`;
  if (places.startServer.isConfined !== true) return '';
  const launcher = launcherWithoutNetwork(entry);
  if (launcher !== undefined) {
    return ` In the sandbox, the server has no network, which ${launcher} needs to load its program: add "network": true to the entry of the server.`;
  }
  const { home, workspace, platform, hidesHome } = places;
  const granted = [...(entry.read ?? []), ...(entry.write ?? [])].map((each) => expandPath(each, places));
  const hiding = hidesHome === true ? [home, '/tmp'] : ['/tmp'];
  const isIn = (directories: readonly string[], word: string): boolean =>
    directories.some((each) => contains(each, word, platform));
  const hidden = [entry.command ?? '', ...(entry.args ?? [])]
    .map((word) => (word.startsWith('~/') ? expandPath(word, places) : word))
    .find((word) => isIn(hiding, word) && !isIn([workspace, ...granted], word));
  if (hidden === undefined) return '';
  const directory = pathFlavour(platform).dirname(hidden);
  // A directory with all that the sandbox hides would give the server everything.
  const read = hiding.some((each) => contains(directory, each, platform)) ? hidden : directory;
  return ` The sandbox hides ${hidden}: add "read": [${JSON.stringify(read)}] to the entry of the server.`;
}
