import type { PermissionMode } from '../../agent/ports/approver.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { Message } from '../../agent/ports/messages.ts';
import type { PrepareRequest } from '../../agent/run-input.ts';
import { applyEvent } from '../../agent/session-state.ts';
import { PLAN_APPROVED } from '../../tools/present-plan.ts';

const PREFACE = '<reminder>\nThis is not a message of the user, and the user does not see it. ';

/** Tells the model that it is in plan mode. A reminder, because the model would have to read another system prompt again. */
export const PLAN_ON = `${PREFACE}Plan mode is on: look around with tools that only read, and change nothing. Changes and other commands are denied. When you know what to do, call present_plan with the whole plan. The user approves it, changes it or says what is wrong. A question that needs no change is simply answered.
</reminder>`;

const PLAN_OFF = `${PREFACE}Plan mode is off: you may change files and run commands again.
</reminder>`;

/**
 * Prepares requests as `prepare` does, but first appends a reminder to the history where the model does not know yet
 * whether it is in plan mode: once in each run in that mode, and when the mode is left without a plan.
 */
export function withPlanReminders(prepare: PrepareRequest, mode: () => PermissionMode): PrepareRequest {
  return async function* (state, request, signal) {
    const text = request.shorten === undefined ? dueReminder(state.messages, mode() === 'plan') : undefined;
    if (text === undefined) return yield* prepare(state, request, signal);
    const event: AgentEvent = { type: 'user_message', text, reminder: true };
    yield event;
    return yield* prepare(applyEvent(state, event), request, signal);
  };
}

/** The reminder that belongs at the end of the history, if any. Pure. */
export function dueReminder(messages: readonly Message[], isPlanning: boolean): string | undefined {
  const prompt = messages.findLastIndex((message) => message.role === 'user' && message.reminder !== true);
  const last = messages.findLastIndex((message) => saysOn(message) || saysOff(message));
  const told = messages[last];
  const knowsPlan = told !== undefined && saysOn(told);
  if (isPlanning) return knowsPlan && last > prompt ? undefined : PLAN_ON;
  return knowsPlan ? PLAN_OFF : undefined;
}

function saysOn(message: Message): boolean {
  return message.role === 'user' && message.content === PLAN_ON;
}

function saysOff({ role, content }: Message): boolean {
  return (role === 'user' && content === PLAN_OFF) || (role === 'tool' && content.startsWith(PLAN_APPROVED));
}
