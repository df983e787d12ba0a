import { describe, expect, it } from 'vitest';
import { createScenarioSet } from '../../mock-llm-server/scenario-set.ts';
import { startMockServer } from '../../mock-llm-server/start-server.ts';

describe('startMockServer', () => {
  it('frees its port on close, also while a client holds a connection open', async () => {
    const scenarios = createScenarioSet([]);
    const first = await startMockServer({ scenarios });
    await (await fetch(`${first.url}/health`)).json();
    await first.close();
    const second = await startMockServer({ scenarios, port: Number(new URL(first.url).port) });
    expect(second.url).toBe(first.url);
    await second.close();
  });

  it('rejects when the port is taken', async () => {
    const scenarios = createScenarioSet([]);
    const first = await startMockServer({ scenarios });
    const port = Number(new URL(first.url).port);
    await expect(startMockServer({ scenarios, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.close();
  });

  it('leaves the globals of the process alone', async () => {
    const globals = [globalThis.Request, globalThis.Response];
    const other = await startMockServer({ scenarios: createScenarioSet([]) });
    await other.close();
    expect([globalThis.Request, globalThis.Response]).toEqual(globals);
  });
});
