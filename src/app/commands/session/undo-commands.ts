import { UsageError } from '../../../agent/errors.ts';
import { activeCheckpoints, type Checkpoint, type FileWrite, hasChanged } from '../../../session/writes/checkpoints.ts';
import { versionOf } from '../../../session/writes/file-versions.ts';
import { commandLine } from '../../../session/writes/receipt-rows.ts';
import { noCheckpoint, type UndoReport } from '../../../session/writes/undo.ts';
import type { WriteJournal } from '../../../session/writes/write-journal.ts';
import { decodeFile } from '../../../text/bytes/decode.ts';
import { pathForPeople } from '../../../text/for-people/path-for-people.ts';
import { countOf, formatSize } from '../../../text/quantities.ts';
import { truncateLines } from '../../../text/truncate.ts';
import { type ChatCommand, chatCommand } from '../chat-command.ts';

/** `/undo` and `/checkpoints`. */
export const UNDO_COMMANDS: readonly ChatCommand[] = [
  chatCommand({
    name: 'undo',
    argument: '[number]',
    description: 'Put the files back that the last run wrote, or all from a checkpoint on',
    async run(agent, argument) {
      const current = await agent();
      return describeUndo(await current.undo(readNumber(argument)), current.workspace, '/undo');
    },
  }),
  chatCommand({
    name: 'checkpoints',
    argument: '[number]',
    description: 'List the calls that wrote files, or show the files as they were before one of them',
    async run(agent, argument) {
      const { record, workspace } = await agent();
      const checkpoints = await record.writes.checkpoints();
      const number = readNumber(argument);
      if (number === undefined) return listCheckpoints(checkpoints, workspace);
      const checkpoint = checkpoints[number - 1];
      if (checkpoint === undefined) throw new UsageError(noCheckpoint(number, checkpoints.length));
      return showCheckpoint(checkpoint, record.writes, workspace);
    },
  }),
];

function readNumber(argument: string): number | undefined {
  if (argument === '') return undefined;
  if (/^[1-9]\d{0,8}$/.test(argument)) return Number(argument);
  throw new UsageError(`${JSON.stringify(argument)} is not the number of a checkpoint. /checkpoints lists them.`);
}

/** The number of commands that a report lists; the log has them all. */
const MAX_COMMANDS = 5;

/** Maximum length of a command in a report. */
const MAX_COMMAND_LENGTH = 80;

/** The report of an undo for people. `undo` is the command that takes back the undo. */
export function describeUndo(report: UndoReport, workspace: string, undo: string): string {
  const { from, number, restored, kept, commands } = report;
  const files = countOf(restored.length, 'file');
  const isAre = restored.length === 1 ? 'is as it was' : 'are as they were';
  const asWere = 'The files are already as they were';
  const start = restored.length > 0 ? `${files} ${isAre}` : kept.length > 0 ? 'No file was put back as it was' : asWere;
  const rows = [`${start} before checkpoint ${from}.`];
  for (const { path, change } of restored) rows.push(`  ${change.padEnd(8)}  ${pathForPeople(path, workspace)}`);
  for (const { path, reason } of kept) rows.push(`  not done  ${pathForPeople(path, workspace)}: ${reason}`);
  if (commands.length > 0) {
    rows.push(`What commands have changed is not undone. ${countOf(commands.length, 'command')} ran:`);
    for (const command of commands.slice(0, MAX_COMMANDS)) rows.push(`  ${commandLine(command, MAX_COMMAND_LENGTH)}`);
    if (commands.length > MAX_COMMANDS) rows.push(`  and ${commands.length - MAX_COMMANDS} more`);
  }
  if (restored.length > 0) rows.push(`${undo} ${number} takes this back.`);
  return rows.join('\n');
}

function listCheckpoints(checkpoints: readonly Checkpoint[], workspace: string): string {
  const active = new Set(activeCheckpoints(checkpoints));
  const rows = checkpoints.flatMap((checkpoint) => {
    const { number, undo, writes } = checkpoint;
    const changed = [...writes.values()].filter(hasChanged);
    const start = String(number).padStart(3);
    if (undo !== undefined) return [`${start}. undo from ${undo} on (${countOf(changed.length, 'file')})`];
    const note = active.has(checkpoint) ? '' : ', undone';
    return changed.map((write) => `${start}. ${pathForPeople(write.path, workspace)} (${changeOf(write)}${note})`);
  });
  if (rows.length === 0) return 'This session has changed no file.';
  return `${rows.join('\n')}\n/checkpoints NUMBER shows a file as it was before, /undo NUMBER puts all files from there on back.`;
}

function changeOf({ before, added, removed }: FileWrite): string {
  const kind = before.type === 'missing' ? 'new, ' : '';
  return added === undefined || removed === undefined ? `${kind}changed` : `${kind}+${added} −${removed}`;
}

/** The number of lines of a saved file that are shown. */
const MAX_LINES = 400;

async function showCheckpoint(
  { number, writes }: Checkpoint,
  journal: WriteJournal,
  workspace: string,
): Promise<string> {
  const blocks = [];
  for (const { path, before } of writes.values()) {
    const shown = pathForPeople(path, workspace);
    const version = await versionOf(before, journal.ports);
    if (version.type === 'missing') blocks.push(`${shown} did not exist before checkpoint ${number}.`);
    else if (version.type === 'unknown')
      blocks.push(`${shown} before checkpoint ${number} is not known: ${version.reason}.`);
    else blocks.push(`${shown} before checkpoint ${number}:\n${contentOf(version.bytes)}`);
  }
  return blocks.length === 0 ? `Checkpoint ${number} has no files.` : blocks.join('\n');
}

function contentOf(bytes: Uint8Array): string {
  const content = decodeFile(bytes);
  if (content.type === 'binary') return `    (binary, ${formatSize(bytes.length)})`;
  // Indented more than the lines of ybs about a run, like the output of a command.
  const lines = truncateLines(content.text.replace(/\n$/, '').split('\n'), MAX_LINES);
  return lines.map((line) => `    ${line}`).join('\n');
}
