import { raceAbort } from '../../agent/async/abort.ts';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../../agent/ports/approver.ts';
import type { FormAnswer, FormAsker, FormRequest } from '../../tools/mcp/questions/forms.ts';

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

/** The translation of forms, which servers of tools ask the user to fill in, by a front. See `ApprovalFront`. */
export interface FormFront<Given = never> extends Pick<FormAsker, 'modes'> {
  readonly show: (id: string, request: FormRequest, signal: AbortSignal) => Promise<FormAnswer | undefined>;
  readonly read?: (given: Given, request: FormRequest) => FormAnswer | RefusedAnswer;
}

/** The translation of questions for approval by a front. */
export interface ApprovalFront<Given = never> {
  /** Absent: forms are not supported. */
  readonly forms?: FormFront<Given> | undefined;
  /** The id of a question, which no other open question has. */
  readonly newId: (request: Pick<ApprovalRequest, 'callId'>) => string;
  /** Shows the question. Resolves to the decision in a front that waits for the answer itself. */
  readonly show: (id: string, request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalDecision | undefined>;
  /** Reads the answer that `SessionDriver.answer` was called with. Absent if `show` resolves to all decisions. */
  readonly read?: (given: Given, request: ApprovalRequest) => ApprovalDecision | RefusedAnswer;
  /** Called when the question is closed; `isStopped`: because the run was stopped. */
  readonly close?: (id: string, isStopped: boolean) => Promise<unknown>;
  /** An answer that changes a call also approves the changed call: unless the rules deny it, it runs unasked. */
  readonly agreesToChanges?: boolean;
}

/** Asks the user of a session. */
export interface SessionApprover extends Approver {
  /** Absent: forms are not supported. */
  readonly forms?: FormAsker | undefined;
}

/** An approver that asks through a front. */
export interface FrontApprover extends SessionApprover {
  /** Forgets the approval of a changed call, because it has a result: a later call may have the same id. */
  forget(callId: string): void;
}

const SHOWN_ELSEWHERE = new RefusedAnswer('This question is answered where it is shown.');

/** Creates the approver of a session. `frontOf` returns `undefined` if there is no user to ask. */
export function createApprover<Given>(
  frontOf: () => ApprovalFront<Given> | undefined,
  questions = new Questions<Given>(),
): FrontApprover {
  /** By the id of a call that an answer has changed: true for a question that the answer also settles. */
  const agreed = new Map<string, (request: ApprovalRequest) => Promise<boolean>>();
  const fill = async (
    front: ApprovalFront<Given>,
    forms: FormFront<Given>,
    request: FormRequest,
    signal: AbortSignal,
  ) => {
    const id = front.newId({ callId: request.id });
    const question: OpenQuestion<Given, FormAnswer> = {
      id,
      show: (stopped) => forms.show(id, request, stopped),
      read: (given) => forms.read?.(given, request) ?? SHOWN_ELSEWHERE,
    };
    try {
      return (await questions.ask(question, signal)) ?? { action: 'cancel' };
    } finally {
      await front.close?.(id, signal.aborted);
    }
  };
  /** The end of the last form: a terminal shows one at a time. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    get forms(): FormAsker | undefined {
      const front = frontOf();
      const forms = front?.forms;
      if (front === undefined || forms === undefined) return undefined;
      return {
        modes: forms.modes,
        fill(request, signal) {
          const filled = last.then(() => raceAbort(fill(front, forms, request, signal), signal));
          last = filled.catch(() => {});
          return filled;
        },
      };
    },
    forget: (callId) => agreed.delete(callId),
    async decide(request, signal) {
      signal.throwIfAborted();
      const front = frontOf();
      if (front === undefined) return { type: 'unavailable' };
      const { callId } = request;
      const settles = agreed.get(callId);
      agreed.delete(callId);
      if (settles !== undefined && (await settles(request))) return { type: 'once' };
      const id = front.newId(request);
      const question: OpenQuestion<Given, ApprovalDecision> = {
        id,
        show: (stopped) => front.show(id, request, stopped),
        read: (given) => front.read?.(given, request) ?? SHOWN_ELSEWHERE,
      };
      try {
        const decision = (await questions.ask(question, signal)) ?? { type: 'unavailable', host: true };
        if (front.agreesToChanges === true && decision.type === 'change') agreed.set(callId, async () => true);
        if (decision.type === 'edit') agreed.set(callId, (next) => isTyped(request, decision.command, next));
        return decision;
      } finally {
        await front.close?.(id, signal.aborted);
      }
    },
  };
}

/**
 * True for the question about a command as the user has just typed it, with the limits and the reason that were on the
 * screen. What destroys is asked about all the same.
 */
async function isTyped(before: ApprovalRequest, command: string, next: ApprovalRequest): Promise<boolean> {
  const limitsOf = ({ reason, sandbox, effect }: ApprovalRequest): string => {
    const { workingDirectory, network, hosts, localSockets, links } = effect;
    return JSON.stringify([reason, sandbox, workingDirectory, network, hosts, localSockets, links]);
  };
  if (next.effect.command !== command || limitsOf(before) !== limitsOf(next)) return false;
  // Loaded for an edited command only, because it needs the parser of command lines.
  const { destructiveEffect } = await import('../../policy/shell/destructive/destructive.ts');
  return destructiveEffect(next.effect) === undefined;
}
