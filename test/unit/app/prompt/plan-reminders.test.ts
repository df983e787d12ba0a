import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/agent/ports/messages.ts';
import { sendWholeHistory } from '../../../../src/agent/run-input.ts';
import { EMPTY_SESSION } from '../../../../src/agent/session-state.ts';
import { dueReminder, PLAN_ON, withPlanReminders } from '../../../../src/app/prompt/plan-reminders.ts';
import { createScriptedModel } from '../../../support/fakes/scripted-model.ts';

const prompt: Message = { role: 'user', content: 'go' };
const on: Message = { role: 'user', content: PLAN_ON, reminder: true };
const other: Message = { role: 'user', content: '<reminder>tasks</reminder>', reminder: true };
const answer: Message = { role: 'assistant', content: 'ok', toolCalls: [] };
const approved: Message = {
  role: 'tool',
  toolCallId: 'a',
  content: 'The user agrees to the plan. Go.',
  isError: false,
};
const OFF = dueReminder([on], false);
const off: Message = { role: 'user', content: OFF ?? '', reminder: true };

describe('the model', () => {
  it.each<[string, readonly Message[], boolean, string | undefined]>([
    ['is told of the plan mode at the start of a run', [prompt], true, PLAN_ON],
    ['is told once in a run', [prompt, on, answer], true, undefined],
    ['is told despite other reminders', [prompt, other], true, PLAN_ON],
    ['is told again in the next run', [prompt, on, answer, prompt], true, PLAN_ON],
    ['is told again in the run after an approved plan', [prompt, on, approved, answer, prompt], true, PLAN_ON],
    ['is told when a run has returned to the mode', [prompt, on, off], true, PLAN_ON],
    ['is told that the mode was left without a plan', [prompt, on, answer, prompt], false, OFF],
    ['is told this only once', [prompt, on, prompt, off, answer], false, undefined],
    ['is not told this after an approved plan', [prompt, on, approved], false, undefined],
    ['is told nothing outside the mode', [prompt, other, answer], false, undefined],
  ])('%s', (_name, messages, isPlanning, reminder) => {
    expect(dueReminder(messages, isPlanning)).toBe(reminder);
  });

  it('is told how to leave the mode', () => {
    expect(PLAN_ON).toContain('call present_plan with the whole plan');
    expect(OFF).toContain('Plan mode is off: you may change files and run commands again.');
  });
});

describe('a request in plan mode', () => {
  const request = { model: createScriptedModel(), system: '', tools: [] };
  const state = { ...EMPTY_SESSION, messages: [prompt] };
  const { signal } = new AbortController();

  it('gets the reminder as an event, at the end of the history', async () => {
    const steps = withPlanReminders(sendWholeHistory, () => 'plan')(state, request, signal);
    expect((await steps.next()).value).toEqual({ type: 'user_message', text: PLAN_ON, reminder: true });
    expect((await steps.next()).value).toEqual([prompt, on]);
  });

  it.each([
    ['in another mode', 'ask' as const, request],
    ['when it is sent again, shortened', 'plan' as const, { ...request, shorten: 'overflow' as const }],
  ])('gets no reminder %s', async (_name, mode, sent) => {
    const steps = withPlanReminders(sendWholeHistory, () => mode)(state, sent, signal);
    expect(await steps.next()).toEqual({ done: true, value: [prompt] });
  });
});
