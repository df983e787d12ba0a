import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { EvaluationReportSchema } from '../../../src/stories/evaluation/report/report-format.ts';
import { waitUntil } from '../../support/processes/process-state.ts';
import { runBin, startBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

it('an evaluation continues after Ctrl-C and after a kill, and asks the model once for each answer', async () => {
  const directory = temporaryDirectory();
  const environment = { XDG_CACHE_HOME: path.join(directory, 'cache') };
  const scenario = { name: 'n', trigger: 'hello', steps: [{ response: { content: 'Hello there.' } }] };
  const file = { scenarios: [scenario], story: { prompts: ['hello'] } };
  writeFiles(directory, { 'hello/scenario.json': JSON.stringify(file) });
  // The requests without an answer are those that are under way when the evaluation is stopped.
  const server = await startRecordingServer(file, (request) => request !== 3 && request !== 6);
  const provider = ['--provider', 'mock', '--endpoint', server.url];
  const args = [...provider, 'eval', 'hello', '--runs', '6', '--jobs', '1', '--output-format', 'json'];
  const read = (text: string) => EvaluationReportSchema.parse(JSON.parse(text));

  for (const [signal, requests, code] of [
    ['SIGINT', 3, 130],
    ['SIGKILL', 6, null],
  ] as const) {
    const stopped = startBin(args, { directory, environment });
    await waitUntil(() => server.requests().length === requests, `request ${requests}`);
    stopped.signal(signal);
    const ended = await stopped.ended;
    expect(ended.code).toBe(code);
    if (signal === 'SIGINT') expect(read(ended.stdout).outcome).toBe('aborted');
  }

  const finished = await runBin(args, { directory, environment });
  const report = read(finished.stdout);
  expect([finished.code, report.outcome, report.spent.requests]).toEqual([0, 'met', 2]);
  expect(report.stories[0]?.rows).toMatchObject([{ passed: 6, runs: 6, turns: 1, toolCalls: 0 }]);
  // A kill in the middle of a write leaves a temporary file, which counts as nothing and goes with age.
  const runs = readdirSync(path.join(directory, 'cache/ybs/eval/runs'));
  expect(runs.filter((name) => name.endsWith('.json'))).toEqual([]);
});
