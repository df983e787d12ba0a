import { describe, expect, it } from 'vitest';
import { corsHeaders, preflightHeaders } from '../../../../mock-llm-server/server/access.ts';

describe('corsHeaders', () => {
  it.each([
    'http://localhost',
    'http://localhost:5173',
    'https://127.0.0.1:8443',
    'http://127.1.2.3',
    'http://[::1]:3000',
    'http://app.localhost:80',
  ])('lets a page of this machine read: %s', (origin) => {
    expect(corsHeaders({ origin })['access-control-allow-origin']).toBe(origin);
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
  ])('lets no other page read: %s', (origin) => {
    expect(corsHeaders({ origin })).toEqual({ vary: 'origin' });
    expect(preflightHeaders({ origin, 'access-control-request-private-network': 'true' })).toEqual({ vary: 'origin' });
  });

  it('says nothing to a client that is no page', () => {
    expect(corsHeaders({ 'user-agent': 'node' })).toEqual({});
  });
});

it('answers a preflight request with what it asks for', () => {
  const origin = 'http://localhost:5173';
  expect(preflightHeaders({ origin, 'access-control-request-headers': 'authorization,x-stainless-os' })).toEqual({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': '*',
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
    'access-control-allow-headers': 'authorization,x-stainless-os',
    'access-control-max-age': '600',
    vary: 'origin',
  });
  expect(preflightHeaders({ origin, 'access-control-request-private-network': 'true' })).toMatchObject({
    'access-control-allow-headers': '*',
    'access-control-allow-private-network': 'true',
  });
});
