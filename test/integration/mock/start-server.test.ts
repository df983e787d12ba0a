import { describe, expect, it } from 'vitest';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { startMockServer } from '../../../mock-llm-server/server/listen.ts';

describe('startMockServer', () => {
  it('frees its port on close, even while a client keeps a connection open', async () => {
    const scenarios = createScenarioSet([]);
    const first = await startMockServer({ scenarios });
    await (await fetch(`${first.url}/health`)).json();
    await first.close();
    const second = await startMockServer({ scenarios, port: Number(new URL(first.url).port) });
    expect(second.url).toBe(first.url);
    await second.close();
  });

  it.each(['127.0.0.1', '0.0.0.0'])('rejects an empty token on %s', async (host) => {
    const start = startMockServer({ scenarios: createScenarioSet([]), host, token: '' });
    await expect(start).rejects.toThrow('The token is empty. Set one that clients must send');
  });

  it('keeps idle connections open for more than a minute', async () => {
    const { url, close } = await startMockServer({ scenarios: createScenarioSet([]) });
    const { headers } = await fetch(`${url}/health`);
    expect(headers.get('keep-alive')).toBe('timeout=65');
    await close();
  });

  it('does not change the globals of the process', async () => {
    const globals = [globalThis.Request, globalThis.Response];
    const other = await startMockServer({ scenarios: createScenarioSet([]) });
    await other.close();
    expect([globalThis.Request, globalThis.Response]).toEqual(globals);
  });
});
