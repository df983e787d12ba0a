import { describe, expect, it } from 'vitest';
import { upstreamProxy } from '../../../../src/node/sandbox/network/upstream-proxy.ts';

describe('the proxy of the network', () => {
  it.each<[string, number, Readonly<Record<string, string>>, string | undefined]>([
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1', https_proxy: 'https://q:2' }, 'https://q:2/'],
    ['a.test', 80, { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://h:3' }, 'http://h:3/'],
    ['a.test', 443, { HTTP_PROXY: 'http://h:3' }, undefined],
    ['a.test', 443, { HTTPS_PROXY: 'p:1' }, undefined],
    ['a.test', 443, {}, undefined],
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.test, .test' }, undefined],
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1', no_proxy: '*' }, undefined],
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'A.test:443' }, undefined],
    ['a.test', 443, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.test:80,est' }, 'http://p:1/'],
  ])('to %s:%d with %j', (host, port, environment, expected) => {
    expect(upstreamProxy(host, port, environment)?.href).toBe(expected);
  });
});
