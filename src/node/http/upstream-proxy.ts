import net from 'node:net';

/** The proxy of the user's network, or the variable with an address that ybs does not know. */
export type UpstreamProxy = URL | { readonly unknownIn: string };

/**
 * The proxy of the user's network that leads to a host: that of the first variable of `names` that is set, in lower or
 * upper case, unless `NO_PROXY` names the host. `undefined` if the host is reached without a proxy. Pure.
 */
export function upstreamProxy(
  host: string,
  port: number,
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[] = [...(port === 80 ? ['HTTP_PROXY'] : []), 'HTTPS_PROXY', 'ALL_PROXY'],
): UpstreamProxy | undefined {
  const read = (name: string): string => (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();
  if (isDirect(host, port, read('NO_PROXY'))) return undefined;
  const variable = names.find((name) => read(name) !== '');
  if (variable === undefined) return undefined;
  const written = read(variable);
  const address = written.includes('://') ? written : `http://${written}`;
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address) ? new URL(address) : { unknownIn: variable };
}

/**
 * True if a list like `localhost,.corp.example,10.0.0.0/8,[fd00::1]:8080` names a host, or all hosts with `*`. A name
 * covers the names below it; an entry with a port, that port alone.
 */
function isDirect(host: string, port: number, list: string): boolean {
  const wanted = host.toLowerCase().replace(/^\[|[\].]$/g, '');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      // An address of IPv6 without brackets has colons of its own.
      const [, bracketed, plain = entry, only] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
      const name = (bracketed ?? plain).replace(/^\*?\.|\.$/g, '');
      if (name === '' || (only !== undefined && Number(only) !== port)) return false;
      return name === '*' || wanted === name || wanted.endsWith(`.${name}`) || isIn(wanted, name);
    });
}

/** True for an address within a network such as `10.0.0.0/8`, or the same one in another spelling. */
function isIn(host: string, network: string): boolean {
  const [address = '', prefix] = network.split('/');
  const kind = (text: string) => (net.isIPv6(text) ? 'ipv6' : 'ipv4');
  const whole = net.isIPv6(address) ? 128 : 32;
  const length = Number(prefix ?? whole);
  if (!net.isIP(host) || !net.isIP(address) || !Number.isInteger(length) || length < 0 || length > whole) return false;
  const block = new net.BlockList();
  block.addSubnet(address, length, kind(address));
  return block.check(host, kind(host));
}
