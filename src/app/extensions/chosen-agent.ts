import type { AgentDefinition } from './agent-file.ts';
import { type Applicable, withAgent } from './apply-agent.ts';
import type { Extensions } from './extensions.ts';

/** The agent that the user has chosen in a session, if any. */
export class ChosenAgent {
  definition: AgentDefinition | undefined;
  readonly #redact: (text: string) => string;

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** Continues with the agent of a restored session, if it still exists. */
  async restore(name: string | undefined, load: () => Promise<Extensions>): Promise<void> {
    const isNone = name === undefined || name === '';
    this.definition = isNone ? undefined : (await load()).agents.find((agent) => agent.name === name);
  }

  /** The conversation under the instructions of the agent. */
  view<Conversation extends Applicable>(conversation: Conversation): Conversation {
    const { definition } = this;
    if (definition === undefined) return conversation;
    return withAgent(conversation, { ...definition, prompt: this.#redact(definition.prompt) });
  }
}
