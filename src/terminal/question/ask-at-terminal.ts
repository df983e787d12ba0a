import type { ApprovalFront } from '../../app/driver/questions.ts';
import type { ApprovalPorts } from './approval.ts';

/**
 * Asks the user at the terminal. Ctrl-C stops the run, the end of the input means no, and keys typed before the question
 * was drawn are ignored. The first question loads what reads commands, so that a start does not wait for it.
 */
export function askAtTerminal(ports: ApprovalPorts): ApprovalFront {
  return {
    newId: ({ callId }) => callId,
    forms: {
      modes: ['form', 'url'],
      show: async (_id, request, signal) => (await import('./form.ts')).askForm(ports, request, signal),
    },
    show: async (_id, request, signal) => (await import('./approval.ts')).askQuestion(ports, request, signal),
  };
}
