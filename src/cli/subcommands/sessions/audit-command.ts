import { UsageError } from '../../../agent/errors.ts';
import type { CommandEnd } from '../../../agent/ports/shell.ts';
import { type AuditEntry, readAudit } from '../../../session/audit/read-audit.ts';
import { escapeLine } from '../../../terminal/output.ts';
import { truncateText } from '../../../text/truncate.ts';
import { report, type SubcommandRequest, type Uses } from '../subcommand.ts';
import { findStoredSession, type StoredSessionPorts } from './stored-session.ts';

/**
 * `ybs audit`: prints every decision about a call of a stored session, and the actions of its user, as a table or as
 * one line of JSON. Opens no session and changes nothing. Returns the exit code.
 */
export async function auditCommand(
  request: Pick<SubcommandRequest, 'args' | 'options' | 'ownOptions'>,
  ports: StoredSessionPorts & Uses<{ user: 'write' }>,
): Promise<number> {
  const { store, name } = await findStoredSession(request, ports);
  const entries = await readAudit(store.lines(name));
  const text = (): string => {
    if (entries.length === 0) throw new UsageError(`The session ${name} has no decisions.`);
    return table(entries).map(escapeLine).join('\n');
  };
  return report(request, ports, { json: () => ({ session: name, decisions: entries }), text });
}

const COLUMNS = ['time', 'tool', 'decision', 'by', 'rule', 'row', 'sandbox', 'result', 'ms', 'digest', 'call'] as const;

/** Maximum length of a cell before the last column. */
const MAX_CELL = 40;

function table(entries: readonly AuditEntry[]): readonly string[] {
  const rows = [COLUMNS, ...entries.map(cellsOf)].map((row) =>
    row.map((cell, index) => (index === row.length - 1 ? cell : truncateText(cell, MAX_CELL))),
  );
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function cellsOf(entry: AuditEntry): readonly string[] {
  const { time, tool, verdict, by, rule, decidedBy = '', sandbox = '', ms, digest = '', summary } = entry;
  const shown = [time.slice(0, 19).replace('T', ' '), tool, verdict, by, rule, decidedBy, sandbox, resultOf(entry)];
  return [...shown, ms === undefined ? '' : String(Math.round(ms)), digest.slice(0, 12), `${summary}${hostsOf(entry)}`];
}

function resultOf({ callId, outcome, exit }: AuditEntry): string {
  if (callId === undefined) return '';
  return exit === undefined ? (outcome ?? 'not known') : endOf(exit);
}

/** The servers that the command asked for. */
function hostsOf({ exit }: AuditEntry): string {
  const hosts = exit?.hosts?.map(({ host, port, refused }) => {
    return `${host}:${port}${refused === undefined ? '' : ` (refused: ${refused})`}`;
  });
  return hosts === undefined ? '' : `; hosts: ${hosts.join(', ')}`;
}

function endOf({ cause, exitCode, signal }: CommandEnd): string {
  return cause === 'exited'
    ? `exit ${exitCode}`
    : cause === 'signalled'
      ? `signal ${signal}`
      : cause.replaceAll('_', ' ');
}
