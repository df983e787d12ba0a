import { describe, expect, it } from 'vitest';
import type { Task } from '../../../src/ports/tool.ts';
import { createRegistry } from '../../../src/tools/registry.ts';
import { createUpdateTasks } from '../../../src/tools/update-tasks.ts';
import { eventsOf, runHarness } from '../../support/agent-harness.ts';
import { CONTEXT, finish } from '../../support/file-tools.ts';
import { scriptedCall as call } from '../../support/scripted-model.ts';

const tool = createUpdateTasks();
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
    expect(await finish(planned)).toMatchObject({ content, isError: false, tasks });
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
    expect(eventsOf(run, 'tasks')).toEqual([{ type: 'tasks', tasks }]);
    expect(run.state.tasks).toEqual(tasks);
  });
});
