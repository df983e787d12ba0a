import { describe, expect, it } from 'vitest';
import { upstreamProxy } from '../../../../src/node/sandbox/network/upstream-proxy.ts';

describe('the proxy of the network', () => {
  it.each<[string, number, Readonly<Record<string, string>>, string | undefined]>([
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1', https_proxy: 'https://q:2' }, 'https://q:2/'],
    ['a.test', 80, { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://h:3' }, 'http://h:3/'],
    ['a.test', 443, { HTTP_PROXY: 'http://h:3' }, undefined],
    ['a.test', 443, { HTTPS_PROXY: 'p:8080' }, 'http://p:8080/'],
    ['a.test', 443, { HTTPS_PROXY: 'HTTP://P:1' }, 'http://p:1/'],
    ['a.test', 443, { ALL_PROXY: 'http://p:8080' }, 'http://p:8080/'],
    ['a.test', 80, { all_proxy: 'u:w@p:8080' }, 'http://u:w@p:8080/'],
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1', ALL_PROXY: 'socks5://q:2' }, 'http://p:1/'],
    ['a.test', 443, { HTTPS_PROXY: 'socks5://p:1' }, 'unknown in HTTPS_PROXY'],
    ['a.test', 80, { http_proxy: 'http://' }, 'unknown in HTTP_PROXY'],
    ['a.test', 443, { ALL_PROXY: 'socks5h://p:1' }, 'unknown in ALL_PROXY'],
    ['a.test', 443, { ALL_PROXY: 'socks5h://p:1', NO_PROXY: 'a.test' }, undefined],
    ['a.test', 443, {}, undefined],
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.test, .test' }, undefined],
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1', no_proxy: '*' }, undefined],
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'A.test:443' }, undefined],
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.test:80,est' }, 'http://p:1/'],
  ])('to %s:%d with %j', (host, port, environment, expected) => {
    const found = upstreamProxy(host, port, environment);
    expect(found !== undefined && 'unknownIn' in found ? `unknown in ${found.unknownIn}` : found?.href).toBe(expected);
  });
});
