import type { Conversation, Protocol } from '../conversation/conversation.ts';
import type { PairingRule } from '../matching/pair-results.ts';
import type { AuxiliaryAnswer } from '../reply/auxiliary.ts';
import type { DecodedAnswer, DecodedError } from './decode/decoded-answer.ts';

/**
 * The end of an exchange: the upstream sent its whole answer (`complete`), ended the connection in an orderly way
 * (`complete` as well: whether the answer has its finish is in the answer) or reset it (`reset`), the client left before
 * the end (`client_left`), or the upstream could not be reached (`unreachable`).
 */
export type ExchangeEnd = 'complete' | 'reset' | 'client_left' | 'unreachable';

/** A request for an answer and what became of it. Its texts are redacted. */
export interface Exchange {
  /** Counts all requests of a recording from 1, in the order of their arrival. */
  readonly number: number;
  readonly protocol: Protocol;
  /** The rule of the protocol for tool calls and their results. */
  readonly pairing: PairingRule;
  readonly callIdPrefix: string;
  /** The whole conversation, even if the request names only the answer that it goes on from. */
  readonly conversation: Conversation;
  /** Digest of the conversation, equal for equal requests. */
  readonly digest: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Kind of a request beside an agent's work, such as one for a title. */
  readonly auxiliary: AuxiliaryAnswer['kind'] | undefined;
  /** Undefined if no response arrived. */
  readonly status: number | undefined;
  /** Seconds until a retry makes sense, as the header of the response states them. */
  readonly retryAfter: number | undefined;
  readonly end: ExchangeEnd;
  /** Undefined for a response with a status of 400 or more, and for none. */
  readonly answer: DecodedAnswer | undefined;
  readonly error: DecodedError | undefined;
}

/** True if the client got a whole answer, even if it left right after it. */
export function isAnswered({ answer }: Pick<Exchange, 'answer'>): boolean {
  return answer?.finish !== undefined && answer.error === undefined;
}
