import { describe, expect, it } from 'vitest';
import { refusalOfRequest, type WebAccess, type WebRequest } from '../../../src/policy/web-access.ts';

const ACCESS: WebAccess = {
  routes: new Map([
    ['/', 'GET'],
    ['/chat', 'POST'],
    ['/events', 'GET'],
  ]),
  open: new Set(['/']),
  isToken: (token) => token === 'right',
};
const OWN = { host: '127.0.0.1:8765' };
const TOKEN = { ...OWN, authorization: 'Bearer right' };
const JSON_BODY = { 'content-type': 'application/json', 'content-length': '2' };

interface Case extends Partial<WebRequest> {
  readonly access?: Partial<WebAccess>;
}

const refusalOf = ({ access = {}, ...request }: Case) =>
  refusalOfRequest({ method: 'GET', path: '/', headers: OWN, port: 8765, ...request }, { ...ACCESS, ...access });

const chat = (headers: WebRequest['headers']): Case => ({ method: 'POST', path: '/chat', headers });

describe('a request is answered', () => {
  it.each<[string, Case]>([
    ['for the page', {}],
    ['for the page under the other host name', { headers: { host: 'localhost:8765' } }],
    ['for the page under a host name in capitals', { headers: { host: 'LOCALHOST:8765' } }],
    ['on the default port of the protocol, which browsers omit', { headers: { host: 'localhost' }, port: 80 }],
    ['with HEAD for the page', { method: 'HEAD' }],
    ['for the page that the user has typed', { headers: { ...OWN, 'sec-fetch-site': 'none' } }],
    ['from a program with the token', { path: '/events', headers: TOKEN }],
    [
      'from the page',
      chat({ ...TOKEN, ...JSON_BODY, origin: 'http://127.0.0.1:8765', 'sec-fetch-site': 'same-origin' }),
    ],
    ['with a character set', chat({ ...TOKEN, ...JSON_BODY, 'content-type': 'application/json; charset=utf-8' })],
    ['without a body and a type', chat(TOKEN)],
    ['with an empty body without a type', chat({ ...TOKEN, 'content-length': '0' })],
    ['without the token, if none is needed', { ...chat({ ...OWN, ...JSON_BODY }), access: { isToken: undefined } }],
    [
      'with the token in another spelling of the scheme',
      { path: '/events', headers: { ...OWN, authorization: 'bearer right' } },
    ],
  ])('%s', (_name, request) => {
    expect(refusalOf(request)).toBeUndefined();
  });
});

/** The status and the advice of each refusal. */
const REFUSALS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  host_not_allowed: [421, 'This server only answers to 127.0.0.1:8765. Open that address.'],
  origin_not_allowed: [403, 'Only the page of this server may send requests to it.'],
  site_not_allowed: [403, 'Another site sent this request. Type the address of the page instead.'],
  not_found: [404, 'There is nothing at this address.'],
  method_not_allowed: [405, 'Send a POST request to this address.'],
  not_json: [415, 'Send the body with the header Content-Type: application/json.'],
  token_missing: [401, 'Open the address that ybs printed when it started: it ends with the token.'],
};

describe('a request is refused', () => {
  it.each<[string, string, Case]>([
    [
      'host_not_allowed',
      'under a host name of another site that resolves to this machine',
      { headers: { host: 'evil.example:8765' } },
    ],
    ['host_not_allowed', 'under another port', { headers: { host: '127.0.0.1:8766' } }],
    [
      'host_not_allowed',
      'under a host name that only begins like an allowed one',
      { headers: { host: 'localhost:8765.evil.example' } },
    ],
    ['host_not_allowed', 'without a host name', { headers: {} }],
    ['host_not_allowed', 'under two host names', { headers: { host: ['127.0.0.1:8765', 'evil.example'] } }],
    [
      'host_not_allowed',
      'with a rebound host name, even without a token',
      { ...chat({ host: 'a.b:8765' }), access: { isToken: undefined } },
    ],
    ['origin_not_allowed', 'of another origin', { headers: { ...OWN, origin: 'http://evil.example' } }],
    ['origin_not_allowed', 'of another port', { headers: { ...OWN, origin: 'http://127.0.0.1:8000' } }],
    ['origin_not_allowed', 'of a page without an origin', { headers: { ...OWN, origin: 'null' } }],
    ['origin_not_allowed', 'of an encrypted page', { headers: { ...OWN, origin: 'https://127.0.0.1:8765' } }],
    ['origin_not_allowed', 'with two origins', { headers: { ...OWN, origin: ['http://127.0.0.1:8765', 'null'] } }],
    ['site_not_allowed', 'of another site', { headers: { ...OWN, 'sec-fetch-site': 'cross-site' } }],
    ['site_not_allowed', 'of another port of this machine', { headers: { ...OWN, 'sec-fetch-site': 'same-site' } }],
    ['site_not_allowed', 'of two sites', { headers: { ...OWN, 'sec-fetch-site': ['none', 'none'] } }],
    ['not_found', 'for a path that does not exist', { path: '/../../etc/passwd', headers: TOKEN }],
    ['method_not_allowed', 'with the method of another path', { path: '/chat', headers: TOKEN }],
    ['method_not_allowed', 'with a method that no path accepts', { method: 'OPTIONS', path: '/chat' }],
    ['method_not_allowed', 'with HEAD for a path that accepts POST', { method: 'HEAD', path: '/chat' }],
    [
      'not_json',
      'with a form, which any page may send',
      chat({ ...TOKEN, ...JSON_BODY, 'content-type': 'text/plain' }),
    ],
    ['not_json', 'with a body of an unknown type', chat({ ...TOKEN, 'content-length': '2' })],
    ['not_json', 'with a body of unknown length', chat({ ...TOKEN, 'transfer-encoding': 'chunked' })],
    ['not_json', 'with two lengths', chat({ ...TOKEN, 'content-length': ['0', '2'] })],
    [
      'not_json',
      'with a type that only begins like JSON',
      chat({ ...TOKEN, ...JSON_BODY, 'content-type': 'application/jsonp' }),
    ],
    ['token_missing', 'without the token', { path: '/events' }],
    ['token_missing', 'with another token', { path: '/events', headers: { ...OWN, authorization: 'Bearer wrong' } }],
    ['token_missing', 'with another scheme', { path: '/events', headers: { ...OWN, authorization: 'Basic right' } }],
    [
      'token_missing',
      'with two tokens',
      { path: '/events', headers: { ...OWN, authorization: ['Bearer right', 'Bearer right'] } },
    ],
  ])('%s: %s', (code, _name, request) => {
    const [status, message] = REFUSALS[code] ?? [];
    expect(refusalOf(request)).toEqual({ status, code, message });
  });

  it('with the address and the method of this server', () => {
    expect(refusalOf({ port: 1 })?.message).toBe('This server only answers to 127.0.0.1:1. Open that address.');
    expect(refusalOf({ method: 'POST' })?.message).toBe('Send a GET request to this address.');
  });
});
