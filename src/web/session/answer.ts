import * as z from 'zod';
import type { ApprovalDecision, ApprovalRequest } from '../../agent/ports/approver.ts';
import { ANSWER_NAMES, answersTo } from '../../app/driver/answers.ts';
import { type ApprovalFront, RefusedAnswer } from '../../app/driver/questions.ts';
import { describeOffer } from '../../policy/describe-rule.ts';
import { destructiveEffect } from '../../policy/shell/destructive/destructive.ts';
import { wordsProblem } from '../../policy/shell/prefix/command-prefix.ts';
import { prefixText, prefixWords } from '../../policy/shell/prefix/prefix-words.ts';
import { formFields, readForm } from '../../tools/mcp/questions/forms.ts';
import type { WebAnswer } from './page-data.ts';
import type { PageEvent, ShownAnswer } from './page-event.ts';
import { visibleEvent } from './shown-event.ts';

export interface WebApprovalPorts {
  /** Creates the one-time id of a question. */
  readonly newId: () => string;
  readonly show: (event: PageEvent) => void;
  /** As in `answersTo`. */
  readonly keepsApprovals: boolean | undefined;
}

/** Questions for approval to the tabs. Each waits for the first answer of any tab. */
export function webApprovals({ newId, show, keepsApprovals }: WebApprovalPorts): ApprovalFront<WebAnswer> {
  return {
    newId,
    forms: {
      modes: ['form', 'url'],
      async show(id, { server, message, schema, url }) {
        const fields = formFields(schema ?? {});
        show(visibleEvent({ type: 'form', id, server, message, fields, ...(url !== undefined && { url }) }));
        return undefined;
      },
      read({ answer }, { schema = {} }) {
        if (answer.type !== 'form') return { action: 'decline' };
        const read = readForm(schema, answer.values);
        return 'problem' in read ? new RefusedAnswer(read.problem) : { action: 'accept', ...read };
      },
    },
    async show(id, request) {
      const { digest = '', effect } = request;
      const destroys = destructiveEffect(effect);
      const answers = shownAnswers(request, keepsApprovals);
      const facts = { digest, request, answers, ...(destroys !== undefined && { destroys }) };
      show(visibleEvent({ type: 'question', id, ...facts }));
      return undefined;
    },
    read({ digest, answer }, request) {
      if (digest !== (request.digest ?? ''))
        return new RefusedAnswer('This answer is for another question. Answer the one that is shown.');
      return (
        decisionOf(answer, request, keepsApprovals) ?? new RefusedAnswer('The question does not offer this answer.')
      );
    },
    close: async (id) => show({ type: 'question_closed', id }),
  };
}

/** The answer of a tab to a question. */
export const answerSchema: z.ZodType<WebAnswer> = z.object({
  id: z.string(),
  digest: z.string(),
  answer: z.discriminatedUnion('type', [
    z.object({ type: z.enum(ANSWER_NAMES), words: z.string().optional() }),
    z.object({ type: z.literal('edit'), text: z.string().min(1) }),
    z.object({ type: z.literal('form'), values: z.record(z.string(), z.json()) }),
    z.object({ type: z.literal('deny'), feedback: z.string().optional() }),
  ]),
});

/** The answers that a question offers, besides no and an edit. */
function shownAnswers(request: ApprovalRequest, keepsApprovals: boolean | undefined): readonly ShownAnswer[] {
  return answersTo(request, keepsApprovals).map(({ name, key, text, rule }) => {
    // The command is above the answers, and the button has no room for it.
    const short = rule?.type === 'exact_command' ? text.replace(describeOffer(rule), 'exactly this command') : text;
    const words = rule?.type === 'command_prefix' && name === 'prefix' ? { words: prefixText(rule.words) } : {};
    return { key, label: `Yes, ${short}`, answer: { type: name }, ...words };
  });
}

/** The decision of an answer; `undefined` if the question does not offer it. */
function decisionOf(
  answer: WebAnswer['answer'],
  request: ApprovalRequest,
  keepsApprovals: boolean | undefined,
): ApprovalDecision | RefusedAnswer | undefined {
  if (answer.type === 'deny') {
    const feedback = answer.feedback?.trim() ?? '';
    return feedback === '' ? { type: 'deny' } : { type: 'deny', feedback };
  }
  if (answer.type === 'form') return undefined;
  if (answer.type === 'edit') {
    if (request.effect.plan !== undefined) return { type: 'change', arguments: { plan: answer.text } };
    return request.editable === true ? { type: 'edit', command: answer.text } : undefined;
  }
  const decision = answersTo(request, keepsApprovals).find(({ name }) => name === answer.type)?.decision;
  if (decision?.type !== 'session' || decision.rule?.type !== 'command_prefix' || answer.words === undefined)
    return decision;
  const words = prefixWords(answer.words);
  const problem = wordsProblem(words, request.effect.command ?? '');
  return problem === undefined ? { ...decision, rule: { type: 'command_prefix', words } } : new RefusedAnswer(problem);
}
