import { describe, expect, it } from 'vitest';
import { type AccessRules, checkAccess, isLoopback } from '../../../../mock-llm-server/server/access.ts';

const local: AccessRules = { hosts: [], anyAddress: false, token: undefined };
const open: AccessRules = { hosts: ['mock-llm'], anyAddress: true, token: undefined };
const guarded: AccessRules = { hosts: [], anyAddress: false, token: 'secret-token' };

const ask = (rules: AccessRules, headers: Record<string, string>, url = '/v1/models', method = 'GET') =>
  checkAccess({ method, url, headers }, rules)?.status;

describe('the Host header', () => {
  it.each([
    [local, '127.0.0.1:8000', undefined],
    [local, '127.9.9.9', undefined],
    [local, 'localhost:8000', undefined],
    [local, 'LocalHost', undefined],
    [local, 'localhost.', undefined],
    [local, 'mock.localhost:1', undefined],
    [local, '[::1]:8000', undefined],
    [local, 'evil.example', 403],
    [local, 'evil.example:8000', 403],
    [local, 'localhost.evil.example', 403],
    [local, '127.0.0.1.evil.example', 403],
    [local, 'evillocalhost', 403],
    [local, 'localhost:80:80', 403],
    [local, 'localhost:x', 403],
    [local, '[::1', 403],
    [local, '', 403],
    [local, '192.168.1.5', 403],
    [open, '192.168.1.5:8000', undefined],
    [open, '[fe80::1]:8000', undefined],
    [open, 'mock-llm:8000', undefined],
    [open, 'MOCK-LLM', undefined],
    [open, 'mock-llm.evil.example', 403],
  ])('%j answers to %j: %s', (rules, host, status) => {
    expect(ask(rules, { host })).toBe(status);
  });

  it('may be missing, as it never is in browsers', () => {
    expect(ask(local, {})).toBeUndefined();
  });

  it('is checked before the token, even on open routes', () => {
    expect(ask(guarded, { host: 'evil.example' }, '/health')).toBe(403);
  });
});

describe('the page that sends a request', () => {
  const host = '127.0.0.1:8000';

  it.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ 'sec-fetch-site': 'none' }, undefined],
    [{ 'sec-fetch-site': 'same-origin' }, undefined],
    [{ 'sec-fetch-site': 'same-site' }, undefined],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }, undefined],
    [{ origin: 'http://127.0.0.1:8000' }, undefined],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }, 403],
    [{ origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'http://localhost.evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: '' }, 403],
    [{ origin: 'file://' }, 403],
    [{ origin: 'http://192.168.1.5:8000' }, 403],
  ])('%j: %s', (headers, status) => {
    expect(ask(local, { host, ...headers }, '/v1/chat/completions', 'POST')).toBe(status);
    expect(ask(local, { host, ...headers }, '/v1/models', 'GET')).toBe(status);
  });

  it('may be served under the name of the server', () => {
    expect(ask(open, { host: 'mock-llm', origin: 'https://mock-llm' })).toBeUndefined();
    expect(ask(open, { host: 'mock-llm', origin: 'http://mock-llm' })).toBeUndefined();
    expect(ask(open, { host: 'mock-llm', origin: 'http://mock-llm:81' })).toBe(403);
  });

  it('may ask whether it may send one', () => {
    expect(ask(local, { host, origin: 'https://evil.example' }, '/v1/models', 'OPTIONS')).toBeUndefined();
  });
});

describe('the token', () => {
  it.each([
    ['a bearer token', { authorization: 'Bearer secret-token' }, '/', undefined],
    ['a bearer token in lower case', { authorization: 'bearer  secret-token' }, '/', undefined],
    ['x-api-key', { 'x-api-key': 'secret-token' }, '/', undefined],
    ['x-goog-api-key', { 'x-goog-api-key': 'secret-token' }, '/', undefined],
    ['api-key', { 'api-key': 'secret-token' }, '/', undefined],
    ['the query', {}, '/v1beta/models?alt=sse&key=secret-token', undefined],
    ['the right key besides a wrong one', { authorization: 'Bearer x', 'x-api-key': 'secret-token' }, '/', undefined],
    ['no key', {}, '/', 401],
    ['a wrong key', { authorization: 'Bearer secret-tokeN' }, '/', 401],
    ['a prefix of the token', { 'x-api-key': 'secret-toke' }, '/', 401],
    ['the token with a suffix', { 'x-api-key': 'secret-token2' }, '/', 401],
    ['an empty key', { 'x-api-key': '' }, '/?key=', 401],
    ['another scheme', { authorization: 'Basic secret-token' }, '/', 401],
    ['a part of the path', {}, '/key=secret-token', 401],
  ])('is compared with %s', (_name, headers, url, status) => {
    expect(ask(guarded, headers, url)).toBe(status);
  });

  it.each([
    ['GET', '/health', undefined],
    ['OPTIONS', '/v1/chat/completions', undefined],
    ['GET', '/health/../v1/models', 401],
    ['GET', '/__mock/journal', 401],
  ])('is missing in %s %s, which gets %s', (method, url, status) => {
    expect(ask(guarded, {}, url, method)).toBe(status);
  });

  it('is not in the refusal, nor is the key of the request', () => {
    const refusal = checkAccess({ method: 'GET', url: '/?key=wrong', headers: { 'x-api-key': 'wrong' } }, guarded);
    expect(JSON.stringify(refusal)).not.toMatch(/secret-token|wrong/);
    expect(refusal?.message).toContain('--token');
    expect(refusal?.message).toContain('in code: token');
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['127.0.0.1.example', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
