import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

/**
 * Networks of this machine, of its surroundings, and of special uses (RFC 6890), by the family, with the address at which
 * a machine of Azure reaches its host.
 */
const IPV4: readonly string[] = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['168.63.129.16/32', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** Those that contain an address of IPv4 (mapped, translated, 6to4, Teredo) are among them. */
const IPV6: readonly string[] = [
  ...['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23'],
  ...['2001:db8::/32', '2002::/16', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

// Two lists, because a network of mapped addresses would contain all addresses of IPv4.
const LOCAL_IPV4 = listOf(IPV4, 'ipv4');
const LOCAL_IPV6 = listOf(IPV6, 'ipv6');

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** The interfaces of this machine. Each address of IPv6 is usually one of the public internet, too. */
type Interfaces = Readonly<Record<string, readonly Pick<NetworkInterfaceInfo, 'family' | 'cidr'>[] | undefined>>;

/** IPv4 addresses in a network that has only IPv6 (RFC 6052). Prefixes that an operator has chosen are not known. */
const NAT64 = /^64:ff9b::(?:([\da-f]{1,4}):)?([\da-f]{1,4})?$/;

/**
 * True for an address of the public internet, in the form that a resolver gives, unless this machine or a machine in its
 * network has it.
 */
export function isPublicAddress(address: string, interfaces: Interfaces = networkInterfaces()): boolean {
  const [plain = ''] = address.split('%');
  const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
  if (family === 'ipv6' && !isIPv6(plain)) return false;
  const [translated, high = '0', low = '0'] = NAT64.exec(plain) ?? [];
  if (translated !== undefined) {
    const bytes = [high, low].map((part) => Number.parseInt(part, 16)).flatMap((part) => [part >> 8, part & 0xff]);
    return isPublicAddress(bytes.join('.'), interfaces);
  }
  if ((family === 'ipv4' ? LOCAL_IPV4 : LOCAL_IPV6).check(plain, family)) return false;
  const near = Object.values(interfaces).flatMap((each) => each ?? []);
  const networks = near.filter((each) => each.family.toLowerCase() === family).flatMap(({ cidr }) => cidr ?? []);
  return !listOf(networks, family).check(plain, family);
}
