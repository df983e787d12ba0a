import type { JsonObject, Protocol, ReplyToolCall } from '../conversation/conversation.ts';
import type { ChatAnswerForm, NamedService, RecallCall, WireError, WireRequest } from '../wire/wire.ts';

/** A request as the client sent it: neighbouring messages are not joined, and no field has a default. */
export interface RawRequest {
  readonly protocol: Protocol;
  readonly model: string;
  readonly body: JsonObject;
  readonly headers: WireRequest['headers'];
  readonly query: WireRequest['query'];
  readonly path: string;
  /** True if the request, its reply or the server names the service, so that it is not inferred from the model name. */
  readonly isNamed: boolean;
  /** The calls of a scenario's answer to the request. */
  readonly calls: readonly ReplyToolCall[];
  /** Finds a call of this server, whose id and reasoning are those that it has sent. */
  readonly recall: RecallCall;
}

/** The part of an error that belongs to one refused request; status 400 if it has none. */
export type Violation = Pick<WireError, 'message'> &
  Partial<Pick<WireError, 'status' | 'code' | 'param' | 'errorType' | 'fields'>>;

/** Finds the reason for which a service refuses a request; undefined if there is none. Pure. */
export interface Check {
  (request: RawRequest): Violation | undefined;
  /** The violation depends on the tools of the request alone. An agent sends the same ones each time. */
  readonly readsOnlyTools?: true;
}

/** The origin of a rule, which a refusal names. */
export interface RuleBasis {
  /** Name for `--allow`: `openai/max-tokens`. */
  readonly id: string;
  /** An official page, a recording, or a public report of the refusal. */
  readonly source: string;
  /** Date of the source. */
  readonly date: string;
}

/** A kind of request that a service refuses. */
export interface Rule extends RuleBasis {
  /** The protocols for which it holds; absent: Chat Completions, as for most rules. */
  readonly protocols?: readonly Protocol[];
  /** The models that refuse it, without a prefix; absent: all models of the service, and those of no known service. */
  readonly models?: RegExp;
  /** The rule does not hold for models of no service, because servers that imitate the service accept such requests. */
  readonly only?: true;
  /** The rule of another service that this one shares. */
  readonly origin?: string;
  /** The refused requests, for the documentation. */
  readonly refuses: string;
  /** The nearest request that is accepted, for the documentation. */
  readonly accepts: string;
  readonly check: Check;
}

/** True if a rule holds for requests of a protocol. */
export function holdsFor({ protocols = ['openai-chat'] }: Pick<Rule, 'protocols'>, protocol: Protocol): boolean {
  return protocols.includes(protocol);
}

/** A service: the requests that it refuses, and the form of its answers. */
export interface Service extends NamedService {
  readonly title: string;
  /** The names of its models, which identify it where the address of a request does not. */
  readonly owns?: RegExp;
  readonly rules: readonly Rule[];
  /** The form of its chat completions, if it differs from OpenAI's. */
  readonly answers?: ChatAnswerForm;
  /** The words of the service for errors that OpenAI's protocols have. */
  readonly words?: readonly (readonly [pattern: RegExp, replacement: string])[];
  /** The body of an error over OpenAI's protocols, if it differs from OpenAI's. */
  readonly encodeError?: (error: WireError, requestId: string) => object;
  /**
   * The protocols that the service turns into Chat Completions, so that its rules for chats hold over them, too, but for
   * the ones named by their last part.
   */
  readonly turned?: { readonly protocols: readonly Protocol[]; readonly except?: readonly string[] };
  /** The body of an error has this form over every protocol. */
  readonly encodesEverywhere?: true;
}
