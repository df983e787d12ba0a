import { raceAbort } from '../../agent/async/abort.ts';
import { UsageError } from '../../agent/errors.ts';
import type { PermissionMode } from '../../agent/ports/approver.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { Agent, Prompt } from '../agent.ts';
import type { OpenSession } from '../settings.ts';
import { type ApprovalFront, createApprover, Questions, type SessionApprover } from './questions.ts';

export type RunEnd = Extract<AgentEvent, { type: 'run_end' }>;

/** Shows an event of a run. Resolves to `false` when the client has disconnected, which stops the run. */
export type ShowEvent = (event: AgentEvent) => Promise<boolean>;

export interface DriverPorts<Item, Given> {
  /** Opens the session when it is needed, and again if that has failed. Aborting `signal` ends its waits. */
  readonly openSession: (approver: SessionApprover, signal: AbortSignal) => Promise<OpenSession>;
  /** Absent: calls cannot be approved. */
  readonly approvals?: ApprovalFront<Given> | undefined;
  /** The questions of the session, if the front also asks others than those for approval. */
  readonly questions?: Questions<Given> | undefined;
  /** Called with the agent when the session is open, and when another one has replaced it. */
  readonly onSession?: ((agent: Agent) => Promise<void>) | undefined;
  /** Called when the work on an item has begun or ended; or with `end` only, when a run has taken its text. */
  readonly onWork?: ((type: 'begin' | 'end', item: Item) => void) | undefined;
  /** Called after each turn, when its events are shown. */
  readonly afterTurn?: (() => Promise<void>) | undefined;
}

/** Work of the driver: one message of the user, from its turn in the queue to its end. */
export interface Work {
  /** Aborts when the work is stopped, or the driver. */
  readonly signal: AbortSignal;
  stop(): void;
  /** Waits for the session. Rejects with `AbortedError` as soon as the work is stopped. */
  agent(): Promise<Agent>;
  run(prompt: string | Prompt, show: ShowEvent): Promise<RunEnd>;
  /** Shortens the conversation. */
  compact(show: ShowEvent): Promise<void>;
}

interface Job<Item> {
  readonly item: Item | undefined;
  readonly stop: AbortController;
  /** Does the work. Never rejects. */
  start(): Promise<void>;
  /** Drops the work before it has begun. */
  drop(): void;
}

/** A message for the next request of a run. If the run does not take it, its job, if it has one, is the next. */
interface Steered<Item> {
  readonly text: string;
  readonly job?: Job<Item>;
  settle(isTaken: boolean): void;
}

/**
 * The driver of a session, which every front translates to its user or its protocol. It does one piece of work after
 * another, even with no client connected; all questions and stops of the session go through it.
 */
export class SessionDriver<Item = unknown, Given = never> {
  readonly questions: Questions<Given>;
  readonly #ports: DriverPorts<Item, Given>;
  readonly #approver;
  readonly #closing = new AbortController();
  #queue: Job<Item>[] = [];
  #current: Job<Item> | undefined;
  #working: Promise<void> | undefined;
  /** The end of the changes of settings, one after another. */
  #changes: Promise<unknown> = Promise.resolve();
  #session: Promise<OpenSession> | undefined;
  /** The messages for the next request of the run in progress. */
  #steering: Steered<Item>[] | undefined;
  /** True if an answer stops the run as soon as it has taken effect. */
  #stopsAfterAnswer = false;

  constructor(ports: DriverPorts<Item, Given>) {
    this.#ports = ports;
    this.questions = ports.questions ?? new Questions();
    this.#approver = createApprover(() => ports.approvals, this.questions);
  }

  /** Aborts when the driver is stopped for good. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  get current(): Item | undefined {
    return this.#current?.item;
  }

  /** The items that wait, in order. */
  get queue(): readonly Item[] {
    return this.#queue.flatMap(({ item }) => item ?? []);
  }

  /** The items whose texts the next request of the run in progress takes, in order. */
  get steering(): readonly Item[] {
    return (this.#steering ?? []).flatMap(({ job }) => job?.item ?? []);
  }

  /** The agent of the session, which is opened now if it is not. */
  async agent(): Promise<Agent> {
    this.#session ??= this.#open();
    return (await this.#session).agent;
  }

  /**
   * Queues work. Resolves to its result, or to `undefined` if it was dropped before it began. With `steers`, a text, it is
   * only done if the run in progress does not take this text with its next request.
   */
  submit<Result>(
    work: (work: Work) => Promise<Result>,
    item?: Item,
    { steers }: { readonly steers?: string | undefined } = {},
  ): Promise<Result | undefined> {
    const stop = new AbortController();
    const result = new Promise<Result | undefined>((resolve, reject) => {
      const start = (): Promise<void> => work(this.#workOf(stop)).then(resolve, reject);
      const job = { item, stop, start, drop: () => resolve(undefined) };
      const end = (): void => {
        job.drop();
        if (item !== undefined) this.#ports.onWork?.('end', item);
      };
      if (this.signal.aborted) job.drop();
      else if (steers === undefined || this.#steering === undefined) this.#queue.push(job);
      else this.#steering.push({ text: steers, job, settle: (isTaken) => isTaken && end() });
    });
    this.#working ??= this.#work();
    return result;
  }

  /** Removes the items that wait for which `matches` is true, and returns them. */
  drop(matches: (item: Item) => boolean = () => true): readonly Item[] {
    const steering = this.#steering ?? [];
    const dropped = [...steering.flatMap(({ job }) => job ?? []), ...this.#queue].filter(
      ({ item }) => item !== undefined && matches(item),
    );
    this.#queue = this.#queue.filter((job) => !dropped.includes(job));
    steering.splice(0, steering.length, ...steering.filter(({ job }) => job === undefined || !dropped.includes(job)));
    for (const job of dropped) job.drop();
    return dropped.flatMap(({ item }) => item ?? []);
  }

  /** Stops the current work, or the next one if it is about to begin. The rest of the queue stays. */
  stop(): void {
    (this.#current ?? this.#queue[0])?.stop.abort();
  }

  /**
   * Gives the run in progress a message for its next request. Resolves to `false` if there is no run, or if it ends before
   * another request: the message is then not part of the conversation.
   */
  async steer(text: string): Promise<boolean> {
    const messages = this.#steering;
    return messages !== undefined && new Promise((settle) => messages.push({ text, settle }));
  }

  /** See `Questions`. `stops`: the run stops when the answer has taken effect. */
  answer(
    id: string,
    given: Given,
    { stops = false }: { readonly stops?: boolean | undefined } = {},
  ): string | undefined {
    const problem = this.questions.answer(id, given);
    if (problem === undefined) this.#stopsAfterAnswer = stops;
    return problem;
  }

  /**
   * Changes a setting of the session at once, even during a run. Changes are made in order; the next work waits for
   * them.
   */
  change<Result>(change: (agent: () => Promise<Agent>) => Promise<Result>): Promise<Result> {
    const changed = this.#changes.then(() => change(() => this.agent()));
    this.#changes = changed.catch(() => {});
    return changed;
  }

  /** Decides the next calls in another permission mode. */
  setMode(mode: PermissionMode): Promise<void> {
    return this.change(async (agent) => void (await agent()).setPermissionMode(mode));
  }

  /** Begins a new session, in place of the current work and the queue. */
  async clear(): Promise<void> {
    this.drop();
    this.stop();
    await this.#replace((agent) => agent.clear(this.signal));
  }

  /** Continues the stored session of this name. Throws `UsageError` if it cannot be opened, and during a run. */
  async load(name: string): Promise<void> {
    if (this.current !== undefined || this.#queue.length > 0)
      throw new UsageError('A run is going on. Stop it or wait for its end, then choose the session again.');
    await this.#replace(async (agent) => {
      const { loadSession } = await import('../commands/session/session-commands.ts');
      await loadSession(agent, name, this.signal);
    });
  }

  /** Waits for the work that is queued and the changes that have begun. */
  async idle(): Promise<void> {
    await this.#changes;
    await this.#working;
  }

  /** Stops for good: the current work, the queue, and the opening of the session. */
  abort(): void {
    this.#closing.abort();
    for (const job of this.#queue.splice(0)) job.drop();
  }

  /** Stops for good and closes the session. */
  async close(): Promise<void> {
    this.abort();
    this.questions.disconnect();
    await this.idle();
    const session = await this.#session?.catch(() => undefined);
    await session?.close();
  }

  async #open(): Promise<OpenSession> {
    try {
      const session = await this.#ports.openSession(this.#approver, this.signal);
      await this.#ports.onSession?.(session.agent);
      return session;
    } catch (error) {
      this.#session = undefined;
      throw error;
    }
  }

  #replace(replace: (agent: Agent) => Promise<void>): Promise<void> {
    return this.submit(async () => {
      const agent = await this.agent();
      await replace(agent);
      await this.#ports.onSession?.(agent);
    });
  }

  async #work(): Promise<void> {
    // The caller gets the result of `submit` before the first event.
    await Promise.resolve();
    for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) {
      this.#current = job;
      const { item } = job;
      if (item !== undefined) this.#ports.onWork?.('begin', item);
      await this.#changes;
      await job.start();
      this.#current = undefined;
      if (item !== undefined) this.#ports.onWork?.('end', item);
    }
    this.#working = undefined;
  }

  #workOf(stop: AbortController): Work {
    const signal = AbortSignal.any([stop.signal, this.signal]);
    return {
      signal,
      stop: () => stop.abort(),
      agent: () => raceAbort(this.agent(), signal),
      run: (prompt, show) => this.#run(prompt, show, stop, signal),
      compact: async (show) => {
        for await (const event of (await this.agent()).compact(signal)) if (!(await show(event))) stop.abort();
      },
    };
  }

  async #run(prompt: string | Prompt, show: ShowEvent, stop: AbortController, signal: AbortSignal): Promise<RunEnd> {
    const agent = await this.agent();
    const messages: Steered<Item>[] = [];
    this.#steering = messages;
    this.#stopsAfterAnswer = false;
    // After a stop, queued messages are not part of the conversation.
    const takeMessages = (): readonly string[] =>
      messages.splice(0, signal.aborted ? 0 : messages.length).map(({ text, settle }) => {
        settle(true);
        return text;
      });
    let end: RunEnd | undefined;
    try {
      for await (const event of agent.run(prompt, signal, takeMessages)) {
        if (event.type === 'run_end') end = event;
        if (event.type === 'tool_result') this.#approver.forget(event.callId);
        if (!(await show(event))) stop.abort();
        if (event.type === 'turn_end') await this.#ports.afterTurn?.();
        if (event.type === 'approval_decision' && this.#stopsAfterAnswer) stop.abort();
      }
    } finally {
      this.#steering = undefined;
      for (const { settle } of messages) settle(false);
      const left = messages.flatMap(({ job }) => job ?? []);
      if (this.signal.aborted) for (const job of left) job.drop();
      else this.#queue.unshift(...left);
    }
    if (end === undefined) throw new Error('the run had no end');
    return end;
  }
}
