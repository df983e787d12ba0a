import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Lane, runStage, type Step, type StepResult } from '../../../tooling/run/steps.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'ybs-steps-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function node(name: string, code: string, more: Partial<Step> = {}): Step {
  return { name, command: [process.execPath, '-e', code], ...more };
}

/** Runs a stage. `heard` receives what its listeners hear, in order. */
function run(stage: readonly Lane[], heard: string[] = []): Promise<readonly StepResult[]> {
  return runStage(root, stage, {
    report: ({ step, ok }) => heard.push(`${step.name} ${ok ? 'passed' : 'failed'}`),
    progress: (step, text) => heard.push(`${step.name}: ${text}`),
  });
}

describe('a stage', () => {
  it('runs its lanes in parallel and keeps their output', async () => {
    const results = await run([
      [
        node('one', 'console.log(process.env.GREETING); console.error("to both")', {
          environment: { GREETING: 'hello' },
        }),
      ],
      [node('two', 'console.log("two")')],
    ]);
    expect(results.map(({ step, ok, output }) => [step.name, ok, output])).toEqual([
      ['one', true, 'hello\nto both'],
      ['two', true, 'two'],
    ]);
  });

  it('ends the other steps when one fails', async () => {
    const results = await run([
      [node('endless', 'setInterval(() => {}, 1000)'), node('behind it', '')],
      [node('broken', 'console.log("why"); process.exit(3)'), node('behind the failure', '')],
    ]);
    expect(results.map(({ step, ok, output, totals }) => [step.name, ok, output, totals])).toEqual([
      [
        'broken',
        false,
        expect.stringMatching(/^why\nCommand failed with exit code 3/),
        { passed: 0, failed: 1, skipped: 0 },
      ],
    ]);
  });

  it('runs the steps of a lane in order', async () => {
    const file = path.join(root, 'first.txt');
    const results = await run([
      [
        node('first', `setTimeout(() => fs.writeFileSync(${JSON.stringify(file)}, 'written'), 50)`),
        node('second', `console.log(fs.readFileSync(${JSON.stringify(file)}, 'utf8'))`),
      ],
    ]);
    expect(results.map(({ step, ok, output }) => [step.name, ok, output])).toEqual([
      ['first', true, ''],
      ['second', true, 'written'],
    ]);
  });

  it('reports progress and results while other steps run, and keeps progress out of the output', async () => {
    const heard: string[] = [];
    const code = 'console.log("before"); console.log("· 1 of 2"); console.log("after")';
    const [result] = await run([[node('one', code), node('two', '')]], heard);
    expect(result?.output).toBe('before\nafter');
    expect(heard).toEqual(['one: 1 of 2', 'one passed', 'two passed']);
  });

  it('reads the totals from the report of a step', async () => {
    const report = { passed: 5, failed: 0, skipped: 1 };
    writeFileSync(path.join(root, 'report.json'), JSON.stringify(report));
    const [result] = await run([[node('tests', '', { report: path.join(root, 'report.json') })]]);
    expect(result?.totals).toEqual(report);
  });

  it('fails for a command that does not exist', async () => {
    const [result] = await run([[{ name: 'nothing', command: ['no-such-command-anywhere'] }]]);
    expect(result?.ok).toBe(false);
    expect(result?.output).toContain('no-such-command-anywhere');
  });
});
