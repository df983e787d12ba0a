import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { loadScenarioFiles, nodeScenarioFiles } from '../../../mock-llm-server/scenario/loading/load.ts';
import { parseScenarioFile } from '../../../mock-llm-server/scenario/loading/parse.ts';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { type RunningServer, type StartOptions, startMockServer } from '../../../mock-llm-server/server/listen.ts';
import type { MockScenario } from '../../../mock-llm-server/testing.ts';

/** A mock server for the tests of a file. */
export interface ServedScenarios {
  /** Its address without a path, available when the tests run. */
  readonly url: string;
  /** The lines of its log since the start of the test, one per answer. */
  lines(): readonly string[];
  /** The same lines without the paths: status, scenario and step. */
  answers(): readonly string[];
}

/** Starts a mock server before the tests of this file and closes it after them. */
export function serveScenarios(
  scenarios: readonly MockScenario[],
  options: Pick<StartOptions, 'clock'> = {},
): ServedScenarios {
  let server: RunningServer;
  let lines: string[] = [];
  beforeAll(async () => {
    const content = parseScenarioFile(JSON.stringify({ scenarios }), 'test.json');
    server = await startMockServer({
      ...options,
      scenarios: createScenarioSet([{ file: 'test.json', content }]),
      log: (line) => lines.push(line),
    });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    lines = [];
  });
  return {
    get url() {
      return server.url;
    },
    lines: () => lines,
    answers: () => lines.map((line) => line.split(' ').slice(1).join(' ')),
  };
}

/**
 * Serves the bundled stories before the tests of this file, and stops after them. A command that starts with
 * its embedded model takes twice the processor time of one that asks this server.
 */
export function serveShippedStories(): { readonly url: string } {
  let server: RunningServer;
  beforeAll(async () => {
    const files = await loadScenarioFiles([path.join(import.meta.dirname, '../../../scenarios')], nodeScenarioFiles);
    server = await startMockServer({ scenarios: createScenarioSet(files) });
  });
  afterAll(() => server.close());
  return {
    get url() {
      return server.url;
    },
  };
}

/** Arguments that are difficult for encoders and streams. */
export const AWKWARD = { path: 'a "b"/ü.txt', content: '漢字 🙂 \\ \n</tag>' };

/** A scenario with parallel calls, a single call and a final text. */
export const TWO_READS: MockScenario = {
  name: 'two-reads',
  trigger: 'read both',
  steps: [
    {
      response: {
        content: 'I read both – 漢字 🙂.',
        tool_calls: [
          { name: 'read_file', arguments: { path: 'a.txt' } },
          { name: 'read_file', arguments: AWKWARD },
        ],
      },
    },
    { response: { tool_calls: [{ name: 'write_file', arguments: AWKWARD }] } },
    { response: { content: 'Both are read.' } },
  ],
};

/** The names of the tools that `TWO_READS` calls. */
export const TWO_READS_TOOLS = ['read_file', 'write_file'] as const;

/** The result of `answers` after `TWO_READS` was played to its end. */
export const PLAYED = ['200 two-reads step 0', '200 two-reads step 1', '200 two-reads step 2'];
