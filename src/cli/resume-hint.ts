import type { Palette } from '../app/terminal.ts';
import type { SessionRecord } from '../session/session-record.ts';
import { escapeLine, markLines } from '../terminal/output.ts';
import { LINE_MARK } from '../text/escape.ts';
import { maxWidth } from '../text/width.ts';
import type { CommandLineOptions } from './command-line/options.ts';

/** Options without which the session would not be found, or would continue with another model. */
const REPEATED = ['config', 'provider', 'endpoint', 'model', 'cwd'] as const;

/**
 * The text after a session that can be continued: it is stored and has messages. The command is for a POSIX shell, and
 * begins with `program`. If it does not fit into a row of `columns`, it stands alone, so that it can be copied without
 * the marks of wrapped rows.
 */
export function resumeHint(
  { file, name, messageCount }: Pick<SessionRecord, 'file' | 'name' | 'messageCount'>,
  options: Partial<CommandLineOptions>,
  columns: number,
  palette: Palette,
  program = 'ybs',
): string {
  if (file === undefined || messageCount === 0) return '';
  const repeated = REPEATED.flatMap((key) => {
    const value = options[key];
    return value === undefined ? [] : [`--${key}`, word(value)];
  });
  const command = escapeLine([program, ...repeated, '--resume', word(name)].join(' '));
  const row = `To continue: ${command}`;
  if (maxWidth(`${LINE_MARK} ${row}`) <= columns) return markLines(`${palette('dim', row)}\n`, palette);
  return `${markLines(`${palette('dim', 'To continue:')}\n`, palette)}${palette('dim', command)}\n`;
}

/**
 * The words with which the user starts ybs here, if they are not `ybs`: npm says which of its commands runs, and a
 * variable may say where sessions are.
 */
export function programIn(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { HOME, XDG_CONFIG_HOME = '', npm_lifecycle_event: script, npm_package_name: name } = environment;
  const program = script === 'npx' ? 'npx ybs' : script === 'start' && name === 'ybs' ? 'npm start --' : undefined;
  const isUsual = !XDG_CONFIG_HOME.startsWith('/') || XDG_CONFIG_HOME === `${HOME}/.config`;
  return isUsual ? program : `XDG_CONFIG_HOME=${word(XDG_CONFIG_HOME)} ${program ?? 'ybs'}`;
}

function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
