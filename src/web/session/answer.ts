import * as z from 'zod';
import type { ApprovalDecision, ApprovalRequest } from '../../agent/ports/approver.ts';
import { type ApprovalFront, RefusedAnswer } from '../../app/driver/questions.ts';
import { describeOffer } from '../../policy/permission-rules.ts';
import type { WebAnswer } from './page-data.ts';
import { ANSWER_TYPES, type OfferedAnswer, type PageEvent } from './page-event.ts';
import { visibleEvent } from './shown-event.ts';

/** Ports of `webApprovals`. */
export interface WebApprovalPorts {
  /** Creates the one-time id of a question. */
  readonly newId: () => string;
  readonly show: (event: PageEvent) => void;
  /** True if the rules that the user allows for the session also hold in later ones. */
  readonly keepsApprovals: boolean;
}

/** Questions for approval to the tabs. Each waits for the first answer of any tab. */
export function webApprovals({ newId, show, keepsApprovals }: WebApprovalPorts): ApprovalFront<WebAnswer> {
  return {
    newId,
    async show(id, request) {
      const { digest = '' } = request;
      show(visibleEvent({ type: 'question', id, digest, request, answers: answersTo(request, keepsApprovals) }));
      return undefined;
    },
    read({ digest, answer }, request) {
      if (digest !== (request.digest ?? ''))
        return new RefusedAnswer('This answer is for another question. Answer the one that is shown.');
      return decisionOf(answer, request) ?? new RefusedAnswer('The question does not offer this answer.');
    },
    close: async (id) => show({ type: 'question_closed', id }),
  };
}

/** The answer of a tab to a question. */
export const answerSchema: z.ZodType<WebAnswer> = z.object({
  id: z.string(),
  digest: z.string(),
  answer: z.discriminatedUnion('type', [
    z.object({ type: z.enum(ANSWER_TYPES) }),
    z.object({ type: z.literal('edit'), text: z.string().min(1) }),
    z.object({ type: z.literal('deny'), feedback: z.string().optional() }),
  ]),
});

/** The answers that a question offers, besides no and an edit. `keepsApprovals`: rules also hold in later sessions. */
function answersTo(request: ApprovalRequest, keepsApprovals: boolean): readonly OfferedAnswer[] {
  const { effect, pending = [], offers, offersDirectory } = request;
  const offer = (key: string, type: OfferedAnswer['answer']['type'], label: string): OfferedAnswer => {
    return { key, label, answer: { type } };
  };
  if (effect.plan !== undefined) {
    return [
      offer('y', 'plan_ask', 'Yes, and ask before each change'),
      offer('a', 'plan_accept_edits', 'Yes, and edit files without asking'),
    ];
  }
  const forSession = `Yes, and for the rest of this session${keepsApprovals ? ' and later ones' : ''}`;
  return [
    offer('y', 'once', pending.length > 0 ? 'Yes, to number 1 only' : 'Yes, once'),
    ...(pending.length > 0 ? [offer('b', 'all', `Yes, to all ${pending.length + 1}`)] : []),
    ...(offers === undefined ? [] : [offer('a', 'session', `${forSession}: ${describeOffer(offers)}`)]),
    ...(offersDirectory === undefined
      ? []
      : [offer('f', 'directory', `${forSession}: ${describeOffer(offersDirectory)}`)]),
  ];
}

/** The decision of an answer; `undefined` if the question does not offer it. */
function decisionOf(answer: WebAnswer['answer'], request: ApprovalRequest): ApprovalDecision | undefined {
  if (answer.type === 'deny') {
    const feedback = answer.feedback?.trim() ?? '';
    return feedback === '' ? { type: 'deny' } : { type: 'deny', feedback };
  }
  if (answer.type === 'edit') {
    if (request.effect.plan !== undefined) return { type: 'change', arguments: { plan: answer.text } };
    return request.editable === true ? { type: 'edit', command: answer.text } : undefined;
  }
  const isOffered = answersTo(request, false).some((offered) => offered.answer.type === answer.type);
  return isOffered ? DECISIONS[answer.type] : undefined;
}

const DECISIONS: Readonly<Record<OfferedAnswer['answer']['type'], ApprovalDecision>> = {
  once: { type: 'once' },
  all: { type: 'once', all: true },
  session: { type: 'session' },
  directory: { type: 'session', scope: 'directory' },
  plan_ask: { type: 'once', mode: 'ask' },
  plan_accept_edits: { type: 'once', mode: 'accept-edits' },
};
