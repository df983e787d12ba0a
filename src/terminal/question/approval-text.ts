import type { ApprovalRequest } from '../../agent/ports/approver.ts';
import type { SandboxState } from '../../agent/ports/shell.ts';
import type { PlannedEffect, ProgramUse } from '../../agent/ports/tool.ts';
import { answersTo } from '../../app/driver/answers.ts';
import type { Palette } from '../../app/terminal.ts';
import { describeNetwork } from '../../policy/sandbox/describe-sandbox.ts';
import { destructiveEffect } from '../../policy/shell/destructive/destructive.ts';
import { escapeInQuestion } from '../../text/escape.ts';
import { diffRows } from '../chat/diff-rows.ts';

/** Maximum number of lines of a diff in a question; `d` shows all. Commands are never cut. */
const MAX_DIFF_LINES = 100;

/**
 * Text of an approval prompt: for this question and the pending ones, the change as a diff or the whole command with its
 * directory, then the call and the reason; at the end the answers, which a long change therefore does not push off the
 * screen. `keepsApprovals` as in `answersTo`; `onlyFirst`: the answers that allow more than this are behind one key.
 * Ends with a line feed.
 */
export function approvalText(
  request: ApprovalRequest,
  palette: Palette,
  keepsApprovals?: boolean,
  onlyFirst = false,
): string {
  const { pending = [] } = request;
  const all = [request, ...pending];
  const rows = all.flatMap((question, index) => [
    ...(index > 0 ? [''] : []),
    ...questionRows(question, pending.length > 0 ? `${index + 1} of ${all.length}: ` : '', palette),
  ]);
  return `${rows.join('\n')}\n${answerRows(request, palette, keepsApprovals, onlyFirst)}`;
}

/** The answers to a question, a row each. See `approvalText`. */
export function answerRows(
  request: ApprovalRequest,
  palette: Palette,
  keepsApprovals?: boolean,
  onlyFirst = false,
): string {
  const { editable, effect } = request;
  const rows: string[] = [];
  const key = (name: string, meaning: string): string => `  ${palette('bold', name)} ${meaning}`;
  const isPlan = effect.plan !== undefined;
  for (const { key: name, text, decision } of answersTo(request, keepsApprovals)) {
    if (onlyFirst && decision.type !== 'once') continue;
    rows.push(key(name, `yes, ${escapeLine(text)}${name === 'p' ? PREFIX_HINT : ''}`));
  }
  if (isPlan) rows.push(key('e', 'edit the plan'));
  if (editable === true) rows.push(key('e', 'edit the command and run it; asks again if it needs more'));
  if (hasLongDiff(request)) rows.push(key('d', 'show the whole diff'));
  rows.push(key('s', isPlan ? 'no, and say what to change in the plan' : 'no, and say what to do instead'));
  rows.push(key('n', 'no (or only Enter)'));
  if (onlyFirst) rows.push(key('m', 'more answers'));
  return `${rows.join('\n')}\n`;
}

/** Words that never qualify, for the user who changes the words. */
const PREFIX_HINT = ' (words can be changed; never rm, git push, interpreters, shells …)';

/** True if the prompt does not show the whole diff of this question or of a pending one. */
export function hasLongDiff({ effect, pending = [] }: ApprovalRequest): boolean {
  return [effect, ...pending.map((question) => question.effect)].some(
    ({ preview }) => preview !== undefined && preview.unified.replace(/\n$/, '').split('\n').length > MAX_DIFF_LINES,
  );
}

/** The whole diffs of this question and of the pending ones. Ends with a line feed. */
export function wholeDiffs({ effect, pending = [] }: ApprovalRequest, palette: Palette): string {
  const effects = [effect, ...pending.map((question) => question.effect)];
  const rows = effects.flatMap(({ preview }) => (preview === undefined ? [] : diffRows(preview.unified, palette).rows));
  return rows.map((row) => `${row}\n`).join('');
}

function questionRows(request: ApprovalRequest, number: string, palette: Palette): string[] {
  const { toolName, effect, reason, sandbox } = request;
  return [
    ...planRows(effect, palette),
    ...(sandbox === undefined ? [] : [limitsRow(sandbox, effect, palette)]),
    ...destructiveRows(effect, palette),
    `${palette('yellow', '?')} ${palette('bold', `${number}${escapeLine(toolName)}: ${escapeLine(effect.summary)}`)}`,
    `  ${escapeLine(reason)}`,
  ];
}

/** A row about what a command destroys, so that it does not look like one that only runs. */
function destructiveRows(planned: PlannedEffect, palette: Palette): string[] {
  const effect = destructiveEffect(planned);
  return effect === undefined ? [] : [`  ${palette('red', escapeLine(`DESTRUCTIVE: it ${effect}.`))}`];
}

/** The whole plan of a call: the command or the change, with real paths. */
function planRows(
  { command, plan, program, mcp, workingDirectory, preview, paths }: PlannedEffect,
  palette: Palette,
): string[] {
  const rows: string[] = [];
  if (plan !== undefined) rows.push(...plan.split('\n').map((row) => `  ${escapeLine(row)}`));
  if (command !== undefined) rows.push(...commandRows(command, palette));
  if (program !== undefined) rows.push(...programRows(program, palette));
  if (mcp?.start !== undefined) rows.push(...commandRows(mcp.start, palette));
  if (mcp !== undefined) rows.push(...inputRows(mcp.input));
  if (workingDirectory !== undefined) rows.push(`  in ${escapeLine(workingDirectory)}`);
  if (preview !== undefined) rows.push(...diffRows(preview.unified, palette, { maxRows: MAX_DIFF_LINES }).rows);
  for (const { realPath } of command === undefined ? paths : []) rows.push(`  file ${escapeLine(realPath)}`);
  return rows;
}

/** The limits of the operating system: `sandboxed (bubblewrap), no network`. */
function limitsRow(sandbox: SandboxState, { network, hosts, localSockets }: PlannedEffect, palette: Palette): string {
  if (sandbox.type === 'off')
    return `  ${palette('yellow', escapeLine(`UNSANDBOXED (${sandbox.reason}), with network`))}`;
  const sandboxed = `  sandboxed (${escapeLine(sandbox.program)}), `;
  const sockets = localSockets === true ? `, ${palette('yellow', 'WITH LOCAL SOCKETS')}` : '';
  const granted = escapeLine(describeNetwork(sandbox, { network: network === true, ...(hosts && { hosts }) }));
  return `${sandboxed}${network === true || hosts !== undefined ? palette('yellow', granted) : granted}${sockets}`;
}

function programRows({ path, input }: ProgramUse, palette: Palette): string[] {
  return [`  ${palette('cyan', '$')} ${escapeLine(path)}`, ...inputRows(input)];
}

function inputRows(input: string): string[] {
  const json = escapeInQuestion(JSON.stringify(JSON.parse(input), null, 2));
  return json.split('\n').map((row) => `    ${row}`);
}

function commandRows(command: string, palette: Palette): string[] {
  const visible = escapeInQuestion(command).replaceAll('\t', '\\u{9}');
  return visible.split('\n').map((row, index) => `  ${palette('cyan', index === 0 ? '$' : '>')} ${row}`);
}

function escapeLine(text: string): string {
  return escapeInQuestion(text, { keepNewlines: false });
}
