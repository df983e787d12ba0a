import { AbortedError, raceAbort } from '../../agent/async/abort.ts';
import { FileSystemError, UsageError } from '../../agent/errors.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { ChatCommand, CommandContext } from '../../app/commands/chat-command.ts';
import type { ChatInput } from '../../app/commands/commands.ts';
import { goToNextMode } from '../../app/commands/permissions-command.ts';
import type { PromptInput } from '../../app/commands/typed-message.ts';
import type { SessionDriver, ShowEvent, Work } from '../../app/driver/session-driver.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import type { Agent, Prompt } from '../../app/session.ts';
import type { ShowStatus, Terminal, WriteText } from '../../app/terminal.ts';
import { NotSavedError } from '../../session/log/session-log.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import { escapeLine, markLines } from '../output.ts';
import { askChoice } from '../question/ask-choice.ts';
import { diffRows } from './diff-rows.ts';
import { createTextView, type TextView } from './follow-run.ts';
import { addOutput, endOutput, NO_OUTPUT, WHOLE } from './output-view.ts';
import type { RenderSettings } from './render.ts';

export interface ChatPorts {
  readonly terminal: Terminal;
  readonly write: WriteText;
  readonly showStatus: ShowStatus;
  readonly settings: RenderSettings;
  readonly copy?: CommandContext['copy'];
  readonly driver: SessionDriver;
  /** Waits for the agent of the driver. It may take a while: the first prompt does not wait for it. */
  readonly agent: () => Promise<Agent>;
  readonly models: CommandContext['models'];
  /** The effect of Enter during a run; see `Steering`. */
  readonly enterDuringRun?: 'steer' | 'queue';
  /** The user's current directory, in which `!commands` run. */
  readonly currentDirectory: string;
  /** Gets each event of a run before it is shown. */
  readonly onEvent?: (event: AgentEvent) => void;
  /** Called after each message, before the next one is read. */
  readonly onIdle?: () => void;
}

/** The ports of a chat, its work on the current message, and what it shows. */
interface Chat extends ChatPorts {
  readonly view: TextView;
  readonly work: Work;
  /** Writes lines of ybs. Safe text without the last line feed. */
  readonly say: (text: string) => Promise<unknown>;
}

/**
 * The next step of the chat after a message: `refused` gives it back for correction, and a `line` is for the user to
 * change. In both cases, what waits comes back, too, because it may rely on the message.
 */
type Effect = 'stay' | 'leave' | 'refused' | { readonly line: string };

/** A command that was refused does not come back: it is quickly typed again, and the next one must not join it. */
const REFUSED_COMMAND: Effect = { line: '' };

/**
 * Runs the chat at a terminal until the user leaves. Returns the exit code: 0, or 130 after Ctrl-C twice at an empty
 * line.
 */
export async function chat(ports: ChatPorts): Promise<number> {
  const { terminal, write, driver } = ports;
  const view = createTextView(ports, { ...ports.settings, unfolds: terminal.onUnfold !== undefined });
  // A failed write is reported by the next text.
  terminal.onUnfold?.(() => view.unfold().catch(() => false));
  terminal.onMode?.(() => {
    nextMode(ports).catch(() => undefined);
  });
  const say = (text: string) => write(markLines(`${text}\n`, ports.settings.palette));
  terminal.onInterrupt(() => driver.stop());
  let interrupted = false;
  /** The text that the next line begins with. */
  let text: string | undefined;
  /** Reads a message and does what it says. Returns the exit code if the chat ends. */
  const next = async (work: Work): Promise<number | undefined> => {
    const input = await terminal.readLine({ prompt: '> ', fresh: false, ...(text !== undefined && { text }) });
    text = undefined;
    if (input.type === 'end') return EXIT_CODES.done;
    if (input.type === 'interrupt') {
      if (interrupted && !input.cleared) return EXIT_CODES.aborted;
      interrupted = !input.cleared;
      if (interrupted) await say('(Ctrl-C again to leave)');
      return undefined;
    }
    interrupted = false;
    // Loaded with the first message, because the first prompt does not need it.
    const { readChatInput } = await import('../../app/commands/commands.ts');
    const effect = await dispatchSafely(readChatInput(input.text), { ...ports, view, say, work });
    ports.onIdle?.();
    if (effect === 'refused') text = input.text;
    if (typeof effect === 'object') text = effect.line;
    return effect === 'leave' ? EXIT_CODES.done : undefined;
  };
  while (!driver.signal.aborted) {
    // Reading is a part of the work, because Ctrl-C may follow Enter before anything else has begun.
    const code = await driver.submit(next);
    if (code !== undefined) return code;
  }
  return EXIT_CODES.aborted;
}

/** Like `dispatch`. A disk that cannot be used does not end the chat: the message comes back for another attempt. */
async function dispatchSafely(input: ChatInput, ports: Chat): Promise<Effect> {
  try {
    return await dispatch(input, ports);
  } catch (error) {
    if (!(error instanceof NotSavedError || error instanceof FileSystemError)) throw error;
    await ports.say(escapeForTerminal(error instanceof NotSavedError ? error.message : `Not done: ${error.message}.`));
    return 'refused';
  }
}

async function dispatch(input: ChatInput, ports: Chat): Promise<Effect> {
  switch (input.type) {
    case 'empty':
      return 'stay';
    case 'refused':
      await ports.say(escapeForTerminal(input.message));
      return REFUSED_COMMAND;
    case 'command':
      return runCommand(input.command, input.argument, ports);
    case 'shell':
      await interruptible(ports, async () => {
        const agent = await openAgent(ports);
        const text = await runShellCommand(agent, input, ports);
        if (text !== undefined) await sendPrompt(agent, text, ports);
      });
      return 'stay';
    case 'other_command':
    case 'prompt':
      return (await interruptible(ports, () => sendTyped(input, ports))) ?? 'refused';
    default:
      return input satisfies never;
  }
}

async function runCommand(command: ChatCommand, argument: string, ports: Chat): Promise<Effect> {
  const { models, copy, work } = ports;
  const result = await interruptible(ports, () =>
    command.run(() => openAgent(ports), argument, { models, copy, signal: work.signal }),
  );
  if (result === undefined) return 'stay';
  if (result.type === 'text' && result.choices !== undefined) {
    const { prompt, answers } = result.choices;
    const title = escapeForTerminal(result.text);
    const saySafe: WriteText = (text) => ports.write(markLines(text, ports.settings.palette));
    const wanted = await interruptible(ports, async () =>
      askChoice({ ...ports, say: saySafe }, { title, prompt, choices: answers }, work.signal),
    );
    return wanted === undefined || wanted === '' ? 'stay' : runCommand(command, wanted, ports);
  }
  if (result.type === 'text') {
    const { rows } = diffRows(result.diff ?? '', ports.settings.palette);
    await ports.say([...rows, escapeForTerminal(result.text)].join('\n'));
    if (result.isRefused === true) return REFUSED_COMMAND;
    if (result.line !== undefined) return { line: result.line };
  }
  if (result.type === 'compact') await interruptible(ports, async () => compact(await openAgent(ports), ports));
  return result.type === 'leave' ? 'leave' : 'stay';
}

/** Goes to the next of the modes that a key may choose, and shows it. */
async function nextMode({ driver, onIdle, write, settings: { palette } }: ChatPorts): Promise<void> {
  let text = '';
  await driver.change(async (agent) => {
    text = goToNextMode(await agent());
  });
  await write(markLines(`${palette('dim', `  ${text}`)}\n`, palette));
  onIdle?.();
}

async function compact(agent: Agent, ports: Chat): Promise<void> {
  const { work } = ports;
  const show = showRun(agent, ports);
  let result = 'There is nothing to shorten.';
  ports.showStatus({ label: 'summarizing' });
  await work.compact((event) => {
    if (event.type === 'compaction') result = '';
    return show(event);
  });
  if (work.signal.aborted) result = 'Stopped.';
  if (result !== '') await ports.say(result);
}

/** Sends a typed prompt with the files that it names, or says why it cannot be sent. */
async function sendTyped(input: PromptInput, ports: Chat): Promise<Effect> {
  const agent = await openAgent(ports);
  const { readTypedMessage } = await import('../../app/commands/typed-message.ts');
  try {
    const { prompt, notes } = await readTypedMessage(input, agent, { models: ports.models, signal: ports.work.signal });
    for (const note of notes) await ports.say(ports.settings.palette('dim', escapeForTerminal(note)));
    if (prompt.text !== '') await sendPrompt(agent, prompt, ports);
    return 'stay';
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await ports.say(escapeForTerminal(error.message));
    return input.type === 'prompt' ? 'refused' : REFUSED_COMMAND;
  }
}

async function sendPrompt(agent: Agent, prompt: string | Prompt, ports: Chat): Promise<void> {
  const { terminal, driver, work } = ports;
  terminal.steerWith?.({ steer: (text) => driver.steer(text), enter: ports.enterDuringRun ?? 'steer' });
  try {
    await work.run(prompt, showRun(agent, ports));
  } finally {
    terminal.steerWith?.(undefined);
  }
}

function showRun(agent: Agent, ports: Chat): ShowEvent {
  const show = ports.view.showRun(agent.tasks);
  return (event) => {
    ports.onEvent?.(event);
    return show(event);
  };
}

function openAgent({ agent, work }: Chat): Promise<Agent> {
  return raceAbort(agent(), work.signal);
}

/** Does the work of one message; `undefined` if Ctrl-C stops it before the agent is there. */
async function interruptible<Result>(ports: Chat, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AbortedError)) throw error;
    await ports.say('Stopped.');
    return undefined;
  } finally {
    ports.showStatus(undefined);
  }
}

/**
 * Runs a `!command` and prints the lines of its output as they arrive, and then how it ended. Returns the report for the
 * model, or `undefined` when there is none because the command was blocked, the user stopped it, or it is not for the
 * model.
 */
async function runShellCommand(
  agent: Agent,
  { command, forModel }: Extract<ChatInput, { type: 'shell' }>,
  ports: Chat,
): Promise<string | undefined> {
  const { stop, signal } = ports.work;
  const output = agent.runUserCommand(command, ports.currentDirectory, signal);
  let view = NO_OUTPUT;
  ports.showStatus({ label: 'running' });
  const print = async (lines: readonly string[]) => {
    if (lines.length === 0) return;
    if (!(await ports.write(lines.map((line) => `${escapeForTerminal(line)}\n`).join('')))) stop();
  };
  for (;;) {
    const step = await output.next();
    if (step.done === true) {
      await print(endOutput(view, WHOLE).last);
      const { report, summary } = step.value;
      const ending = signal.aborted ? `Stopped.${forModel ? ' The output was not given to the model.' : ''}` : summary;
      await ports.say(ports.settings.palette('dim', escapeLine(ending)));
      return forModel && !signal.aborted ? report : undefined;
    }
    const added = addOutput(view, step.value.text, WHOLE);
    ({ view } = added);
    ports.showStatus({ label: 'running', detail: view.line === '' ? undefined : escapeLine(view.line) });
    await print(added.shown);
  }
}
