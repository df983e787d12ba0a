import type { Clock } from '../../agent/ports/clock.ts';
import type { Task, Tool } from '../../agent/ports/tool.ts';
import { countOf } from '../../text/quantities.ts';
import { defineTool } from '../define-tool.ts';
import { ARGUMENT_SCHEMAS, TOOL_DEFINITIONS } from '../definitions.data.ts';
import { withTimes } from './task-list.ts';

export interface TaskPorts {
  readonly clock: Clock;
  /** The task list of the session. */
  readonly tasks: () => readonly Task[];
}

/** Creates `update_tasks`, which replaces the task list of the session. A task that stays on the list keeps its times. */
export function createUpdateTasks({ clock, tasks: currentTasks }: TaskPorts): Tool {
  return defineTool(TOOL_DEFINITIONS.update_tasks, ARGUMENT_SCHEMAS.update_tasks, {
    async plan({ tasks }) {
      return { effect: { summary: `update the list of tasks (${tasks.length})`, paths: [] }, tasks };
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
