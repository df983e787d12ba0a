import { expect, it } from 'vitest';
import { isPublicAddress } from '../../../../src/node/sandbox/network/public-address.ts';

it.each([
  ['93.184.216.34', true],
  ['172.15.255.255', true],
  ['172.32.0.1', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
  // IANA's registries of addresses for special purposes, and the forms that contain an address of IPv4.
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['169.254.169.254', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.0.0.8', false],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['203.0.113.9', false],
  ['224.0.0.251', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['::127.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b::a00:1', false],
  ['64:ff9b::1', false],
  ['64:ff9b::', false],
  ['64:ff9b::5db8:d822', true],
  ['64:ff9b:1::5db8:d822', false],
  ['168.63.129.16', false],
  ['2002:7f00:1::', false],
  ['2001:0:7f00:1::', false],
  ['fc00::1', false],
  ['fd12:3456::1', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['ff02::1', false],
  ['2001:db8::1', false],
  ['example.com', false],
  ['', false],
])('the address %j is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

it.each<[address: string, isPublic: boolean]>([
  ['93.184.216.34', false],
  ['93.184.216.99', false],
  ['93.184.217.1', true],
  ['2606:2800:220:1::9', false],
  ['2606:2800:220:2::9', true],
])('the address %s is public outside the networks of this machine: %s', (address, isPublic) => {
  const interfaces = {
    eth0: [
      { family: 'IPv4', cidr: '93.184.216.34/24' },
      { family: 'IPv6', cidr: '2606:2800:220:1::34/64' },
    ],
    tun0: [{ family: 'IPv4', cidr: null }],
    none: undefined,
  } as const;
  expect(isPublicAddress(address, interfaces)).toBe(isPublic);
});
