import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/agent/ports/messages.ts';
import type { Task } from '../../../../src/agent/ports/tool.ts';
import { sendWholeHistory } from '../../../../src/agent/run-input.ts';
import { EMPTY_SESSION, type SessionState } from '../../../../src/agent/session-state.ts';
import { isReminderDue, withTaskReminders } from '../../../../src/app/prompt/task-reminders.ts';
import { inClaudeDialect } from '../../../../src/tools/dialects/claude-dialect.ts';
import { createRegistry } from '../../../../src/tools/registry.ts';
import { createUpdateTasks } from '../../../../src/tools/tasks/update-tasks.ts';
import { eventsOf, runHarness } from '../../../support/agent/agent-harness.ts';
import { scriptedCall as call, createScriptedModel } from '../../../support/fakes/scripted-model.ts';
import { scriptedTools } from '../../../support/fakes/scripted-tools.ts';
import { toolPorts } from '../../../support/fakes/tool-ports.ts';

const open: Task[] = [
  { content: 'Read the code', status: 'completed' },
  { content: 'Fix the sum', status: 'in_progress', activeForm: 'Fixing the sum' },
];
const done: Task[] = [{ content: 'Read the code', status: 'completed' }];
const user = (reminder?: true): Message => ({ role: 'user', content: 'x', ...(reminder && { reminder }) });
const named: Message = { role: 'user', content: 'x', reminder: true, file: 'a.md' };
const answer = (name?: string): Message => ({
  role: 'assistant',
  content: 'x',
  toolCalls: name === undefined ? [] : [{ id: 'a', name, arguments: '{}' }],
});
const result: Message = { role: 'tool', toolCallId: 'a', content: 'x', isError: false };
const turns = (count: number): Message[] => Array.from({ length: count }, () => [answer('read_file'), result]).flat();

describe('isReminderDue', () => {
  it.each<[string, Message[], Task[], boolean]>([
    ['at the start of a run', [user(), answer(), user()], open, true],
    ['not without open tasks', [user()], done, false],
    ['not without tasks', [user()], [], false],
    ['not twice at the start of a run', [user(), user(true)], open, false],
    ['not soon after the reminder', [user(), user(true), ...turns(5)], open, false],
    [
      'regardless of files that were named since',
      [user(), user(true), ...turns(5), named, user(), ...turns(1)],
      open,
      true,
    ],
    ['six answers after the reminder', [user(), user(true), ...turns(6)], open, true],
    ['not soon after the list was written', [user(), ...turns(9), answer('update_tasks'), result], open, false],
    [
      'not soon after the list was written with another name of the tool',
      [user(), answer('TodoWrite'), result],
      open,
      false,
    ],
    ['six answers after the list was written', [user(), answer('update_tasks'), result, ...turns(6)], open, true],
    ['when a compaction has removed the list', [user(), ...turns(1)], open, true],
    ['not after many answers without open tasks', [user(), ...turns(9)], done, false],
  ])('decides: %s', (_title, messages, tasks, due) => {
    expect(isReminderDue({ messages, tasks })).toBe(due);
  });
});

describe('withTaskReminders', () => {
  const tools = createRegistry([createUpdateTasks(toolPorts())]);
  const prepareRequest = withTaskReminders(sendWholeHistory);

  it('appends a reminder to the history, which the user does not see, and keeps the prefix of the requests', async () => {
    const first = await runHarness({
      answers: [{ calls: [call('a', 'update_tasks', { tasks: open })] }, { text: 'Paused.' }],
      tools,
      prepareRequest,
    });
    expect(eventsOf(first, 'user_message')).toHaveLength(1);
    const second = await runHarness({ answers: [{ text: 'Done.' }], tools, prepareRequest, state: first.state });
    const reminders = eventsOf(second, 'user_message').filter(({ reminder }) => reminder === true);
    expect(reminders.map(({ text }) => text)).toMatchInlineSnapshot(`
      [
        "<reminder>
      This is not a message of the user, and the user does not see it. Tasks on your list are open:
      [x] Read the code
      [>] Fixing the sum
      1/2
      Go on with them if they still belong to what the user wants, and keep the list up to date with update_tasks.
      </reminder>",
      ]
    `);
    expect(second.model.requests[0]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'user',
    ]);
  });

  it('names the tool as the model knows it', async () => {
    const state = { ...EMPTY_SESSION, tasks: open };
    const claude = inClaudeDialect(tools, 'posix');
    const { model } = await runHarness({ answers: [{ text: 'Done.' }], tools: claude, prepareRequest, state });
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('up to date with TodoWrite.');
  });

  it('reminds every six answers, and never moves a reminder', async () => {
    const read = Array.from({ length: 13 }, (_, index) => ({
      calls: [call(`r${index}`, 'echo', { label: `call ${index}` })],
    }));
    const state: SessionState = { ...EMPTY_SESSION, tasks: open };
    const run = await runHarness({
      answers: [...read, { text: 'Done.' }],
      tools: scriptedTools({ echo: {} }),
      prepareRequest,
      state,
    });
    const positions = run.state.messages.flatMap((message, index) =>
      message.role === 'user' && message.reminder === true ? [index] : [],
    );
    expect(positions).toEqual([1, 14, 27]);
  });

  it('does not remind while the history is being shortened', async () => {
    const state: SessionState = { ...EMPTY_SESSION, tasks: open, messages: [user()] };
    const model = createScriptedModel();
    const request = { model, system: '', tools: [], shorten: 'command' } as const;
    const steps = prepareRequest(state, request, new AbortController().signal);
    expect(await steps.next()).toEqual({ done: true, value: state.messages });
  });
});
