import type { Story } from '../../mock-llm-server/scenario/format.ts';
import { NOBODY } from '../cli/approval-prompt.ts';
import type { ApprovalDecision, Approver } from '../ports/approver.ts';

/** Answers from a story, and what was wrong with the questions. */
export interface StoryApprover {
  readonly approver: Approver;
  /** Questions without an answer, and answers without a question. */
  problems(): readonly string[];
}

/**
 * Gives a story's answers in their order. A question too many is no. A story that has no answers and expects the
 * outcome `denied` plays without a terminal.
 */
export function createStoryApprover(story: Story): StoryApprover {
  if (story.approvals === undefined && story.expected_outcome === 'denied') {
    return { approver: NOBODY, problems: () => [] };
  }
  const left = [...(story.approvals ?? [])];
  const unasked: string[] = [];
  return {
    approver: {
      async decide(request, signal): Promise<ApprovalDecision> {
        signal.throwIfAborted();
        const answer = left.shift();
        if (answer === undefined) {
          unasked.push(`asked without an answer in story.approvals: ${request.toolName}: ${request.effect.summary}`);
          return { type: 'deny' };
        }
        return typeof answer === 'string' ? { type: answer } : { type: 'deny', feedback: answer.deny };
      },
    },
    problems: () => [
      ...unasked,
      ...left.map((answer) => `an answer in story.approvals that nobody asked for: ${JSON.stringify(answer)}`),
    ],
  };
}
