import { raceAbort } from '../../agent/async/abort.ts';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../../agent/ports/approver.ts';

/** An answer that has no effect, and the reason: the question stays open. */
export class RefusedAnswer {
  readonly problem: string;

  constructor(problem: string) {
    this.problem = problem;
  }
}

/** A question to the user or the program at the other end. `Given` is an answer as the front gets it. */
export interface OpenQuestion<Given, Answer> {
  readonly id: string;
  /** Shows the question. Resolves to the answer in a front that waits for it itself. */
  readonly show: (signal: AbortSignal) => Promise<Answer | undefined>;
  readonly read: (given: Given) => Answer | RefusedAnswer;
}

/**
 * The open questions of a session. Each has an id and is answered once; it ends without an answer when the client
 * disconnects, the run stops or the session is closed.
 */
export class Questions<Given> {
  readonly #open = new Map<string, { answer(given: Given): string | undefined; end(): void }>();
  #disconnected = false;

  /**
   * Asks a question. Resolves to `undefined` if the client has disconnected, and rejects with `AbortedError` as soon as
   * `signal` aborts.
   */
  async ask<Answer>({ id, show, read }: OpenQuestion<Given, Answer>, signal: AbortSignal): Promise<Answer | undefined> {
    if (this.#disconnected) return undefined;
    // The answer may arrive while the question is still being shown.
    const answered = new Promise<Answer | undefined>((resolve) => {
      const end = (answer?: Answer): void => {
        this.#open.delete(id);
        resolve(answer);
      };
      const answer = (given: Given): string | undefined => {
        const found = read(given);
        if (found instanceof RefusedAnswer) return found.problem;
        end(found);
        return undefined;
      };
      this.#open.set(id, { answer, end });
    });
    const shown = async (): Promise<Answer | undefined> => (await show(signal)) ?? answered;
    try {
      return await raceAbort(Promise.race([shown(), answered]), signal);
    } finally {
      this.#open.delete(id);
    }
  }

  /** True if the question with this id waits for an answer. */
  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /** Answers a question. Returns the reason why the answer has no effect; `undefined` if it has one. */
  answer(id: string, given: Given): string | undefined {
    const question = this.#open.get(id);
    return question === undefined ? 'This question has been answered, or the run has ended.' : question.answer(given);
  }

  /** Ends open and later questions without an answer, because the client has disconnected. */
  disconnect(): void {
    this.#disconnected = true;
    for (const { end } of [...this.#open.values()]) end();
  }
}

/** The translation of questions for approval by a front. */
export interface ApprovalFront<Given = never> {
  /** The id of a question, which no other open question has. */
  readonly newId: (request: ApprovalRequest) => string;
  /** Shows the question. Resolves to the decision in a front that waits for the answer itself. */
  readonly show: (id: string, request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalDecision | undefined>;
  /** Reads the answer that `SessionDriver.answer` was called with. Absent if `show` resolves to all decisions. */
  readonly read?: (given: Given, request: ApprovalRequest) => ApprovalDecision | RefusedAnswer;
  /** Called when the question is closed; `isStopped`: because the run was stopped. */
  readonly close?: (id: string, isStopped: boolean) => Promise<unknown>;
  /** An answer that changes a call also approves the changed call: unless the rules deny it, it runs unasked. */
  readonly agreesToChanges?: boolean;
}

/** An approver that asks through a front. */
export interface FrontApprover extends Approver {
  /** Forgets the approval of a changed call, because it has a result: a later call may have the same id. */
  forget(callId: string): void;
}

/** Creates the approver of a session. `frontOf` returns `undefined` if nobody is there to ask. */
export function createApprover<Given>(
  frontOf: () => ApprovalFront<Given> | undefined,
  questions = new Questions<Given>(),
): FrontApprover {
  const agreed = new Set<string>();
  return {
    forget: (callId) => agreed.delete(callId),
    async decide(request, signal) {
      signal.throwIfAborted();
      const front = frontOf();
      if (front === undefined) return { type: 'unavailable' };
      const { callId } = request;
      if (agreed.delete(callId)) return { type: 'once' };
      const id = front.newId(request);
      const question: OpenQuestion<Given, ApprovalDecision> = {
        id,
        show: (stopped) => front.show(id, request, stopped),
        read: (given) =>
          front.read?.(given, request) ?? new RefusedAnswer('This question is answered where it is shown.'),
      };
      try {
        const decision = (await questions.ask(question, signal)) ?? { type: 'unavailable', host: true };
        if (front.agreesToChanges === true && decision.type === 'change') agreed.add(callId);
        return decision;
      } finally {
        await front.close?.(id, signal.aborted);
      }
    },
  };
}
