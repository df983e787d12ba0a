import type { AgentEvent } from '../../agent/ports/events.ts';
import type { RunObserver } from '../observe-events.ts';
import type { SessionRecord } from '../session-record.ts';

/** An action of the user without a call of the model. */
export type UserAction = Omit<Extract<AgentEvent, { type: 'user_action' }>, 'type'>;

/**
 * Keeps the actions of the user between the runs of a session in its log. A session is stored from its first run on,
 * which reports the actions before it.
 */
export class UserActions {
  readonly #record: Pick<SessionRecord, 'announce' | 'messageCount'>;
  readonly #early: AgentEvent[] = [];

  constructor(record: Pick<SessionRecord, 'announce' | 'messageCount'>) {
    this.#record = record;
  }

  /** Called before the effect of an action, which it must not have after a `NotSavedError`. */
  async note(action: UserAction): Promise<void> {
    const event = { type: 'user_action', ...action } as const;
    if (this.#record.messageCount === 0) this.#early.push(event);
    else await this.#record.announce(event);
  }

  /** Reports the actions before the first run in it. */
  observe(): RunObserver {
    return {
      before: async (event) => (event.type === 'user_message' ? this.#early.splice(0) : undefined),
      end: async () => [],
    };
  }
}
