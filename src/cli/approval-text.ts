import type { ApprovalRequest } from '../ports/approver.ts';
import { describeRule } from '../safety/permission-rules.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { escapeLine } from './escape-stream.ts';
import type { Palette } from './palette.ts';

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
