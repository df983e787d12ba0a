import type { Task } from '../../agent/ports/tool.ts';

const MARKS: Readonly<Record<Task['status'], string>> = { completed: '[x]', in_progress: '[>]', pending: '[ ]' };

/** The list with one line per task, and its progress: `[x] Read the code`, then `1/3`. Empty for an empty list. */
export function checklist(tasks: readonly Task[]): readonly string[] {
  if (tasks.length === 0) return [];
  const completed = tasks.filter(({ status }) => status === 'completed').length;
  const lines = tasks.map(({ status, content, activeForm }) => {
    const text = status === 'in_progress' ? (activeForm ?? content) : content;
    return `${MARKS[status]} ${text.replace(/\s+/g, ' ').trim()}`;
  });
  return [...lines, `${completed}/${tasks.length}`];
}

/** True if a task is not completed. */
export function hasOpenTasks(tasks: readonly Task[]): boolean {
  return tasks.some(({ status }) => status !== 'completed');
}

/** True if both lists have the same checklist. */
export function isSameChecklist(left: readonly Task[], right: readonly Task[]): boolean {
  return checklist(left).join('\n') === checklist(right).join('\n');
}

/**
 * The tasks of a new list with their times: those of the task with the same id, or else the same content, in the
 * earlier list, and `now` for what is new.
 */
export function withTimes(tasks: readonly Task[], earlier: readonly Task[], now: string): readonly Task[] {
  return tasks.map((task) => {
    const same =
      earlier.find(({ id }) => id !== undefined && id === task.id) ??
      earlier.find(({ content }) => content === task.content);
    const createdAt = same?.createdAt ?? now;
    return task.status === 'completed'
      ? { ...task, createdAt, completedAt: same?.completedAt ?? now }
      : { ...task, createdAt };
  });
}
