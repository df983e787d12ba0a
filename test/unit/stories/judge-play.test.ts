import { describe, expect, it } from 'vitest';
import type { Story } from '../../../mock-llm-server/scenario/format.ts';
import type { AgentEvent, CallOutcome } from '../../../src/agent/ports/events.ts';
import type { ShellExit } from '../../../src/agent/ports/shell.ts';
import { checksOf, judgeCheck, judgeFiles, judgeWork } from '../../../src/stories/judge-play.ts';
import { addToMeasure, NOTHING_DONE } from '../../../src/stories/play/measure-play.ts';
import { treeOf } from '../../support/fakes/memory-story-disk.ts';

const story = (rest: Partial<Story>): Story => ({ prompts: ['go'], ...rest });
const trees = {
  before: treeOf({ 'package.json': '{}', 'test/a.js': '1', 'old.js': '' }),
  expected: undefined,
  after: treeOf({ 'package.json': '{"a":1}', 'test/a.js': '1', 'test/.hidden': '' }),
};

describe('the files of a story', () => {
  it('must be as expected, or unchanged, or pass the checks of the story', () => {
    expect(judgeFiles(story({}), { ...trees, expected: trees.after })).toEqual([]);
    expect(judgeFiles(story({ check: ['true'] }), { ...trees, expected: trees.before })).toHaveLength(3);
    expect(judgeFiles(story({}), trees)).toHaveLength(3);
    expect(judgeFiles(story({ check: ['true'] }), trees)).toEqual([]);
  });

  it.each<readonly [string, readonly string[]]>([
    ['package.json', ['package.json was changed, but story.forbid.files has package.json']],
    ['test/**', ['test/.hidden was created, but story.forbid.files has test/**']],
    ['*.js', ['old.js was removed, but story.forbid.files has *.js']],
    ['src/**', []],
  ])('must not be changed where %s forbids it', (pattern, problems) => {
    expect(judgeWork(story({ forbid: { files: [pattern] } }), {}, trees)).toEqual(problems);
  });
});

describe('the work on a story', () => {
  it.each<readonly [Story['limits'], readonly string[]]>([
    [{ turns: 3, tokens: 30 }, []],
    [{ turns: 2 }, ['the agent needed 3 turns, more than the 2 of story.limits.turns']],
    [{ tokens: 29 }, ['the agent needed 30 tokens, more than the 29 of story.limits.tokens']],
  ])('must keep the limits %j', (limits, problems) => {
    const measure = { turns: 3, inputTokens: 20, outputTokens: 10 };
    expect(judgeWork(story({ limits }), measure, trees)).toEqual(problems);
  });

  it.each<readonly [NonNullable<Story['forbid']>['commands'], number]>([
    [['GIT push'], 1],
    [[{ regex: '^git' }, { regex: 'PUSH', flags: '' }], 1],
    [['npm'], 0],
  ])('must not run the commands %j', (commands, count) => {
    const found = judgeWork(story({ forbid: { commands } }), { commands: ['git push', 'ls'] }, trees);
    expect(found).toHaveLength(count);
  });

  it('is measured from the events of its runs', () => {
    const model = { provider: 'p', wire: 'w', model: 'm' };
    const call = (id: string, outcome: CallOutcome, command?: string): readonly AgentEvent[] => [
      {
        type: 'tool_call',
        call: { id, name: 't', arguments: '{}' },
        ...(command !== undefined && { effect: { summary: '', paths: [], command } }),
      },
      { type: 'tool_result', callId: id, toolName: 't', outcome, content: '', summary: '', durationMs: 1 },
    ];
    const events: readonly AgentEvent[] = [
      { type: 'turn_start', turn: 0, model },
      ...call('1', 'ok', 'ls'),
      ...call('2', 'failed', 'false'),
      ...call('3', 'denied', 'rm -r x'),
      ...call('4', 'interrupted', 'sleep 9'),
      ...call('5', 'not_run', 'date'),
      ...call('6', 'ok'),
      { type: 'usage', model, inputTokens: 10, outputTokens: 2, cachedTokens: 4 },
      { type: 'usage', model, inputTokens: 20, outputTokens: 3, purpose: 'summary' },
    ];
    expect(events.reduce(addToMeasure, NOTHING_DONE)).toEqual({
      turns: 1,
      toolCalls: 6,
      toolErrors: 2,
      inputTokens: 30,
      outputTokens: 5,
      cachedTokens: 4,
      commands: ['ls', 'false', 'sleep 9'],
      open: {},
    });
  });
});

describe('a check of a story', () => {
  const [check = { command: '', timeoutMs: 0 }] = checksOf(
    story({ check: [{ command: 'npm test', timeout_seconds: 2 }] }),
  );
  const base = { type: 'exit', durationMs: 1, leftProcesses: false } as const;

  it.each<readonly [Partial<ShellExit> & Pick<ShellExit, 'cause'>, string | undefined]>([
    [{ cause: 'exited', exitCode: 0 }, undefined],
    [{ cause: 'exited', exitCode: 127 }, 'check: npm test failed with exit code 127'],
    [{ cause: 'signalled', signal: 'SIGKILL' }, 'check: npm test was ended by SIGKILL'],
    [{ cause: 'timed_out' }, 'check: npm test did not end within 2 seconds'],
    [{ cause: 'aborted' }, 'check: npm test was stopped'],
    [{ cause: 'failed_to_start', reason: 'no shell' }, 'check: npm test could not be started: no shell'],
  ])('that ends with %j is judged', (exit, problem) => {
    expect(judgeCheck(check, { exit: { ...base, ...exit }, output: '' })).toEqual(
      problem === undefined ? [] : [problem],
    );
  });

  it('shows the end of its output, escaped', () => {
    const [problem = ''] = judgeCheck(check, {
      exit: { ...base, cause: 'exited', exitCode: 1 },
      output: `${'x'.repeat(5_000)}\u001b[2J\n`,
    });
    expect(problem).toMatch(/; the end of its output:\nx+\\u\{1b\}\[2J$/);
    expect(problem.length).toBeLessThan(2_200);
  });
});
