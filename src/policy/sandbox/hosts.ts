/** The form of an entry of `safety.sandbox_hosts`: a name, an address, or `*.` before a name for all below it. */
export const HOST_PATTERN = /^(?:\*\.)?[\w-]+(?:\.[\w-]+)*\.?$|^\[?[\dA-Fa-f:.]*:[\dA-Fa-f:.]*\]?$/;

/** The match of a host with the list of the user. `exact`: an entry names it, so that it may be a machine nearby. */
export type HostMatch = 'exact' | 'pattern' | 'none';

/** Matches the name of a host with the entries of a list, by whole labels. Case and a dot at the end do not count. Pure. */
export function matchHost(host: string, hosts: readonly string[]): HostMatch {
  const name = foldHost(host);
  const entries = hosts.map(foldHost);
  if (name === '') return 'none';
  if (entries.includes(name)) return 'exact';
  return entries.some((entry) => entry.startsWith('*.') && name.endsWith(entry.slice(1))) ? 'pattern' : 'none';
}

/**
 * The name of a host as it is compared: in lower case, without brackets and without a dot at the end, and an address of
 * IPv6 in its shortest form.
 */
export function foldHost(host: string): string {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  const address = name.includes(':') ? `http://[${name}]` : '';
  return URL.canParse(address) ? new URL(address).hostname.slice(1, -1) : name;
}

/** The reasons why the proxy does not connect a command. The first two are for the user to change. */
export const HOST_REFUSALS = {
  notGranted: 'it is not granted',
  notPublic: 'its address is not a public one',
  unresolved: 'its name cannot be resolved',
  failed: 'the connection failed',
  byProxy: 'the proxy of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY did not connect',
} as const;

/** The reason why a proxy that a variable of the user names is not used. Pure. */
export function unknownProxy(variable: string): string {
  return `the proxy in ${variable} has a form that ybs does not know (use http://host:port)`;
}

/** The port of the command's own loopback on which the proxy answers. */
export const PROXY_PORT = 61_080;

/** The variables that lead programs to the proxy. Servers of the command itself stay reachable. */
export const PROXY_VARIABLES: Readonly<Record<string, string>> = Object.fromEntries([
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, `http://127.0.0.1:${PROXY_PORT}`]),
  ...['ALL_PROXY', 'all_proxy'].map((name) => [name, `socks5h://127.0.0.1:${PROXY_PORT}`]),
  ...['NO_PROXY', 'no_proxy'].map((name) => [name, 'localhost,127.0.0.1,::1']),
  // Node.js otherwise ignores these variables.
  ['NODE_USE_ENV_PROXY', '1'],
]);

/** The variables with which programs report a missing network at once: npm would try for longer than commands may take. */
export const OFFLINE_VARIABLES: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: '0',
  PIP_RETRIES: '0',
  CARGO_NET_RETRY: '0',
};
