import { describe, expect, it } from 'vitest';
import { upstreamProxy } from '../../../../src/node/http/upstream-proxy.ts';

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
    ['a.b.test', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'x.test *.b.test.' }, undefined],
    ['10.1.2.3', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.test,10.0.0.0/8' }, undefined],
    ['11.1.2.3', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: '10.0.0.0/8,11.0.0.0/99,11.0.0.0/x' }, 'http://p:1/'],
    ['fd00::1', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'fd00::1' }, undefined],
    ['fd00::1', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: '[FD00:0::1]:443' }, undefined],
    ['fd00::1', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: '[fd00::1]:80,fd00::/16:,10.0.0.0/8' }, 'http://p:1/'],
    ['fd00::1', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'fd00::/8' }, undefined],
  ])('to %s:%d with %j', (host, port, environment, expected) => {
    const found = upstreamProxy(host, port, environment);
    expect(found !== undefined && 'unknownIn' in found ? `unknown in ${found.unknownIn}` : found?.href).toBe(expected);
  });
});
