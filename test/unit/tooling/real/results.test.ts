import { describe, expect, it } from 'vitest';
import { type CheckOutcome, reportOf, type ServerResult, succeeded } from '../../../../tooling/real/results.ts';

const server = { name: 'llama.cpp', version: '1' };
const MISSING: ServerResult = {
  server: { name: 'ollama', version: '2' },
  outcome: { type: 'missing', reason: 'it is not installed' },
};

function ran(...outcomes: readonly CheckOutcome[]): ServerResult {
  const results = outcomes.map((outcome, index) => ({
    address: { wire: 'openai-chat' as const },
    check: `check ${index}`,
    outcome,
    seconds: 0.1,
  }));
  return { server, outcome: { type: 'ran', results } };
}

const PASSED = { type: 'passed', facts: [] } as const;

describe('the report of the runs with real servers', () => {
  it('counts a missing server as not run, never as passed', () => {
    expect(reportOf([MISSING])).toBe(
      '\n\nollama 2: not run – it is not installed\n0 passed, 0 failed, 0 not run, 1 of 1 servers not run',
    );
    expect(succeeded([MISSING])).toBe(false);
    expect(succeeded([MISSING, ran(PASSED)])).toBe(true);
  });

  it('shows each failure with its reason', () => {
    const report = reportOf([ran(PASSED, { type: 'failed', reason: 'two\nlines' }, { type: 'failed', reason: 'no' })]);
    expect(report.split('\n')).toEqual([
      '',
      'FAILED llama.cpp, openai-chat, check 1:',
      '    two',
      '    lines',
      'FAILED llama.cpp, openai-chat, check 2:',
      '    no',
      '',
      'llama.cpp 1, openai-chat: 1 passed, 2 failed',
      '1 passed, 2 failed, 0 not run',
    ]);
  });

  it.each<[string, readonly ServerResult[]]>([
    ['a failed check', [ran(PASSED, { type: 'failed', reason: 'no' })]],
    ['a server that did not start', [ran(PASSED), { server, outcome: { type: 'not started', reason: 'no' } }]],
    ['checks that all did not run', [ran({ type: 'not run', reason: 'no' })]],
  ])('reports a failure with %s', (_name, results) => {
    expect(succeeded(results)).toBe(false);
  });
});
