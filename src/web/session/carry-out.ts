import { raceAbort } from '../../agent/async/abort.ts';
import { UsageError } from '../../agent/errors.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { HelpRow } from '../../app/commands/chat-command.ts';
import { type ChatInput, readChatInput } from '../../app/commands/commands.ts';
import type { ModelSwitch } from '../../app/commands/model/model-switch.ts';
import { type PromptInput, readTypedMessage } from '../../app/commands/typed-message.ts';
import type { Agent } from '../../app/session.ts';
import type { TypedPrompt } from '../../tools/triggers/typed-prompt.ts';
import type { PageEvent } from './page-event.ts';
import { shownEvent } from './shown-event.ts';

/** Ports of the work on one message. */
export interface MessagePorts {
  /** Waits for the session. */
  readonly agent: () => Promise<Agent>;
  readonly models: Pick<ModelSwitch, 'use'>;
  readonly show: (event: PageEvent) => void;
  /** Called when the session, its model or its mode may be another one. */
  readonly onChange: () => Promise<void>;
  /** Puts a text into the message box of the tab that has sent the message. */
  readonly putBack: (text: string) => void;
}

/** The keys of the page. */
const KEYS: readonly HelpRow[] = [
  ['Tab', 'Complete a command, a trigger or a path; the arrow keys choose, Enter takes one'],
  ['Shift-Enter', 'Begin a new line'],
  ['Up, Down', 'In an empty message: an earlier message, and a later one'],
  ['Escape', 'Stop the run; in a dialog, close it; in the message, go to the question that waits'],
];

/**
 * Does what a message asks for. A message that cannot be sent goes back to its tab. Rejects with `AbortedError` if
 * `signal` aborts before the session is open.
 */
export async function carryOut(message: string, ports: MessagePorts, signal: AbortSignal): Promise<void> {
  const input = readChatInput(message);
  switch (input.type) {
    case 'empty':
      return;
    case 'refused':
      ports.show({ type: 'note', text: input.message });
      return;
    case 'other_command':
    case 'prompt': {
      let typed: TypedPrompt;
      try {
        typed = await readPrompt(input, ports, signal);
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
      if (prompt.text !== '') await follow((agent) => agent.run(prompt, signal), ports, signal);
      return;
    }
    case 'shell':
      return runShell(input, ports, signal);
    case 'command': {
      const agent = (): Promise<Agent> => raceAbort(ports.agent(), signal);
      const result = await input.command.run(agent, input.argument, { keys: KEYS, models: ports.models, signal });
      if (result.type === 'compact') return follow((opened) => opened.compact(signal), ports, signal);
      await ports.onChange();
      if (result.type === 'leave') {
        ports.show({ type: 'note', text: 'Close the tab to leave. Ctrl-C in the terminal ends the server.' });
        return;
      }
      const { text, diff, line, rewind } = result;
      if (rewind !== undefined) ports.show({ type: 'rewind', ...rewind });
      ports.show({ type: 'note', text, ...(diff !== undefined && { diff }) });
      if (line !== undefined) ports.putBack(line);
      return;
    }
    default:
      return input satisfies never;
  }
}

/** The typed prompt with the files and the agent that it names. Throws `UsageError` if one of them cannot be used. */
async function readPrompt(input: PromptInput, ports: MessagePorts, signal: AbortSignal): Promise<TypedPrompt> {
  const opened = await raceAbort(ports.agent(), signal);
  return readTypedMessage(input, opened, { models: ports.models, signal });
}

/** Shows the events of a run. */
async function follow(
  begin: (agent: Agent) => AsyncIterable<AgentEvent>,
  ports: MessagePorts,
  signal: AbortSignal,
): Promise<void> {
  const agent = await raceAbort(ports.agent(), signal);
  for await (const event of begin(agent)) {
    const shown = shownEvent(event, agent.workspace);
    if (shown !== undefined) ports.show(shown);
    if (event.type === 'permission_mode') await ports.onChange();
  }
}

/** Runs a command that the user has typed, and gives its report to the model if that is wanted. */
async function runShell(
  { command, forModel }: Extract<ChatInput, { type: 'shell' }>,
  ports: MessagePorts,
  signal: AbortSignal,
): Promise<void> {
  const agent = await raceAbort(ports.agent(), signal);
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
    return follow((opened) => opened.run(report, signal), ports, signal);
  }
}
