import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { isDevelopmentRuntime } from '../../support/setup/development-runtime.ts';
import { type Destination, destinationOf, isLocal } from '../../support/setup/guard-connections.ts';

describe('destinationOf', () => {
  const cases: readonly [string, readonly unknown[], Destination][] = [
    ['options', [{ host: 'example.org', port: 80 }], { host: 'example.org', path: undefined }],
    ['normalized options', [[{ host: 'example.org', port: 80 }, null]], { host: 'example.org', path: undefined }],
    ['options with a socket path', [{ path: '/run/x.sock' }], { host: undefined, path: '/run/x.sock' }],
    ['port and host', [80, 'example.org'], { host: 'example.org', path: undefined }],
    ['port in digits and host', ['80', 'example.org'], { host: 'example.org', path: undefined }],
    ['port alone', [80], { host: undefined, path: undefined }],
    ['path', ['/run/x.sock'], { host: undefined, path: '/run/x.sock' }],
  ];
  it.each(cases)('reads %s', (_name, args, expected) => {
    expect(destinationOf(args)).toEqual(expected);
  });
});

describe('isLocal', () => {
  const cases: readonly [Destination, boolean][] = [
    [{ host: undefined, path: undefined }, true],
    [{ host: 'localhost', path: undefined }, true],
    [{ host: '127.0.0.1', path: undefined }, true],
    [{ host: '127.8.0.1', path: undefined }, true],
    [{ host: '::1', path: undefined }, true],
    [{ host: undefined, path: '/run/x.sock' }, true],
    [{ host: 'example.org', path: undefined }, false],
    [{ host: '127.0.0.1.example.org', path: undefined }, false],
    [{ host: '10.0.0.1', path: undefined }, false],
  ];
  it.each(cases)('for %o returns %s', (destination, expected) => {
    expect(isLocal(destination)).toBe(expected);
  });
});

describe('the guard of the unit tests', () => {
  it('refuses a socket, even to this machine', () => {
    expect(() => net.connect(9, '127.0.0.1')).toThrow('a test may not connect to 127.0.0.1');
  });

  it('refuses the sockets of fetch', async () => {
    await expect(fetch('http://127.0.0.1:8080/')).rejects.toThrow('fetch failed');
    await expect(fetch('http://127.0.0.1:8080/').catch((error: Error) => Promise.reject(error.cause))).rejects.toThrow(
      'a test may not connect to 127.0.0.1',
    );
  });
});

describe('isDevelopmentRuntime', () => {
  it.each([
    ['20.20.2', false],
    ['22.17.1', false],
    ['22.18.0', true],
    ['26.10.0', true],
  ])('for Node %s returns %s', (version, expected) => {
    expect(isDevelopmentRuntime(version)).toBe(expected);
  });
});
