import { UsageError } from '../../../agent/errors.ts';
import { workspaceOf } from '../../../config/layers/sources.ts';
import type { SubcommandRequest, Uses } from '../subcommand.ts';

export type StoredSessionPorts = Uses<{ wiring: 'readConfig' | 'openStore'; machine: 'resolvePath' | 'fileSystem' }>;

/** Finds the session of this id or name, or the last one of the directory. Throws `UsageError` if there is none. */
export async function findStoredSession(
  { args: [wanted], options }: Pick<SubcommandRequest, 'args' | 'options'>,
  { wiring, machine }: StoredSessionPorts,
) {
  const [{ config }, here] = await Promise.all([wiring.readConfig(options), workspaceOf(options, machine)]);
  const store = await wiring.openStore({ config, workspace: here, autoSave: true });
  const heads = await store.heads();
  const name = wanted === undefined ? undefined : await store.find(wanted);
  const head = heads.find((each) => (name === undefined ? each.workspace === here : each.name === name));
  if (head === undefined)
    throw new UsageError(`There is no session of ${here}. Name one of another directory; ybs --resume lists them.`);
  return { store, name: head.name, workspace: head.workspace ?? here, config };
}
