import { expect, it } from 'vitest';
import { HOST_PATTERN, matchHost, PROXY_VARIABLES, unknownProxy } from '../../../../src/policy/sandbox/hosts.ts';

const HOSTS = ['packages.example.com', '*.example.org', 'LOCALHOST', '10.0.0.5', '[::1]', '*.co'];

it.each([
  ['packages.example.com', 'exact'],
  ['PACKAGES.Example.com.', 'exact'],
  ['localhost', 'exact'],
  ['10.0.0.5', 'exact'],
  ['::1', 'exact'],
  ['[::1]', 'exact'],
  ['0:0:0:0:0:0:0:1', 'exact'],
  ['::1:0', 'none'],
  ['1:2', 'none'],
  ['a.example.org', 'pattern'],
  ['a.b.EXAMPLE.org', 'pattern'],
  ['example.org', 'none'],
  ['evilexample.org', 'none'],
  ['example.org.evil.test', 'none'],
  ['packages.example.com.evil.test', 'none'],
  ['evil-packages.example.com', 'none'],
  ['packages.example.com@evil.test', 'none'],
  ['packages.example.com:443', 'none'],
  ['10.0.0.50', 'none'],
  ['0xa000005', 'none'],
  ['*.example.org', 'exact'],
  ['', 'none'],
  ['.', 'none'],
  ['.co', 'pattern'],
])('the host %j is in the list: %s', (host, match) => {
  expect(matchHost(host, HOSTS)).toBe(match);
});

it.each([
  ['packages.example.com', true],
  ['*.example.org', true],
  ['127.0.0.1', true],
  ['[fd00::1]', true],
  ['fd00::1', true],
  ['host_name', true],
  ['https://example.com', false],
  ['example.com/path', false],
  ['example.com:443', false],
  ['*', false],
  ['a.*.com', false],
  ['exa mple.com', false],
  ['', false],
])('%j may be an entry of the list: %s', (entry, valid) => {
  expect(HOST_PATTERN.test(entry)).toBe(valid);
});

it('the variables of the proxy exclude local servers', () => {
  expect(PROXY_VARIABLES).toMatchObject({
    https_proxy: 'http://127.0.0.1:61080',
    ALL_PROXY: 'socks5h://127.0.0.1:61080',
    NO_PROXY: 'localhost,127.0.0.1,::1',
  });
});

it('the refusal of an unknown proxy names its variable and a form that works', () => {
  expect(unknownProxy('ALL_PROXY')).toBe(
    'the proxy in ALL_PROXY has a form that ybs does not know (use http://host:port)',
  );
});
