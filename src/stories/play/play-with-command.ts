import type { Story } from '../../../mock-llm-server/scenario/format.ts';
import type { ObservedPrompt } from '../../../mock-llm-server/scenario/lock/prompt-lock.ts';
import type { ShellCommand, ShellExit, ShellOutput } from '../../agent/ports/shell.ts';
import { agentEnvironment, type ForeignAgent } from '../agents/agent-setup.ts';
import type { MockRequest } from '../check-requests.ts';
import type { NamedScenarioFile, PlayedStory, StoryDisk, StoryPlayer } from './play-story.ts';
import { isMessageText } from './typed-texts.ts';

/** A running model and the requests of agents so far. */
export interface RunningModel {
  /** The address of the server, without a trailing slash. */
  readonly url: string;
  readonly requests: readonly MockRequest[];
  /** The tool results that agents sent, each once, in order. */
  results(): readonly string[];
  /** The text of the last answer; absent if the requests tell the steps that answered. */
  answer?(): string | undefined;
  /** The prompts that steps answered, in order, if they were kept. */
  prompts(): readonly ObservedPrompt[];
  /** Called once. Resolves when everything that agents sent is known. */
  close(): Promise<void>;
}

/** Runs a program with its arguments, without a shell, by the contract of `Shell`. */
export type StartProgram = (
  program: string,
  args: readonly string[],
  surroundings: Omit<ShellCommand, 'command'>,
  signal: AbortSignal,
) => AsyncIterable<ShellOutput | ShellExit>;

export interface CommandPlayPorts {
  readonly startModel: (source: NamedScenarioFile) => Promise<RunningModel>;
  readonly runProgram: StartProgram;
  readonly disk: Pick<StoryDisk, 'createWorkspace' | 'remove'> & {
    writeFile(path: string, content: string): Promise<void>;
    resolve(...parts: readonly string[]): string;
  };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Time for one program of an agent, so that one that waits for input does not wait forever. */
const AGENT_MS = 300_000;

/** Number of characters of each output that a report shows. */
const SHOWN_OUTPUT = 2_000;

/** Sequences of a terminal that set colours; many agents print them although NO_COLOR is set. */
const COLOURS = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;]*m`, 'g');

/** Plays stories with any agent: its command gets the prompt, its own home directory and the mock model. */
export function createCommandPlayer(agent: ForeignAgent, ports: CommandPlayPorts): StoryPlayer {
  return {
    skipReason,
    async play({ story, source }, workspace, signal) {
      const { disk, startModel } = ports;
      const [prompt = ''] = story.prompts;
      const model = await startModel(source);
      const home = await disk.createWorkspace(undefined);
      let isClosed = false;
      const close = async () => {
        if (isClosed) return;
        isClosed = true;
        await model.close();
      };
      try {
        const setup = agent.prepare({ base: model.url, home, prompt });
        for (const [file, content] of Object.entries(setup.files)) {
          await disk.writeFile(disk.resolve(home, file), content);
        }
        const environment = agentEnvironment(ports.environment, { home, workspace }, setup);
        let ended: EndedProgram = { outcome: 'done', message: '', details: [] };
        for (const [program = '', ...args] of setup.commands) {
          const surroundings = { workingDirectory: workspace, environment, timeoutMs: AGENT_MS };
          ended = await endOf(ports.runProgram(program, args, surroundings, signal), program);
          if (ended.outcome !== 'done') break;
        }
        await close();
        const { requests } = model;
        const answer = model.answer?.();
        return {
          ...ended,
          details: [...(requests.length === 0 ? [noRequest(model.url)] : notesOn(requests)), ...ended.details],
          results: model.results(),
          requests,
          ...(answer !== undefined && { answer }),
          prompts: model.prompts(),
          measure: { turns: requests.filter(({ auxiliary }) => auxiliary === undefined).length },
          problems: [],
        };
      } finally {
        await close();
        await disk.remove(home);
      }
    },
  };
}

/** The reason why an agent other than ybs cannot play a story, or `undefined`. */
export function skipReason(story: Story): string | undefined {
  const { prompts, approvals = [], expected_outcome: outcome = 'done', permission_mode: mode } = story;
  if (prompts.length > 1) return `it has ${prompts.length} prompts, and the command of an agent takes one`;
  if (!prompts.every(isMessageText)) return 'its user types a command or an agent of the chat, which only ybs has';
  if (approvals.length > 0) return 'it has approvals, and only ybs asks for them';
  if (outcome !== 'done' && outcome !== 'failed') return `it expects the outcome ${outcome}, which only ybs reports`;
  if (mode === 'read-only' || mode === 'plan') return `it has the permission mode ${mode}, which only ybs has`;
  if (story.session !== undefined) return 'it continues a session, and only ybs reads its log';
  if (story.interrupt !== undefined) return 'its user presses Ctrl-C, and the command of an agent has no terminal';
  if (story.limits?.tokens !== undefined) return 'it limits the tokens, which only ybs reports';
  if (story.forbid?.commands !== undefined) return 'it forbids commands, and only ybs reports those that it runs';
  if (story.sandbox === 'required') return 'it requires the sandbox of ybs';
  if (story.tool_protocol === 'xnl') return 'its calls are in the protocol XNL, which only ybs reads';
  return story.dry_run === true ? 'it is a dry run, which only ybs has' : undefined;
}

type EndedProgram = Pick<PlayedStory, 'message' | 'details'> & { readonly outcome: 'done' | 'failed' | 'aborted' };

async function endOf(events: AsyncIterable<ShellOutput | ShellExit>, program: string): Promise<EndedProgram> {
  const output = { stdout: '', stderr: '' };
  for await (const event of events) {
    if (event.type === 'output') {
      output[event.stream] = (output[event.stream] + event.text).slice(-SHOWN_OUTPUT);
    } else {
      return { ...outcomeOf(event, program), details: describe(output) };
    }
  }
  throw new Error(`${program} did not end`);
}

function outcomeOf(exit: ShellExit, program: string): Pick<EndedProgram, 'outcome' | 'message'> {
  switch (exit.cause) {
    case 'exited':
      return { outcome: exit.exitCode === 0 ? 'done' : 'failed', message: `the exit code is ${exit.exitCode}` };
    case 'signalled':
      return { outcome: 'failed', message: `${exit.signal} ended the agent` };
    case 'timed_out':
      return { outcome: 'failed', message: `the agent did not end within ${AGENT_MS / 1000} seconds` };
    case 'aborted':
      return { outcome: 'aborted', message: 'stopped' };
    case 'failed_to_start':
      return {
        outcome: 'failed',
        message: `${program} could not be started: ${exit.reason}. Install it or correct the command.`,
      };
    default:
      return exit.cause satisfies never;
  }
}

/** The notes of the mock server on its answers, each once: it sends the calls of the scenario in any case. */
function notesOn(requests: readonly MockRequest[]): readonly string[] {
  const told = requests.flatMap(({ scenario, step, notes = [] }) =>
    notes.map((note) => `step ${step} of "${scenario}": ${note}`),
  );
  return [...new Set(told)];
}

/** Programs of agents often hide the address that they failed to reach, so the report gives the right one. */
function noRequest(url: string): string {
  return `no request reached the model at ${url}; does the agent use its variable for the base URL?`;
}

function describe(output: Readonly<Record<ShellOutput['stream'], string>>): readonly string[] {
  return (['stdout', 'stderr'] as const).flatMap((stream) => {
    const text = output[stream].replaceAll(COLOURS, '').trim();
    return text === '' ? [] : [`the end of the agent's ${stream}:\n${text}`];
  });
}
