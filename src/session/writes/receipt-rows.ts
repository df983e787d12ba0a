import type { RunReceipt } from '../../agent/ports/events.ts';
import type { CommandEnd } from '../../agent/ports/shell.ts';
import { pathForPeople } from '../../text/for-people/path-for-people.ts';
import { countOf } from '../../text/quantities.ts';
import { truncateText } from '../../text/truncate.ts';

/** The number of files and of commands that a receipt names. */
const MAX_NAMED = 5;

/** Maximum length of a command in a receipt. */
const MAX_COMMAND_LENGTH = 60;

/** The receipt of a run for people: a line for the changed files, one for the commands, one about the tests. */
export function receiptRows({ files, commands, tests }: RunReceipt, workspace: string): readonly string[] {
  const rows: string[] = [];
  if (files.length > 0) {
    const shown = files.map((file) => `${pathForPeople(file.realPath, workspace)}${changeOf(file)}`);
    rows.push(`${countOf(files.length, 'file')} changed: ${listOf(shown)}`);
  }
  if (commands.length > 0) {
    rows.push(`${countOf(commands.length, 'command')} ran: ${listOf(commands.map(describeCommand))}`);
  }
  if (files.length === 0) return rows;
  // Without a list of all commands that write nothing, such as linters, the row leaves the judgement to the reader.
  const later = tests?.followedBy === undefined ? '' : `, before ${commandLine(tests.followedBy)}`;
  if (tests?.hidden === true)
    rows.push(`tests may have run, but their exit code is hidden: ${describeCommand(tests)}${later}`);
  else if (tests !== undefined) {
    const change = files.some(({ realPath }) => isProse(realPath)) ? 'change of code' : 'change';
    rows.push(`tests ran after the last ${change}: ${describeCommand(tests)}${later}`);
  } else if (!files.every(({ realPath }) => isProse(realPath))) rows.push('no tests ran after the last change');
  return rows;
}

/** True for a file that no tests concern. */
export function isProse(path: string): boolean {
  return /(?:\.(?:md|mdx|rst|adoc)|[\\/](?:README|CHANGELOG|CHANGES|HISTORY|LICEN[CS]E|NOTICE|AUTHORS))$/i.test(path);
}

function listOf(items: readonly string[]): string {
  const more = items.length > MAX_NAMED ? [`${items.length - MAX_NAMED} more`] : [];
  return [...items.slice(0, MAX_NAMED), ...more].join(', ');
}

function changeOf({ change, added, removed }: RunReceipt['files'][number]): string {
  const counts = added === undefined || removed === undefined ? [] : [`+${added} −${removed}`];
  const words = [...(change === 'changed' ? [] : [change === 'created' ? 'new' : change]), ...counts];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function describeCommand({ command, exit }: RunReceipt['commands'][number]): string {
  return `${commandLine(command)} (${describeEnd(exit)})`;
}

/** The first line of a command, cut. */
export function commandLine(command: string, max = MAX_COMMAND_LENGTH): string {
  const [line = '', ...more] = command.trim().split('\n');
  return `${truncateText(line, max)}${more.length > 0 ? ' …' : ''}`;
}

function describeEnd(exit: CommandEnd | undefined): string {
  switch (exit?.cause) {
    case undefined:
    case 'aborted':
      return 'stopped';
    case 'exited':
      return `exit code ${exit.exitCode}`;
    case 'signalled':
      return `ended by ${exit.signal}`;
    case 'timed_out':
      return 'timed out';
    case 'failed_to_start':
      return 'not started';
  }
}
