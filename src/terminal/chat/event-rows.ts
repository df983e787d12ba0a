import type { Task } from '../../agent/ports/tool.ts';
import type { Palette } from '../../app/terminal.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import { checklist } from '../../tools/tasks/task-list.ts';
import { escapeLine } from '../output.ts';

/** The message that the user has sent during a run, which the next request contains. */
export function steeredRows(text: string, palette: Palette): string {
  const rows = escapeForTerminal(text)
    .split('\n')
    .map((row) => `${palette('bold', row)}\n`);
  return `${palette('dim', '> sent with the next request:')}\n${rows.map((row) => `  ${row}`).join('')}`;
}

/** The list of tasks: the current one stands out, and those that are done stand back. */
export function taskRows(tasks: readonly Task[], palette: Palette): string {
  const rows = checklist(tasks).map((row, index) => {
    const text = escapeLine(row);
    const status = tasks[index]?.status;
    if (status === 'in_progress') return palette('bold', text);
    return status === 'pending' ? text : palette('dim', text);
  });
  return rows.map((row) => `  ${row}\n`).join('');
}
