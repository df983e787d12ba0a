import { describe, expect, it } from 'vitest';
import type { Story } from '../../../../mock-llm-server/scenario/format.ts';
import type { DriftMode, PromptLock } from '../../../../mock-llm-server/scenario/lock/prompt-lock.ts';
import type { ApprovalRequest, Approver } from '../../../../src/agent/ports/approver.ts';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import type { MockRequest } from '../../../../src/stories/check-requests.ts';
import type { RebasePorts } from '../../../../src/stories/drift/rebase.ts';
import type { EndedCheck } from '../../../../src/stories/judge-play.ts';
import { type PlayableStory, playStory, type RunCheck } from '../../../../src/stories/play/play-story.ts';
import { createYbsPlayer } from '../../../../src/stories/play/play-with-ybs.ts';
import { answers, createFakeAgent, DONE, type FakeRun } from '../../../support/fakes/fake-agent.ts';
import { createMemoryStoryDisk, treeOf } from '../../../support/fakes/memory-story-disk.ts';

const request: ApprovalRequest = {
  callId: 'c1',
  toolName: 'write_file',
  reason: 'Writes are asked for.',
  effect: { summary: 'write a.txt', paths: [] },
};

const result = (content: string): AgentEvent => ({
  type: 'tool_result',
  callId: 'c1',
  toolName: 'read_file',
  outcome: 'ok',
  content,
  summary: '',
  durationMs: 0,
});

const scenario = {
  name: 's',
  trigger: 'go',
  steps: [{ response: { tool_calls: [{ name: 'read_file' }] } }, { response: { content: 'Done.' } }],
};

/** A request that a step of the scenario answered. */
const answered = (step: number): MockRequest => ({ method: 'POST', path: '/v1/x', status: 200, scenario: 's', step });

interface Script {
  readonly lock?: PromptLock;
  readonly drift?: DriftMode;
  readonly rebase?: RebasePorts;
  readonly updateRefusal?: () => string | undefined;
  /** Exits of the checks, in order. */
  readonly checks?: readonly EndedCheck['exit'][];
  readonly requests?: readonly MockRequest[];
  readonly story?: Partial<Story>;
  readonly runs?: readonly FakeRun[];
  readonly asks?: number;
  /** Receives the inputs of each agent. */
  readonly inputs?: (readonly string[])[];
  readonly writes?: Readonly<Record<string, string>>;
  readonly expected?: Readonly<Record<string, string>>;
}

/** Plays a story whose agent asks `asks` questions and then leaves the files `writes`. */
async function play(script: Script) {
  const disk = createMemoryStoryDisk({ '/before': { 'a.txt': 'a\n' }, '/after': script.expected ?? {} });
  const decisions: unknown[] = [];
  let closed = 0;
  const playable: PlayableStory = {
    name: 'a-story',
    file: '/a.json',
    source: { file: 'a.json', content: { scenarios: [scenario] }, ...(script.lock && { lock: script.lock }) },
    story: { prompts: ['go'], ...script.story },
    workspace: '/before',
    expected: script.expected === undefined ? undefined : '/after',
    expectedPath: '/after',
  };
  const work = async (workspace: string, approver: Approver): Promise<void> => {
    for (let question = 0; question < (script.asks ?? 0); question += 1) {
      decisions.push(await approver.decide(request, new AbortController().signal));
    }
    if (script.writes !== undefined) disk.directories.set(workspace, treeOf(script.writes));
  };
  let time = 0;
  const player = createYbsPlayer(async (_playable, workspace, approver) => {
    await work(workspace, approver);
    const agent = createFakeAgent(script.runs ?? [answers('Done.')]);
    script.inputs?.push(agent.inputs);
    return {
      agent,
      requests: () => script.requests ?? [answered(0), answered(1)],
      prompts: () => [{ scenario: 's', step: 0, parts: [{ kind: 'user', name: 'user 1', text: workspace }] }],
      async close() {
        closed += 1;
      },
    };
  });
  const { updateRefusal, drift, rebase } = script;
  const exits = [...(script.checks ?? [])];
  const checked: string[] = [];
  const runCheck: RunCheck = async ({ command, timeoutMs }, directory) => {
    checked.push(`${command} in ${directory}, ${timeoutMs} ms`);
    disk.directories.get(directory)?.set('coverage', new Uint8Array());
    const exit = exits.shift();
    if (exit === undefined) throw new Error(`unexpected check: ${command}`);
    return { exit, output: 'the output\n' };
  };
  const ports = {
    ...{ disk, player, runCheck, now: () => (time += 100) },
    ...(updateRefusal && { updateRefusal }),
    ...(drift && { drift }),
    ...(rebase && { rebase }),
  };
  const outcome = await playStory(playable, ports, new AbortController().signal);
  const failed = outcome.type === 'failed' ? outcome : { problems: [], kept: undefined };
  return {
    ...outcome,
    ...failed,
    decisions,
    checked,
    closed,
    left: [...disk.directories.keys()],
    after: disk.directories.get('/after'),
  };
}

describe('the prompt of a story', () => {
  const drift = [{ part: 'system', summary: 'differs', diff: '' }];
  const requests = [{ ...answered(0), drift }, answered(1)];

  it('may differ from the lock, which is reported', async () => {
    const played = await play({ requests });
    expect(played).toMatchObject({ type: 'passed', drift: [{ scenario: 's', step: 0, ...drift[0] }] });
    expect(await play({})).toHaveProperty('drift', undefined);
  });

  it('makes the story fail if drift is not allowed', async () => {
    const problems = ['the prompt differs from the lock of the story; --rebase accepts it'];
    expect(await play({ requests, drift: 'fail' })).toMatchObject({ type: 'failed', problems, drift: [drift[0]] });
    expect(await play({ drift: 'fail' })).toMatchObject({ type: 'passed' });
  });

  /** Ports that accept or reject a prompt; `drafts` are the runs from which the locks are made. */
  function accepting(agent = 'ybs') {
    const drafts: unknown[] = [];
    const written: string[] = [];
    const rebase: RebasePorts = {
      agent,
      async draftLock(runs) {
        drafts.push(runs.map(([prompt]) => prompt?.parts[0]?.text));
        return { text: 'lock', proposed: [], unexplained: [] };
      },
      disk: {
        kindOf: async () => 'missing',
        readFile: async () => '',
        replaceFile: async (file) => void written.push(file),
      },
    };
    return { rebase, drafts, written };
  }

  it('becomes its lock when the story passed, after a second play in a separate workspace', async () => {
    const { rebase, drafts, written } = accepting();
    const played = await play({ requests, drift: 'fail', rebase });
    expect(played).toMatchObject({ type: 'passed', rebased: { type: 'written' }, left: ['/before', '/after'] });
    expect(drafts).toEqual([['/tmp/1', '/tmp/2']]);
    expect(written).toEqual(['/a.prompt.lock.json']);
  });

  it('is not accepted while the story fails', async () => {
    const { rebase, drafts } = accepting();
    expect(await play({ rebase, story: { expected_outcome: 'limit' } })).toMatchObject({ type: 'failed' });
    expect(drafts).toEqual([]);
  });

  it('is not accepted for the lock of another agent', async () => {
    const { rebase, written } = accepting();
    const played = await play({ rebase, lock: { version: 1, agent: 'codex', volatile: [], steps: [] } });
    expect(played.problems).toEqual([
      expect.stringMatching(/^--rebase did not write the lock: .* has the prompts of codex/),
    ]);
    expect(written).toEqual([]);
  });
});

describe('a story', () => {
  it('passes, and its directory is removed', async () => {
    const played = await play({ writes: { 'b.txt': 'b\n' }, expected: { 'b.txt': 'b\n' } });
    expect(played).toMatchObject({
      name: 'a-story',
      problems: [],
      durationMs: 100,
      closed: 1,
      left: ['/before', '/after'],
    });
    expect(played.kept).toBeUndefined();
  });

  it('passes with a warning when a step was never used', async () => {
    const story = { expected_outcome: 'limit' } as const;
    const limit: FakeRun = [{ type: 'run_end', outcome: 'limit', message: 'Too many requests.' }];
    const played = await play({ story, runs: [limit], requests: [answered(0)] });
    expect(played).toMatchObject({ type: 'passed', problems: [], warning: 'never used: step 1 of "s"' });
    expect(await play({})).toHaveProperty('warning', undefined);
  });

  it('without expected files must leave the workspace unchanged', async () => {
    expect((await play({})).problems).toEqual([]);
    const played = await play({ writes: { 'a.txt': 'a\n', 'b.txt': '' } });
    expect(played).toMatchObject({ problems: ['b.txt is not expected'], kept: '/tmp/1' });
    expect(played.left).toContain('/tmp/1');
  });

  it('keeps no directory of a story that failed without a file', async () => {
    const played = await play({ writes: {}, runs: [answers('Done.')], requests: [] });
    expect(played.problems).not.toEqual([]);
    expect(played.kept).toBeUndefined();
    expect(played.left).toEqual(['/before', '/after']);
  });

  it('is judged by its checks, which run in a copy, if it has no expected files', async () => {
    const exited = (exitCode: number) =>
      ({ type: 'exit', cause: 'exited', exitCode, durationMs: 1, leftProcesses: false }) as const;
    const story: Partial<Story> = { check: ['npm test', { command: 'npm run lint', timeout_seconds: 5 }] };
    const writes = { 'a.txt': 'b\n' };
    const passed = await play({ story, writes, checks: [exited(0), exited(0)] });
    expect(passed).toMatchObject({ type: 'passed', problems: [], left: ['/before', '/after'] });
    expect(passed.checked).toEqual(['npm test in /tmp/2, 120000 ms', 'npm run lint in /tmp/2, 5000 ms']);
    const failed = await play({ story, writes, checks: [exited(1), exited(0)] });
    expect(failed.problems).toEqual(['check: npm test failed with exit code 1; the end of its output:\nthe output']);
    const both = await play({ story: { check: ['x'] }, writes, expected: { 'a.txt': 'c\n' }, checks: [exited(0)] });
    expect(both.problems).toEqual([expect.stringContaining('a.txt differs')]);
  });

  it('fails when the agent exceeds a limit or breaks a rule of `forbid`', async () => {
    const command: AgentEvent = {
      type: 'tool_call',
      call: { id: 'c1', name: 'run_shell', arguments: '{}' },
      effect: { summary: 'run', paths: [], command: 'git push' },
    };
    const model = { provider: 'p', wire: 'w', model: 'm' };
    const run: FakeRun = [
      { type: 'turn_start', turn: 0, model },
      command,
      result('ok'),
      { type: 'usage', model, inputTokens: 90, outputTokens: 11 },
      DONE,
    ];
    const story: Partial<Story> = {
      limits: { turns: 1, tokens: 100 },
      forbid: { files: ['b.*'], commands: [{ regex: '^git\\s+push' }] },
    };
    expect((await play({ story, runs: [run], writes: { 'b.txt': '' }, expected: { 'b.txt': '' } })).problems).toEqual([
      'the agent needed 101 tokens, more than the 100 of story.limits.tokens',
      'b.txt was created, but story.forbid.files has b.*',
      'the agent ran git push, but story.forbid.commands has /^git\\s+push/i',
    ]);
  });

  it('runs every prompt in one session, and has the last outcome', async () => {
    const limit: FakeRun = [{ type: 'run_end', outcome: 'limit', message: 'Too many requests.' }];
    const prompts = ['one', 'two'];
    expect((await play({ story: { prompts }, runs: [limit, [DONE]] })).problems).toEqual([]);
    expect((await play({ story: { prompts }, runs: [[DONE], limit] })).problems).toEqual([
      'expected the outcome done, got limit: Too many requests.',
    ]);
    const story: Partial<Story> = { prompts, expected_outcome: 'limit' };
    expect((await play({ story, runs: [[DONE], limit] })).problems).toEqual([]);
  });

  it('accepts commands and agents of the chat', async () => {
    const inputs: (readonly string[])[] = [];
    const story = { prompts: ['go', '/mode accept-edits', '@agent:none', '/clear', 'go on'] };
    const played = await play({ story, runs: [[DONE], [DONE]], inputs });
    expect(played.problems).toEqual([]);
    expect(inputs).toEqual([['go', 'mode accept-edits', '/clear', 'go on']]);
  });

  it.each([
    ['/rewind 2', 'could not be played: /rewind 2: There is no message to go back to.'],
    ['/agent nobody', 'could not be played: /agent nobody: There is no agent nobody.'],
    ['/load 1', 'could not be played: a story cannot type /load 1'],
    ['/save mine', 'could not be played: a story cannot type /save mine'],
    ['/export ../out.md', 'could not be played: a story cannot type /export ../out.md'],
    ['/sessions', 'could not be played: a story cannot type /sessions'],
    ['/quit', 'could not be played: a story cannot type /quit'],
    ['!ls', 'could not be played: a story cannot type !ls'],
    ['!', 'could not be played: Type a command after the !, for example !git status'],
    ['/model other', 'could not be played: /model other: A story does not change its model.'],
    ['/plan', 'could not be played: Unknown command /plan.'],
  ])('fails with %s, and gives the reason', async (text, problem) => {
    const played = await play({ story: { prompts: ['go', text] }, runs: [[DONE]] });
    expect(played.problems.join('\n')).toContain(problem);
  });

  it('answers questions with its approvals, in order', async () => {
    const played = await play({ story: { approvals: ['session', 'deny', { deny: 'not now' }] }, asks: 3 });
    expect(played.problems).toEqual([]);
    expect(played.decisions).toEqual([{ type: 'session' }, { type: 'deny' }, { type: 'deny', feedback: 'not now' }]);
  });

  it('fails when a question has no answer, and denies it', async () => {
    const played = await play({ asks: 1 });
    expect(played.decisions).toEqual([{ type: 'deny' }]);
    expect(played.problems).toEqual(['story.approvals has no answer for write_file: write a.txt']);
  });

  it('that expects to be denied and has no answers is played without a terminal', async () => {
    const denied: FakeRun = [{ type: 'run_end', outcome: 'denied', message: 'Nobody to ask.' }];
    const played = await play({ story: { expected_outcome: 'denied' }, asks: 1, runs: [denied] });
    expect(played).toMatchObject({ problems: [], decisions: [{ type: 'unavailable' }] });
  });

  it.each(['answer', 'tool_call'] as const)('interrupts only its first run, at the first %s', async (interrupt) => {
    const call: AgentEvent = { type: 'tool_call', call: { id: 'c1', name: 'read_file', arguments: '{}' } };
    const first: AgentEvent = interrupt === 'answer' ? { type: 'text_delta', text: 'a' } : call;
    const story: Partial<Story> = { interrupt, prompts: ['/mode ask', 'go', 'go on'] };
    const played = await play({
      story,
      runs: [
        [first, 'hang', DONE],
        [first, DONE],
      ],
    });
    expect(played.problems).toEqual([]);
    const ended = await play({ story: { interrupt, expected_outcome: 'aborted' }, runs: [[first, 'hang', DONE]] });
    expect(ended.problems).toEqual([]);
  });

  const wrapped = JSON.stringify({ output: 'they say "two"\nand leave' });
  const small: AgentEvent = { type: 'warning', code: 'small_window', message: 'a small window' };
  const refused = { ...answered(0), status: 400, error: 'No scenario.' };
  const ended = (outcome: 'denied' | 'failed', message: string): FakeRun => [{ type: 'run_end', outcome, message }];
  it.each<readonly [name: string, Script, problems: readonly string[]]>([
    [
      'an unused answer',
      { story: { approvals: ['once', { deny: 'x' }] }, asks: 1 },
      ['story.approvals has an unused answer: {"deny":"x"}'],
    ],
    [
      'an expected text that no tool result contains',
      {
        story: { expected_result_contains: ['two', 'three'] },
        runs: [[result('one'), result('a two'), DONE]],
      },
      ['no tool result contains "three"; the results were:\n[1] one\n[2] a two'],
    ],
    [
      'no tool result at all',
      { story: { expected_result_contains: ['two'] } },
      ['no tool result contains "two"; the results were:\n(none)'],
    ],
    [
      'no problem if a tool result wraps an expected text in JSON',
      { story: { expected_result_contains: ['say "two"\n'] }, runs: [[result(wrapped), DONE]] },
      [],
    ],
    [
      'an expected text that no warning contains',
      { story: { expected_warning_contains: ['small', 'large'] }, runs: [[small, DONE]] },
      ['no warning contains "large"; the warnings were:\n[1] a small window'],
    ],
    [
      'a last request that did not get the last step',
      { requests: [answered(0)] },
      ['the agent ended after step 0 of the scenario "s", whose last step is 1; steps count from 0'],
    ],
    [
      'no problem of the last request if the story expects a failure',
      { story: { expected_outcome: 'denied' }, requests: [answered(0)], runs: [ended('denied', 'Nobody.')] },
      [],
    ],
    [
      'a refused request that ended the run once',
      { requests: [refused], runs: [ended('failed', 'The server says: No scenario.')] },
      ['expected the outcome done, got failed: The server says: No scenario.'],
    ],
    ['a refused request', { requests: [refused, answered(1)] }, ['POST /v1/x was answered 400: No scenario.']],
  ])('reports %s', async (_name, script, problems) => {
    expect((await play(script)).problems).toEqual(problems);
  });

  const OTHER = { writes: { 'b.txt': 'new\n' }, expected: { 'b.txt': 'old\n' } };

  it('that only differs in its files passes with --update, and they become the expected ones', async () => {
    const played = await play({ ...OTHER, updateRefusal: () => undefined });
    expect(played).toMatchObject({ type: 'passed', updated: '/after', left: ['/before', '/after'] });
    expect(played.after).toEqual(treeOf({ 'b.txt': 'new\n' }));
  });

  it('with the expected files is not updated', async () => {
    const played = await play({ writes: { 'b.txt': 'b' }, expected: { 'b.txt': 'b' }, updateRefusal: () => undefined });
    expect(played).toMatchObject({ type: 'passed' });
    expect(played).toHaveProperty('updated', undefined);
  });

  it('with another problem is not updated', async () => {
    const played = await play({ ...OTHER, requests: [], updateRefusal: () => undefined });
    expect(played.problems).toEqual([
      'the agent sent no request to the model',
      expect.stringContaining('b.txt differs'),
    ]);
    expect(played.after).toEqual(treeOf({ 'b.txt': 'old\n' }));
  });

  it('fails with the reason if its expected files may not be written', async () => {
    const played = await play({ ...OTHER, updateRefusal: () => 'it is shared' });
    expect(played.problems).toEqual([
      '--update did not write /after: it is shared',
      expect.stringContaining('b.txt differs'),
    ]);
    expect(played.after).toEqual(treeOf({ 'b.txt': 'old\n' }));
  });
});
