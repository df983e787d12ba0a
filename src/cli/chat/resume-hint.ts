import type { Palette } from '../../ports/terminal.ts';
import type { SessionRecord } from '../../session/session-record.ts';
import type { CommandLineOptions } from '../command-line/options.ts';
import { escapeLine, markLines } from '../output.ts';

/** Options without which the session would not be found, or would go on with another model. */
const REPEATED = ['config', 'provider', 'endpoint', 'model', 'cwd'] as const;

/** The line after a session that can be continued: it is stored and has messages. The command is for a POSIX shell. */
export function resumeHint(
  { file, name, messageCount }: Pick<SessionRecord, 'file' | 'name' | 'messageCount'>,
  options: CommandLineOptions,
  palette: Palette,
): string {
  if (file === undefined || messageCount === 0) return '';
  const repeated = REPEATED.flatMap((key) => {
    const value = options[key];
    return value === undefined ? [] : [`--${key}`, word(value)];
  });
  const command = ['ybs', ...repeated, '--resume', word(name)].join(' ');
  return markLines(palette('dim', `To go on: ${escapeLine(command)}`).concat('\n'), palette);
}

function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
