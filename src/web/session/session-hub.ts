import { AbortedError } from '../../agent/async/abort.ts';
import { messageOf } from '../../agent/errors.ts';
import type { ModelSwitch } from '../../app/commands/model/model-switch.ts';
import type { SessionApprover } from '../../app/driver/questions.ts';
import { SessionDriver, type Work } from '../../app/driver/session-driver.ts';
import type { Agent } from '../../app/session.ts';
import type { OpenSession } from '../../app/settings.ts';
import { mustWait, type Steering } from '../../app/terminal.ts';
import { describeSandbox } from '../../policy/sandbox/describe-sandbox.ts';
import { restoredNotes } from '../../session/log/restored-notes.ts';
import { webApprovals } from './answer.ts';
import { carryOut, type MessagePorts } from './carry-out.ts';
import type { WebAnswer } from './page-data.ts';
import type { PageState } from './page-event.ts';
import { SessionFeed, type TabEvent } from './session-feed.ts';

export interface HubPorts {
  /** Opens the session, once, unless it fails. */
  readonly openSession: (
    approver: SessionApprover,
    warn: (message: string) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<OpenSession>;
  readonly models: Pick<ModelSwitch, 'use' | 'list'>;
  readonly newId: () => string;
  /** The time in milliseconds, which is the first number of an event. */
  readonly now: () => number;
  readonly keepsApprovals: boolean | undefined;
  /** The effect of Enter on a message during a run. */
  readonly enter?: Steering['enter'];
  /** A notice about the project, which the page shows before the first message. */
  readonly notice: string | undefined;
}

/** A message, while it waits and while it is being answered. */
interface Message {
  readonly id: string;
  readonly text: string;
  /** The tab that has sent it; absent for a program. */
  readonly tab: string | undefined;
}

/**
 * One session that several tabs see. Messages are worked on one after another, even with no tab open, so that a reload of
 * the page does not stop a run.
 */
export class SessionHub {
  readonly #ports: HubPorts;
  readonly #feed: SessionFeed;
  readonly #driver: SessionDriver<Message, WebAnswer>;
  #agent: Agent | undefined;

  constructor(ports: HubPorts) {
    this.#ports = ports;
    this.#feed = new SessionFeed(ports.now(), () => this.#state());
    const { newId, keepsApprovals } = ports;
    this.#driver = new SessionDriver<Message, WebAnswer>({
      openSession: (approver, signal) =>
        ports.openSession(approver, async (message) => this.#feed.add({ type: 'problem', message }), signal),
      approvals: webApprovals({ newId, keepsApprovals, show: (event) => this.#feed.add(event) }),
      onSession: (agent) => this.#onSession(agent),
      onWork: (type, { id, text }) => {
        this.#feed.add(type === 'begin' ? { type: 'message_start', id, text } : { type: 'message_end', id });
        this.tell();
      },
    });
  }

  get last(): number {
    return this.#feed.last;
  }

  /** The agent of the session, which is opened now if it is not. Rejects with `UsageError` if it cannot be. */
  agent(): Promise<Agent> {
    return this.#driver.agent();
  }

  /**
   * Queues a message of a tab or a program, and returns its id. `steers`: the next request of the run in progress takes it,
   * if it needs nothing but the model.
   */
  send(text: string, tab?: string, steers = false): string {
    const message = { id: this.#ports.newId(), text, tab };
    const taken = steers && !mustWait(text) ? { steers: text } : {};
    void this.#driver.submit((work) => this.#answer(message, work), message, taken);
    this.tell();
    return message.id;
  }

  /** Removes a message from the queue. False if it does not wait there. */
  unqueue(id: string): boolean {
    return this.#drop((message) => message.id === id).length > 0;
  }

  /**
   * Stops the work on the current message. If a tab stops it, the messages that wait are not sent: they go back to the
   * tabs that have sent them, or to this one if those are closed. Otherwise the queue stays.
   */
  stop(tab?: string): void {
    if (tab !== undefined) this.#putBackQueue(tab);
    this.#driver.stop();
  }

  /** See `SessionDriver`. */
  answer(answer: WebAnswer): string | undefined {
    return this.#driver.answer(answer.id, answer);
  }

  /** See `SessionDriver`. */
  clear(): Promise<void> {
    this.#drop();
    return this.#driver.clear();
  }

  /** See `SessionDriver`. */
  load(name: string): Promise<void> {
    return this.#driver.load(name);
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
    this.#drop();
    await this.#driver.close();
  }

  async #answer({ text, tab }: Message, work: Work): Promise<void> {
    const ports: MessagePorts = {
      models: this.#ports.models,
      enter: this.#ports.enter ?? 'steer',
      show: (event) => this.#feed.add(event),
      onChange: async () => (this.#agent === undefined ? undefined : this.#show(this.#agent)),
      putBack: (back) => this.#putBack(tab, [back]),
    };
    try {
      await carryOut(text, ports, work);
    } catch (error) {
      this.#feed.add(
        error instanceof AbortedError
          ? { type: 'note', text: 'Stopped.' }
          : { type: 'problem', message: messageOf(error) },
      );
    }
  }

  /** Shows a session with what the user must know about it. */
  async #onSession(agent: Agent): Promise<void> {
    const { notice } = this.#ports;
    const notices = this.#agent === undefined && notice !== undefined ? [notice] : [];
    this.#agent = agent;
    await this.#show(agent);
    for (const text of [...notices, ...restoredNotes(agent)]) this.#feed.add({ type: 'note', text });
  }

  #show({ record }: Agent): Promise<void> {
    const { current } = this.#driver;
    return this.#feed.show(record, current && { id: current.id, text: current.text });
  }

  #putBackQueue(stopping: string): void {
    const owners = new Map<string, string[]>();
    for (const { tab, text } of this.#drop()) {
      const owner = tab !== undefined && this.#feed.isFollowedBy(tab) ? tab : stopping;
      owners.set(owner, [...(owners.get(owner) ?? []), text]);
    }
    for (const [tab, texts] of owners) this.#putBack(tab, texts);
  }

  #putBack(tab: string | undefined, texts: readonly string[]): void {
    if (tab !== undefined) this.#feed.add({ type: 'put_back', tab, texts });
  }

  #drop(matches?: (message: Message) => boolean): readonly Message[] {
    const dropped = this.#driver.drop(matches);
    for (const { id } of dropped) this.#feed.add({ type: 'message_end', id });
    if (dropped.length > 0) this.tell();
    return dropped;
  }

  #state(): PageState {
    const { current, steering, queue: waiting } = this.#driver;
    const queue = [...steering, ...waiting].map((message) => {
      const { id, text, tab } = message;
      return { id, text, ...(tab !== undefined && { tab }), ...(steering.includes(message) && { steers: true }) };
    });
    const { enter } = this.#ports;
    const running = { ...(enter === 'queue' && { enter }), ...(current !== undefined && { running: current.id }) };
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
