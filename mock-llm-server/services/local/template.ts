import type { JsonObject, ServiceName } from '../../conversation/conversation.ts';
import type { RawRequest, Rule } from '../service.ts';

/** A chat template that raises an exception for some conversations, whichever server renders it. */
export interface Template extends Pick<Rule, 'refuses' | 'accepts' | 'source' | 'date'> {
  readonly name: string;
  readonly models: RegExp;
  /** The servers that hand the exception on. Ollama has templates of its own for most models. */
  readonly servers: readonly ServiceName[];
  /** The text of the exception; undefined if the template renders the conversation. */
  readonly reason: (messages: readonly JsonObject[], request: RawRequest) => string | undefined;
}
