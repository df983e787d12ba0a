import type { ApprovalDecision, Approver } from '../ports/approver.ts';
import type { Terminal, WriteText } from '../ports/terminal.ts';
import { readApprovalAnswer } from './approval-answer.ts';
import { approvalText } from './approval-text.ts';
import type { Palette } from './palette.ts';

/** Where the question is drawn and answered. */
export interface ApprovalPromptPorts {
  readonly terminal: Terminal;
  readonly write: WriteText;
  readonly palette: Palette;
  /** Stops the run that asks. */
  readonly interruptRun: () => void;
}

/**
 * Asks the person at the terminal, and nobody else: without a terminal the answer is `unavailable`. Ctrl-C stops the
 * run, the end of the input is no, and what was typed before the question was drawn is not an answer.
 */
export function createTerminalApprover(ports: ApprovalPromptPorts): Approver {
  const { terminal } = ports;
  return {
    async decide(request, signal): Promise<ApprovalDecision> {
      if (!terminal.interactive) return NOBODY.decide(request, signal);
      signal.throwIfAborted();
      await ports.write(approvalText(request, ports.palette));
      const input = await terminal.readLine({ prompt: '  > ', fresh: true }, signal);
      switch (input.type) {
        case 'line':
          return readApprovalAnswer(input.text, request.offers !== undefined);
        case 'end':
          return { type: 'deny' };
        case 'interrupt':
          ports.interruptRun();
          signal.throwIfAborted();
          return { type: 'deny' };
        default:
          return input satisfies never;
      }
    },
  };
}

/** For outputs that are read by programs: there is nobody to ask. */
export const NOBODY: Approver = {
  async decide(_request, signal) {
    signal.throwIfAborted();
    return { type: 'unavailable' };
  },
};
