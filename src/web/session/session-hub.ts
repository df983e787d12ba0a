import type { Agent } from '../../app/session.ts';
import type { OpenSession } from '../../app/settings.ts';
import { AbortedError } from '../../async/abort.ts';
import { readChatInput } from '../../commands/commands.ts';
import type { ModelSwitch } from '../../commands/model/model-switch.ts';
import { loadSession } from '../../commands/session/session-commands.ts';
import { messageOf, UsageError } from '../../core/errors.ts';
import type { Approver } from '../../ports/approver.ts';
import { describeSandbox } from '../../safety/sandbox/describe-sandbox.ts';
import { readEvent } from '../../session/log/read-line.ts';
import { restoredNotes } from '../../session/log/read-log.ts';
import type { WebAnswer } from './answer.ts';
import { carryOut, type MessagePorts } from './carry-out.ts';
import { EventBuffer, isPrompt } from './event-buffer.ts';
import type { PageEvent, PageState } from './page-event.ts';
import { createQuestions, type Questions } from './questions.ts';
import { shownEvent } from './shown-event.ts';

/** Ports of a hub. */
export interface HubPorts {
  /** Opens the session, once, unless it fails. */
  readonly openSession: (
    approver: Approver,
    warn: (message: string) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<OpenSession>;
  readonly models: Pick<ModelSwitch, 'use'>;
  readonly newId: () => string;
  /** The time in milliseconds, which is the first number of an event. */
  readonly now: () => number;
  readonly keepsApprovals: boolean;
}

/** An event for a tab. `reset`: all that it shows is out of date, and the session follows from its start. */
export type TabEvent =
  | { readonly type: 'reset' }
  | { readonly number?: number; readonly type: 'event'; readonly event: PageEvent }
  | { readonly type: 'ready'; readonly number: number };

/** Work that waits for the one before it. */
type Job =
  | { readonly type: 'message'; readonly id: string; readonly text: string }
  | {
      readonly type: 'change';
      readonly change: (agent: Agent) => Promise<void>;
      resolve(): void;
      reject(error: unknown): void;
    };

/**
 * One session that several tabs see. Messages are worked on one after another, also when nobody looks, so that a reload
 * of the page stops nothing.
 */
export class SessionHub {
  readonly #ports: HubPorts;
  readonly #buffer: EventBuffer;
  readonly #questions: Questions;
  #jobs: Job[] = [];
  #running:
    | { readonly message: { readonly id: string; readonly text: string }; readonly stop: AbortController }
    | undefined;
  #working: Promise<void> | undefined;
  #session: Promise<OpenSession> | undefined;
  #agent: Agent | undefined;
  /** The session that the buffer has events of. */
  #shown: string | undefined;
  readonly #tools: MessagePorts;
  /** The last state that the tabs were told, as JSON. */
  #told = '';
  readonly #closing = new AbortController();

  constructor(ports: HubPorts) {
    this.#ports = ports;
    this.#buffer = new EventBuffer(ports.now());
    const { newId, keepsApprovals } = ports;
    this.#tools = {
      agent: () => this.agent(),
      models: ports.models,
      show: (event) => this.#buffer.add(event),
      onChange: async () => (this.#agent === undefined ? undefined : this.#show(this.#agent)),
    };
    this.#questions = createQuestions({ newId, keepsApprovals, show: (event) => this.#buffer.add(event) });
  }

  /** Number of the last event. */
  get last(): number {
    return this.#buffer.last;
  }

  /** The agent of the session, which is opened now if it is not. Rejects with `UsageError` if it cannot be. */
  async agent(): Promise<Agent> {
    this.#session ??= this.#open();
    const { agent } = await this.#session;
    return agent;
  }

  /** Queues a message of the user, and returns its id. */
  send(text: string): string {
    const id = this.#ports.newId();
    this.#jobs.push({ type: 'message', id, text });
    this.#start();
    return id;
  }

  /** Removes a message from the queue. False if it does not wait there. */
  unqueue(id: string): boolean {
    const waits = this.#jobs.some((job) => job.type === 'message' && job.id === id);
    this.#drop((job) => job.id === id);
    return waits;
  }

  /** Stops the work on the current message. The queue stays. */
  stop(): void {
    this.#running?.stop.abort();
  }

  /** See `Questions`. */
  answer(answer: WebAnswer): string | undefined {
    return this.#questions.answer(answer);
  }

  /** Begins a new session: without the conversation, the queue and the permissions given. Stops the current work. */
  async clear(): Promise<void> {
    this.#drop(() => true);
    this.stop();
    await this.#change((agent) => agent.clear(this.#closing.signal));
  }

  /** Goes on with a stored session. Throws `UsageError` if it cannot be opened, and during a run. */
  async load(name: string): Promise<void> {
    if (this.#running !== undefined || this.#jobs.length > 0)
      throw new UsageError('A run is going on. Stop it or wait for its end, then choose the session again.');
    await this.#change((agent) => loadSession(agent, name, this.#closing.signal));
  }

  /** Tells the tabs the state, if it has changed. */
  tell(): void {
    const state = this.#state();
    const text = JSON.stringify(state);
    if (text === this.#told) return;
    this.#told = text;
    this.#buffer.add(state);
  }

  /** The events after a number and all later ones, until `signal` aborts. */
  async *follow(after: number, signal: AbortSignal): AsyncGenerator<TabEvent, void, void> {
    let read = after;
    while (!signal.aborted) {
      const { last } = this.#buffer;
      const reading = this.#buffer.read(read);
      if (reading.type === 'lost') {
        yield { type: 'reset' };
        yield { type: 'event', event: this.#state() };
        for await (const event of this.#history(reading.prompts)) yield { type: 'event', event };
        yield { type: 'ready', number: reading.from };
        read = reading.from;
      } else {
        for (const { number, event } of reading.events) yield { type: 'event', number, event };
        read = last;
      }
      await this.#buffer.wait(read, signal);
    }
  }

  async close(): Promise<void> {
    this.#drop(() => true);
    this.#closing.abort();
    this.stop();
    await this.#working;
    const session = await this.#session?.catch(() => undefined);
    await session?.close();
  }

  async #open(): Promise<OpenSession> {
    const warn = async (message: string): Promise<void> => this.#buffer.add({ type: 'problem', message });
    try {
      const session = await this.#ports.openSession(this.#questions.approver, warn, this.#closing.signal);
      this.#agent = session.agent;
      await this.#show(session.agent);
      this.#noteRestored(session.agent);
      return session;
    } catch (error) {
      // The next message tries again, with the configuration as it is then.
      this.#session = undefined;
      throw error;
    }
  }

  /** Says what the user must know about a stored session that goes on. */
  #noteRestored(agent: Agent): void {
    for (const text of restoredNotes(agent)) this.#buffer.add({ type: 'note', text });
  }

  /** Shows the session of the agent, if it is another one. */
  async #show({ record }: Agent): Promise<void> {
    if (record.id !== this.#shown) {
      let prompts = 0;
      for await (const line of record.lines()) {
        const event = readEvent(line);
        if (event !== undefined && isPrompt(event)) prompts += 1;
      }
      // A new session has nothing before it, and its first events may already be there.
      if (this.#shown !== undefined || prompts > 0) {
        this.#buffer.begin(prompts);
        if (this.#running !== undefined) this.#buffer.add({ type: 'message_start', ...this.#running.message });
      }
      this.#shown = record.id;
      this.#told = '';
    }
    this.tell();
  }

  /** The events of the first runs in the log. */
  async *#history(prompts: number): AsyncGenerator<PageEvent, void, void> {
    let seen = 0;
    if (prompts === 0 || this.#agent === undefined) return;
    for await (const line of this.#agent.record.lines()) {
      const event = readEvent(line);
      if (event === undefined) continue;
      if (isPrompt(event)) seen += 1;
      if (seen > prompts) return;
      const shown = shownEvent(event);
      if (shown !== undefined) yield shown;
    }
  }

  #start(): void {
    this.#working ??= this.#work();
    this.tell();
  }

  async #work(): Promise<void> {
    // The caller gets the id of its message before the first event of it.
    await Promise.resolve();
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
      if (job.type === 'change') {
        const { change, resolve, reject } = job;
        await this.#withAgent(change).then(resolve, reject);
        continue;
      }
      const stop = new AbortController();
      const message = { id: job.id, text: job.text };
      this.#running = { message, stop };
      this.#buffer.add({ type: 'message_start', ...message });
      this.tell();
      try {
        const signal = AbortSignal.any([stop.signal, this.#closing.signal]);
        await carryOut(readChatInput(job.text), this.#tools, signal);
      } catch (error) {
        this.#buffer.add(
          error instanceof AbortedError
            ? { type: 'note', text: 'Stopped.' }
            : { type: 'problem', message: messageOf(error) },
        );
      }
      this.#running = undefined;
      this.#buffer.add({ type: 'message_end', id: job.id });
      this.tell();
    }
    this.#working = undefined;
  }

  async #withAgent(change: (agent: Agent) => Promise<void>): Promise<void> {
    const agent = await this.agent();
    await change(agent);
    await this.#show(agent);
    this.#noteRestored(agent);
  }

  #change(change: (agent: Agent) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ type: 'change', change, resolve, reject });
      this.#start();
    });
  }

  #drop(matches: (job: Extract<Job, { type: 'message' }>) => boolean): void {
    const dropped = this.#jobs.filter((job) => job.type === 'message' && matches(job));
    this.#jobs = this.#jobs.filter((job) => !dropped.includes(job));
    for (const job of dropped) if (job.type === 'message') this.#buffer.add({ type: 'message_end', id: job.id });
    if (dropped.length > 0) this.tell();
  }

  #state(): PageState {
    const queue = this.#jobs.flatMap((job) => (job.type === 'message' ? [{ id: job.id, text: job.text }] : []));
    const running = this.#running === undefined ? {} : { running: this.#running.message.id };
    const agent = this.#agent;
    if (agent === undefined) return { type: 'state', queue, ...running };
    const { record, workspace, model, permissionMode: mode, sandbox } = agent;
    const { id, name } = record;
    const session = {
      ...{ id, name, workspace, model, mode },
      ...(sandbox !== undefined && { sandbox: describeSandbox(sandbox) }),
    };
    return { type: 'state', queue, ...running, session };
  }
}
