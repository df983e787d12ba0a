import { AbortedError } from '../../agent/async/abort.ts';
import { messageOf, UsageError } from '../../agent/errors.ts';
import type { Approver } from '../../agent/ports/approver.ts';
import type { ModelSwitch } from '../../app/commands/model/model-switch.ts';
import { loadSession } from '../../app/commands/session/session-commands.ts';
import type { Agent } from '../../app/session.ts';
import type { OpenSession } from '../../app/settings.ts';
import { describeSandbox } from '../../policy/sandbox/describe-sandbox.ts';
import { restoredNotes } from '../../session/log/restored-notes.ts';
import { carryOut, type MessagePorts } from './carry-out.ts';
import type { WebAnswer } from './page-data.ts';
import type { PageState } from './page-event.ts';
import { createQuestions, type Questions } from './questions.ts';
import { SessionFeed, type TabEvent } from './session-feed.ts';

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
  /** A notice about the project, which the page shows before the first message. */
  readonly notice: string | undefined;
}

/** A message that waits. `tab`: the tab that has sent it; absent for a program. */
interface MessageJob {
  readonly type: 'message';
  readonly id: string;
  readonly text: string;
  readonly tab: string | undefined;
}

/** Work that waits for the one before it. */
type Job =
  | MessageJob
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
  readonly #feed: SessionFeed;
  readonly #questions: Questions;
  #jobs: Job[] = [];
  #running:
    | { readonly message: { readonly id: string; readonly text: string }; readonly stop: AbortController }
    | undefined;
  #working: Promise<void> | undefined;
  #session: Promise<OpenSession> | undefined;
  #agent: Agent | undefined;
  readonly #tools: Omit<MessagePorts, 'putBack'>;
  readonly #closing = new AbortController();

  constructor(ports: HubPorts) {
    this.#ports = ports;
    this.#feed = new SessionFeed(ports.now(), () => this.#state());
    const { newId, keepsApprovals } = ports;
    this.#tools = {
      agent: () => this.agent(),
      models: ports.models,
      show: (event) => this.#feed.add(event),
      onChange: async () => (this.#agent === undefined ? undefined : this.#show(this.#agent)),
    };
    this.#questions = createQuestions({ newId, keepsApprovals, show: (event) => this.#feed.add(event) });
  }

  /** Number of the last event. */
  get last(): number {
    return this.#feed.last;
  }

  /** The agent of the session, which is opened now if it is not. Rejects with `UsageError` if it cannot be. */
  async agent(): Promise<Agent> {
    this.#session ??= this.#open();
    const { agent } = await this.#session;
    return agent;
  }

  /** Queues a message of a tab or a program, and returns its id. */
  send(text: string, tab?: string): string {
    const id = this.#ports.newId();
    this.#jobs.push({ type: 'message', id, text, tab });
    this.#start();
    return id;
  }

  /** Removes a message from the queue. False if it does not wait there. */
  unqueue(id: string): boolean {
    const waits = this.#jobs.some((job) => job.type === 'message' && job.id === id);
    this.#drop((job) => job.id === id);
    return waits;
  }

  /**
   * Stops the work on the current message. If a tab stops it, the messages that wait are not sent: they go back to the
   * tabs that have sent them, or to this one if those are closed. Otherwise the queue stays.
   */
  stop(tab?: string): void {
    if (tab !== undefined) this.#putBackQueue(tab);
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

  /** See `SessionFeed`. */
  tell(): void {
    this.#feed.tell();
  }

  /** See `SessionFeed`. */
  follow(after: number, signal: AbortSignal, tab?: string): AsyncGenerator<TabEvent, void, void> {
    return this.#feed.follow(after, signal, tab);
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
    const warn = async (message: string): Promise<void> => this.#feed.add({ type: 'problem', message });
    try {
      const session = await this.#ports.openSession(this.#questions.approver, warn, this.#closing.signal);
      this.#agent = session.agent;
      await this.#show(session.agent);
      const { notice } = this.#ports;
      if (notice !== undefined) this.#feed.add({ type: 'note', text: notice });
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
    for (const text of restoredNotes(agent)) this.#feed.add({ type: 'note', text });
  }

  #show({ record }: Agent): Promise<void> {
    return this.#feed.show(record, this.#running?.message);
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
      this.#feed.add({ type: 'message_start', ...message });
      this.tell();
      try {
        const signal = AbortSignal.any([stop.signal, this.#closing.signal]);
        await carryOut(job.text, { ...this.#tools, putBack: (text) => this.#putBack(job.tab, [text]) }, signal);
      } catch (error) {
        this.#feed.add(
          error instanceof AbortedError
            ? { type: 'note', text: 'Stopped.' }
            : { type: 'problem', message: messageOf(error) },
        );
      }
      this.#running = undefined;
      this.#feed.add({ type: 'message_end', id: job.id });
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

  #putBackQueue(stopping: string): void {
    const owners = new Map<string, string[]>();
    for (const { tab, text } of this.#drop(() => true)) {
      const owner = tab !== undefined && this.#feed.isFollowedBy(tab) ? tab : stopping;
      owners.set(owner, [...(owners.get(owner) ?? []), text]);
    }
    for (const [tab, texts] of owners) this.#putBack(tab, texts);
  }

  #putBack(tab: string | undefined, texts: readonly string[]): void {
    if (tab !== undefined) this.#feed.add({ type: 'put_back', tab, texts });
  }

  #drop(matches: (job: MessageJob) => boolean): readonly MessageJob[] {
    const dropped = this.#jobs.filter((job) => job.type === 'message').filter(matches);
    this.#jobs = this.#jobs.filter((job) => job.type !== 'message' || !dropped.includes(job));
    for (const job of dropped) this.#feed.add({ type: 'message_end', id: job.id });
    if (dropped.length > 0) this.tell();
    return dropped;
  }

  #state(): PageState {
    const queue = this.#jobs.flatMap((job) => {
      if (job.type !== 'message') return [];
      const { id, text, tab } = job;
      return [{ id, text, ...(tab !== undefined && { tab }) }];
    });
    const running = this.#running === undefined ? {} : { running: this.#running.message.id };
    const agent = this.#agent;
    if (agent === undefined) return { type: 'state', queue, ...running };
    const { record, workspace, model, permissionMode: mode, sandbox, chosen } = agent;
    const { id, name } = record;
    const session = {
      ...{ id, name, workspace, model, mode },
      ...(sandbox !== undefined && { sandbox: describeSandbox(sandbox) }),
      ...(chosen !== undefined && { agent: chosen.name }),
    };
    return { type: 'state', queue, ...running, session };
  }
}
