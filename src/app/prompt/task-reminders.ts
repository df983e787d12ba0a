import type { AgentEvent } from '../../agent/ports/events.ts';
import type { ToolCall } from '../../agent/ports/messages.ts';
import type { Task, ToolDefinition } from '../../agent/ports/tool.ts';
import type { PrepareRequest } from '../../agent/run-input.ts';
import { applyEvent, type SessionState } from '../../agent/session-state.ts';
import { canonicalToolName, offeredNames } from '../../tools/dialects/aliases.ts';
import { checklist, hasOpenTasks } from '../../tools/tasks/task-list.ts';

/** The number of answers after which the model is reminded of a list that it has not seen or written since. */
const ANSWERS_WITHOUT_LIST = 6;

/**
 * Prepares requests as `prepare` does, but first appends a reminder of the open tasks to the history where one is due:
 * at the start of a run, every few answers, and after a compaction that has removed the list.
 */
export function withTaskReminders(prepare: PrepareRequest): PrepareRequest {
  return async function* (state, request, signal) {
    if (request.shorten !== undefined || !isReminderDue(state)) return yield* prepare(state, request, signal);
    const event: AgentEvent = { type: 'user_message', text: reminderText(state.tasks, request.tools), reminder: true };
    yield event;
    return yield* prepare(applyEvent(state, event), request, signal);
  };
}

/** True if a history with these tasks needs a reminder at its end. Pure. */
export function isReminderDue({ messages, tasks }: Pick<SessionState, 'messages' | 'tasks'>): boolean {
  if (!hasOpenTasks(tasks)) return false;
  const last = messages.at(-1);
  if (last?.role === 'user') return last.reminder !== true;
  let answers = 0;
  for (const message of messages.toReversed()) {
    if (message.role === 'user' && message.reminder === true && message.file === undefined)
      return answers >= ANSWERS_WITHOUT_LIST;
    if (message.role !== 'assistant') continue;
    if (message.toolCalls.some(isUpdate)) return answers >= ANSWERS_WITHOUT_LIST;
    answers += 1;
  }
  return true;
}

function isUpdate({ name }: ToolCall): boolean {
  return canonicalToolName(name) === 'update_tasks';
}

function reminderText(tasks: readonly Task[], tools: readonly ToolDefinition[]): string {
  const tool = offeredNames(tools).get('update_tasks') ?? 'update_tasks';
  return [
    '<reminder>',
    'This is not a message of the user, and the user does not see it. Tasks on your list are open:',
    ...checklist(tasks),
    `Go on with them if they still belong to what the user wants, and keep the list up to date with ${tool}.`,
    '</reminder>',
  ].join('\n');
}
