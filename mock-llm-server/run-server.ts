import { explainListenError } from './explain-listen-error.ts';
import { loadScenarios } from './load.ts';
import { nodeScenarioFiles } from './node-scenario-files.ts';
import { ScenarioError } from './scenario-error.ts';
import type { ScenarioSet } from './scenario-set.ts';
import { type RunningServer, startMockServer } from './start-server.ts';

/** How the start of the command went. `exitCode` 2: the scenarios are at fault; 1: the address. */
export type StartOutcome =
  | { readonly type: 'listening'; readonly server: RunningServer }
  | { readonly type: 'failed'; readonly exitCode: 1 | 2; readonly message: string };

/** Loads the scenarios and starts the server for a process of its own; requests are logged to standard error. */
export async function runServer(options: {
  readonly port: number;
  readonly host: string;
  readonly paths: readonly string[];
}): Promise<StartOutcome> {
  const { port, host, paths } = options;
  let scenarios: ScenarioSet;
  try {
    scenarios = await loadScenarios(paths, nodeScenarioFiles);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return { type: 'failed', exitCode: 2, message: error.message };
  }
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  log(`${scenarios.scenarios.length} scenarios loaded`);
  try {
    const server = await startMockServer({ port, host, scenarios, log, overrideGlobals: true });
    return { type: 'listening', server };
  } catch (error) {
    return { type: 'failed', exitCode: 1, message: explainListenError(error, host, port) };
  }
}
