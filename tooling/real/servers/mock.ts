import path from 'node:path';
import { ofOpenAiServer, type RealServer, type ServerStart } from '../real-server.ts';

const BIN = path.join(import.meta.dirname, '../../../dist/mock-llm-server.js');

/** The start of the built mock server with these scenarios. */
export function startMock(scenarios: readonly string[], port: number): ServerStart {
  const base = `http://127.0.0.1:${port}`;
  const model = 'mock-model';
  return {
    file: process.execPath,
    args: [BIN, '--port', String(port), ...scenarios.flatMap((each) => ['--scenarios', each])],
    readyUrl: `${base}/v1/models`,
    readyMs: 30_000,
    addresses: [...ofOpenAiServer(base, model), { wire: 'ollama-chat', endpoint: base, model }],
  };
}

/** The mock as a server, to compare the others with. It needs no installation. */
export function mockServer(scenarios: readonly string[]): Pick<RealServer, 'start'> {
  return { start: async ({ freePort }) => startMock(scenarios, await freePort()) };
}
