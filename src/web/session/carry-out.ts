import { UsageError } from '../../agent/errors.ts';
import type { HelpRow } from '../../app/commands/chat-command.ts';
import { type ChatInput, readChatInput } from '../../app/commands/commands.ts';
import type { ModelSwitch } from '../../app/commands/model/model-switch.ts';
import { readTypedMessage } from '../../app/commands/typed-message.ts';
import type { ShowEvent, Work } from '../../app/driver/session-driver.ts';
import type { Agent } from '../../app/session.ts';
import type { Steering } from '../../app/terminal.ts';
import type { TypedPrompt } from '../../tools/triggers/typed-prompt.ts';
import type { PageEvent } from './page-event.ts';
import { shownEvent } from './shown-event.ts';

export interface MessagePorts {
  readonly models: Pick<ModelSwitch, 'use' | 'list'>;
  readonly show: (event: PageEvent) => void;
  /** The effect of Enter on a message during a run. */
  readonly enter: Steering['enter'];
  /** Called when the session, its model or its mode may be another one. */
  readonly onChange: () => Promise<void>;
  /** Puts a text into the message box of the tab that has sent the message. */
  readonly putBack: (text: string) => void;
}

const keysOf = (enter: Steering['enter']): readonly HelpRow[] => [
  ['Tab', 'Complete a command, a trigger or a path; the arrow keys choose, Enter takes one'],
  ['Enter', `Send the message; during a run, ${enter === 'steer' ? 'with its next request' : 'after the run'}`],
  [
    'Ctrl-Enter',
    enter === 'steer' ? 'Send the message after the run' : 'During a run, send the message with its next request',
  ],
  ['Shift-Enter', 'Begin a new line'],
  ['Up, Down', 'In an empty message: an earlier message, and a later one'],
  ['Escape', 'Stop the run; in a dialog, close it; in the message, go to the question that waits'],
];

/**
 * Carries out a message. A message that cannot be sent goes back to its tab. Rejects with `AbortedError` if
 * the work is stopped before the session is open.
 */
export async function carryOut(message: string, ports: MessagePorts, work: Work): Promise<void> {
  const { signal } = work;
  const input = readChatInput(message);
  switch (input.type) {
    case 'empty':
      return;
    case 'refused':
      ports.show({ type: 'note', text: input.message });
      ports.putBack(message);
      return;
    case 'other_command':
    case 'prompt': {
      let typed: TypedPrompt;
      try {
        typed = await readTypedMessage(input, await work.agent(), { models: ports.models, signal });
      } catch (error) {
        ports.putBack(message);
        if (input.type === 'prompt' || !(error instanceof UsageError)) throw error;
        // As for a command of ybs that is refused.
        ports.show({ type: 'note', text: error.message });
        return;
      }
      const { prompt, notes } = typed;
      for (const note of notes) ports.show({ type: 'note', text: note });
      if (notes.length > 0) await ports.onChange();
      if (prompt.text !== '') await work.run(prompt, showEvents(await work.agent(), ports));
      return;
    }
    case 'shell':
      return runShell(input, ports, work);
    case 'command': {
      const { models, enter } = ports;
      const result = await input.command.run(work.agent, input.argument, { keys: keysOf(enter), models, signal });
      if (result.type === 'compact') return work.compact(showEvents(await work.agent(), ports));
      await ports.onChange();
      if (result.type === 'leave') {
        ports.show({ type: 'note', text: 'Close the tab to leave. Ctrl-C in the terminal ends the server.' });
        return;
      }
      const { text, diff, rewind, isRefused } = result;
      const line = isRefused === true ? message : result.line;
      if (rewind !== undefined) ports.show({ type: 'rewind', ...rewind });
      ports.show({ type: 'note', text, ...(diff !== undefined && { diff }) });
      if (line !== undefined) ports.putBack(line);
      return;
    }
    default:
      return input satisfies never;
  }
}

function showEvents({ workspace }: Agent, ports: MessagePorts): ShowEvent {
  return async (event) => {
    const shown = shownEvent(event, workspace);
    if (shown !== undefined) ports.show(shown);
    if (event.type === 'permission_mode') await ports.onChange();
    return true;
  };
}

/** Runs a command that the user has typed, and gives its report to the model if that is wanted. */
async function runShell(
  { command, forModel }: Extract<ChatInput, { type: 'shell' }>,
  ports: MessagePorts,
  work: Work,
): Promise<void> {
  const { signal } = work;
  const agent = await work.agent();
  const output = agent.runUserCommand(command, agent.workspace, signal);
  for (;;) {
    const step = await output.next();
    if (step.done !== true) {
      ports.show({ type: 'user_output', text: step.value.text });
      continue;
    }
    const { report, summary } = step.value;
    ports.show({ type: 'note', text: signal.aborted ? 'Stopped.' : summary });
    if (!forModel || report === undefined || signal.aborted) return;
    await work.run(report, showEvents(agent, ports));
    return;
  }
}
