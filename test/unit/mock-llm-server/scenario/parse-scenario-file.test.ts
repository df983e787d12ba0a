import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { ScenarioError } from '../../../../mock-llm-server/scenario/problems.ts';

const olderFile = readFileSync(new URL('fixtures/older-format.json', import.meta.url), 'utf8');
const done = { response: { content: 'done' } };

function withStep(step: unknown): unknown {
  return { scenarios: [{ name: 'n', trigger: 't', steps: [step, done] }] };
}

function withLastStep(step: unknown): unknown {
  return { scenarios: [{ name: 'n', trigger: 't', steps: [step] }] };
}

function withTrigger(trigger: unknown): unknown {
  return { scenarios: [{ name: 'n', trigger, steps: [done] }] };
}

function withStory(story: unknown): unknown {
  return { scenarios: [{ name: 'n', trigger: 't', steps: [done] }], story };
}

function problemsOf(text: string): readonly string[] {
  try {
    parseScenarioFile(text, 'f.json');
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('a valid file', () => {
  it('loads in the older format, unchanged', () => {
    expect(parseScenarioFile(olderFile, 'older.json')).toEqual(JSON.parse(olderFile));
  });

  it.each<readonly [string, unknown]>([
    ['a short tool call', withStep({ response: { tool_calls: [{ name: 'x', arguments: { path: 'a' } }] } })],
    ['a short tool call without arguments', withStep({ response: { tool_calls: [{ name: 'x' }] } })],
    ['a short tool call with an id', withStep({ response: { tool_calls: [{ id: 'a', name: 'x' }] } })],
    ['a call without type', withStep({ response: { tool_calls: [{ function: { name: 'x', arguments: '' } }] } })],
    ['content null beside calls', withStep({ response: { content: null, tool_calls: [{ name: 'x' }] } })],
    ['a step with results', withStep({ response: { content: 'go' }, results: 1 })],
    ['an empty content', withLastStep({ response: { content: '' } })],
    ['a regex trigger', withTrigger({ regex: '(?<what>.*)', flags: 'isu' })],
    ['an editor schema', { $schema: './x.json', ...Object(withTrigger('t')) }],
    ['the smallest story', withStory({ prompts: ['t'] })],
    [
      'a whole story',
      withStory({
        prompts: ['t', 'u'],
        approvals: ['once', 'session', 'deny', { deny: 'not there' }],
        expected_outcome: 'denied',
        permission_mode: 'accept-edits',
        workspace: '../../examples/playground',
        expected: 'after',
        expected_result_contains: ['ok'],
        check: ['npm test', { command: 'npm run lint', timeout_seconds: 60 }],
        limits: { turns: 12, tokens: 40_000 },
        forbid: { files: ['test/**'], commands: ['git push', { regex: '^rm ', flags: '' }] },
        policy: { usually: 0.9, runs: 20 },
        dry_run: true,
        tool_protocol: 'xnl',
      }),
    ],
  ])('loads with %s', (_name, content) => {
    expect(parseScenarioFile(JSON.stringify(content), 'f.json')).toEqual(content);
  });

  it('may start with a byte order mark', () => {
    expect(problemsOf(`\uFEFF${olderFile}`)).toEqual([]);
  });
});
