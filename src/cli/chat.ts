import { type ChatInput, chatHelp, readChatInput, toolList } from '../app/commands.ts';
import type { Agent } from '../app/session.ts';
import type { RunOutcome } from '../ports/events.ts';
import type { Terminal, WriteText } from '../ports/terminal.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { EXIT_CODES } from './exit.ts';
import { followRun, showAsText } from './follow-run.ts';
import { escapeChunk } from './output.ts';
import type { RenderSettings } from './render.ts';

/** What a chat needs. `agent` may take a while: the first prompt does not wait for it. */
export interface ChatPorts {
  readonly terminal: Terminal;
  readonly write: WriteText;
  readonly settings: RenderSettings;
  readonly agent: () => Promise<Agent>;
  /** Where `!commands` run: the user's current directory. */
  readonly currentDirectory: string;
  /** Told of the controller of each run before it starts, and that there is none when it has ended. */
  readonly onRun: (stop: AbortController | undefined) => void;
}

/**
 * Talks until the user leaves or the input ends; returns the exit code: 0 for a person who leaves, 130 for Ctrl-C
 * twice at an empty line, and the code of the last run for input that is not typed.
 */
export async function chat(ports: ChatPorts): Promise<number> {
  const { terminal, write } = ports;
  let interrupted = false;
  let last: RunOutcome = 'done';
  for (;;) {
    const input = await terminal.readLine({ prompt: '> ', fresh: false });
    if (input.type === 'end') return terminal.interactive ? EXIT_CODES.done : EXIT_CODES[last];
    if (input.type === 'interrupt') {
      if (interrupted && !input.cleared) return EXIT_CODES.aborted;
      interrupted = !input.cleared;
      if (interrupted) await write('(Ctrl-C again to leave)\n');
      continue;
    }
    interrupted = false;
    const outcome = await obey(readChatInput(input.text), ports);
    if (outcome === 'leave') return terminal.interactive ? EXIT_CODES.done : EXIT_CODES[last];
    if (outcome !== 'stay') last = outcome;
    // A pipe has nobody at it who could go on after a stop.
    if (outcome === 'aborted' && !terminal.interactive) return EXIT_CODES.aborted;
  }
}

async function obey(input: ChatInput, ports: ChatPorts): Promise<RunOutcome | 'stay' | 'leave'> {
  const { write } = ports;
  switch (input.type) {
    case 'empty':
      return 'stay';
    case 'refused':
      await write(`${escapeForTerminal(input.message)}\n`);
      return 'stay';
    case 'shell':
      return inRun(ports, async (agent, stop) => {
        const text = await showUserCommand(agent, input.command, ports, stop);
        return text === undefined ? 'stay' : converse(agent, text, ports, stop);
      });
    case 'prompt':
      return inRun(ports, (agent, stop) => converse(agent, input.text, ports, stop));
    case 'command':
      break;
    default:
      return input satisfies never;
  }
  switch (input.name) {
    case 'help':
      await write(`${chatHelp()}\n`);
      return 'stay';
    case 'tools':
      await write(`${escapeForTerminal(toolList((await ports.agent()).tools))}\n`);
      return 'stay';
    case 'clear':
      (await ports.agent()).clear();
      await write('Forgotten: the conversation, the files read and what was allowed.\n');
      return 'stay';
    case 'quit':
    case 'exit':
      return 'leave';
    default:
      return input.name satisfies never;
  }
}

function converse(agent: Agent, text: string, ports: ChatPorts, stop: AbortController): Promise<RunOutcome> {
  const show = showAsText(ports.write, ports.settings);
  return followRun(agent.run(text, stop.signal), show, () => stop.abort());
}

/** Everything from the message to the end of its run, which Ctrl-C stops. */
async function inRun<Result>(
  ports: ChatPorts,
  work: (agent: Agent, stop: AbortController) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const unsubscribe = ports.terminal.onInterrupt(() => stop.abort());
  ports.onRun(stop);
  try {
    return await work(await ports.agent(), stop);
  } finally {
    ports.onRun(undefined);
    unsubscribe();
  }
}

/**
 * Runs a command that the user typed as `!command` and prints its output as it comes; one that printed nothing is
 * answered with the text for the model. Returns that text, or nothing when the user stopped the command, which it says.
 */
export async function showUserCommand(
  agent: Agent,
  command: string,
  ports: { readonly write: WriteText; readonly currentDirectory: string },
  stop: AbortController,
): Promise<string | undefined> {
  const output = agent.runUserCommand(command, ports.currentDirectory, stop.signal);
  let held = '';
  let atLineStart = true;
  let silent = true;
  const print = async (text: string) => {
    if (text === '') return;
    silent = false;
    atLineStart = text.endsWith('\n');
    if (!(await ports.write(text))) stop.abort();
  };
  for (;;) {
    const step = await output.next();
    if (step.done === true) {
      await print(escapeForTerminal(held));
      if (!atLineStart) await print('\n');
      if (!stop.signal.aborted) {
        if (silent) await print(`${escapeForTerminal(step.value)}\n`);
        return step.value;
      }
      await print('Stopped. The model was not told.\n');
      return undefined;
    }
    const chunk = escapeChunk(held, step.value.text);
    held = chunk.held;
    await print(chunk.text);
  }
}
