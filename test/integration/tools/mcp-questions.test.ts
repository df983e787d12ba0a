import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FormAnswer, FormRequest } from '../../../src/tools/mcp/questions/forms.ts';
import { openInRevision, openServer, serverOf, signal } from '../../support/mcp/open-server.ts';

const script = path.join(import.meta.dirname, '../../support/mcp/full-server.mjs');

/** A server of the official library that asks, and the questions that the user has seen. */
async function asking(
  revision: string,
  answer: (request: FormRequest, stop: AbortSignal) => FormAnswer | Promise<FormAnswer>,
  entry: { readonly timeout_seconds?: number } = {},
) {
  const seen: FormRequest[] = [];
  const args = [script, ...(revision === '2025-11-25' ? ['older'] : [])];
  const opened = await openInRevision(revision, {
    entry: { command: process.execPath, args, ...entry },
    forms: {
      modes: ['form', 'url'],
      async fill(request, stop) {
        seen.push(request);
        return answer(request, stop);
      },
    },
  });
  return { ...opened, seen };
}

describe.each(['2025-11-25', '2026-07-28'])('a question of a server of %s', (revision) => {
  it('is shown sanitized, and gets the input of the user, with defaults', async () => {
    const content = { name: 'Ada', colour: 'green', more: 'x' };
    const { call, seen } = await asking(revision, () => ({ action: 'accept', content }));
    const { content: result } = await call('srv__order');
    expect(JSON.parse(result)).toMatchObject({
      order: { action: 'accept', content: { name: 'Ada', colour: 'green', count: 3, gift: false } },
    });
    expect(result).not.toContain('more');
    expect(seen).toMatchObject([{ server: 'srv', message: 'What do you want?' }]);
  });

  it.each(['decline', 'cancel'] as const)('gets %s', async (action) => {
    const { call } = await asking(revision, () => ({ action }));
    expect((await call('srv__order')).content).toContain(`"action":"${action}"`);
  });

  it('gets cancel for an answer that does not match its schema', async () => {
    const { call } = await asking(revision, () => ({ action: 'accept', content: { name: 'A', colour: 'blue' } }));
    expect((await call('srv__order')).content).toContain('"action":"cancel"');
  });

  it('shows an address', async () => {
    const { call, seen } = await asking(revision, () => ({ action: 'accept' }));
    expect((await call('srv__page')).content).toContain('"action":"accept"');
    expect(seen).toMatchObject([{ message: 'Log in', url: 'https://login.example/start?a=1' }]);
  });

  it.each([
    ['key', 'secret'],
    ['file', 'address'],
  ])('is not asked: %s', async (tool, reason) => {
    const { call, seen } = await asking(revision, () => ({ action: 'accept' }));
    const told = await call(`srv__${tool}`).then(({ content }) => content, String);
    expect(told).toContain(reason);
    expect(seen).toEqual([]);
    expect(await call('srv__plain')).toMatchObject({ content: 'plain' });
  });

  it('ends with the call, whose time limit it does not use', async () => {
    let ended = false;
    const { call } = await asking(
      revision,
      (_request, stop) => {
        setTimeout(() => run.abort(), 1_500);
        return new Promise((_resolve, reject) => {
          stop.addEventListener('abort', () => {
            ended = true;
            reject(stop.reason);
          });
        });
      },
      { timeout_seconds: 1 },
    );
    const run = new AbortController();
    await expect(call('srv__order', {}, run.signal)).rejects.toThrow();
    expect(run.signal.aborted).toBe(true);
    expect(ended).toBe(true);
  });

  it('is not asked without a user who can answer', async () => {
    const args = [script, ...(revision === '2025-11-25' ? ['older'] : [])];
    const { server, call } = await openServer({ entry: { command: process.execPath, args } });
    await server.listTools(signal);
    const told = await call('srv__order').then(({ content }) => content, String);
    expect(told).toMatch(/elicitation/);
  });
});

describe('a hostile server', () => {
  const opened = async (mode: string, answer: FormAnswer = { action: 'accept', content: {} }) => {
    const seen: FormRequest[] = [];
    const fill = async (request: FormRequest): Promise<FormAnswer> => {
      seen.push(request);
      return answer;
    };
    const server = await serverOf(mode, { forms: { modes: ['form', 'url'], fill } });
    await server.server.listTools(signal);
    return { ...server, seen };
  };

  it('cannot ask between calls', async () => {
    const { call, seen } = await opened('ask-early');
    expect((await call('srv__t')).content).toBe('{"action":"cancel"}');
    expect(seen).toEqual([]);
  });

  it('can ask only a limited number of questions during a call', async () => {
    const { call, seen } = await opened('ask-endless');
    expect((await call('srv__t')).content).toContain('too many questions');
    expect(seen).toHaveLength(20);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(20);
  });

  it.each([
    ['accept', 'The user has visited it; call the tool again.'],
    ['decline', 'The user does not want to.'],
    ['cancel', 'Nobody was there to do so.'],
  ] as const)('that requires a visit to a page first is not called again automatically: %s', async (action, told) => {
    const { call, seen } = await opened('ask-page', { action });
    await expect(call('srv__t')).rejects.toThrow(`requires the user to visit a page first. ${told}`);
    expect(seen).toMatchObject([{ url: 'https://pay.example/' }]);
    expect((await call('srv__t')).content).toBe('calls: 2');
  });
});
