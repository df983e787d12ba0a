import type { ApprovalDecision, ApprovalRequest, Approver } from '../ports/approver.ts';
import type { Terminal, WriteText } from '../ports/terminal.ts';
import { describeRule } from '../safety/permission-rules.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { escapeLine, type Palette } from './output.ts';

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

/**
 * The question as the user reads it: what is asked for and why, the change as a diff or the command with the directory
 * it runs in, and the answers. Nothing of the plan is left out here: what is not shown must not happen. Ends with a
 * line feed.
 */
export function approvalText(request: ApprovalRequest, palette: Palette): string {
  const { effect, offers } = request;
  const rows = [
    `${palette('yellow', '?')} ${palette('bold', `${escapeLine(request.toolName)}: ${escapeLine(effect.summary)}`)}`,
    `  ${escapeLine(request.reason)}`,
  ];
  if (effect.command !== undefined) rows.push(...commandRows(effect.command, palette));
  if (effect.workingDirectory !== undefined) rows.push(`  in ${escapeLine(effect.workingDirectory)}`);
  if (effect.preview !== undefined) rows.push(...diffRows(effect.preview.unified, palette));
  for (const { realPath } of effect.preview === undefined && effect.command === undefined ? effect.paths : []) {
    rows.push(`  ${escapeLine(realPath)}`);
  }
  rows.push(`  ${palette('bold', 'y')} yes, once`);
  if (offers !== undefined)
    rows.push(`  ${palette('bold', 'a')} yes, and in this session also ${escapeLine(describeRule(offers))}`);
  rows.push(`  ${palette('bold', 'n')} no (Enter alone too), or type what to do instead`);
  return `${rows.join('\n')}\n`;
}

function commandRows(command: string, palette: Palette): string[] {
  const visible = escapeForTerminal(command).replaceAll('\t', '\\u{9}');
  return visible.split('\n').map((row, index) => `  ${palette('cyan', index === 0 ? '$' : '>')} ${row}`);
}

function diffRows(unified: string, palette: Palette): string[] {
  const rows = escapeForTerminal(unified).replace(/\n$/, '').split('\n');
  return rows.map((row) => {
    if (row.startsWith('@@')) return `  ${palette('cyan', row)}`;
    if (row.startsWith('+')) return `  ${palette('green', row)}`;
    return `  ${row.startsWith('-') ? palette('red', row) : row}`;
  });
}
