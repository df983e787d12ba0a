import { raceAbort } from '../../agent/async/abort.ts';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../../agent/ports/approver.ts';
import { answersTo, decisionOf } from './answer.ts';
import type { WebAnswer } from './page-data.ts';
import type { PageEvent } from './page-event.ts';
import { visibleEvent } from './shown-event.ts';

/** The questions to the tabs. Each waits for the first answer, from whichever tab it comes. */
export interface Questions {
  readonly approver: Approver;
  /** Answers a question. Returns the reason why the answer has no effect; `undefined` if it has one. */
  answer(answer: WebAnswer): string | undefined;
}

/** Ports of `createQuestions`. */
export interface QuestionPorts {
  /** Creates the one-time id of a question. */
  readonly newId: () => string;
  readonly show: (event: PageEvent) => void;
  /** The rules that the user allows for the session also hold in later ones. */
  readonly keepsApprovals: boolean;
}

/** Creates the questions. */
export function createQuestions({ newId, show, keepsApprovals }: QuestionPorts): Questions {
  const open = new Map<string, { readonly request: ApprovalRequest; resolve(decision: ApprovalDecision): void }>();
  return {
    approver: {
      async decide(request, signal) {
        signal.throwIfAborted();
        const id = newId();
        const decided = new Promise<ApprovalDecision>((resolve) => open.set(id, { request, resolve }));
        const { digest = '' } = request;
        show(visibleEvent({ type: 'question', id, digest, request, answers: answersTo(request, keepsApprovals) }));
        try {
          return await raceAbort(decided, signal);
        } finally {
          open.delete(id);
          show({ type: 'question_closed', id });
        }
      },
    },
    answer({ id, digest, answer }) {
      const question = open.get(id);
      if (question === undefined) return 'This question has been answered, or the run has ended.';
      if (digest !== (question.request.digest ?? ''))
        return 'This answer is for another question. Answer the one that is shown.';
      const decision = decisionOf(answer, question.request);
      if (decision === undefined) return 'The question does not offer this answer.';
      question.resolve(decision);
      open.delete(id);
      return undefined;
    },
  };
}
