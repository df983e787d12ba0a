import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ModelError } from '../../../../src/agent/errors.ts';
import { failedWithSuccess, fetchJson } from '../../../../src/providers/http/fetch-json.ts';
import { formReader } from '../../../../src/providers/http/read-form.ts';
import type { WireOptions } from '../../../../src/providers/wire-options.ts';
import { explainedSchema } from '../../../../src/schema/data-schema.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';

const KEY = 'sk-very-secret-0123456789';
const never = new AbortController().signal;
const read = formReader(explainedSchema(z.object({ models: z.array(z.string()) })));

function setUp(answer: () => Response | Promise<Response>, changed: Partial<WireOptions> = {}) {
  const sent: { url: string; method: string; headers: Record<string, string>; body: unknown }[] = [];
  const options: WireOptions = {
    provider: 'acme',
    label: 'Acme',
    endpoint: 'http://localhost/v1',
    model: 'm',
    apiKey: KEY,
    keyVariable: 'ACME_KEY',
    maxTokens: 100,
    timeoutMs: 5_000,
    clock: createManualClock(),
    async fetch(url, { method = 'GET', headers, body, signal } = {}) {
      sent.push({ url: String(url), method, headers: Object.fromEntries(new Headers(headers)), body });
      signal?.throwIfAborted();
      return Promise.race([
        answer(),
        new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      ]);
    },
    ...changed,
  };
  return { options, sent };
}

const failureOf = (options: WireOptions, signal = never): Promise<unknown> =>
  fetchJson(options, { path: '/models', read }, signal).then(
    (value) => {
      throw new Error(`expected a failure, but got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );

const token = (key: string) => ({ key, keyCommand: 'acme print', keyAdvice: 'Log in with: acme login' });

describe('fetchJson', () => {
  it('reports a page without a content type', async () => {
    const { options } = setUp(() => new Response(new TextEncoder().encode('<html>busy</html>')));
    expect(await failureOf(options)).toMatchObject({ message: expect.stringContaining('a page') });
  });

  it('sends GET with the headers of the user and the key, and returns the parsed answer', async () => {
    const { options, sent } = setUp(() => Response.json({ models: ['a'], more: 1 }), {
      keyHeader: 'x-api-key',
      headers: { 'X-Team': 'blue' },
    });
    const request = { path: '/models', read, headers: { 'x-version': '1' } };
    expect(await fetchJson(options, request, never)).toEqual({ models: ['a'], more: 1 });
    expect(sent).toEqual([
      {
        url: 'http://localhost/v1/models',
        method: 'GET',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'user-agent': 'ybs',
          'x-api-key': KEY,
          'x-team': 'blue',
          'x-version': '1',
        },
        body: undefined,
      },
    ]);
  });

  it('sends a body with POST, and a key that is read for this request', async () => {
    const { options, sent } = setUp(() => Response.json({ models: [] }), {
      apiKey: async () => token('fresh'),
    });
    await fetchJson(options, { path: '/show', read, body: { model: 'm' } }, never);
    expect(sent).toMatchObject([{ method: 'POST', body: '{"model":"m"}', headers: { authorization: 'Bearer fresh' } }]);
  });

  it.each([
    ['reads a new token once when the first is refused', ['old-token', 'new-token'], 'new-token'],
    ['does not send a refused token again', ['old-token'], undefined],
    ['reads no third token', ['old-token', 'older-token', 'new-token'], undefined],
  ])('%s', async (_title, printed, accepted) => {
    const refusals: (string | undefined)[] = [];
    const { options, sent } = setUp(
      () => {
        const { authorization = '' } = sent.at(-1)?.headers ?? {};
        if (authorization === `Bearer ${accepted}`) return Response.json({ models: [] });
        return Response.json({ error: `bad ${authorization}` }, { status: 401 });
      },
      {
        async apiKey(_signal, refused) {
          refusals.push(refused);
          return token(printed[refusals.length - 1] ?? printed.at(-1) ?? '');
        },
      },
    );
    const tried = printed.slice(0, 2);
    const outcome = accepted === undefined ? await failureOf(options) : undefined;
    if (accepted !== undefined) await fetchJson(options, { path: '/models', read }, never);
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual(tried.map((key) => `Bearer ${key}`));
    expect(refusals).toEqual([undefined, 'old-token']);
    const message = 'Acme refused the token of acme print (401: bad Bearer [key]). Log in with: acme login.';
    expect(outcome).toEqual(accepted === undefined ? new ModelError('auth', message) : undefined);
  });

  it('leaves a placeholder for a key in a message', async () => {
    const { options } = setUp(() => Response.json({ error: 'The proxy is on fire' }, { status: 400 }), { apiKey: 'x' });
    expect(await failureOf(options)).toMatchObject({ message: expect.stringContaining('The proxy is on fire') });
  });

  it('reports that there is no other token when the first is refused', async () => {
    const { options, sent } = setUp(() => Response.json({}, { status: 401 }), {
      async apiKey(_signal, refused) {
        if (refused === undefined) return token('old-token');
        throw new ModelError('auth', 'acme print failed.');
      },
    });
    expect(await failureOf(options)).toEqual(new ModelError('auth', 'acme print failed.'));
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['a key', 401, KEY],
    ['a token without the permission', 403, async () => token('old-token')],
  ])('sends no request twice for %s', async (_name, status, apiKey) => {
    const { options, sent } = setUp(() => Response.json({}, { status }), { apiKey });
    expect(await failureOf(options)).toMatchObject({ code: 'auth' });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['a refused key', () => Response.json({ error: `No ${KEY}` }, { status: 401 }), 'auth', '(401: No [key])'],
    ['text', () => new Response('hello'), 'network', 'Acme sent an invalid answer: it is not JSON.'],
    ['another value', () => Response.json({ models: 1 }), 'network', 'expected array, received number'],
    ['no body', () => new Response(null), 'network', 'it is not JSON'],
    ['a redirect', () => new Response(null, { status: 302 }), 'bad_request', 'redirects to another address (302)'],
    [
      'an endless body',
      () => new Response(ReadableStream.from(Array.from({ length: 17 }, () => new Uint8Array(1024 * 1024)))),
      'network',
      'it has more than 16 MB',
    ],
  ])('reports %s', async (_name, answer, code, message) => {
    const error = await failureOf(setUp(answer).options);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('reports a key that cannot be read', async () => {
    const error = new ModelError('auth', 'Log in first.');
    const { options, sent } = setUp(() => Response.json({}), { apiKey: () => Promise.reject(error) });
    expect(await failureOf(options)).toBe(error);
    expect(sent).toEqual([]);
  });

  it('ends after the timeout', async () => {
    const clock = createManualClock();
    const { options } = setUp(() => new Promise(() => {}), { clock });
    const error = failureOf(options);
    await clock.untilSleeping();
    await clock.advance(5_000);
    expect(await error).toMatchObject({ code: 'network', message: expect.stringContaining('sent nothing for 5 s') });
    clock.assertIdle();
  });

  it('ends with the reason of an abort', async () => {
    const controller = new AbortController();
    const { options } = setUp(() => new Promise(() => {}));
    const error = failureOf(options, controller.signal);
    controller.abort('stopped');
    expect(await error).toBe('stopped');
    expect(await failureOf(options, controller.signal)).toBe('stopped');
  });
});

it.each([
  [{ error: { message: 'No key.' } }, { type: 'status', status: 200 }],
  [{ error: { message: 'Pay first.', code: 'insufficient_quota' } }, { type: 'quota' }],
])('the error %j with the status 200 has a type', (value, failure) => {
  expect(failedWithSuccess(value).failure).toMatchObject(failure);
});
