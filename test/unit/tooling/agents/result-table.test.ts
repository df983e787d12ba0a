import { expect, it, test } from 'vitest';
import type { AgentRun } from '../../../../tooling/agents/agent-run.ts';
import { type AgentResult, failureOf, resultTable } from '../../../../tooling/agents/result-table.ts';

const run = (bin: string, protocol: AgentRun['protocol']): AgentRun => ({
  name: bin,
  agent: { title: bin, name: bin, version: '1.2.3', bin, needsInstallScript: false },
  bin,
  protocol,
  files: {},
  environment: {},
  args: [],
});

it('the result table has a line for each run', () => {
  const table = resultTable([
    { run: run('pi', 'openai-chat'), outcome: { type: 'passed', seconds: 0.44 } },
    { run: run('claude', 'gemini'), outcome: { type: 'failed', seconds: 10, problems: ['no file', 'no word'] } },
    { run: run('codex', 'openai-responses'), outcome: { type: 'skipped', reason: 'not installed: no registry' } },
  ]);
  expect(table.split('\n')).toEqual([
    'agent   version  protocol          seconds  result',
    'pi      1.2.3    openai-chat       0.4      passed',
    'claude  1.2.3    gemini            10.0     FAILED: no file; no word',
    'codex   1.2.3    openai-responses  -        skipped: not installed: no registry',
  ]);
});

const PASSED: AgentResult['outcome'] = { type: 'passed', seconds: 1 };
const FAILED: AgentResult['outcome'] = { type: 'failed', seconds: 1, problems: ['no file'] };
const SKIPPED: AgentResult['outcome'] = { type: 'skipped', reason: 'unshare failed' };
test.for([
  [[PASSED, SKIPPED], undefined],
  [[PASSED, FAILED, SKIPPED], '1 of 3 runs failed.'],
  [[SKIPPED, SKIPPED], 'Nothing ran: every run was skipped, for the reason in the table.'],
] as const)('the results are reported as a failure with the reason: case %#', ([outcomes, expected]) => {
  expect(failureOf(outcomes.map((outcome) => ({ run: run('pi', 'openai-chat'), outcome })))).toBe(expected);
});
