import { describeUndo } from '../../../app/commands/session/undo-commands.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import { refusalOfWrite } from '../../../policy/paths/refuse-path.ts';
import { NothingToUndoError, undoWrites } from '../../../session/writes/undo.ts';
import { escapeForTerminal } from '../../../text/escape.ts';
import { decisionRules } from '../safety/decision-rules.ts';
import { report, type SubcommandRequest, type Uses } from '../subcommand.ts';
import { findStoredSession, type StoredSessionPorts } from './stored-session.ts';

/**
 * `ybs undo`: puts the files back that the last run of a stored session wrote, and reports them as text or as one line
 * of JSON. Returns the exit code: that of a failure if a file could not be put back, or nothing is
 * left to undo.
 */
export async function undoCommand(
  request: Pick<SubcommandRequest, 'args' | 'options' | 'ownOptions'>,
  ports: StoredSessionPorts & Uses<{ machine: 'environment' | 'home' | 'platform'; user: 'write' }>,
): Promise<number> {
  const { store, name, workspace, config } = await findStoredSession(request, ports);
  const { pathRules } = await decisionRules(config, workspace, ports.machine);
  const record = await store.open(name);
  try {
    const places = { workspace, refusalOf: (file: string) => refusalOfWrite(file, pathRules) };
    const { event: _event, ...undone } = await undoWrites(record, places);
    const text = () =>
      escapeForTerminal(`${name}: ${describeUndo(undone, workspace, `In ybs --resume ${name}, /undo`)}`);
    const code = undone.kept.length > 0 ? EXIT_CODES.failed : EXIT_CODES.done;
    return await report(request, ports, { json: () => ({ session: name, ...undone }), text }, code);
  } catch (error) {
    if (!(error instanceof NothingToUndoError)) throw error;
    const json = () => ({ session: name, restored: [], kept: [], commands: [] });
    return await report(request, ports, { json, text: () => `${name}: ${error.message}` }, EXIT_CODES.failed);
  } finally {
    await record.close();
  }
}
