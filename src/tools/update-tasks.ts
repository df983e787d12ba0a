import * as z from 'zod';
import { withTimes } from '../core/task-list.ts';
import type { Clock } from '../ports/clock.ts';
import type { PlannedEffect, Task, Tool } from '../ports/tool.ts';
import { countOf } from '../text/quantities.ts';
import { defineTool, describeTool, wellFormedText } from './define-tool.ts';

/** The plan of an `update_tasks` call. */
interface UpdateTasksPlan extends PlannedEffect {
  readonly tasks: readonly Task[];
}

const text = () => wellFormedText().min(1).max(500);

const schema = z.object({
  tasks: z
    .array(
      z.object({
        id: z.string().max(64).optional().describe('Name of the task, to recognise it later'),
        content: text().describe('What to do'),
        status: z.enum(['pending', 'in_progress', 'completed']),
        activeForm: text().optional().describe('What is being done while the task is in progress: Fixing the sum'),
      }),
    )
    .max(100)
    .describe('The whole list, in order; it replaces the earlier one'),
});

const DESCRIPTION = `Keep a list of the tasks of a longer job, for you and the user. Send the whole list each time: it replaces the earlier one.
Have one task in_progress at a time, and mark it completed as soon as it is done. Short jobs need no list.`;

/** Ports of `update_tasks`. */
export interface TaskPorts {
  readonly clock: Clock;
  /** The task list of the session. */
  readonly tasks: () => readonly Task[];
}

/** The description of `update_tasks`. */
export const UPDATE_TASKS = describeTool({ name: 'update_tasks', description: DESCRIPTION, effect: 'read', schema });

/** Creates `update_tasks`, which replaces the task list of the session. A task that stays on the list keeps its times. */
export function createUpdateTasks({ clock, tasks: currentTasks }: TaskPorts): Tool {
  return defineTool<z.infer<typeof schema>, UpdateTasksPlan>(UPDATE_TASKS, {
    async plan({ tasks }) {
      return { summary: `update the list of tasks (${tasks.length})`, paths: [], tasks };
    },
    async *run({ tasks }) {
      const summary = summarize(tasks);
      const timed = withTimes(tasks, currentTasks(), new Date(clock.now()).toISOString());
      return { content: `The list has ${summary}.`, isError: false, summary, tasks: timed };
    },
  });
}

function summarize(tasks: readonly Task[]): string {
  const count = (status: Task['status']): number => tasks.filter((task) => task.status === status).length;
  const parts = [
    `${count('completed')} completed`,
    `${count('in_progress')} in progress`,
    `${count('pending')} pending`,
  ];
  return tasks.length === 0 ? 'no tasks' : `${countOf(tasks.length, 'task')}: ${parts.join(', ')}`;
}
