import { describe, expect, it } from 'vitest';
import type { Task } from '../../../src/agent/ports/tool.ts';
import type { Wiring } from '../../../src/app/wiring.ts';
import { configuredRun, MODEL, type ObservedRun, type RunScript } from '../../support/agent/configured-run.ts';
import type { ScriptedAnswer } from '../../support/fakes/scripted-model.ts';

type Opened = Awaited<ReturnType<Wiring['openSession']>>['agent'];

/** Opens a session of `/work` over these files, and does `work` with it. */
function withAgent(
  work: (agent: Opened, run: (prompt: string) => Promise<void>) => Promise<void>,
  script: Pick<RunScript, 'files' | 'answers'> = {},
): Promise<ObservedRun> {
  return configuredRun({
    ...script,
    config: { llm: MODEL },
    async run(wiring, _user, options) {
      const settings = await wiring.loadSettings(options);
      const approver = { decide: () => Promise.reject(new Error('not asked')) };
      const { agent, close } = await wiring.openSession(settings, approver, { type: 'new', name: 'session-one' });
      await work(agent, async (prompt) => {
        for await (const _ of agent.run(prompt, new AbortController().signal));
      });
      await close();
    },
  });
}

const call = (name: string, args: object): ScriptedAnswer => ({
  calls: [{ id: 'call_1', name, arguments: JSON.stringify(args) }],
});
const textsOf = ({ requests }: ObservedRun, index: number): string => JSON.stringify(requests[index]?.body['messages']);

describe('the project in a conversation', () => {
  it('is described once, until the conversation is cleared', async () => {
    const run = await withAgent(
      async (agent, prompt) => {
        await prompt('write');
        await prompt('again');
        await agent.clear();
        await prompt('new');
      },
      {
        files: { '/work/AGENTS.md': 'Use tabs.' },
        answers: [
          call('write_file', { path: 'go.mod', content: 'module x\n' }),
          { text: 'Denied.' },
          { text: 'Again.' },
          { text: 'New.' },
        ],
      },
    );
    const systems = run.requests.map(({ body }) => JSON.stringify(body['messages']).split('"role":"user"')[0]);
    expect(systems[0]).toContain('Use tabs.');
    expect(new Set(systems.slice(0, 3)).size).toBe(1);
  });

  it('adds the instructions of a directory to the result of the first call that uses it, and not to the next', async () => {
    const read = call('read_file', { path: 'lib/a.js' });
    const run = await withAgent((_agent, prompt) => prompt('read'), {
      files: { '/work/lib/AGENTS.md': 'Use spaces in lib.', '/work/lib/a.js': 'a();\n' },
      answers: [read, read, { text: 'Done.' }],
    });
    expect(textsOf(run, 0)).not.toContain('Use spaces');
    expect(textsOf(run, 1).match(/Use spaces/g)).toHaveLength(1);
    expect(textsOf(run, 2).match(/Use spaces/g)).toHaveLength(1);
  });
});

describe('the tasks of a session', () => {
  const TASKS = [
    { content: 'Read', status: 'completed' },
    { content: 'Fix', status: 'pending' },
  ];

  it('keep their times when the session is continued, and are named in a reminder', async () => {
    let before: readonly Task[] = [];
    let after: readonly Task[] = [];
    const run = await withAgent(
      async (agent, prompt) => {
        await prompt('begin');
        before = agent.tasks;
        const { name } = agent.record;
        await agent.clear();
        expect(agent.tasks).toEqual([]);
        await agent.load(name);
        after = agent.tasks;
        await prompt('go on');
      },
      { answers: [call('update_tasks', { tasks: TASKS }), { text: 'Paused.' }, { text: 'Done.' }] },
    );
    expect(run.outcome).toBe(0);
    expect(before).toEqual([
      { ...TASKS[0], createdAt: '2026-11-20T09:00:00.000Z', completedAt: '2026-11-20T09:00:00.000Z' },
      { ...TASKS[1], createdAt: '2026-11-20T09:00:00.000Z' },
    ]);
    expect(after).toEqual(before);
    expect(textsOf(run, 1)).not.toContain('<reminder>');
    expect(textsOf(run, 2)).toMatch(/"go on"\},\{"type":"text","text":"<reminder>/);
    const log = run.readFile('/home/ada/.config/ybs/sessions/session-one.jsonl');
    expect(log).toContain('"reminder":true');
  });
});
