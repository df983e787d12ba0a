import type { ApprovalDecision } from '../ports/approver.ts';

/**
 * What a line typed at an approval prompt says. Only the whole words `y`, `yes`, `a`, `always` mean yes, `a` only
 * where a rule is offered; nothing at all is no; everything else is no with the line as feedback for the model.
 */
export function readApprovalAnswer(line: string, offersRule: boolean): ApprovalDecision {
  const answer = line.trim();
  switch (answer.toLowerCase()) {
    case 'y':
    case 'yes':
      return { type: 'once' };
    case 'a':
    case 'always':
      return offersRule ? { type: 'session' } : { type: 'deny' };
    case '':
    case 'n':
    case 'no':
      return { type: 'deny' };
    default:
      return { type: 'deny', feedback: answer };
  }
}
