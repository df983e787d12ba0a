import { messageOf } from '../agent/errors.ts';
import type { PermissionMode } from '../agent/ports/approver.ts';
import type { AgentEvent, RunOutcome } from '../agent/ports/events.ts';
import { type DriverPorts, SessionDriver, type Work } from '../app/driver/session-driver.ts';
import type { Agent, Prompt } from '../app/session.ts';
import type { HostRequests } from './host-requests.ts';
import { type Frame, readFrames } from './read-frames.ts';
import type { WriteLine } from './write-lines.ts';

/** The lines that a format writes, in order. */
export type Lines = readonly object[];

/** Lines of the answer to a command; `problem` is the reason why it had no effect. */
type Reply = (problem?: string) => Lines;

/** A prompt of the host that cannot be run, and why. */
interface Unreadable {
  readonly type: 'unreadable';
  readonly problem: string;
}

/**
 * A frame of the host, decoded. Prompts run in order, one at a time, and an `unreadable` one fails when it is its turn;
 * everything else takes effect at once. A prompt that `steers` becomes a part of the run in progress, if that makes
 * another request. `answer` answers the question with this id, and may stop the run, too.
 * `interrupt` stops the run in progress, if any, and the queued prompts stay queued.
 */
export type HostCommand =
  | ({ readonly type: 'prompt'; readonly steers?: boolean } & Prompt)
  | Unreadable
  | { readonly type: 'answer'; readonly id: string; readonly answer: unknown; readonly interrupt?: boolean }
  | { readonly type: 'interrupt'; readonly reply: Reply }
  | { readonly type: 'set_mode'; readonly mode: PermissionMode; readonly reply: Reply }
  | { readonly type: 'set_model'; readonly model: string; readonly reply: Reply }
  | { readonly type: 'reply'; readonly lines: Lines }
  | { readonly type: 'ignored' };

/** A format of the conversation with a host: a decoder and an encoder. */
export interface HostFormat {
  decode(frame: Frame): HostCommand | Promise<HostCommand>;
  /** The lines that begin the conversation, before its first message. Absent: they come with the first event. */
  begin?(agent: Agent): Lines;
  encode(event: AgentEvent, agent: Agent): Lines;
  /** The lines of a prompt that was not run, such as in a session that cannot be opened; `auth`: because no key is set. */
  fail(message: string, code?: 'auth'): Lines;
}

/** Hooks of a host around the runs of its prompts. */
export interface PromptHooks {
  /** Looks at a prompt before it is run. */
  beforePrompt(
    prompt: string,
    signal: AbortSignal,
  ): Promise<
    { readonly type: 'run'; readonly added: string | undefined } | { readonly type: 'blocked'; readonly reason: string }
  >;
  /** Returns a prompt with which a completed run continues; `undefined` ends it. `again`: it was continued before. */
  afterRun(again: boolean, signal: AbortSignal): Promise<string | undefined>;
}

/** Maximum length of a message, as of standard input. */
const MAX_MESSAGE = 4 * 1024 * 1024;
const TOO_LONG = 'The message is longer than 4 MB, more than a model can read. Send a part of it.';

/** Maximum number of times that a hook may continue a run. */
const MAX_CONTINUATIONS = 10;

/** The connection to a host, and the session that it drives. */
export interface HostPorts extends Pick<DriverPorts<unknown, unknown>, 'openSession' | 'approvals' | 'afterTurn'> {
  readonly writeLine: WriteLine;
  readonly requests: HostRequests;
  /** The prompts of the command line, which run first. */
  readonly prompts: readonly Prompt[];
  /** Opens the input of the host. Absent: only the prompts of the command line are run. */
  readonly openInput?: ((signal: AbortSignal) => AsyncIterable<Uint8Array>) | undefined;
  readonly setModel: (agent: Agent, model: string, signal: AbortSignal) => Promise<void>;
  /** Hooks of the host around prompts; asked for when the session is open. */
  readonly hooks?: (() => PromptHooks | undefined) | undefined;
  /** Calls `listener` when a signal asks the process to stop; returns a function that unsubscribes it. */
  readonly onStop: (listener: () => void) => () => void;
}

/**
 * Lets a host drive a session until its input has ended and its prompts have run, or until a signal or a closed output
 * stops it. Returns the outcome of the last prompt: `aborted` only when the process was stopped, `undefined` when the
 * host interrupted it, or there was none. Rejects when the session cannot be opened, after the lines of the failure.
 */
export async function drive(format: HostFormat, ports: HostPorts): Promise<RunOutcome | undefined> {
  const host = new Host(format, ports);
  const { driver } = host;
  const unsubscribe = ports.onStop(() => driver.abort());
  try {
    if (ports.openInput !== undefined) host.begin();
    for (const prompt of ports.prompts) host.submit(prompt);
    await host.receive();
    driver.questions.disconnect();
    return await host.finish();
  } finally {
    unsubscribe();
    await driver.close();
  }
}

/** Translates the commands of a host for the driver, and the events of its runs into lines. */
class Host {
  readonly driver: SessionDriver<unknown, unknown>;
  readonly #format: HostFormat;
  readonly #ports: HostPorts;
  /** The end of the last lines that are being written. */
  #written: Promise<void> = Promise.resolve();
  #outcome: RunOutcome | undefined;
  /** The end of the lines that begin the conversation. */
  #begun: Promise<void> | undefined;
  #hasPrompt = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(format: HostFormat, ports: HostPorts) {
    this.#format = format;
    this.#ports = ports;
    this.driver = new SessionDriver({ ...ports, questions: ports.requests.questions });
  }

  /** Opens the session for a host that waits for its first lines. Not as work, which the host may stop. */
  begin(): void {
    const begin = this.#format.begin;
    if (begin === undefined) return;
    this.#begun = this.driver
      .agent()
      .then((agent) => this.#write(begin(agent)))
      // A prompt that waits for the session reports this itself.
      .catch((error: unknown) => (this.#hasPrompt ? undefined : this.#report(error)));
  }

  /** `steers`: the prompt is run only if the run in progress does not take its text. */
  submit(prompt: Prompt | Unreadable, steers?: string): void {
    this.#hasPrompt = true;
    const run = (work: Work) => this.#runPrompt(prompt, work).catch((error: unknown) => this.#report(error));
    void this.driver.submit(run, undefined, { steers });
  }

  #report(error: unknown): Promise<void> {
    this.#fail(error);
    return this.#write(this.#format.fail(messageOf(error)));
  }

  /** Carries out the commands of the host until its input ends or the process is to stop. */
  async receive(): Promise<void> {
    const { openInput } = this.#ports;
    const { signal } = this.driver;
    if (openInput === undefined) return;
    try {
      for await (const frame of readFrames(openInput(signal))) {
        if (signal.aborted) return;
        await this.#dispatch(await this.#format.decode(frame));
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Waits for the queued prompts. */
  async finish(): Promise<RunOutcome | undefined> {
    await this.#begun;
    await this.driver.idle();
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.driver.signal.aborted ? 'aborted' : this.#outcome;
  }

  async #dispatch(command: HostCommand): Promise<void> {
    switch (command.type) {
      case 'prompt':
        if (command.text.length > MAX_MESSAGE) this.submit({ type: 'unreadable', problem: TOO_LONG });
        else this.submit(command, command.steers === true && command.images === undefined ? command.text : undefined);
        break;
      case 'unreadable':
        this.submit(command);
        break;
      case 'answer':
        this.driver.answer(command.id, command.answer, { stops: command.interrupt });
        break;
      case 'interrupt':
        this.driver.stop();
        await this.#write(command.reply());
        break;
      case 'set_mode':
        this.#change(command.reply, async (agent) => void agent.setPermissionMode(command.mode));
        break;
      case 'set_model':
        this.#change(command.reply, (agent) => this.#ports.setModel(agent, command.model, this.driver.signal));
        break;
      case 'reply':
        await this.#write(command.lines);
        break;
      case 'ignored':
        break;
      default:
        command satisfies never;
    }
  }

  /** Not awaited by the reader, because the session may need answers of the host before it is open. */
  #change(reply: Reply, change: (agent: Agent) => Promise<void>): void {
    this.driver
      .change(async (agent) => {
        const problem = await agent()
          .then(change)
          .catch((error: unknown) => messageOf(error));
        await this.#write(reply(problem ?? undefined));
      })
      .catch((error) => this.#fail(error));
  }

  async #runPrompt(prompt: Prompt | Unreadable, work: Work): Promise<void> {
    if ('problem' in prompt) return this.#refuse(prompt.problem);
    const agent = await this.driver.agent();
    const { signal } = work;
    const hooks = this.#ports.hooks?.();
    const hooked = await unlessStopped(hooks?.beforePrompt(prompt.text, signal), signal);
    if (hooked?.type === 'blocked') return this.#refuse(hooked.reason);
    let next: Prompt | undefined =
      hooked?.added === undefined ? prompt : { ...prompt, text: `${prompt.text}\n\n${hooked.added}` };
    for (let continued = 0; next !== undefined; continued += 1) {
      const asked = continued < MAX_CONTINUATIONS ? hooks : undefined;
      next = await this.#follow(agent, next, work, (done) => done && asked?.afterRun(continued > 0, signal));
    }
  }

  #refuse(problem: string): Promise<void> {
    this.#outcome = 'failed';
    return this.#write(this.#format.fail(problem));
  }

  /** Runs a prompt. Returns the prompt with which a hook continues it; the end of the run is then not written. */
  async #follow(
    agent: Agent,
    prompt: Prompt,
    work: Work,
    goesOn: (done: boolean) => Promise<string | undefined> | false | undefined,
  ): Promise<Prompt | undefined> {
    let text: string | undefined;
    await work.run(prompt, async (event) => {
      if (event.type === 'run_end') {
        text = await unlessStopped(goesOn(event.outcome === 'done') || undefined, work.signal);
        if (text !== undefined) return true;
        this.#outcome = event.outcome === 'aborted' ? undefined : event.outcome;
      }
      await this.#write(this.#format.encode(event, agent));
      return true;
    });
    return text === undefined ? undefined : { text };
  }

  /**
   * Writes lines, with no others between them: the answer to a frame must not come between the lines that end a run. A
   * run whose output nobody reads is stopped.
   */
  #write(lines: Lines): Promise<void> {
    const written = this.#written.then(async () => {
      for (const line of lines) if (!(await this.#ports.writeLine(line))) this.driver.abort();
    });
    this.#written = written.catch(() => {});
    return written;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.driver.abort();
  }
}

/** The answer of a hook; `undefined` if the run is stopped first, so that it ends like any other stopped run. */
async function unlessStopped<Said>(asked: Promise<Said> | undefined, signal: AbortSignal): Promise<Said | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
