import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { EvaluationReportSchema } from '../../../src/stories/evaluation/report/report-format.ts';
import { waitUntil } from '../../support/processes/process-state.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

it('an evaluation stops at its budget, continues at the cost of new answers, and asks the model once for each answer', async () => {
  const directory = temporaryDirectory();
  const environment = { XDG_CACHE_HOME: path.join(directory, 'cache') };
  const scenario = { name: 'n', trigger: 'hello', steps: [{ response: { content: 'Hello there.' } }] };
  writeFiles(directory, {
    'hello/scenario.json': JSON.stringify({ scenarios: [scenario], story: { prompts: ['hello'] } }),
    'prices.json': JSON.stringify({ models: { prices: { 'mock/mock-model': { input: 2, output: 4 } } } }),
  });
  const evaluate = async (...more: readonly string[]) => {
    const options = ['--provider', 'mock', '-c', 'prices.json', 'eval', 'hello', '--output-format', 'json'];
    const args = [...options, '--runs', '4', '--jobs', '1', ...more];
    const { code, stdout } = await runMain(args, { directory, environment });
    return { code, report: EvaluationReportSchema.parse(JSON.parse(stdout)) };
  };
  const limited = await evaluate('--max-tokens', '1');
  expect(limited).toMatchObject({ code: 4, report: { outcome: 'budget', spent: { requests: 1 } } });
  // A process would end only after the answer is written.
  const stored = () => readdirSync(path.join(directory, 'cache/ybs/eval/answers')).filter((name) => /json$/.test(name));
  await waitUntil(() => stored().length === 1, 'a stored answer');

  const { code, report } = await evaluate();
  expect([code, report.outcome, report.spent.requests]).toEqual([0, 'met', 3]);
  const [row] = report.stories[0]?.rows ?? [];
  expect(row).toMatchObject({ passed: 4, runs: 4, turns: 1, toolCalls: 0 });
  const { inputTokens = 0, outputTokens = 0, cost = 0 } = row ?? {};
  expect(cost).toBeCloseTo((inputTokens * 2 + outputTokens * 4) / 1e6, 9);
  expect(report.spent.cost).toBeCloseTo(cost * 3, 9);

  const again = await evaluate();
  expect(again.report.spent).toMatchObject({ requests: 0, cached: 4, tokens: 0 });
});

it('an evaluation plays the stories of each shard, and merges their reports', async () => {
  const directory = temporaryDirectory();
  const scenario = (name: string) => ({ name, trigger: name, steps: [{ response: { content: 'Hi.' } }] });
  const files = ['one', 'two', 'three'].map((name) => [
    `stories/${name}/scenario.json`,
    JSON.stringify({ scenarios: [scenario(name)], story: { prompts: [name] } }),
  ]);
  writeFiles(directory, Object.fromEntries(files));
  for (const shard of [1, 2]) {
    const args = ['test', 'stories/**', '--shard', `${shard}/2`, '--reporter', 'json'];
    const { code, stdout } = await runMain(args, { directory });
    expect(code).toBe(0);
    writeFiles(directory, { [`${shard}.json`]: stdout });
  }
  const { code, stdout } = await runMain(['test', '1.json', '2.json', '--merge'], { directory });
  expect(code).toBe(0);
  expect(stdout.replaceAll(/ \(.*\)$/gm, '')).toBe('passed one\npassed three\npassed two\n3 passed, 0 failed\n');
});

it.each([
  [
    'a variant with a misspelled key',
    ['--variant', 'a=bad.json'],
    /The variant a cannot be used: .*bad\.json:1:\d+: unknown key "promt"/,
  ],
  ['an unknown price', ['--max-cost', '1'], /The price of mock\/.* is unknown/],
])('an evaluation rejects %s with exit code 2, before it asks the model', async (_name, args, message) => {
  const directory = temporaryDirectory();
  const scenario = { name: 'n', trigger: 'hi', steps: [{ response: { content: 'Hi.' } }] };
  writeFiles(directory, {
    'hi/scenario.json': JSON.stringify({ scenarios: [scenario], story: { prompts: ['hi'] } }),
    'bad.json': '{ "promt": { "append": "x" } }',
  });
  const { code, stdout, stderr } = await runMain(['--provider', 'mock', 'eval', 'hi', ...args], { directory });
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});
