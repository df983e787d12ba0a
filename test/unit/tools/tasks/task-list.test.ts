import { describe, expect, it } from 'vitest';
import type { Task } from '../../../../src/agent/ports/tool.ts';
import { checklist, hasOpenTasks, isSameChecklist, withTimes } from '../../../../src/tools/tasks/task-list.ts';

const task = (content: string, status: Task['status'] = 'pending', more: Partial<Task> = {}): Task => ({
  content,
  status,
  ...more,
});

describe('checklist', () => {
  it.each<[readonly Task[], readonly string[]]>([
    [[], []],
    [
      [task('Read', 'completed'), task('Fix', 'in_progress', { activeForm: 'Fixing' }), task('Test\n it')],
      ['[x] Read', '[>] Fixing', '[ ] Test it', '1/3'],
    ],
    [[task('Fix', 'in_progress')], ['[>] Fix', '0/1']],
  ])('shows %j', (tasks, lines) => {
    expect(checklist(tasks)).toEqual(lines);
  });

  it('is the same for lists that differ only in their times', () => {
    expect(isSameChecklist([task('Read')], [task('Read', 'pending', { createdAt: 'x' })])).toBe(true);
    expect(isSameChecklist([task('Read')], [task('Read', 'completed')])).toBe(false);
  });
});

it.each([
  [[], false],
  [[task('a', 'completed')], false],
  [[task('a', 'completed'), task('b')], true],
  [[task('b', 'in_progress')], true],
])('the list %j is checked for open tasks', (tasks, open) => {
  expect(hasOpenTasks(tasks)).toBe(open);
});

describe('withTimes', () => {
  const earlier = [
    task('Read', 'completed', { id: '1', createdAt: 't1', completedAt: 't2' }),
    task('Fix', 'in_progress', { createdAt: 't3' }),
    task('Old'),
  ];

  it.each<[string, Task, Task]>([
    ['a new task', task('New'), task('New', 'pending', { createdAt: 'now' })],
    [
      'a new task that is done',
      task('New', 'completed'),
      task('New', 'completed', { createdAt: 'now', completedAt: 'now' }),
    ],
    ['a task that stays open', task('Fix'), task('Fix', 'pending', { createdAt: 't3' })],
    [
      'a task that becomes done',
      task('Fix', 'completed'),
      task('Fix', 'completed', { createdAt: 't3', completedAt: 'now' }),
    ],
    [
      'a task that was done, by its id',
      task('Read all', 'completed', { id: '1' }),
      task('Read all', 'completed', { id: '1', createdAt: 't1', completedAt: 't2' }),
    ],
    ['a reopened task', task('Read', 'pending', { id: '1' }), task('Read', 'pending', { id: '1', createdAt: 't1' })],
    ['a task of a list without times', task('Old'), task('Old', 'pending', { createdAt: 'now' })],
  ])('keeps the times of %s', (_title, now, timed) => {
    expect(withTimes([now], earlier, 'now')).toEqual([timed]);
  });
});
