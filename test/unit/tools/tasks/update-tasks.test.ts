import { describe, expect, it } from 'vitest';
import type { Task } from '../../../../src/agent/ports/tool.ts';
import { createRegistry } from '../../../../src/tools/registry.ts';
import { createUpdateTasks } from '../../../../src/tools/tasks/update-tasks.ts';
import { eventsOf, runHarness } from '../../../support/agent/agent-harness.ts';
import { scriptedCall as call } from '../../../support/fakes/scripted-model.ts';
import { toolPorts } from '../../../support/fakes/tool-ports.ts';
import { CONTEXT, finish } from '../../../support/tools/file-tools.ts';

const tool = createUpdateTasks(toolPorts());
const BEFORE = '2026-11-20T08:00:00.000Z';
const NOW = '2026-11-20T09:00:00.000Z';
const task = (status: string, content = 'Fix the sum') => ({ content, status });

describe('update_tasks', () => {
  it.each([
    [[], 'The list has no tasks.'],
    [[task('pending')], 'The list has 1 task: 0 completed, 0 in progress, 1 pending.'],
    [
      [task('completed'), task('completed'), task('in_progress'), task('pending')],
      'The list has 4 tasks: 2 completed, 1 in progress, 1 pending.',
    ],
  ])('replaces the list by %j', async (tasks, content) => {
    const planned = await tool.plan({ tasks }, CONTEXT);
    expect(planned.effect).toEqual({ summary: `update the list of tasks (${tasks.length})`, paths: [] });
    const result = await finish(planned);
    expect(result).toMatchObject({ content, isError: false });
    expect(result.tasks?.map(({ content: text, status }) => ({ content: text, status }))).toEqual(tasks);
  });

  it.each([
    [{ tasks: [task('done')] }],
    [{ tasks: [task('pending', '')] }],
    [{ tasks: [task('pending', 'x'.repeat(501))] }],
    [{ tasks: Array.from({ length: 101 }, () => task('pending')) }],
    [{ tasks: 'Fix the sum' }],
    [{}],
  ])('refuses %.50j', async (args) => {
    await expect(tool.plan(args, CONTEXT)).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it('reports the list and keeps it in the session', async () => {
    const tasks: Task[] = [{ id: '1', content: 'Fix the sum', status: 'in_progress', activeForm: 'Fixing the sum' }];
    const run = await runHarness({
      answers: [{ calls: [call('a', 'todo_write', { items: tasks })] }, { text: 'Done.' }],
      tools: createRegistry([tool]),
    });
    const timed = tasks.map((each) => ({ ...each, createdAt: NOW }));
    expect(eventsOf(run, 'tasks')).toEqual([{ type: 'tasks', tasks: timed }]);
    expect(run.state.tasks).toEqual(timed);
  });

  it('accepts numbers as ids', async () => {
    const planned = await tool.plan({ tasks: [{ id: 7, ...task('pending') }] }, CONTEXT);
    expect((await finish(planned)).tasks).toEqual([{ id: '7', ...task('pending'), createdAt: NOW }]);
  });

  it('keeps the times of the tasks that were on the list of the session', async () => {
    const earlier: Task[] = [{ content: 'Fix the sum', status: 'pending', createdAt: BEFORE }];
    const timed = createUpdateTasks({ ...toolPorts(), tasks: () => earlier });
    const planned = await timed.plan({ tasks: [task('completed'), task('pending', 'Test it')] }, CONTEXT);
    expect((await finish(planned)).tasks).toEqual([
      { ...task('completed'), createdAt: BEFORE, completedAt: NOW },
      { ...task('pending', 'Test it'), createdAt: NOW },
    ]);
  });
});
