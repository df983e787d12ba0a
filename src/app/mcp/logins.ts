import { unlessFileError } from '../../agent/errors.ts';
import { ownDirectories } from '../../config/layers/sources.ts';
import type { Config } from '../../config/schema.ts';
import { pathFlavour } from '../../policy/paths/path-policy.ts';
import { expandPath } from '../../policy/paths/written-path.ts';
import { whileLocked } from '../../session/log/lock.ts';
import { isJsonObject, jsonOr } from '../../text/json/json.ts';
import type { Login, LoginStore } from '../../tools/mcp/login/tokens.ts';
import { ownFile } from '../../tools/mcp/memory/memory.ts';
import type { McpServerSettings } from '../../tools/mcp/settings.ts';
import type { Machine } from '../settings.ts';

/**
 * The logins of the user to servers over HTTP: in the keyring of the system, or where there is none in files that only the
 * user can read. They hold for one address of a server, which is that of an entry with the values of its
 * variables.
 */
export function createLogins(config: Config, workspace: string, machine: Machine) {
  const { clock, digest, fileSystem, home, platform, processes } = machine;
  const { join } = pathFlavour(platform);
  const [, configuration = ''] = ownDirectories(config, machine);
  const directory = expandPath(`${configuration}/mcp/logins`, { workspace, platform, home });
  const openKeyring = async () => (await machine.openLogins?.())?.keyring;
  return ({ name, entry }: Pick<McpServerSettings, 'name' | 'entry'>) => {
    const mark = digest(new TextEncoder().encode(entry.url ?? '')).slice(0, 16);
    const account = `${name} ${mark}`;
    const base = `${name}.${mark}`;
    const stored = ownFile(`${base}.json`, { fileSystem, platform, directory });
    const isInFile = async (): Promise<boolean> => (await stored.read()) !== undefined;
    const store: LoginStore = {
      async read() {
        const value = jsonOr(undefined, (await stored.read()) ?? (await (await openKeyring())?.read(account)) ?? '');
        return isLogin(value) ? value : undefined;
      },
      async write(login) {
        const text = `${JSON.stringify(login)}\n`;
        // A file that is there stays the place, so that no older login is read.
        const isKept = !(await isInFile()) && (await (await openKeyring())?.write(account, text)) === true;
        if (!isKept) await stored.write(login);
      },
      async locked(work) {
        await fileSystem.createDirectory(directory, 'owner');
        return whileLocked(join(directory, `${base}.lock`), { fileSystem, processes, clock }, work);
      },
      now: () => clock.now(),
    };
    /** Resolves to false if there was none. */
    const remove = async (): Promise<boolean> => {
      const wasInFile = await isInFile();
      await unlessFileError(fileSystem.removeFile(stored.file));
      return (await (await openKeyring())?.remove(account)) === true || wasInFile;
    };
    return { ...store, file: stored.file, isInFile, remove };
  };
}

function isLogin(value: unknown): value is Login {
  const { version, tokens, client, discovery } = isJsonObject(value) ? value : {};
  const hasToken = isJsonObject(tokens) && typeof tokens['access_token'] === 'string';
  return version === 1 && hasToken && isJsonObject(client) && isJsonObject(discovery);
}
