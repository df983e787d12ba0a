import { describe, expect, it } from 'vitest';
import type { Story } from '../../../../mock-llm-server/scenario/format.ts';
import type { ShellCommand, ShellExit, ShellOutput } from '../../../../src/agent/ports/shell.ts';
import type { AgentSetup } from '../../../../src/stories/agents/agent-setup.ts';
import { createCommandPlayer, type RunningModel, skipReason } from '../../../../src/stories/play/play-with-command.ts';

type ProgramEvents = readonly (Omit<ShellOutput, 'type'> | Omit<ShellExit, 'type' | 'durationMs' | 'leftProcesses'>)[];

const EXITED = { cause: 'exited', exitCode: 0 } as const;

/** Plays a story with an agent whose programs report these events, one list for each program. */
async function play(
  programs: readonly ProgramEvents[],
  setup: Partial<AgentSetup> = {},
  requests: RunningModel['requests'] = [{ method: 'POST', path: '/v1/x', status: 200 }],
) {
  const started: [readonly string[], Omit<ShellCommand, 'command'>][] = [];
  const actions: string[] = [];
  const player = createCommandPlayer(
    {
      name: 'mine',
      files: [],
      prepare: ({ base, home, prompt }) => ({
        files: { '.mine/config': `${base} ${home}` },
        environment: { BASE: base },
        commands: [['mine', prompt]],
        ...setup,
      }),
    },
    {
      async *runProgram(program, args, surroundings) {
        const events = programs[started.length] ?? [];
        started.push([[program, ...args], surroundings]);
        for (const event of events) {
          yield 'cause' in event
            ? { type: 'exit', durationMs: 0, leftProcesses: false, ...event }
            : { type: 'output', ...event };
        }
      },
      async startModel({ file }) {
        actions.push(`start ${file}`);
        const close = async () => void actions.push('close');
        return { url: 'http://mock', requests, prompts: () => [], results: () => ['a result'], close };
      },
      disk: {
        createWorkspace: async () => '/home-1',
        remove: async (directory) => void actions.push(`remove ${directory}`),
        writeFile: async (file, content) => void actions.push(`write ${file}: ${content}`),
        resolve: (...parts) => parts.join('/'),
      },
      environment: { LANG: 'C' },
    },
  );
  const source = { file: 'a.json', content: { scenarios: [] } };
  const story = { prompts: ['do it'] };
  const directories = { workspace: undefined, expected: undefined, expectedPath: '/expected' };
  const playable = { name: 'a', file: '/a.json', source, story, ...directories };
  const played = player.play(playable, '/work', new AbortController().signal);
  return { played: await played.catch((error: unknown) => String(error)), started, actions };
}

describe('a command that plays a story', () => {
  it('gets the prompt, its files, its home and the address of the model', async () => {
    const { played, started, actions } = await play([[EXITED]]);
    expect(started).toMatchObject([
      [
        ['mine', 'do it'],
        { workingDirectory: '/work', environment: { LANG: 'C', HOME: '/home-1', PWD: '/work', BASE: 'http://mock' } },
      ],
    ]);
    expect(actions).toEqual([
      'start a.json',
      'write /home-1/.mine/config: http://mock /home-1',
      'close',
      'remove /home-1',
    ]);
    expect(played).toMatchObject({ outcome: 'done', results: ['a result'], requests: [{ path: '/v1/x' }] });
  });

  it('runs after the programs that prepare it, unless one of them fails', async () => {
    const commands = [
      ['mine', 'auth'],
      ['mine', 'run'],
    ];
    expect((await play([[EXITED], [EXITED]], { commands })).started.map(([words]) => words)).toEqual(commands);
    const { played, started } = await play([[{ cause: 'exited', exitCode: 2 }]], { commands });
    expect(started).toHaveLength(1);
    expect(played).toMatchObject({ outcome: 'failed', message: 'the exit code is 2' });
  });

  it.each<[ProgramEvents[number], string, string]>([
    [{ cause: 'exited', exitCode: 3 }, 'failed', 'the exit code is 3'],
    [{ cause: 'signalled', signal: 'SIGSEGV' }, 'failed', 'SIGSEGV ended the agent'],
    [{ cause: 'timed_out' }, 'failed', 'the agent did not end within 300 seconds'],
    [{ cause: 'aborted' }, 'aborted', 'stopped'],
    [
      { cause: 'failed_to_start', reason: 'spawn mine ENOENT' },
      'failed',
      'mine could not be started: spawn mine ENOENT. Install it or correct the command.',
    ],
  ])('that ends with %j has the outcome %s', async (exit, outcome, message) => {
    expect((await play([[exit]])).played).toMatchObject({ outcome, message });
  });

  it('is described by the end of its output, without colours', async () => {
    const { played } = await play([
      [
        { stream: 'stdout', text: 'a'.repeat(5_000) },
        { stream: 'stdout', text: '\u001b[31mred\u001b[0m\n' },
        { stream: 'stderr', text: ' \n' },
        EXITED,
      ],
    ]);
    expect(played).toMatchObject({
      details: [expect.stringMatching(/^the end of the agent's stdout:\na{1000,2000}red$/)],
    });
  });

  it('that asked another server learns the address', async () => {
    const output = { stream: 'stderr', text: 'Connection error.' } as const;
    expect((await play([[output, { cause: 'exited', exitCode: 1 }]], {}, [])).played).toMatchObject({
      details: [
        'no request reached the model at http://mock; does the agent use its variable for the base URL?',
        "the end of the agent's stderr:\nConnection error.",
      ],
    });
  });

  it('is reported with the arguments that its tools refuse, each once', async () => {
    const note = 'the schema of write_file requires the arguments path';
    const request = { method: 'POST', path: '/v1/x', status: 200, scenario: 's', step: 0, notes: [note] };
    const { played } = await play([[EXITED]], {}, [request, request]);
    expect(played).toMatchObject({ details: [`step 0 of "s": ${note}`] });
  });

  it('leaves no server and no home directory when it cannot be run', async () => {
    const { played, actions } = await play([[]]);
    expect(played).toBe('Error: mine did not end');
    expect(actions.slice(-2)).toEqual(['close', 'remove /home-1']);
  });
});

describe('a story for any agent', () => {
  const story = (more: Partial<Story>): Story => ({ prompts: ['go'], ...more });

  it.each<[Partial<Story>, RegExp]>([
    [{ prompts: ['one', 'two'] }, /2 prompts/],
    [{ prompts: ['/init'] }, /command or an agent/],
    [{ prompts: ['@agent:reviewer go'] }, /command or an agent/],
    [{ prompts: ['explain @agent: to me'] }, /command or an agent/],
    [{ approvals: ['once'] }, /approvals/],
    [{ approvals: [{ deny: 'no' }] }, /approvals/],
    [{ expected_outcome: 'denied' }, /outcome denied/],
    [{ expected_outcome: 'limit' }, /outcome limit/],
    [{ permission_mode: 'read-only' }, /read-only/],
    [{ dry_run: true }, /dry run/],
    [{ tool_protocol: 'xnl' }, /XNL/],
    [{ interrupt: 'answer' }, /Ctrl-C/],
    [{ session: 'session.jsonl' }, /session/],
  ])('is skipped with a reason: %j', (more, reason) => {
    expect(skipReason(story(more))).toMatch(reason);
  });

  it.each<Partial<Story>>([
    {},
    { approvals: [] },
    { expected_outcome: 'done' },
    { expected_outcome: 'failed' },
    { permission_mode: 'full-access' },
    { dry_run: false },
    { tool_protocol: 'native' },
    { expected_result_contains: ['x'] },
    { expected_warning_contains: ['x'] },
  ])('is played: %j', (more) => {
    expect(skipReason(story(more))).toBeUndefined();
  });
});
