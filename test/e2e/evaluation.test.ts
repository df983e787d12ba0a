import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EvaluationReportSchema } from '../../src/evaluation/report/report-format.ts';
import { runBin, startBin } from '../support/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../support/temporary-directory.ts';

it('stops at its budget, continues after a kill, and asks the model once for each answer', async () => {
  const directory = temporaryDirectory();
  const environment = { XDG_CACHE_HOME: path.join(directory, 'cache') };
  const slow = { time_to_first_token_ms: 600 };
  const scenario = { name: 'n', trigger: 'hello', steps: [{ response: { content: 'Hello there.' }, timing: slow }] };
  const file = { scenarios: [scenario], story: { prompts: ['hello'] } };
  writeFiles(directory, { 'hello/scenario.json': JSON.stringify(file) });
  writeFiles(directory, {
    'prices.json': JSON.stringify({ models: { prices: { 'mock/mock-model': { input: 2, output: 4 } } } }),
  });
  const args = [
    '--provider',
    'mock',
    '-c',
    'prices.json',
    'eval',
    'hello',
    '--runs',
    '8',
    '--jobs',
    '1',
    '--output-format',
    'json',
  ];
  const read = (text: string) => EvaluationReportSchema.parse(JSON.parse(text));
  const answers = () => {
    const place = path.join(directory, 'cache/ybs/eval/answers');
    return existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.json')).length : 0;
  };

  const limited = await runBin([...args, '--max-tokens', '1'], { directory, environment });
  expect([limited.code, read(limited.stdout).outcome, answers()]).toEqual([4, 'budget', 1]);

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGKILL', null],
  ] as const) {
    const before = answers();
    const stopped = startBin(args, { directory, environment });
    while (answers() < before + 2) await setTimeout(20);
    stopped.signal(signal);
    const ended = await stopped.ended;
    expect(ended.code).toBe(code);
    if (signal === 'SIGINT') expect(read(ended.stdout).outcome).toBe('aborted');
  }
  const stored = answers();
  expect(stored).toBeLessThan(8);

  const finished = await runBin(args, { directory, environment });
  const report = read(finished.stdout);
  expect([finished.code, report.outcome, report.spent.requests]).toEqual([0, 'met', 8 - stored]);
  const [row] = report.stories[0]?.rows ?? [];
  expect(row).toMatchObject({ passed: 8, runs: 8, turns: 1, toolCalls: 0 });
  const { inputTokens = 0, outputTokens = 0, cost = 0 } = row ?? {};
  expect(cost).toBeCloseTo((inputTokens * 2 + outputTokens * 4) / 1e6, 9);
  expect(report.spent.cost).toBeCloseTo(cost * (8 - stored), 9);
  // A kill in the middle of a write leaves a temporary file, which counts as nothing and goes with age.
  const runs = readdirSync(path.join(directory, 'cache/ybs/eval/runs'));
  expect(runs.filter((name) => name.endsWith('.json'))).toEqual([]);

  const again = read((await runBin(args, { directory, environment })).stdout);
  expect(again.spent).toMatchObject({ requests: 0, cached: 8, tokens: 0 });
});
