import type { ApprovalDecision, ApprovalRequest, Approver } from '../../ports/approver.ts';
import type { Palette, Terminal, WriteText } from '../../ports/terminal.ts';
import type { ProgramUse } from '../../ports/tool.ts';
import { describeRule } from '../../safety/permission-rules.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import { escapeLine } from '../output.ts';
import { diffRows } from './render.ts';

/**
 * Parses the answer to an approval prompt. Only the whole words `y`, `yes`, `a` and `always` mean yes, the last two
 * only where a rule is offered; an empty line means no; any other line means no and is feedback for the model.
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

/** Ports of `createTerminalApprover`. */
export interface ApprovalPorts {
  readonly terminal: Terminal;
  readonly write: WriteText;
  readonly palette: Palette;
  /** Stops the run that asks. */
  readonly interruptRun: () => void;
}

/**
 * Creates an approver that asks the user at the terminal. Ctrl-C stops the run, the end of the input means no, and keys
 * typed before the question was drawn are ignored.
 */
export function createTerminalApprover(ports: ApprovalPorts): Approver {
  const { terminal } = ports;
  return {
    async decide(request, signal): Promise<ApprovalDecision> {
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

/** Approver of a run without a user to ask: every answer is `unavailable`. */
export const unavailableApprover: Approver = {
  async decide(_request, signal) {
    signal.throwIfAborted();
    return { type: 'unavailable' };
  },
};

/**
 * Text of an approval prompt: the change as a diff or the command with its directory, then the call, the reason and the
 * answers, which a long change therefore does not push off the screen. Shows the whole plan, because the user
 * approves only what is on the screen. Ends with a line feed.
 */
export function approvalText(request: ApprovalRequest, palette: Palette): string {
  const { effect, offers } = request;
  const rows: string[] = [];
  if (effect.command !== undefined) rows.push(...commandRows(effect.command, palette));
  if (effect.program !== undefined) rows.push(...programRows(effect.program, palette));
  if (effect.workingDirectory !== undefined) rows.push(`  in ${escapeLine(effect.workingDirectory)}`);
  if (effect.preview !== undefined) rows.push(...diffRows(effect.preview.unified, palette));
  for (const { realPath } of effect.preview === undefined && effect.command === undefined ? effect.paths : []) {
    rows.push(`  ${escapeLine(realPath)}`);
  }
  rows.push(
    `${palette('yellow', '?')} ${palette('bold', `${escapeLine(request.toolName)}: ${escapeLine(effect.summary)}`)}`,
    `  ${escapeLine(request.reason)}`,
    `  ${palette('bold', 'y')} yes, once`,
  );
  if (offers !== undefined)
    rows.push(`  ${palette('bold', 'a')} yes, and for the rest of this session: ${escapeLine(describeRule(offers))}`);
  rows.push(`  ${palette('bold', 'n')} no (or only Enter), or type what to do instead`);
  return `${rows.join('\n')}\n`;
}

function programRows({ path, input }: ProgramUse, palette: Palette): string[] {
  const json = escapeForTerminal(JSON.stringify(JSON.parse(input), null, 2));
  return [`  ${palette('cyan', '$')} ${escapeLine(path)}`, ...json.split('\n').map((row) => `    ${row}`)];
}

function commandRows(command: string, palette: Palette): string[] {
  const visible = escapeForTerminal(command).replaceAll('\t', '\\u{9}');
  return visible.split('\n').map((row, index) => `  ${palette('cyan', index === 0 ? '$' : '>')} ${row}`);
}
