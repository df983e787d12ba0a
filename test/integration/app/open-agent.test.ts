import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineScenarios, startMockLlm } from '../../../mock-llm-server/testing.ts';
import {
  type AgentEvent,
  type AgentOptions,
  type LanguageModel,
  openAgent,
  type Tool,
  UsageError,
} from '../../../src/index.ts';
import { createRepository } from '../../support/processes/git-repository.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const scenarios = defineScenarios([
  {
    name: 'write',
    trigger: 'write the file',
    steps: [
      { response: { tool_calls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'written' } }] } },
      { response: { content: 'The tool answered.' } },
    ],
  },
]);

/** The events of one run in `workspace` on the mock model. */
async function run(workspace: string, options: AgentOptions = {}): Promise<readonly AgentEvent[]> {
  await using server = await startMockLlm({ scenarios });
  const config = { ...options.config, llm: { provider: 'mock', endpoint: server.url } };
  await using agent = await openAgent({ ...options, workspace, config });
  const events: AgentEvent[] = [];
  for await (const event of agent.run('write the file')) events.push(event);
  return events;
}

describe('openAgent', () => {
  it('answers every question with no unless there is an approver', async () => {
    const workspace = temporaryDirectory();
    const events = await run(workspace);
    expect(events.flatMap((event) => (event.type === 'approval_decision' ? [event.decision] : []))).toEqual([
      { type: 'unavailable' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end' });
    expect(existsSync(path.join(workspace, 'a.txt'))).toBe(false);
  });

  it('asks the approver', async () => {
    const workspace = temporaryDirectory();
    await run(workspace, { approver: { decide: async () => ({ type: 'once' }) } });
    expect(readFileSync(path.join(workspace, 'a.txt'), 'utf8')).toBe('written');
  });

  it('accepts the keys of the configuration file, but reads no such file', async () => {
    const workspace = temporaryDirectory();
    writeFileSync(
      path.join(workspace, '.ybs.json'),
      '{ "tools": { "builtin": { "read_file": { "enabled": false } } } }',
    );
    await run(workspace, { config: { safety: { permission_mode: 'full-access' } } });
    expect(readFileSync(path.join(workspace, 'a.txt'), 'utf8')).toBe('written');
    await using agent = await openAgent({ workspace, model: silent([]) });
    expect(agent.tools.map(({ name }) => name)).toContain('read_file');
  });

  it('returns its current effort and tasks', async () => {
    const tasks = [{ content: 'Fix the sum', status: 'pending' }];
    await using server = await startMockLlm({
      scenarios: defineScenarios([
        {
          name: 'tasks',
          trigger: 'plan',
          steps: [
            { response: { tool_calls: [{ name: 'update_tasks', arguments: { tasks } }] } },
            { response: { content: 'Planned.' } },
          ],
        },
      ]),
    });
    const config = { llm: { provider: 'mock', endpoint: server.url } } as const;
    await using agent = await openAgent({ workspace: temporaryDirectory(), config });
    expect([agent.effort, agent.tasks]).toEqual([undefined, []]);
    await agent.setEffort('low');
    for await (const event of agent.run('plan')) expect(event.type).not.toBe('warning');
    expect([agent.effort, agent.tasks]).toEqual(['low', [expect.objectContaining(tasks[0] ?? {})]]);
  });

  it.each([
    [undefined, false],
    [false, false],
    [true, true],
  ])('with trusted %s tells the model the state of git: %s', async (trusted, isTold) => {
    const systems: string[] = [];
    const { directory } = createRepository({ 'a.txt': 'one\n' });
    await using agent = await openAgent({
      ...{ workspace: directory, model: silent(systems) },
      ...(trusted !== undefined && { trusted }),
    });
    for await (const event of agent.run('hello')) expect(event).toBeDefined();
    expect(systems.map((text) => text.includes('Branch: main'))).toEqual([isTold]);
  });

  it('sends its own system prompt to its own model', async () => {
    const systems: string[] = [];
    await using agent = await openAgent({
      workspace: temporaryDirectory(),
      model: silent(systems),
      systemPrompt: 'You are brief.',
    });
    for await (const event of agent.run('hello', AbortSignal.timeout(60_000))) expect(event).toBeDefined();
    expect(systems).toEqual(['You are brief.']);
  });

  it.each<[string, AgentOptions, RegExp]>([
    ['a directory that does not exist', { workspace: '/does/not/exist' }, /no directory/],
    ['an invalid value', { config: { agent: { max_iterations: 0 } } }, /max_iterations/],
    [
      'an unknown key',
      { config: { safety: { ...JSON.parse('{ "blocked_command": ["git push"] }') } } },
      /blocked_command/,
    ],
    ['two tools with the same name', { tools: [namesake()] }, /"read_file"/],
    ['an unknown provider', { config: { llm: { provider: 'nobody' } } }, /llm\.provider/],
    ['the embedded mock model', { config: { llm: { provider: 'mock' } } }, /startMockLlm/],
  ])('rejects %s with a UsageError that gives advice', async (_what, options, message) => {
    const failure = await openAgent(options).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(UsageError);
    expect(String(failure)).toMatch(message);
  });
});

/** A tool with the name of a built-in one. */
function namesake(): Tool {
  return {
    definition: { name: 'read_file', description: 'Reads.', parameters: { type: 'object' }, effect: 'read' },
    plan: () => Promise.reject(new Error('not planned in this test')),
  };
}

/** A model that answers nothing and records the system prompts. */
function silent(systems: string[]): LanguageModel {
  return {
    identity: { provider: 'own', wire: 'none', model: 'silent' },
    async *stream(request) {
      systems.push(request.system);
      yield { type: 'text_delta', text: 'ok' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}
