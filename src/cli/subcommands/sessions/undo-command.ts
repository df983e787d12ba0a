import { describeUndo } from '../../../app/commands/session/undo-commands.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import { refusalOfWrite } from '../../../policy/paths/refuse-path.ts';
import { undoWrites } from '../../../session/writes/undo.ts';
import type { UserConsole } from '../../../terminal/output.ts';
import { escapeForTerminal } from '../../../text/escape.ts';
import { decisionRules } from '../safety/decision-rules.ts';
import type { SubcommandRequest } from '../subcommand.ts';
import { findStoredSession, type StoredSessionPorts } from './stored-session.ts';

/** Ports of `ybs undo`. */
interface UndoPorts extends StoredSessionPorts {
  readonly machine: StoredSessionPorts['machine'] & Parameters<typeof decisionRules>[2];
  readonly user: Pick<UserConsole, 'write'>;
}

/**
 * `ybs undo`: puts the files back that the last run of a stored session wrote, and reports them as text or as one line
 * of JSON. Returns the exit code: that of a failure if a file could not be put back.
 */
export async function undoCommand(
  request: Pick<SubcommandRequest, 'args' | 'options' | 'ownOptions'>,
  ports: UndoPorts,
): Promise<number> {
  const { store, name, workspace, config } = await findStoredSession(request, ports);
  const { pathRules } = await decisionRules(config, workspace, ports.machine);
  const record = await store.open(name);
  try {
    const places = { workspace, refusalOf: (file: string) => refusalOfWrite(file, pathRules) };
    const { event: _event, ...report } = await undoWrites(record, places);
    const text =
      request.ownOptions.has('json') || request.options.outputFormat === 'json'
        ? JSON.stringify({ session: name, ...report })
        : escapeForTerminal(`${name}: ${describeUndo(report, workspace, `In ybs --resume ${name}, /undo`)}`);
    await ports.user.write(`${text}\n`);
    return report.kept.length > 0 ? EXIT_CODES.failed : EXIT_CODES.done;
  } finally {
    await record.close();
  }
}
