import { describe, expect, it } from 'vitest';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { scenarioSet, steps } from '../../../../support/stories/builders.ts';

const app = createMockServer({ scenarios: scenarioSet({ scenarios: [{ name: 's', trigger: 'go', steps: steps() }] }) });
const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name === 'vary' || name.startsWith('access-control-')));
const preflight = async (headers: Record<string, string>) =>
  app.request('/v1/messages', { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST', ...headers } });

describe('CORS', () => {
  it.each([
    'http://localhost',
    'http://localhost:5173',
    'https://127.0.0.1:8443',
    'http://127.1.2.3',
    'http://[::1]:3000',
    'http://app.localhost:80',
  ])('lets a page of this machine read answers: %s', async (origin) => {
    const response = await app.request('/health', { headers: { origin } });
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': '*',
      vary: 'Origin',
    });
  });

  it.each([
    'https://example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://example.com/http://localhost',
    'http://localhost@example.com',
    'http://128.0.0.1',
    'null',
    'file://',
    '',
  ])('lets no other page read answers: %j', async (origin) => {
    const response = await app.request('/health', { headers: { origin } });
    expect(corsOf(response)).not.toHaveProperty('access-control-allow-origin');
    expect(response.headers.get('vary')).toBe('Origin');
    const answer = corsOf(await preflight({ origin, 'access-control-request-private-network': 'true' }));
    expect(answer).not.toHaveProperty('access-control-allow-origin');
    expect(answer).not.toHaveProperty('access-control-allow-private-network');
  });

  it('lets a page of this machine read the answer of a server that fails', async () => {
    const failing = createMockServer({
      scenarios: () => {
        throw new Error('no scenarios');
      },
    });
    const origin = 'http://localhost:5173';
    const response = await failing.request('/health', { headers: { origin } });
    expect(response.status).toBe(500);
    expect(corsOf(response)).toMatchObject({ 'access-control-allow-origin': origin });
  });

  it.each<[string, Record<string, string>]>([
    ['of this machine', { origin: 'http://localhost:5173' }],
    ['of another port', { origin: 'http://localhost:1', host: 'localhost:2' }],
    ['without an origin', { origin: 'null' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another port of the site', { 'sec-fetch-site': 'same-site' }],
  ])('covers no route below /__mock: a page %s is refused', async (_name, headers) => {
    for (const path of ['/__mock', '/__mock/journal', '/__mock/verify']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const response = await app.request(path, { method, headers });
        expect([response.status, corsOf(response)], `${method} ${path}`).toEqual([403, {}]);
      }
    }
  });

  it.each<[string, Record<string, string>]>([
    ['a client that is not a page', {}],
    ['the page itself', { origin: 'http://127.0.0.1:8000', host: '127.0.0.1:8000', 'sec-fetch-site': 'same-origin' }],
    ['an address that a user types', { 'sec-fetch-site': 'none' }],
    ['a page behind a proxy with TLS', { origin: 'https://mock.test', host: 'mock.test' }],
  ])('does not keep %s from the routes below /__mock', async (_name, headers) => {
    const response = await app.request('/__mock/journal', { headers });
    expect([response.status, corsOf(response)]).toEqual([200, {}]);
  });

  it('adds no header for a client that is not a page', async () => {
    expect(corsOf(await app.request('/health', { headers: { 'user-agent': 'node' } }))).toEqual({});
  });

  it('allows the headers that a preflight request asks for', async () => {
    const origin = 'http://localhost:5173';
    const response = await preflight({ origin, 'access-control-request-headers': 'authorization,x-stainless-os' });
    expect(response.status).toBe(204);
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': '*',
      'access-control-allow-methods': 'GET,HEAD,POST,OPTIONS',
      'access-control-allow-headers': 'authorization,x-stainless-os',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    const asking = await preflight({ origin, 'access-control-request-private-network': 'true' });
    expect(asking.headers.get('access-control-allow-private-network')).toBe('true');
  });
});
